"""Which state may follow which, as data.

Every change of state in the house is looked up here. What is not in the table does not happen by itself; a person may
go outside it, and the audit trail then says that somebody did.
"""

from __future__ import annotations

from enum import StrEnum

from rpa_vision.models.auto_heal import ExecutionState

RUNNING = ExecutionState.RUNNING
DEGRADED = ExecutionState.DEGRADED
QUARANTINED = ExecutionState.QUARANTINED
ROLLBACK = ExecutionState.ROLLBACK
PAUSED = ExecutionState.PAUSED


class Occasion(StrEnum):
    """What must be the case for a way to be open."""

    JUDGED = "the supervisor or a person decides so"
    TIME_IS_UP = "the quarantine has lasted its time"
    BY_HAND = "a person decides so"
    RESTORED = "the previous version is in use again"
    NOT_RESTORED = "no previous version could be restored"
    BACK_BY_HAND = "a person decides so, and the pause began there"


TABLE: dict[tuple[ExecutionState, ExecutionState], Occasion] = {
    (RUNNING, DEGRADED): Occasion.JUDGED,
    (RUNNING, QUARANTINED): Occasion.JUDGED,
    (RUNNING, ROLLBACK): Occasion.JUDGED,
    (RUNNING, PAUSED): Occasion.JUDGED,
    (DEGRADED, RUNNING): Occasion.JUDGED,
    (DEGRADED, QUARANTINED): Occasion.JUDGED,
    (DEGRADED, ROLLBACK): Occasion.JUDGED,
    (DEGRADED, PAUSED): Occasion.JUDGED,
    (QUARANTINED, DEGRADED): Occasion.TIME_IS_UP,
    (QUARANTINED, RUNNING): Occasion.BY_HAND,
    (QUARANTINED, ROLLBACK): Occasion.JUDGED,
    (QUARANTINED, PAUSED): Occasion.JUDGED,
    (ROLLBACK, DEGRADED): Occasion.RESTORED,
    (ROLLBACK, QUARANTINED): Occasion.NOT_RESTORED,
    (PAUSED, RUNNING): Occasion.BACK_BY_HAND,
    (PAUSED, QUARANTINED): Occasion.BACK_BY_HAND,
    (PAUSED, DEGRADED): Occasion.BY_HAND,
    (PAUSED, ROLLBACK): Occasion.BY_HAND,
}

EXECUTES = frozenset({RUNNING, DEGRADED})
"""The states in which steps run."""

_MACHINES = ("system", "auto_heal")


def is_person(who: str) -> bool:
    """Whoever is not the machine itself. `system:scheduler` is the machine too, and so is `System`."""
    return who.partition(":")[0].strip().casefold() not in (*_MACHINES, "")


def why_refused(
    from_state: ExecutionState,
    to_state: ExecutionState,
    *,
    by_hand: bool = False,
    time_is_up: bool = False,
    restored: bool | None = None,
    paused_from: ExecutionState | None = None,
) -> str | None:
    """Why the table does not open this way now, or None when it does.

    `restored` is what came of a rollback, None while nothing did. A quarantine that a pause interrupted is not
    over because the pause is: until its time is up, the pause leads back into it.
    """
    occasion = TABLE.get((from_state, to_state))
    if occasion is None:
        return f"{from_state} → {to_state} is not in the table"
    still_quarantined = paused_from is QUARANTINED and not time_is_up
    is_open = {
        Occasion.JUDGED: True,
        Occasion.TIME_IS_UP: time_is_up,
        Occasion.BY_HAND: by_hand and not (from_state is PAUSED and to_state is DEGRADED and still_quarantined),
        Occasion.RESTORED: restored is True,
        Occasion.NOT_RESTORED: restored is False,
        Occasion.BACK_BY_HAND: by_hand and paused_from is to_state,
    }[occasion]
    return None if is_open else f"{from_state} → {to_state} only when {occasion.value}"
