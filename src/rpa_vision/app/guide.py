"""Guide a person through a workflow she does by hand: show the next target, offer to do the step, and step aside.

What an observer sees decides when something is suggested; the table of modes and maturity decides what. As soon as the
person does anything herself, the suggestion is gone; where she rests and the step was not seen, it comes again. A step
that she wants done is done as in any run, one step and no more.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from rpa_vision.app.guidance_words import KEY_MODIFIERS, choices, filled, hint, progress_suggestion, say
from rpa_vision.app.patience import Patience
from rpa_vision.app.phrases import Phrases
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.modes import Licence
from rpa_vision.graph.demonstration import DemoStep, element_at
from rpa_vision.graph.following import Sighting
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.guidance import Answer, GuidanceEvent, GuidanceKind, Language, Suggestion
from rpa_vision.models.input import MODIFIER_NAMES, InputEvent, InputKind
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge
from rpa_vision.ports.overlay import Overlay
from rpa_vision.ports.runtime import Clock

_ANSWERS_KEPT = 20
_ACTS = (InputKind.BUTTON_PRESS, InputKind.KEY_PRESS, InputKind.SCROLL)
_RESTS = "she rests"
AGAIN_S = 6.0
"""So long she rests before a step that was not seen is suggested again; longer than it takes to be seen."""


@dataclass(frozen=True, slots=True)
class StepDone:
    """What came of a step that was done for the person."""

    verified: bool
    reason: str
    sent: bool = False
    """Whether anything was sent, so that the screen may have changed."""


@dataclass(frozen=True, slots=True)
class GuideTools:
    """What a guide needs."""

    overlay: Overlay
    clock: Clock
    licence: Callable[[Workflow], Licence]
    """What may be done with a workflow in assist mode."""
    look: Callable[[], ObservedScreen]
    find: Callable[[Workflow, WorkflowEdge, ObservedScreen, Mapping[str, str]], Box | None]
    """Where the target of a step is on a screen, if that is sure."""
    do_step: Callable[[Workflow, WorkflowEdge, Mapping[str, str]], StepDone]
    """Do that one step, as carefully as any run does."""
    on_event: Callable[[GuidanceEvent], None]
    helped: Callable[[str, str], None] = lambda workflow_id, step_id: None
    shown: Callable[[Workflow, WorkflowEdge, UIElement, ObservedScreen, Mapping[str, str]], str] = (
        lambda workflow, edge, element, screen, values: ""
    )
    """Learn what a person pointed out as the target of a step; gives the proposal's id, or nothing."""
    rejected: Callable[[Workflow, WorkflowEdge], None] = lambda workflow, edge: None
    """Take note that what was shown as the target of a step is not it."""
    language: Language = "en"
    again_s: float = AGAIN_S


@dataclass(frozen=True, slots=True)
class _Offer:
    """What is on the screen."""

    sighting: Sighting
    edge: WorkflowEdge
    suggestion: Suggestion
    screen: ObservedScreen | None


class Guide:
    """Suggests the next step. `on_sighting` is for an observer, `hear` for the ears; a thread sees to answers."""

    def __init__(self, tools: GuideTools) -> None:
        self._tools = tools
        self._phrases = Phrases(tools.language)
        self._lock = threading.Lock()
        self._offer: _Offer | None = None
        self._to_show: _Offer | None = None
        self._muted: set[tuple[str, float]] = set()
        self._wrong: set[tuple[str, str]] = set()
        """Steps whose target she said was another: we neither point at them nor offer to do them any more."""
        self._deeds = 0
        self._due: Sighting | None = None
        """After which her next step was suggested, and has not been seen."""
        self._resting = Patience(tools.again_s, lambda: self._answers.put(_RESTS))
        self._answered_at: deque[Point] = deque(maxlen=_ANSWERS_KEPT)
        self._answers: queue.SimpleQueue[tuple[_Offer, Answer] | str | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._see_to_answers, name="guide", daemon=True)

    def __enter__(self) -> Guide:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._resting.end()
        self._answers.put(None)
        self._thread.join()
        self._tools.overlay.withdraw()

    def on_sighting(self, sighting: Sighting) -> None:
        """A step of a workflow was seen: suggest the next one, as far as the workflow has earned it."""
        if sighting.kind not in ("recognised", "step_seen"):
            if sighting.kind in ("completed", "broken_off"):
                self._forget_what_is_due()
                self._withdraw(None)
            return
        self._forget_what_is_due()
        self._suggest(sighting)

    def _suggest(self, sighting: Sighting) -> None:
        edge, given = sighting.next_step, self._tools.licence(sighting.workflow)
        if edge is None or edge.action is None or given.guidance == "none" or self._is_muted(sighting):
            return
        with self._lock:
            deeds = self._deeds
            is_wrong = (sighting.workflow.workflow_id, edge.edge_id) in self._wrong
        screen = self._tools.look() if given.highlights else None
        target = None
        if screen is not None and not is_wrong:
            target = self._tools.find(sighting.workflow, edge, screen, sighting.values)
        offer = _Offer(sighting, edge, self._suggestion(sighting, edge, given, target, may_do=not is_wrong), screen)
        with self._lock:
            self._due = sighting
        if self._show(offer, deeds):
            self._tell("suggested", offer)
        else:
            self._resting.begin()

    def hear(self, event: InputEvent) -> None:
        """The person does something: what she sees of ours goes at once, unless it is an answer."""
        if event.own or event.kind not in _ACTS:
            return
        with self._lock:
            offer, to_show = self._offer, self._to_show
            is_answer = offer is not None and self._is_answer(event, offer)
            if not is_answer:
                self._deeds += 1
        if to_show is not None and event.kind is InputKind.BUTTON_PRESS and not self._tools.overlay.holds(event.pos):
            self._shown_at(to_show, event.pos)
        elif offer is not None and not is_answer:
            self._withdraw(offer)
        if not is_answer and self._due is not None:
            self._resting.begin()

    def is_ours(self, step: DemoStep) -> bool:
        """Whether a deed was an answer to the bubble, and no work."""
        if step.kind == "key_press":
            return set(step.keys[:-1]) == KEY_MODIFIERS
        with self._lock:
            return step.point is not None and step.point in self._answered_at

    def _is_answer(self, event: InputEvent, offer: _Offer) -> bool:
        if event.kind is InputKind.BUTTON_PRESS:
            is_answer = self._tools.overlay.holds(event.pos)
            if is_answer:
                self._answered_at.append(event.pos)
            return is_answer
        if event.kind is not InputKind.KEY_PRESS:
            return False
        if event.key in MODIFIER_NAMES:
            return True  # it may become one
        if event.modifiers != KEY_MODIFIERS:
            return False
        chosen = next((one for one in offer.suggestion.choices if (event.key or "").upper() in one.keys), None)
        if chosen is not None:
            self._answers.put((offer, chosen.answer))
        return chosen is not None

    def _suggestion(
        self, sighting: Sighting, edge: WorkflowEdge, given: Licence, target: Box | None, *, may_do: bool
    ) -> Suggestion:
        assert edge.action is not None
        said = progress_suggestion(
            self._tools.language,
            name=sighting.workflow.name,
            step=min((sighting.step or 0) + 1, sighting.of or 1),
            of=sighting.of or 1,
            sentence=self._phrases.action(filled(edge.action, sighting.values)),
            strength="strong" if given.guidance == "strong" else "weak",
            answers=_answers(given, has_target=target is not None, may_do=may_do),
            is_found=target is not None or edge.action.target is None,
        )
        return replace(said, target=target)

    def _show(self, offer: _Offer, deeds: int, *, to_show: bool = False) -> bool:
        """Put it on the screen, unless she has gone on since she had done so many deeds; says whether it did."""
        with self._lock:
            if self._deeds != deeds:
                return False
            self._offer, self._to_show = offer, offer if to_show else None
            self._tools.overlay.suggest(offer.suggestion, lambda answer: self._answers.put((offer, answer)))
            return True

    def _forget_what_is_due(self) -> None:
        self._resting.end()
        with self._lock:
            self._due = None

    def _remind(self) -> None:
        """She rests, and the step that was suggested has not been seen: she is told it again."""
        with self._lock:
            due = self._due if self._offer is None else None
        if due is not None and not self._is_muted(due):
            self._suggest(due)

    def _see_to_answers(self) -> None:
        while (item := self._answers.get()) is not None:
            if isinstance(item, str):
                self._remind()
                continue
            offer, answer = item
            with self._lock:
                if self._offer is not offer:
                    continue
                self._offer = self._to_show = None
                self._tools.overlay.withdraw()
                deeds = self._deeds
            self._forget_what_is_due()
            self._tell("answered", offer, answer=answer)
            if answer in ("do_it", "confirm"):
                self._do(offer, deeds)
            elif answer == "show_me":
                self._ask_to_show(offer, deeds)
            elif answer == "not_this":
                self._reject(offer, deeds)
            elif answer == "not_now":
                self._muted.add(_go_of(offer.sighting))

    def _do(self, offer: _Offer, deeds: int) -> None:
        workflow = offer.sighting.workflow
        done = self._tools.do_step(workflow, offer.edge, offer.sighting.values)
        self._tell("step_done" if done.verified else "step_refused", offer, text=done.reason)
        if done.verified:
            self._tools.helped(workflow.workflow_id, offer.edge.edge_id)
        else:
            self._hand_back(offer, "did_not_work" if done.sent else "unsure", deeds)

    def _hand_back(self, offer: _Offer, why: str, deeds: int) -> None:
        """We could not do it: she is told, and it is hers."""
        assert offer.edge.action is not None
        sentence = self._phrases.action(filled(offer.edge.action, offer.sighting.values))
        text = say(self._tools.language, why, sentence=sentence)
        answers: tuple[Answer, ...] = ("show_me", "not_now")
        told = replace(
            offer.suggestion,
            text=text,
            target=None,
            choices=choices(self._tools.language, answers),
            hint=hint(self._tools.language, answers),
        )
        self._show(replace(offer, suggestion=told), deeds)

    def _reject(self, offer: _Offer, deeds: int) -> None:
        """What we pointed at is not it: say so where it counts, and ask again without pointing."""
        workflow, edge = offer.sighting.workflow, offer.edge
        self._tools.rejected(workflow, edge)
        suggestion = self._suggestion(offer.sighting, edge, self._tools.licence(workflow), None, may_do=False)
        again = replace(offer, suggestion=suggestion)
        with self._lock:
            self._wrong.add((workflow.workflow_id, edge.edge_id))
        if self._show(again, deeds):
            self._tell("suggested", again)

    def _ask_to_show(self, offer: _Offer, deeds: int) -> None:
        words = say(self._tools.language, "show")
        answers: tuple[Answer, ...] = ("not_now",)
        asked = Suggestion(
            offer.suggestion.title,
            words,
            choices=choices(self._tools.language, answers),
            hint=hint(self._tools.language, answers),
        )
        self._show(replace(offer, suggestion=asked), deeds, to_show=True)

    def _shown_at(self, offer: _Offer, point: Point) -> None:
        with self._lock:
            self._to_show = self._offer = None
            self._tools.overlay.withdraw()
        screen, sighting = offer.screen, offer.sighting
        element = element_at(screen.state.ui_elements, point) if screen is not None else None
        if screen is None or element is None:
            self._tell("shown", offer)
            return
        proposal = self._tools.shown(sighting.workflow, offer.edge, element, screen, sighting.values)
        self._tell("shown", offer, text=element.label, bbox=Box.of(element.bbox), proposal=proposal or None)

    def _withdraw(self, offer: _Offer | None) -> None:
        with self._lock:
            if offer is None:
                offer = self._offer
            self._offer = self._to_show = None
            if offer is not None:
                self._tools.overlay.withdraw()
        if offer is not None:
            self._tell("withdrawn", offer)

    def _is_muted(self, sighting: Sighting) -> bool:
        return _go_of(sighting) in self._muted

    def _tell(
        self,
        kind: GuidanceKind,
        offer: _Offer,
        *,
        answer: Answer | None = None,
        text: str = "",
        bbox: Box | None = None,
        proposal: str | None = None,
    ) -> None:
        suggestion, sighting = offer.suggestion, offer.sighting
        target = bbox or (suggestion.target if kind in ("suggested", "answered") else None)
        self._tools.on_event(
            GuidanceEvent(
                kind=kind,
                at=self._tools.clock.now(),
                workflow_id=sighting.workflow.workflow_id,
                workflow_name=sighting.workflow.name,
                step_id=offer.edge.edge_id,
                step=min((sighting.step or 0) + 1, sighting.of or 1),
                of=sighting.of,
                text=text or suggestion.text,
                strength=suggestion.strength if kind == "suggested" else None,
                answer=answer,
                bbox=target.bbox if target is not None else None,
                proposal_id=proposal,
            )
        )


def _answers(given: Licence, *, has_target: bool, may_do: bool) -> tuple[Answer, ...]:
    if given.guidance != "strong":
        return ("not_now",)
    doing: tuple[Answer, ...] = ("do_it",) if given.act and may_do else ()
    pointing: tuple[Answer, ...] = ("not_this", "show_me") if has_target else ("show_me",)
    return (*doing, *pointing, "not_now")


def _go_of(sighting: Sighting) -> tuple[str, float]:
    return sighting.workflow.workflow_id, sighting.began_t or 0.0
