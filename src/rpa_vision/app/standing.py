"""Where the supervisor has a workflow just now, and who put it there: what somebody whose run ended asks first."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.document import JsonObject

if TYPE_CHECKING:
    from rpa_vision.app.wiring_auto_heal import AutoHeal


@dataclass(frozen=True, slots=True)
class Standing:
    """What holds for a workflow. Times are ISO; without a change of state ever, nobody and nothing is named."""

    workflow_id: str
    state: str
    since: str | None = None
    until: str | None = None
    """When a quarantine ends."""
    who: str | None = None
    reason: str | None = None
    everything: bool = False
    """It is the pause of everything that holds."""

    @property
    def runs(self) -> bool:
        return self.state in (ExecutionState.RUNNING, ExecutionState.DEGRADED)

    @property
    def remedy(self) -> str:
        """The command by which a person lets it go on, or nothing."""
        if self.everything:
            return "rpa-vision heal resume --reason WHY"
        return {
            ExecutionState.PAUSED.value: f"rpa-vision heal resume {self.workflow_id} --reason WHY",
            ExecutionState.QUARANTINED.value: f"rpa-vision heal transition {self.workflow_id} running --reason WHY",
        }.get(self.state, "")

    def to_json(self) -> JsonObject:
        """For scripts."""
        return {key: value for key, value in asdict(self).items() if key != "workflow_id"}


def standing(heal: AutoHeal, workflow_id: str) -> Standing:
    """What holds for a workflow now, since when, and why."""
    report = heal.manager.get_status_report()
    entry = next((one for one in report["workflows"] if one["workflow_id"] == workflow_id), None)
    everywhere = report["global_pause"]
    held = entry["current_state"] if entry is not None else ExecutionState.PAUSED.value
    if everywhere is not None and held == ExecutionState.PAUSED.value:
        cause = {"since": everywhere["at"], "who": everywhere["who"], "reason": everywhere["reason"]}
        return Standing(workflow_id, ExecutionState.PAUSED.value, everything=True, **cause)
    if entry is None:
        return Standing(workflow_id, ExecutionState.RUNNING.value)
    past = heal.manager.history(workflow_id)
    until = entry["quarantine_until"] if held == ExecutionState.QUARANTINED.value else None
    if not past:
        return Standing(workflow_id, held, until=until)
    last = past[-1]
    return Standing(workflow_id, held, last.at.isoformat(), until, last.who, last.reason)
