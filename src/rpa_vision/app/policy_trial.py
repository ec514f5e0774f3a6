"""Try a policy on the past before it is saved: the real supervisor plays the audit trail under it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpa_vision.errors import UsageError
from rpa_vision.models.document import JsonObject
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.system.what_if import read_history, what_if

if TYPE_CHECKING:
    from rpa_vision.app.office import Office

MAX_ENTRIES = 200_000


def try_policy(office: Office, document: JsonObject) -> JsonObject:
    """What another policy would have decided differently; a trail that tells of no step is a UsageError."""
    policy = AutoHealPolicy.from_json(document, where="policy")
    history = read_history(office.trail.entries())
    if not history.events:
        raise UsageError("no step was ever run here, so there is no past to try it on", remedy="Run a workflow first.")
    if len(history.events) > MAX_ENTRIES:
        raise UsageError(
            f"the audit trail has {len(history.events):,} entries, too many to play here",
            remedy="Use `rpa-vision simulate` with a part of it.",
        )
    return what_if(history, policy).to_json()
