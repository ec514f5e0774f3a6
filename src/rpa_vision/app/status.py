"""Who does what, how far each workflow has come, and what it waits for: what one wants to know at a glance."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from rpa_vision.app.approve import proven
from rpa_vision.app.licence import without_consent
from rpa_vision.app.standing import Standing, standing
from rpa_vision.execution.modes import licence
from rpa_vision.learning import maturity_rules as rules
from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.document import JsonObject
from rpa_vision.models.maturity import Maturity
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.decisions import Decision, DecisionFilter
from rpa_vision.ports.storage import DataDirectory

if TYPE_CHECKING:
    from rpa_vision.app.wiring_auto_heal import AutoHeal

_LONGEST_RUN = timedelta(hours=1)
"""A run that began longer ago than this and has not ended, has: its process died."""
_WHO_ACTS = {
    "OBSERVATION": "a person; it watches",
    "COACHING": "a person; it guides",
    "AUTO_CANDIDATE": "the robot, each step confirmed",
    "AUTO_CONFIRMÉ": "the robot, alone",
}


@dataclass(frozen=True, slots=True)
class WorkflowStatus:
    """One workflow at a glance."""

    workflow: Workflow
    maturity: Maturity
    next_level: rules.NextLevel
    supervisor: Standing
    runs_since: datetime | None = None
    """When the run began that is under way, if one is."""
    last_run: JsonObject | None = None

    @property
    def who_acts(self) -> str:
        return _WHO_ACTS[self.maturity.state]

    @property
    def may_run(self) -> str:
        """How it may be run now: what the supervisor says, then what its level and its own policy allow."""
        if not self.supervisor.runs:
            until = f" until {self.supervisor.until}" if self.supervisor.until else ""
            return f"no: {self.supervisor.state}{until}"
        surer = "; must be surer than usual (degraded)" if self.supervisor.state == ExecutionState.DEGRADED else ""
        return f"{self._alone}{surer}"

    @property
    def _alone(self) -> str:
        policy, state = self.workflow.execution_policy, self.maturity.state
        consent = bool(without_consent(self.workflow, self.maturity))
        given = licence("auto", state, policy=policy, person_is_there=True, needs_consent=consent)
        if given.act and given.confirm_each:
            return "with a person who confirms each step"
        if given.act:
            return "alone, but a person is asked about some steps" if given.asks_consent else "alone"
        once = licence("auto", state, policy=policy, authorised=True, person_is_there=True)
        return "with a person; alone only by --authorise" if once.act else "with a person"

    @property
    def waits_for(self) -> str:
        """What would bring it on, the most urgent first; empty where it has all it needs."""
        if not self.supervisor.runs:
            return (
                f"a person: {self.supervisor.remedy}"
                if self.supervisor.remedy
                else f"the supervisor: {self.supervisor.state}"
            )
        above = self.next_level
        if above.following is None:
            return ""
        if above.is_earned and above.by_person:
            return f"a person: rpa-vision workflows approve {self.workflow.workflow_id} --reason WHY"
        return "; ".join(need_words(need) for need in above.missing)

    def to_json(self) -> JsonObject:
        """For scripts."""
        return {
            "workflow_id": self.workflow.workflow_id,
            "name": self.workflow.name,
            "version": self.workflow.version,
            "state": self.maturity.state,
            "who_acts": self.who_acts,
            "may_run": self.may_run,
            "next": self.next_level.following,
            "progress_percent": self.next_level.progress_percent,
            "waits_for": self.waits_for,
            "lower_bound": proven(self.maturity),
            "supervisor": self.supervisor.to_json(),
            "runs_since": self.runs_since.isoformat() if self.runs_since is not None else None,
            "last_run": self.last_run,
        }


def statuses(data: DataDirectory, heal: AutoHeal, now: datetime) -> list[WorkflowStatus]:
    """All workflows, by name."""
    return [_status(workflow, heal, now) for workflow in data.workflows.list().items]


def need_words(need: rules.Need) -> str:
    """What is missing, for a person."""
    if need.name in ("success_rate", "similarity"):
        what = "successful" if need.name == "success_rate" else "like what was learned"
        have = "" if need.have is None else f" (now {need.have:.0%})"
        return f"at least {need.need:.0%} {what}{have}"
    missing = int(need.need - (need.have or 0))
    kind = need.name.removesuffix("_runs")
    return f"{missing} more {kind} run{'' if missing == 1 else 's'}"


def _status(workflow: Workflow, heal: AutoHeal, now: datetime) -> WorkflowStatus:
    known = heal.learning.settle(workflow)
    asked = DecisionFilter(workflow_id=workflow.workflow_id, kinds=("run_requested", "run_ended"))
    last = heal.queries.history(asked, limit=20)
    ended = {one.run_id for one in last if one.kind == "run_ended"}
    running = next((one for one in last if _is_under_way(one, ended, now)), None)
    result = next((one for one in last if one.kind == "run_ended"), None)
    return WorkflowStatus(
        workflow,
        known,
        heal.learning.missing(workflow.workflow_id),
        standing(heal, workflow.workflow_id),
        running.at if running is not None else None,
        _last_run(result) if result is not None else None,
    )


def _is_under_way(one: Decision, ended: set[str | None], now: datetime) -> bool:
    return one.kind == "run_requested" and one.run_id not in ended and now - one.at < _LONGEST_RUN


def _last_run(result: Decision) -> JsonObject:
    return {
        "run_id": result.run_id,
        "at": result.at.isoformat(),
        "status": result.status,
        "reason": result.record.get("reason"),
    }
