"""Builds what stands between the robot and the person at the screen: the overlay, and whoever heeds her input."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from typing import TYPE_CHECKING

from rpa_vision.errors import EnvironmentMissingError, RpaVisionError, UsageError

if TYPE_CHECKING:
    from rpa_vision.adapters.storage.data_directory import FileDataDirectory
    from rpa_vision.app.guide import Guide, StepDone
    from rpa_vision.app.observe import ObserveTools
    from rpa_vision.app.screen_guide import ScreenGuide
    from rpa_vision.app.screen_person import ScreenPerson
    from rpa_vision.app.wiring_auto_heal import AutoHeal
    from rpa_vision.embedding.screen_observer import ObservedScreen, ScreenObserver
    from rpa_vision.execution.foreign_input import AttentionSettings, PersonWatch, Presence
    from rpa_vision.execution.guarded_desktop import InputGate
    from rpa_vision.execution.modes import Licence
    from rpa_vision.graph.node_matcher import NodeMatcher
    from rpa_vision.models.geometry import Box
    from rpa_vision.models.guidance import GuidanceEvent, Language, Strength
    from rpa_vision.models.input import InputEvent
    from rpa_vision.models.ui_element import UIElement
    from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge
    from rpa_vision.models.workflow_standing import LearningStateName
    from rpa_vision.ports.desktop import Desktop
    from rpa_vision.ports.overlay import Overlay

STOP_KEY_VARIABLE = "RPA_VISION_STOP_KEY"
RESUME_VARIABLE = "RPA_VISION_RESUME_AFTER_S"
LANGUAGE_VARIABLE = "RPA_VISION_LANGUAGE"
OVERLAY_VARIABLE = "RPA_VISION_OVERLAY"


def language() -> Language:
    """Which language the overlay and reports speak: as the settings say, else as the person's system does."""
    chosen = os.environ.get(LANGUAGE_VARIABLE, "")
    if chosen not in ("", "fr", "en"):
        raise UsageError(f"{LANGUAGE_VARIABLE} is {chosen!r}", remedy="Say fr or en.")
    if chosen:
        return "fr" if chosen == "fr" else "en"
    system = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return "fr" if system.lower().startswith("fr") else "en"


def attention_settings() -> AttentionSettings:
    """Which key stops a run, and after how long a pause it goes on."""
    from rpa_vision.capture.hotkey import Hotkey
    from rpa_vision.execution.foreign_input import QUIET_S, STOP_KEY, AttentionSettings

    key = os.environ.get(STOP_KEY_VARIABLE) or STOP_KEY
    Hotkey.parse(key)
    given = os.environ.get(RESUME_VARIABLE)
    try:
        quiet_s = float(given) if given else QUIET_S
    except ValueError:
        quiet_s = -1.0
    if not 0.2 <= quiet_s <= 600.0:
        raise UsageError(f"{RESUME_VARIABLE} is {given!r}", remedy="Say a number of seconds from 0.2 to 600.")
    return AttentionSettings(stop_key=key.upper(), quiet_s=quiet_s)


def overlay(screen: Desktop, display: str | None = None) -> Overlay | None:
    """The overlay on that desktop; None where there is none: another system, an old X server, or not wanted."""
    wanted = os.environ.get(OVERLAY_VARIABLE, "on")
    if wanted not in ("on", "off"):
        raise UsageError(f"{OVERLAY_VARIABLE} is {wanted!r}", remedy="Say on or off.")
    if wanted == "off" or not sys.platform.startswith("linux"):
        return None
    from rpa_vision.adapters.desktop.x11.desktop import X11Desktop
    from rpa_vision.adapters.desktop.x11.overlay import X11Overlay

    if not isinstance(screen, X11Desktop):
        return None
    try:
        return X11Overlay(display or screen.display_name, lambda: screen.eyes.info().monitors)
    except EnvironmentMissingError:
        return None


def seat(screen: Desktop) -> AbstractContextManager[None]:
    """Keeps other robots off the desktop while one acts on it, where the system has a way to."""
    if not sys.platform.startswith("linux"):
        return nullcontext()
    from rpa_vision.adapters.desktop.x11 import seat as x11
    from rpa_vision.adapters.desktop.x11.desktop import X11Desktop

    return x11.seat(screen.display_name) if isinstance(screen, X11Desktop) else nullcontext()


def beside(
    screen: Desktop, settings: AttentionSettings | None = None, asked: ScreenPerson | None = None
) -> Callable[[InputGate, str], AbstractContextManager[PersonWatch]]:
    """What watches for a person while the robot acts, and shows that it does. Who is `asked` may answer meanwhile."""
    from rpa_vision.app import wiring
    from rpa_vision.app.guidance_words import say
    from rpa_vision.execution.foreign_input import PersonWatch

    def no_answer(_: InputEvent) -> bool:
        return False

    speech = language()
    heeded = settings or attention_settings()

    @contextmanager
    def watching(gate: InputGate, name: str) -> Iterator[PersonWatch]:
        panes = asked.overlay if asked is not None else overlay(screen)

        def show(presence: Presence) -> None:
            if panes is not None:
                text = say(speech, presence, name=name, key=heeded.stop_key)
                panes.sign(text, calm=presence != "acting")

        watch = PersonWatch(
            gate, wiring.clock(), heeded, on_change=show, is_answer=asked.is_answer if asked is not None else no_answer
        )

        def hear(event: InputEvent) -> None:
            watch.hear(event)
            if asked is not None:
                asked.hear(event)

        try:
            with seat(screen), screen.ears.listen(hear, on_lost=watch.lose):
                show("acting")
                yield watch
        finally:
            if panes is not None:
                panes.unsign()
                if asked is None:
                    panes.close()

    return watching


def tell_by_sign(words: str, seconds: float) -> bool:
    """Say something at the top of the screen for a while; says whether there is a screen."""
    from rpa_vision.app import wiring

    try:
        screen = wiring.desktop()
    except RpaVisionError:
        return False
    with closing(screen):
        panes = overlay(screen)
        if panes is None:
            return False
        with closing(panes):
            panes.sign(words, calm=True)
            wiring.clock().sleep(seconds)
    return True


def screen_person(screen: Desktop) -> ScreenPerson | None:
    """The person at that screen, asked by a bubble; None where there is no overlay. Close its overlay afterwards."""
    from rpa_vision.app import wiring
    from rpa_vision.app.screen_person import ScreenPerson

    panes = overlay(screen)
    return ScreenPerson(panes, language(), wiring.clock()) if panes is not None else None


@contextmanager
def guided_on(
    screen: Desktop, level: LearningStateName, on_not_now: Callable[[], None]
) -> Iterator[ScreenGuide | None]:
    """What shows the steps of an assisted run on that screen, until it is over; None where there is no overlay."""
    from rpa_vision.app.screen_guide import ScreenGuide

    panes = overlay(screen)
    if panes is None:
        yield None
        return
    strength: Strength = "weak" if level == "OBSERVATION" else "strong"
    guide = ScreenGuide(panes, language(), strength, on_not_now=on_not_now)
    with closing(panes), screen.ears.listen(guide.hear):
        yield guide
        guide.over()


@contextmanager
def told_to_office(data: FileDataDirectory) -> Iterator[Callable[[GuidanceEvent], None]]:
    """What offers the events of an observer or a guide to those who follow the server's."""
    from rpa_vision.app.guidance_feed import handed_on
    from rpa_vision.app.wiring_office import run_queue

    board = run_queue(data)

    def tell(event: GuidanceEvent) -> None:
        body = {name: value for name, value in event.to_json().items() if value is not None}
        body["what"] = body.pop("kind")
        for name in ("at", "workflow_id", "schema_version"):
            body.pop(name, None)
        board.tell("guidance", body, now=event.at, workflow_id=event.workflow_id)

    with closing(board), handed_on(tell) as hand_on:
        yield hand_on


def observer_of_most(data: FileDataDirectory) -> ScreenObserver:
    """Who understands screens in the space in which most workflows lie."""
    from collections import Counter

    from rpa_vision.app import wiring

    spaces = Counter(
        prototype.space_id
        for workflow in data.workflows.list().items
        for node in workflow.nodes
        if (prototype := node.screen_template.embedding_prototype) is not None
    )
    return wiring.screen_observer(spaces.most_common(1)[0][0] if spaces else None)


def known_workflows(data: FileDataDirectory, observer: ScreenObserver) -> tuple[dict[str, NodeMatcher], dict[str, str]]:
    """Who tells the screens of each workflow apart, and of the others, by their ids, why nobody can."""
    from rpa_vision.app import wiring
    from rpa_vision.embedding.spaces import require_same_space
    from rpa_vision.graph.node_matcher import NodeMatcher

    space = observer.embedder.space
    known, left_out = dict[str, NodeMatcher](), dict[str, str]()
    for workflow in data.workflows.list().items:
        index = wiring.vector_index(workflow.workflow_id, space)
        try:
            for node in workflow.nodes:
                prototype = node.screen_template.embedding_prototype
                if prototype is not None:
                    require_same_space(prototype.space_id, space.id)
                    vector = data.vectors.load(prototype.vector_id, dimensions=space.dimensions or 0)
                    index.add_embedding(vector, {"workflow_id": workflow.workflow_id, "node_id": node.node_id})
        except RpaVisionError as error:
            left_out[workflow.workflow_id] = str(error)
            continue
        known[workflow.workflow_id] = NodeMatcher(workflow, index)
    return known, left_out


def observe_tools(
    data: FileDataDirectory,
    screen: Desktop,
    observer: ScreenObserver,
    matchers: Mapping[str, NodeMatcher],
    heal: AutoHeal | None,
) -> ObserveTools:
    """What an observer needs, wired. With `heal`, what is seen to its end counts for the workflow's level."""
    from rpa_vision.app import wiring, wiring_run
    from rpa_vision.app.observe import ObserveTools

    def counted(workflow: Workflow, similarity: float, source: str) -> None:
        if heal is not None:
            heal.learning.observed(workflow.workflow_id, similarity, source, workflow=workflow)

    return ObserveTools(
        screen,
        observer,
        wiring.secret_fields(),
        wiring.clock(),
        lambda workflow, step: matchers[workflow.workflow_id].locate(step.before),
        robot_acts=wiring_run.has_robot(data, screen),
        counted=counted,
    )


def guide(
    data: FileDataDirectory,
    screen: Desktop,
    observer: ScreenObserver,
    heal: AutoHeal,
    panes: Overlay,
    on_event: Callable[[GuidanceEvent], None],
    helped: Callable[[str, str], None],
) -> Guide:
    """Who suggests the next step on the person's screen."""
    from rpa_vision.app import wiring
    from rpa_vision.app.guide import Guide, GuideTools, StepDone
    from rpa_vision.app.guided_step import do_one_step
    from rpa_vision.app.licence import as_trusted_now, licence_of
    from rpa_vision.app.run_parts import RecordedLooks
    from rpa_vision.app.run_tools import RunRequest
    from rpa_vision.app.shown_target import ShownTargets
    from rpa_vision.app.wiring_auto_heal import person
    from rpa_vision.execution.healing_profile import HealingProfile
    from rpa_vision.execution.sight import Sight
    from rpa_vision.execution.target_resolver import Resolved, TargetResolver
    from rpa_vision.models.geometry import Box
    from rpa_vision.models.maturity import CountedRun

    clock, resolver, looks = wiring.clock(), TargetResolver(), RecordedLooks(data)
    sight = Sight(screen.eyes, observer, clock, wiring.ids())

    def licence(workflow: Workflow) -> Licence:
        known = as_trusted_now(workflow, data, heal.learning)
        return licence_of(RunRequest(known, {}), person_is_there=True)

    def find(workflow: Workflow, edge: WorkflowEdge, shown: ObservedScreen, values: Mapping[str, str]) -> Box | None:
        target = edge.action.target if edge.action is not None else None
        if target is None:
            return None
        found = resolver.resolve(target, shown, values, HealingProfile.at_level(0), looks.of(edge))
        return Box.of(found.best.element.bbox) if isinstance(found, Resolved) else None

    def rejected(workflow: Workflow, edge: WorkflowEdge) -> None:
        why = f"step {edge.edge_id}: a person said that it is not this"
        no_run = CountedRun(
            way="supervised", source=wiring.ids().new("guided"), verified=False, succeeded=False, anomaly=why
        )
        heal.learning.count(workflow.workflow_id, no_run, workflow=workflow)

    pointed_out = ShownTargets(heal.proposals, resolver, looks, clock, wiring.ids(), person())

    def shown(
        workflow: Workflow, edge: WorkflowEdge, element: UIElement, seen: ObservedScreen, values: Mapping[str, str]
    ) -> str:
        proposal = pointed_out.propose(workflow, edge, element, seen, values)
        return proposal.proposal_id if proposal is not None else ""

    def do_step(workflow: Workflow, edge: WorkflowEdge, values: Mapping[str, str]) -> StepDone:
        if not licence(workflow).act:
            return StepDone(False, "the workflow was changed, or lost its level, since the step was offered")
        tools = wiring.run_tools(data, screen, workflow, heal, observer)
        return do_one_step(workflow, edge, values, tools)

    return Guide(
        GuideTools(
            overlay=panes,
            clock=clock,
            licence=licence,
            look=sight.look,
            find=find,
            do_step=do_step,
            on_event=on_event,
            helped=helped,
            shown=shown,
            rejected=rejected,
            language=language(),
        )
    )
