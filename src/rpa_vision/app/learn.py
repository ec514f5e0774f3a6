"""Learn a workflow from recorded sessions and keep it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from rpa_vision.app.session_screens import OnProgress, SessionScreens
from rpa_vision.embedding.screen_observer import ScreenObserver
from rpa_vision.errors import LearningError, RpaVisionError, UnknownIdError, UsageError
from rpa_vision.graph.goes import ShownGo
from rpa_vision.graph.graph_builder import FoundTasks, GraphBuilder, LearnedWorkflow
from rpa_vision.graph.merging import merged
from rpa_vision.graph.naming import task_name
from rpa_vision.graph.plan import problems_of
from rpa_vision.graph.tasks import Task
from rpa_vision.imaging.codec import encode_png
from rpa_vision.learning.heal_proposals import with_known_names
from rpa_vision.learning.versioned_store import MIN_KEPT, VersionedStore
from rpa_vision.models.branch_rule import BranchQuestion
from rpa_vision.models.ids import slug
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.perception import Vector
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.storage import DataDirectory

EDITED = "edited_by_hand"
"""In the metadata of a workflow: a person changed what it does, so that learning it again would lose that."""


@dataclass(frozen=True, slots=True)
class LearnResult:
    """The workflow and how it came about."""

    workflow: Workflow
    repetitions: int
    sessions: tuple[str, ...]
    duration_s: float
    version_id: str | None = None
    """The version that holds all of it, where versions are kept."""
    questions: dict[str, BranchQuestion] = field(default_factory=dict)
    """What has to be answered before it can be run to its end, by the edge at which it is asked."""
    goes: tuple[ShownGo, ...] = ()
    """What it was learned from, one by one."""


def learn(
    data: DataDirectory,
    observer: ScreenObserver,
    clock: Clock,
    *,
    name: str,
    session_ids: Sequence[str] = (),
    into: str | None = None,
    anew: bool = False,
    on_progress: OnProgress = lambda what, done, total: None,
    versions: VersionedStore | None = None,
    keep_versions: int = MIN_KEPT,
    on_update: Callable[[str], None] = lambda workflow_id: None,
) -> LearnResult:
    """Learn the task that the sessions repeat. Without ids: the sessions of that name, or the only one there is.

    A workflow of that name is refined: what it was learned from before counts too, unless it is learned `anew`.
    `into` names the workflow to refine by its id. What cannot be learned again, because recordings are gone or people
    edited it, stays as it is and is refined (`graph.merging`) by sessions it was not learned from yet; where there are
    none, that is a UsageError: seen twice is not shown twice. With `versions`, what was learned before stays a version
    that can be had back, and what is learned becomes the next;
    versions beyond `keep_versions` (the policy's `max_versions_to_keep`) go. `on_update` hears of the workflow that was
    learned.
    """
    began = clock.monotonic()
    workflow_id = into or _workflow_id(name)
    former = _former(data, workflow_id, name)
    wanted = list(session_ids or _sessions_named(data, name))
    if former is not None and not anew:
        before = _learned_from(data, former)
        gone = _cannot_be_learned_again(data, former)
        wanted = _new_to(former, wanted) if gone else [*before, *wanted]
    keeping = _Keeping(data, clock, began, versions, keep_versions, on_update, refine=not anew)
    lesson = _Lesson(data, observer, wanted, on_progress)
    return keeping.keep(lesson, lesson.found.tasks[0], name, workflow_id)


def learn_all(
    data: DataDirectory,
    observer: ScreenObserver,
    clock: Clock,
    *,
    session_ids: Sequence[str],
    on_progress: OnProgress = lambda what, done, total: None,
    versions: VersionedStore | None = None,
    keep_versions: int = MIN_KEPT,
    on_update: Callable[[str], None] = lambda workflow_id: None,
) -> list[LearnResult]:
    """Learn every task that the sessions repeat, each under a name of its own, those that explain the most first."""
    keeping = _Keeping(data, clock, clock.monotonic(), versions, keep_versions, on_update)
    lesson = _Lesson(data, observer, session_ids, on_progress)
    names: list[str] = []
    for task in lesson.found.tasks:
        names.append(task_name(task.outline, names))
    for name in names:  # says so before anything is kept
        former = _former(data, _workflow_id(name), name)
        if former is not None and _cannot_be_learned_again(data, former):
            _new_to(former, session_ids, all_of_them=True)
    return [keeping.keep(lesson, task, name) for task, name in zip(lesson.found.tasks, names, strict=True)]


class _Lesson:
    """Sessions, read once, and the tasks in them."""

    def __init__(
        self, data: DataDirectory, observer: ScreenObserver, session_ids: Sequence[str], on_progress: OnProgress
    ) -> None:
        sessions = [data.sessions.load(session_id) for session_id in dict.fromkeys(session_ids)]
        self.screens = SessionScreens(data, observer, sessions, on_progress)
        self.builder = GraphBuilder(self.screens.observe, observer.embedder.space)
        self.found: FoundTasks = self.builder.find(sessions)


@dataclass(frozen=True, slots=True)
class _Keeping:
    """Where workflows are put, and who hears of it."""

    data: DataDirectory
    clock: Clock
    began: float
    versions: VersionedStore | None
    keep_versions: int
    on_update: Callable[[str], None]
    refine: bool = True
    """What was there and cannot be learned again is kept and refined."""

    def keep(self, lesson: _Lesson, task: Task, name: str, into: str | None = None) -> LearnResult:
        """Make the workflow of a task and put it in its place."""
        workflow_id = into or _workflow_id(name)
        former = _former(self.data, workflow_id, name)
        version = _next_version(self.data, workflow_id, self.versions)
        learned = lesson.builder.build(
            lesson.found, task, workflow_id=workflow_id, name=name, now=self.clock.now(), version=version
        )
        _check(learned)
        if former is not None and self.refine and _cannot_be_learned_again(self.data, former):
            learned = merged(former, learned, _prototypes(self.data, former))
        learned = _with_what_people_decided(learned, former)
        used = tuple(session.session_id for session in lesson.found.sessions)
        reason = f"learned from {', '.join(used)}"
        version_id = keep(self.data, learned, self.versions, reason=reason, pictures=lesson.screens.picture)
        self.on_update(workflow_id)
        if self.versions is not None:
            with suppress(RpaVisionError):  # what was learned is kept; old versions can go the next time
                self.versions.cleanup_old_versions(workflow_id, self.keep_versions)
        workflow = learned.workflow if version_id is None else self.data.workflows.load(workflow_id)
        duration_s = self.clock.monotonic() - self.began
        return LearnResult(workflow, learned.repetitions, used, duration_s, version_id, learned.questions, learned.goes)


def _workflow_id(name: str) -> str:
    return f"WF_{slug(name, fallback='workflow')}"


def _learned_from(data: DataDirectory, former: Workflow | None) -> list[str]:
    """The sessions a workflow was learned from that are still there."""
    known = former.metadata.get("sessions", []) if former is not None else []
    there = {summary.session_id for summary in data.sessions.list().items}
    return [str(one) for one in known if one in there] if isinstance(known, list) else []


def _cannot_be_learned_again(data: DataDirectory, former: Workflow) -> bool:
    """Whether something of a workflow is in no recording: some are gone, or a person edited it."""
    known = former.metadata.get("sessions")
    some_are_gone = isinstance(known, list) and len(_learned_from(data, former)) < len(known)
    return some_are_gone or former.metadata.get(EDITED) is True


def _new_to(former: Workflow, wanted: Sequence[str], *, all_of_them: bool = False) -> list[str]:
    """The sessions that a workflow was not learned from yet. None left, or some known where all are learned from
    together, is a UsageError."""
    listed = former.metadata.get("sessions")
    known = {str(one) for one in listed} if isinstance(listed, list) else set()
    new = [one for one in wanted if one not in known]
    if not new or (all_of_them and len(new) < len(wanted)):
        again = ", ".join(one for one in dict.fromkeys(wanted) if one in known)
        raise UsageError(
            f"{former.workflow_id} was learned from {again} already; there is nothing new to learn",
            remedy="It was edited or recordings of it are gone, so it is only refined by sessions it does not know: "
            "record the task again and name that session, or learn it anew with --anew.",
        )
    return new


def _prototypes(data: DataDirectory, workflow: Workflow) -> dict[str, Vector]:
    found: dict[str, Vector] = {}
    for node in workflow.nodes:
        prototype = node.screen_template.embedding_prototype
        space = prototype.space if prototype is not None else None
        if prototype is not None and space is not None and space.dimensions is not None:
            found[node.node_id] = data.vectors.load(prototype.vector_id, dimensions=space.dimensions)
    return found


def _check(learned: LearnedWorkflow) -> None:
    """A workflow whose steps do not follow each other is not kept."""
    problems = problems_of(learned.workflow)
    if problems:
        raise LearningError(
            f"the demonstrations contradict each other: {problems[0]}",
            remedy="Record the task again, each time in the same order, and name only those sessions.",
        )


def keep(
    data: DataDirectory,
    learned: LearnedWorkflow,
    versions: VersionedStore | None = None,
    *,
    reason: str,
    pictures: Callable[[str], bytes] | None = None,
) -> str | None:
    """Put a workflow that was learned, or learned anew, in its place, and give the version that holds it.

    A crash at any instant leaves the former one whole, live or at least as a version, or the new one. `pictures` gives
    the picture of a screen state, for the samples.
    """
    if versions is None:
        _put(data, learned, pictures)
        return None

    def put(number: int) -> None:
        _put(data, replace(learned, workflow=learned.workflow.model_copy(update={"version": number})), pictures)

    return versions.update(learned.workflow.workflow_id, put, reason=reason)


def _sessions_named(data: DataDirectory, name: str) -> list[str]:
    listing = data.sessions.list()
    named = [summary.session_id for summary in reversed(listing.items) if summary.name == name]
    if named:
        return named
    if not listing.items:
        raise LearningError("there is no recorded session", remedy="Record one with `rpa-vision record --name NAME`.")
    if len(listing.items) > 1:
        names = ", ".join(sorted({repr(summary.name) for summary in listing.items}))
        raise UsageError(
            f"no session was recorded under the name {name!r}",
            remedy=f"Name the sessions to learn from, or use one of: {names}.",
        )
    return [listing.items[0].session_id]


def _former(data: DataDirectory, workflow_id: str, name: str) -> Workflow | None:
    """The workflow that is learned anew, if there is one. Another name is another workflow, whatever the id."""
    try:
        former = data.workflows.load(workflow_id)
    except UnknownIdError:
        return None
    if former.name != name:
        raise UsageError(
            f"the workflow {workflow_id} is called {former.name!r}, not {name!r}",
            remedy="Choose a name that differs more from it.",
        )
    return former


def _with_what_people_decided(learned: LearnedWorkflow, former: Workflow | None) -> LearnedWorkflow:
    """Learning again changes how things are found, never what people allowed."""
    if former is None:
        return learned
    kept = {
        "safety_rules": former.safety_rules,
        "execution_policy": former.execution_policy,
        "learning": learned.workflow.learning.model_copy(update={"thresholds": former.learning.thresholds}),
        "created_at": former.created_at,
    }
    return replace(learned, workflow=with_known_names(learned.workflow.model_copy(update=kept), former))


def _next_version(data: DataDirectory, workflow_id: str, versions: VersionedStore | None) -> int:
    if versions is not None:
        return versions.next_number(workflow_id)
    try:
        return data.workflows.load(workflow_id).version + 1
    except UnknownIdError:
        return 1


def _put(data: DataDirectory, learned: LearnedWorkflow, pictures: Callable[[str], bytes] | None) -> None:
    """First what the workflow refers to, then the workflow: a crash in between leaves the old one whole."""
    for vector_id, vector in learned.vectors.items():
        data.vectors.save(vector_id, vector)
    for path, pixels in learned.pictures.items():
        data.pictures.save(path, encode_png(pixels))
    if pictures is not None:
        for path, screen_state_id in learned.samples.items():
            data.pictures.save(path, pictures(screen_state_id))
    data.workflows.save(learned.workflow)
