"""Whoever lets a workflow run alone consents to what was shown, and to nothing else."""

from __future__ import annotations

import threading
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


def test_a_version_that_comes_while_it_is_approved_is_not_approved(api: Served) -> None:
    """L4-11, UX-2: comparing and writing are one: whoever is just learning a version is waited for."""
    heal, shown = api.office.heal, api.office.data.workflows.load(WF)
    seen = use_case.evidence(heal, shown).seen
    refused: list[str] = []

    def approve() -> None:
        try:
            use_case.approve(heal, WF, seen, who="anna", reason="twenty runs", acknowledge=True)
        except use_case.NotAsSeenError as error:
            refused.append(str(error))

    approving = threading.Thread(target=approve)

    def learn(number: int) -> None:
        approving.start()
        approving.join(0.5)
        assert approving.is_alive(), "it was decided on what is being changed"
        api.office.data.workflows.save(shown.model_copy(update={"version": number}))

    heal.versions.update(WF, learn, reason="learned meanwhile")
    approving.join()
    assert "in use by now" in refused[0]
    assert heal.learning.settle(shown).state == "AUTO_CANDIDATE"


def test_what_was_seen_is_approved(api: Served) -> None:
    """L4-11, UX-3"""
    answer = asked(api)
    assert (answer.status_code, answer.json()["state"]) == (200, "AUTO_CONFIRMÉ"), answer.text
