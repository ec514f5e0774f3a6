"""What a run that did not come to its end has left of a list on the screen, and how it is gone on with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rpa_vision.app.list_journal import lists_of
from rpa_vision.app.queue import Queued, ask_run, one_run, want
from rpa_vision.app.run_values import checked_values
from rpa_vision.errors import RpaVisionError, UnknownIdError, UsageError
from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import RunReport
from rpa_vision.models.queue import QueuedRun, RunAsked
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.system.failure_evidence import is_masked

if TYPE_CHECKING:
    from rpa_vision.app.office import Office

HowToGoOn = Literal["rest", "again"]


@dataclass(frozen=True, slots=True)
class LeftOver:
    """A list that was not done to its end. Of a list inside a list no rows can be left out; with a workflow that cannot
    be read, nobody can go on at all."""

    told: str
    may_rest: bool
    may_again: bool = True

    def to_json(self) -> JsonObject:
        """For the API."""
        return {"told": self.told, "may_rest": self.may_rest, "may_again": self.may_again}


def left_over(office: Office, report: RunReport) -> LeftOver | None:
    """What is left now of the list that a run went over; None where there is nothing, or the run did its work."""
    if report.status == "success" or report.mode != "auto":
        return None
    values = {name: str(value) for name, value in report.parameters.items()}
    return _left(office, report.run_id, report.workflow_id, lambda workflow: values)


def left_behind(office: Office, run_id: str) -> LeftOver | None:
    """The same of a run by its id, also of one of the queue whose process was killed before it could report."""
    report, item = _report(office, run_id), office.queue.item(run_id)
    if report is not None:
        return left_over(office, report)
    if item is None or item.status == "success" or item.asked.mode != "auto":
        return None
    return _left(office, run_id, item.workflow_id, lambda workflow: _values(workflow, item))


def _report(office: Office, run_id: str) -> RunReport | None:
    """What a run that is over has reported; None where it could not."""
    try:
        return office.data.runs.load(run_id)
    except UnknownIdError:
        item = office.queue.item(run_id)
        if item is None or item.state not in ("ended", "interrupted"):
            raise
        return None


def _values(workflow: Workflow, item: QueuedRun) -> dict[str, str]:
    """What a run of the queue began with."""
    return checked_values(workflow, item.asked.parameters, item.started_at or item.queued_at)


def _left(
    office: Office, run_id: str, workflow_id: str, values: Callable[[Workflow], Mapping[str, str]]
) -> LeftOver | None:
    try:
        workflow = office.data.workflows.load(workflow_id)
        journal = lists_of(office, workflow, values(workflow), run_id)
        told = journal.refusal(rest=False)
        return LeftOver(told, journal.refusal(rest=True) is None) if told is not None else None
    except UnknownIdError:
        return None
    except RpaVisionError as error:
        why = f"nobody can tell whether rows of a list are left, because this cannot be read: {error}"
        return LeftOver(why, may_rest=False, may_again=False)


def go_on(office: Office, run_id: str, how: HowToGoOn, *, who: str, authorised_because: str | None = None) -> Queued:
    """Queue a run like that one, over the `rest` of its list or over all of it `again`. While such a run of that list
    waits or goes on, whoever asked for it and however, it is the same. The day of that run is its day too: another one
    has another list."""
    report, earlier = _report(office, run_id), office.queue.item(run_id)
    if left_behind(office, run_id) is None:
        raise _nothing_left(run_id)
    workflow = office.data.workflows.load(_workflow_id(report, earlier))
    asked = earlier.asked if earlier is not None else _as_it_was(workflow, report)
    wanted = asked.model_copy(
        update={
            "authorised_because": authorised_because,
            "again": how == "again",
            "rest": how == "rest",
            "parameters": {**_days(workflow, report, earlier), **asked.parameters},
        }
    )
    display = earlier.display if earlier is not None else None
    queued = ask_run(office, wanted, who=who, display=display)
    if queued.is_new and left_behind(office, run_id) is None and _waits(office, queued):
        want(office, queued.item.run_id, "stop", who=who)  # another run came to its end meanwhile
        raise _nothing_left(run_id)
    return queued


def _waits(office: Office, queued: Queued) -> bool:
    return one_run(office.queue, queued.item.run_id).state == "waiting"


def _nothing_left(run_id: str) -> UsageError:
    return UsageError(f"{run_id} has left nothing of a list", remedy="Ask for a new run.")


def _workflow_id(report: RunReport | None, item: QueuedRun | None) -> str:
    if report is not None:
        return report.workflow_id
    assert item is not None
    return item.workflow_id


def _days(workflow: Workflow, report: RunReport | None, item: QueuedRun | None) -> dict[str, str]:
    """What the clock told the run."""
    told = {name for name, variable in workflow.variables.items() if variable.source.method == "system_time"}
    if not told:
        return {}
    if report is None:
        assert item is not None
        return {name: text for name, text in _values(workflow, item).items() if name in told}
    return {name: str(value) for name, value in report.parameters.items() if name in told}


def _as_it_was(workflow: Workflow, report: RunReport | None) -> RunAsked:
    assert report is not None  # what is not in the queue is known by its report only
    given = {name for name, variable in workflow.variables.items() if variable.source.method == "parameter"}
    values = {name: str(value) for name, value in report.parameters.items() if name in given}
    if any(is_masked(value) for value in values.values()):
        raise UsageError(
            f"{report.run_id} was given a secret, which is written down nowhere",
            remedy="Ask for a new run, and give it again.",
        )
    return RunAsked(workflow_id=workflow.workflow_id, parameters=values, mode=report.mode)
