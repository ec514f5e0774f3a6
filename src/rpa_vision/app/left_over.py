"""What a run that did not come to its end has left of a list on the screen, and how it is gone on with."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Literal

from rpa_vision.app.list_journal import ListJournal
from rpa_vision.app.queue import Queued, ask_run
from rpa_vision.errors import UnknownIdError, UsageError
from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import RunReport
from rpa_vision.models.queue import RunAsked
from rpa_vision.models.workflow_graph import Workflow

if TYPE_CHECKING:
    from rpa_vision.app.office import Office

HowToGoOn = Literal["rest", "again"]


@dataclass(frozen=True, slots=True)
class LeftOver:
    """A list that was not done to its end. Of a list inside a list no rows can be left out."""

    told: str
    may_rest: bool

    def to_json(self) -> JsonObject:
        """For the API."""
        return {"told": self.told, "may_rest": self.may_rest}


def left_over(office: Office, report: RunReport) -> LeftOver | None:
    """What is left now of the list that a run went over; None where there is nothing, or the run did its work."""
    if report.status == "success" or report.mode != "auto":
        return None
    try:
        workflow = office.data.workflows.load(report.workflow_id)
    except UnknownIdError:
        return None
    values = {name: str(value) for name, value in report.parameters.items()}
    journal = ListJournal(office.lists(workflow), workflow, report.run_id, values, office.clock)
    told = journal.refusal(rest=False)
    return LeftOver(told, journal.refusal(rest=True) is None) if told is not None else None


def go_on(office: Office, run_id: str, how: HowToGoOn, *, who: str, authorised_because: str | None = None) -> Queued:
    """Queue a run like that one, over the `rest` of its list or over all of it `again`. Asked for while that one waits
    or runs, it is the same."""
    report, earlier = office.data.runs.load(run_id), office.queue.item(run_id)
    if left_over(office, report) is None:
        raise UsageError(f"{run_id} has left nothing of a list", remedy="Ask for a new run.")
    workflow = office.data.workflows.load(report.workflow_id)
    asked = earlier.asked if earlier is not None else _as_it_was(workflow, report)
    wanted = asked.model_copy(
        update={"authorised_because": authorised_because, "again": how == "again", "rest": how == "rest"}
    )
    display = earlier.display if earlier is not None else None
    attempts = (
        ask_run(office, wanted, who=who, display=display, key=f"{run_id} {how} {attempt}") for attempt in count(1)
    )
    return next(one for one in attempts if one.is_new or one.item.state in ("waiting", "running"))


def _as_it_was(workflow: Workflow, report: RunReport) -> RunAsked:
    given = {name for name, variable in workflow.variables.items() if variable.source.method == "parameter"}
    values = {name: str(value) for name, value in report.parameters.items() if name in given}
    return RunAsked(workflow_id=workflow.workflow_id, parameters=values, mode=report.mode)
