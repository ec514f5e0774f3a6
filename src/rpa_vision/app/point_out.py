"""Interactive healing: a run that is lost asks a person to point the target out, and goes on from there.

The question is a document beside a picture of the screen with numbered candidates; a terminal, the dashboard and the
overlay read it and answer it the same way. Nobody is asked unless the run was told that somebody is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from pydantic import JsonValue

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.errors import UsageError
from rpa_vision.execution.ask_a_person import Choice, choices, element_at, is_same_screen, objection_to, shown
from rpa_vision.execution.harm import is_dangerous
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.target_resolver import Resolved, Unresolved
from rpa_vision.imaging.codec import encode_png
from rpa_vision.imaging.draw import draw_numbers
from rpa_vision.models.action import Action
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.heal_question import AnswerKind, HealAnswer, HealQuestion, QuestionCandidate, QuestionKind
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge
from rpa_vision.ports.heal_questions import HealQuestionStore
from rpa_vision.ports.runtime import Clock, Ids
from rpa_vision.ports.storage import Listing
from rpa_vision.system.failure_evidence import blacked_out, without_secrets

ASK_TIMEOUT_S = 300.0
MAX_ASKED = 3
"""So often one step asks: what changes or is refused every time is not asked about forever."""
_POLL_S = 0.2
_READY_S = 15.0


@dataclass(frozen=True, slots=True)
class AskingRun:
    """What a run that may ask works with."""

    workflow: Workflow
    run_id: str
    store: HealQuestionStore
    sight: Sight
    clock: Clock
    ids: Ids
    is_at: Callable[[WorkflowEdge, ObservedScreen], bool]
    sentence: Callable[[WorkflowEdge], str]
    hidden: Callable[[], Mapping[str, str]]
    note: Callable[[str, dict[str, JsonValue]], None]
    may_go_on: Callable[[], bool] = lambda: True
    hands_are_free: Callable[[], bool] = lambda: True
    take_time: Callable[[str, float | None], None] = lambda edge_id, seconds: None
    on_question: Callable[[HealQuestion], None] = lambda question: None
    timeout_s: float = ASK_TIMEOUT_S


class PointOut:
    """Asks for the target of a step. Given to the executor, it is heard where nothing else is safe."""

    def __init__(self, run: AskingRun) -> None:
        self._run = run
        self._declined: dict[str, str] = {}
        """Steps nobody could or would show, and what was said: one is not asked about twice for the same."""

    def __call__(
        self,
        edge: WorkflowEdge,
        action: Action,
        outcome: StepOutcome,
        values: Mapping[str, str],
        doubt: Unresolved,
    ) -> Resolved | Unresolved:
        """The target as a person shows it, or why there is none after all."""
        own = self._run.workflow.get_edge(edge.edge_id)
        if own is None or action.target is None or outcome.before is None:
            return doubt  # what is done besides the steps is nobody's to point out
        if edge.edge_id in self._declined:
            return _refused(doubt, self._declined[edge.edge_id])
        try:
            return self._asked(edge, action.target, outcome, values, doubt)
        finally:
            self._run.take_time(edge.edge_id, None)

    def _asked(
        self,
        edge: WorkflowEdge,
        target: TargetSpec,
        outcome: StepOutcome,
        values: Mapping[str, str],
        doubt: Unresolved,
    ) -> Resolved | Unresolved:
        run, why, before = self._run, doubt.message, None
        for attempt in range(MAX_ASKED):
            screen = self._screen(outcome, again=attempt > 0)
            if attempt and not run.is_at(edge, screen):
                return _refused(doubt, "another screen came up while it was asked")
            offered = choices(target, doubt, screen, values)
            question = self._ask("show", edge, screen, offered, why, before)
            answer = self._answer(question)
            if answer is None or answer.kind == "none":
                self._declined[edge.edge_id] = _no_answer(answer, run.timeout_s)
                return _refused(doubt, self._declined[edge.edge_id])
            element = _meant(answer, offered, target, screen)
            before, why = question.question_id, ""
            if not is_same_screen(screen, run.sight.grab().pixels, element):
                why = "the screen changed while it was asked"
                continue
            against = objection_to(element, target, screen, values)
            if against is not None:
                why = f"{against}: it is not clicked, whoever shows it"
                continue
            if is_dangerous(element) and not self._is_confirmed(edge, element, screen, before):
                return _refused(doubt, f"« {element.label} » may do harm, and nobody said yes twice")
            if not self._is_free(screen, element):
                why = "the screen changed while it was asked"
                continue
            outcome.before, outcome.shown_by, outcome.keep_shown = screen, answer.who, answer.keep
            return shown(element, answer.who, doubt.profile)
        return _refused(doubt, why or "it was asked often enough")

    def _screen(self, outcome: StepOutcome, *, again: bool) -> ObservedScreen:
        assert outcome.before is not None
        return self._run.sight.look() if again else outcome.before

    def _is_confirmed(self, edge: WorkflowEdge, element: UIElement, screen: ObservedScreen, before: str) -> bool:
        only = Choice(1, element, 1.0, ("shown before",), None)
        question = self._ask("confirm", edge, screen, (only,), f"« {element.label} » may do harm", before)
        answer = self._answer(question)
        return answer is not None and answer.kind == "yes"

    def _is_free(self, screen: ObservedScreen, element: UIElement) -> bool:
        """Whoever answers with the mouse on the same desktop is given time to let go of it."""
        run = self._run
        until = run.clock.monotonic() + _READY_S
        while not run.hands_are_free() and run.may_go_on() and run.clock.monotonic() < until:
            run.clock.sleep(_POLL_S)
        return is_same_screen(screen, run.sight.grab().pixels, element)

    def _ask(
        self,
        kind: QuestionKind,
        edge: WorkflowEdge,
        screen: ObservedScreen,
        offered: tuple[Choice, ...],
        why: str,
        before: str | None,
    ) -> HealQuestion:
        run, hidden = self._run, self._run.hidden()
        height, width = screen.pixels.shape[:2]
        now = run.clock.now()
        question = HealQuestion(
            question_id=run.ids.new("question"),
            kind=kind,
            run_id=run.run_id,
            workflow_id=run.workflow.workflow_id,
            workflow_name=run.workflow.name,
            edge_id=edge.edge_id,
            step=str(without_secrets(run.sentence(edge), hidden)),
            why=str(without_secrets(why, hidden)),
            asked_at=now,
            expires_at=now + timedelta(seconds=run.timeout_s),
            screen_size=(int(width), int(height)),
            candidates=tuple(_candidate(one, hidden) for one in offered),
            replaces=before,
        )
        run.take_time(edge.edge_id, run.timeout_s)
        run.note("question_asked", _told(question))
        asked = run.store.ask(question, _picture(screen, offered, hidden))
        run.on_question(asked)
        return asked

    def _answer(self, question: HealQuestion) -> HealAnswer | None:
        """Wait for somebody. None: nobody answered in time, or the run is to end."""
        run, name = self._run, question.question_id
        until = run.clock.monotonic() + run.timeout_s
        while True:
            answer = run.store.answer_of(name)
            if answer is not None:
                run.note("question_answered", _said(answer))
                run.store.end(name, "answered", f"by {answer.who}")
                return answer
            if not run.may_go_on():
                run.store.end(name, "withdrawn", "the run was stopped")
                return None
            if run.clock.monotonic() >= until:
                run.store.end(name, "expired", f"nobody answered within {run.timeout_s:g} s")
                return None
            run.clock.sleep(_POLL_S)


@dataclass(frozen=True, slots=True)
class QuestionDesk:
    """Questions that wait, and answers to them, for every user interface."""

    store: HealQuestionStore
    clock: Clock

    def waiting(self) -> Listing[HealQuestion]:
        """The questions that somebody could answer now, the oldest first."""
        found, now = self.store.list(), self.clock.now()
        return replace(found, items=tuple(one for one in found.items if one.status == "open" and one.expires_at > now))

    def answer(
        self,
        question_id: str,
        who: str,
        *,
        number: int | None = None,
        point: Point | None = None,
        none: bool = False,
        yes: bool = False,
        keep: bool = False,
    ) -> HealAnswer:
        """Answer a question, in one of four ways. What makes no sense for it is told before anything is written."""
        question = self.store.load(question_id)
        ways: dict[AnswerKind, bool] = {
            "number": number is not None,
            "point": point is not None,
            "none": none,
            "yes": yes,
        }
        given = [kind for kind, is_given in ways.items() if is_given]
        if len(given) != 1:
            raise UsageError("one answer is expected", remedy="Give a number, a point, `none` or `yes`.")
        if given[0] == "yes" and question.kind != "confirm":
            raise UsageError(f"{question_id} is not a question of yes or no", remedy="Give a number, a point or none.")
        if question.kind == "confirm" and given[0] not in ("yes", "none"):
            raise UsageError(f"{question_id} asks whether it is really this", remedy="Answer yes or none.")
        if number is not None and number not in {one.number for one in question.candidates}:
            raise UsageError(
                f"{question_id} has no candidate {number}", remedy=f"It has 1 to {len(question.candidates)}."
            )
        width, height = question.screen_size
        if point is not None and not (0 <= point[0] < width and 0 <= point[1] < height):
            raise UsageError(f"{point} is not on a screen of {width} x {height}", remedy="Give a point of that screen.")
        answer = HealAnswer(
            question_id=question_id,
            kind=given[0],
            number=number,
            point=point,
            keep=keep and given[0] in ("number", "point"),
            who=who,
            at=self.clock.now(),
        )
        self.store.answer(answer)
        return answer


def _meant(answer: HealAnswer, offered: tuple[Choice, ...], target: TargetSpec, screen: ObservedScreen) -> UIElement:
    if answer.point is not None:
        return element_at(answer.point, target, screen)
    return next(one.element for one in offered if one.number == answer.number)


def _refused(doubt: Unresolved, why: str) -> Unresolved:
    return replace(doubt, message=f"{doubt.message}; {why}")


def _no_answer(answer: HealAnswer | None, timeout_s: float) -> str:
    if answer is None:
        return f"nobody answered within {timeout_s:g} s"
    return f"{answer.who} said that it is none of these"


def _candidate(choice: Choice, hidden: Mapping[str, str]) -> QuestionCandidate:
    element = choice.element
    return QuestionCandidate(
        number=choice.number,
        label=str(without_secrets(element.label, hidden)),
        type=element.type,
        role=element.role,
        bbox=element.bbox,
        score=round(choice.score, 4),
        reasons=tuple(without_secrets(list(choice.reasons), hidden)),
        objection=str(without_secrets(choice.objection or "", hidden)),
    )


def _picture(screen: ObservedScreen, offered: tuple[Choice, ...], hidden: Mapping[str, str]) -> bytes:
    """The whole screen with numbers on it, so that a point of the picture is a point of the screen."""
    pixels = blacked_out(screen, hidden)
    return encode_png(draw_numbers(pixels, {one.number: Box.of(one.element.bbox) for one in offered}))


def _told(question: HealQuestion) -> dict[str, JsonValue]:
    return {
        "question_id": question.question_id,
        "step_id": question.edge_id,
        "kind": question.kind,
        "why": question.why,
        "candidates": [one.model_dump(mode="json") for one in question.candidates],
        "expires_at": question.expires_at.isoformat(),
    }


def _said(answer: HealAnswer) -> dict[str, JsonValue]:
    value: JsonValue = answer.number if answer.kind == "number" else None
    if answer.point is not None:
        value = list(answer.point)
    return {
        "question_id": answer.question_id,
        "answer": {answer.kind: value if value is not None else True},
        "keep": answer.keep,
        "who": answer.who,
    }
