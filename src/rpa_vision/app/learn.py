"""Learn a workflow from recorded sessions and keep it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final

from rpa_vision.app.recordings import sessions_named, whole_recordings
from rpa_vision.app.session_screens import OnProgress, ReadingHelper, SessionScreens
from rpa_vision.embedding.screen_observer import ScreenObserver
from rpa_vision.errors import LearningError, RpaVisionError, UnknownIdError, UsageError
from rpa_vision.graph.goes import ShownGo
from rpa_vision.graph.graph_builder import FoundTasks, GraphBuilder, LearnedWorkflow
from rpa_vision.graph.lost_knowledge import lost_in
from rpa_vision.graph.merging import merged
from rpa_vision.graph.naming import task_name
from rpa_vision.graph.plan import problems_of
from rpa_vision.graph.same_task import is_same_task, shared_steps
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
_NUMBERED: Final = 40
"""So much of a name that its number is in the id too."""


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
    goes_left_out: int = 0
    """Goes at it, and rounds of its loops, from which nothing was learned: they were broken off, or went where no other
    went."""
    other_tasks: tuple[tuple[str, int], ...] = ()
    """What else was shown and was not asked for: what it would be called, and how often."""
    torn_pictures: int = 0
    """Pictures of the recordings that cannot be read; from goes that need one nothing was learned."""


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
    helper: ReadingHelper | None = None,
) -> LearnResult:
    """Learn the task that the sessions repeat. Without ids: the sessions of that name, or the only one there is.

    A workflow of that name is refined: what it was learned from before counts too, unless it is learned `anew`.
    `into` names the workflow to refine by its id. What cannot be learned again, because recordings are gone or people
    edited it, stays as it is and is refined (`graph.merging`) by sessions it was not learned from yet; where there are
    none, that is a UsageError: seen twice is not shown twice. With `versions`, what was learned before stays a version
    that can be had back, and what is learned becomes the next;
    versions beyond `keep_versions` (the policy's `max_versions_to_keep`) go. `on_update` hears of the workflow that was
    learned. A `helper` reads half of the screens; what is learned is the same without.
    """
    began = clock.monotonic()
    workflow_id = into or id_of_name(name)
    there = _former(data, workflow_id, name)
    former = None if anew else there
    wanted = list(session_ids or sessions_named(data, name))
    before: list[str] = []
    if former is not None and _cannot_be_learned_again(data, former):
        wanted = _new_to(former, wanted)
    elif former is not None:
        before = _learned_from(data, former)
    keeping = _Keeping(data, clock, began, versions, keep_versions, on_update, refine=not anew)
    lesson = _Lesson(data, observer, [*before, *wanted], on_progress, helper)
    task = lesson.found.tasks[0]
    if former is not None:
        task = lesson.task_of(former, before, [one for one in wanted if one not in before], clock)
    result = keeping.keep(keeping.make(lesson, task, name, workflow_id), lesson, task)
    return replace(result, other_tasks=lesson.others_than(task))


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
    helper: ReadingHelper | None = None,
) -> list[LearnResult]:
    """Learn every task that the sessions repeat, each under a name of its own, those that explain the most first.

    A task that a workflow of its name does already refines it; another one of the same name gets another name. Nothing
    is kept unless all of it can be.
    """
    keeping = _Keeping(data, clock, clock.monotonic(), versions, keep_versions, on_update)
    lesson = _Lesson(data, observer, session_ids, on_progress, helper)
    names: list[str] = []
    made = []
    for task in lesson.found.tasks:
        name = _name_of(lesson, task, data, clock, names)
        names.append(name)
        former = _former(data, id_of_name(name), name)
        if former is not None and not _is_learned_again(data, former, lesson):
            _new_to(former, session_ids, all_of_them=True)
        made.append(keeping.make(lesson, task, name))
    return [keeping.keep(learned, lesson, task) for learned, task in zip(made, lesson.found.tasks, strict=True)]


def _name_of(lesson: _Lesson, task: Task, data: DataDirectory, clock: Clock, taken: Sequence[str]) -> str:
    """A name that no other task has, neither here nor among the workflows that are there; nor its id, which holds less
    of it."""
    ids = {id_of_name(name) for name in taken}
    wanted = name = task_name(task.outline)
    for number in count(2):
        former = _there(data, id_of_name(name))
        is_its_own = former is None or (former.name == name and is_same_task(former, lesson.built(task, former, clock)))
        if is_its_own and id_of_name(name) not in ids:
            break
        name = f"{wanted[:_NUMBERED].strip()} {number}"
    return name


class _Lesson:
    """Sessions, read once, and the tasks in them."""

    def __init__(
        self,
        data: DataDirectory,
        observer: ScreenObserver,
        session_ids: Sequence[str],
        on_progress: OnProgress,
        helper: ReadingHelper | None,
    ) -> None:
        self.perception = observer.perception
        sessions, self.torn_pictures = whole_recordings(data, session_ids)
        self.screens = SessionScreens(data, observer, sessions, on_progress, helper)
        self.builder = GraphBuilder(self.screens.observe, observer.embedder.space)
        self.found: FoundTasks = self.builder.find(sessions)

    @property
    def session_ids(self) -> tuple[str, ...]:
        return tuple(session.session_id for session in self.found.sessions)

    def others_than(self, task: Task) -> tuple[tuple[str, int], ...]:
        """What the other tasks would be called, and how often they were shown."""
        others: dict[str, int] = {}
        for other in self.found.tasks:
            if other is not task:
                others[task_name(other.outline, others)] = other.outline.repetitions
        return tuple(others.items())

    def built(self, task: Task, former: Workflow, clock: Clock) -> Workflow:
        """A task as a workflow, to be laid beside one that is there."""
        made = self.builder.build(self.found, task, workflow_id=former.workflow_id, name=former.name, now=clock.now())
        return made.workflow

    def task_of(self, former: Workflow, before: Sequence[str], new: Sequence[str], clock: Clock) -> Task:
        """The task that a workflow does, in the sessions it was learned from and in the new ones. Others may have been
        shown more often; none of them takes its place, for that is a LearningError."""
        tasks = [task for task in self.found.tasks if not before or _shown_in(task, before)]
        tasks = [task for task in tasks if not new or _shown_in(task, new)]
        shared = [shared_steps(former, self.built(task, former, clock)) for task in tasks]
        if not any(shared):
            raise LearningError(
                f"{', '.join(new or before)} shows nothing of {former.workflow_id}, but another task",
                remedy="Learn it under another name, or put it in the place of the workflow with --anew.",
            )
        return tasks[shared.index(max(shared))]


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

    def make(self, lesson: _Lesson, task: Task, name: str, into: str | None = None) -> LearnedWorkflow:
        """The workflow of a task, with what was known of it."""
        workflow_id = into or id_of_name(name)
        former = _former(self.data, workflow_id, name)
        version = _next_version(self.data, workflow_id, self.versions)
        learned = lesson.builder.build(
            lesson.found, task, workflow_id=workflow_id, name=name, now=self.clock.now(), version=version
        )
        if lesson.perception is not None:
            seen_by = {"learned_with": (lesson.perception,)}
            learned = replace(learned, workflow=learned.workflow.model_copy(update=seen_by))
        _check(learned)
        if former is not None and self.refine and not _is_learned_again(self.data, former, lesson):
            learned = merged(former, learned, _prototypes(self.data, former))
        elif former is not None and self.refine:
            _check_nothing_is_lost(former, learned.workflow)
        return _with_what_people_decided(learned, former)

    def keep(self, learned: LearnedWorkflow, lesson: _Lesson, task: Task) -> LearnResult:
        """Put it in its place."""
        workflow_id = learned.workflow.workflow_id
        used = lesson.session_ids
        reason = f"learned from {', '.join(used)}"
        version_id = keep(self.data, learned, self.versions, reason=reason, pictures=lesson.screens.picture)
        self.on_update(workflow_id)
        if self.versions is not None:
            with suppress(RpaVisionError):  # what was learned is kept; old versions can go the next time
                self.versions.cleanup_old_versions(workflow_id, self.keep_versions)
        workflow = learned.workflow if version_id is None else self.data.workflows.load(workflow_id)
        duration_s = self.clock.monotonic() - self.began
        told = (learned.questions, learned.goes, task.outline.left_out + task.outline.rounds_left_out)
        return LearnResult(
            workflow, learned.repetitions, used, duration_s, version_id, *told, torn_pictures=lesson.torn_pictures
        )


def _shown_in(task: Task, session_ids: Sequence[str]) -> bool:
    """Whether something of a task was learned from one of these sessions."""
    return any(step.session_id in session_ids for place in task.outline.places for step in place.steps)


def id_of_name(name: str) -> str:
    """The id that learning under a name gives."""
    return f"WF_{slug(name, fallback='workflow')}"


def _learned_from(data: DataDirectory, former: Workflow | None) -> list[str]:
    """The sessions a workflow was learned from that are still there."""
    known = former.metadata.get("sessions", []) if former is not None else []
    there = {summary.session_id for summary in data.sessions.list().items}
    return [str(one) for one in known if one in there] if isinstance(known, list) else []


def _cannot_be_learned_again(data: DataDirectory, former: Workflow) -> bool:
    """Whether something of a workflow is in no recording: some are gone, or a person edited it, or wrote it."""
    known = former.metadata.get("sessions")
    was_learned = isinstance(known, list) and bool(known)
    some_are_gone = isinstance(known, list) and len(_learned_from(data, former)) < len(known)
    return not was_learned or some_are_gone or former.metadata.get(EDITED) is True


def _is_learned_again(data: DataDirectory, former: Workflow, lesson: _Lesson) -> bool:
    """Whether all that a workflow knows is in the sessions that are learned from now."""
    again = set(lesson.session_ids).issuperset(_learned_from(data, former))
    return again and not _cannot_be_learned_again(data, former)


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
            remedy="It knows what is not in these sessions, because it was edited or learned from others too, so it is "
            "only refined by sessions it does not know: record the task again and name that session alone, or learn it "
            "anew with --anew.",
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


def _check_nothing_is_lost(former: Workflow, learned: Workflow) -> None:
    """A workflow that knows less takes no other's place."""
    for lost in lost_in(former, learned):
        raise LearningError(
            f"with all that was shown, {former.workflow_id} would no longer know {lost}",
            remedy="Nothing was changed. Show that part a few times more and learn again; where it does not belong to "
            "the task, learn it anew from the sessions that show the task well, with --anew.",
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


def _former(data: DataDirectory, workflow_id: str, name: str) -> Workflow | None:
    """The workflow that is learned anew, if there is one. Another name is another workflow, whatever the id."""
    former = _there(data, workflow_id)
    if former is not None and former.name != name:
        raise UsageError(
            f"the workflow {workflow_id} is called {former.name!r}, not {name!r}",
            remedy="Choose a name that differs more from it.",
        )
    return former


def _there(data: DataDirectory, workflow_id: str) -> Workflow | None:
    try:
        return data.workflows.load(workflow_id)
    except UnknownIdError:
        return None


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
