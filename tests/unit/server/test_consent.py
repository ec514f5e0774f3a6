"""Whoever lets a workflow run alone consents to what was shown, and to nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from served import Served

from rpa_vision.app import approve as use_case

WF = "WF_remboursements"


def asked(api: Served, **changes: Any) -> Any:
    seen = api.client.get(f"/api/v1/maturity/{WF}", headers=api.as_("operator")).json()
    assert seen["awaits_approval"]
    body = {"reason": "seen", "acknowledge": True, "version": seen["version"],
            "consent_steps": [step["step_id"] for step in seen["consent_steps"]]} | changes  # fmt: skip
    body = {key: value for key, value in body.items() if value is not None}
    return api.client.post(f"/api/v1/maturity/{WF}/approve", headers=api.as_("operator"), json=body)


@pytest.mark.parametrize(
    ("changes", "status", "words"),
    [({"version": 99}, 409, "version 99 was shown"), ({"consent_steps": ["E77"]}, 409, "other steps (E77)"),
     ({"version": None}, 422, ""), ({"consent_steps": None}, 422, "")],
)  # fmt: skip
def test_what_was_not_seen_is_not_consented_to(api: Served, changes: dict[str, Any], status: int, words: str) -> None:
    """L4-11, UX-3"""
    answer = asked(api, **changes)
    assert answer.status_code == status, answer.text
    assert words in answer.json()["error"]["message"]
    assert status == 422 or answer.json()["error"]["code"] == "autonomy.not_as_seen"
    assert api.office.heal.learning.settle(api.office.data.workflows.load(WF)).state == "AUTO_CANDIDATE"


def test_a_version_that_came_while_the_evidence_was_in_sight_is_not_approved(api: Served) -> None:
    """L4-11, UX-2: as the dashboard and the command line do it."""
    heal, shown = api.office.heal, api.office.data.workflows.load(WF)
    seen = use_case.evidence(heal, shown).seen
    now = shown.model_copy(update={"version": shown.version + 1})
    with pytest.raises(use_case.NotAsSeenError, match="in use by now"):
        use_case.approve(heal, now, seen, who="anna", reason="twenty runs", acknowledge=True)
    assert heal.learning.settle(shown).state == "AUTO_CANDIDATE"


def test_what_was_seen_is_approved(api: Served) -> None:
    """L4-11, UX-3"""
    answer = asked(api)
    assert (answer.status_code, answer.json()["state"]) == (200, "AUTO_CONFIRMÉ"), answer.text
