"""What speaks for letting a workflow run alone, shown before somebody says so; the yes, and taking it back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from rpa_vision.app.sentences import step_sentence
from rpa_vision.app.standing import Standing, standing
from rpa_vision.errors import RpaVisionError, UsageError
from rpa_vision.execution.modes import steps_that_need_consent
from rpa_vision.learning import maturity_rules as rules
from rpa_vision.models.document import JsonObject
from rpa_vision.models.maturity import Maturity
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.decisions import DecisionFilter
from rpa_vision.system.state_machine import is_person

if TYPE_CHECKING:
    from rpa_vision.app.wiring_auto_heal import AutoHeal

_LAST_CHANGES = 5


class NotAsSeenError(RpaVisionError):
    """The workflow is not the one that was shown to whoever approves it. Nothing was changed."""

    code = "autonomy.not_as_seen"
    default_remedy = "Look at the evidence again, and at the steps that need consent, then decide."


@dataclass(frozen=True, slots=True)
class Seen:
    """What a person was shown before they said yes."""

    version: int
    consent_steps: tuple[str, ...]
    """Ids of the steps that need consent."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a workflow stands, what the next level asks for, and how sure the numbers are."""

    workflow_id: str
    name: str
    version: int
    maturity: Maturity
    next_level: rules.NextLevel
    supervisor: Standing
    lower_bound: float | None
    """Of the true rate of success when supervised, or alone; None before there were such runs."""
    consent_steps: tuple[tuple[str, str], ...] = ()
    """Steps that need consent, in words; whoever approves consents to them."""
    changes: tuple[JsonObject, ...] = ()
    """The last changes of level, the newest first."""

    @property
    def seen(self) -> Seen:
        """What somebody who was shown this has seen."""
        return Seen(self.version, tuple(step for step, _ in self.consent_steps))

    @property
    def needs_acknowledgement(self) -> bool:
        return self.lower_bound is not None and self.lower_bound < rules.MIN_LOWER_BOUND

    def to_json(self) -> JsonObject:
        """For scripts and other user interfaces."""
        above, known = self.next_level, self.maturity
        return {
            "workflow_id": self.workflow_id,
            "name": self.name,
            "version": self.version,
            "state": known.state,
            "since": known.since.isoformat() if known.since is not None else None,
            "next": above.following,
            "earned": above.is_earned,
            "awaits_approval": above.is_earned and above.by_person,
            "progress_percent": above.progress_percent,
            "needs": [{**asdict(need), "met": need.is_met} for need in above.needs],
            "counts": known.model_dump(mode="json", exclude={"schema_version", "workflow_id", "recent", "deeds"}),
            "avg_similarity": known.avg_similarity,
            "recent_confidence": rules.recent_confidence(known) if known.recent else None,
            "lower_bound": self.lower_bound,
            "needs_acknowledgement": self.needs_acknowledgement,
            "consent_steps": [{"step_id": step, "what": words} for step, words in self.consent_steps],
            "supervisor": self.supervisor.to_json(),
            "changes": list(self.changes),
        }


def evidence(heal: AutoHeal, workflow: Workflow) -> Evidence:
    """Everything that speaks for or against it, now."""
    known = heal.learning.settle(workflow)
    values = {name: f"${{{name}}}" for name in workflow.variables}
    steps = steps_that_need_consent(workflow)
    changes = heal.queries.history(
        DecisionFilter(workflow_id=workflow.workflow_id, kinds=("maturity_changed",)), limit=_LAST_CHANGES
    )
    return Evidence(
        workflow.workflow_id,
        workflow.name,
        workflow.version,
        known,
        heal.learning.missing(workflow.workflow_id),
        standing(heal, workflow.workflow_id),
        proven(known),
        tuple((edge.edge_id, step_sentence(edge, values)) for edge in steps),
        tuple(
            {"at": change.at.isoformat(), **{key: change.record.get(key) for key in _SHOWN_OF_A_CHANGE}}
            for change in changes
        ),
    )


def proven(known: Maturity) -> float | None:
    """What the runs of the robot prove at least of its true rate of success; None where there were none."""
    runs = known.auto_candidate_runs + known.auto_confirmed_runs
    won = known.auto_candidate_successes + known.auto_confirmed_successes
    return rules.lower_bound(won, runs) if runs else None


def approve(
    heal: AutoHeal, workflow_id: str, seen: Seen, *, who: str, reason: str, acknowledge: bool = False
) -> Maturity:
    """Let it run alone: said by a person who was shown `seen`. Where the workflow is another by now, nobody has
    consented to it; what is compared stays as it is until the yes is written."""
    if not is_person(who):
        raise UsageError(f"{who!r} is not a person", remedy="Only people approve.")
    return heal.learning.approve(
        workflow_id,
        who=who,
        reason=reason,
        acknowledge=acknowledge,
        consented_steps=seen.consent_steps,
        under=_as_seen(heal, workflow_id, seen),
    )


@contextmanager
def _as_seen(heal: AutoHeal, workflow_id: str, seen: Seen) -> Iterator[None]:
    """While entered, the workflow is the one that was shown."""
    with heal.versions.holding(workflow_id) as workflow:
        steps = tuple(edge.edge_id for edge in steps_that_need_consent(workflow))
        if workflow.version != seen.version:
            raise NotAsSeenError(f"version {seen.version} was shown, version {workflow.version} is in use by now")
        if set(steps) != set(seen.consent_steps):
            given, needed = (", ".join(sorted(ids)) or "none" for ids in (seen.consent_steps, steps))
            raise NotAsSeenError(f"consent was given to other steps ({given}) than those that need it ({needed})")
        yield


def withdraw(heal: AutoHeal, workflow: Workflow, *, who: str, reason: str) -> Maturity:
    """Take it back, at once: the next run is asked anew."""
    return heal.learning.withdraw(workflow.workflow_id, who=who, reason=reason)


_SHOWN_OF_A_CHANGE = ("from_state", "to_state", "who", "reason")
