"""The auto-heal policy: read, check, compare, try out on the past, and save."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body
from pydantic import Field

from rpa_vision.app.deny_list import MAX_WORDS, deny_list, write_deny_list
from rpa_vision.app.policy import diff_policy, policy_in_force, save_policy, show_policy
from rpa_vision.app.policy_trial import try_policy
from rpa_vision.errors import DocumentError
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.server.api.answers import Admin, Ask, JsonBody, OfficeHere, Operator, Viewer, failures

router = APIRouter(prefix="/policy", responses=failures())
privacy = APIRouter(responses=failures())
PolicyBody = Annotated[
    dict[str, Any],
    Body(description="the keys somebody writes; the preset fills in the others", examples=[{"mode": "hybrid"}]),
]


class DenyListAsk(Ask):
    """Words of titles and applications; a window that bears one is not looked at."""

    words: list[str] = Field(max_length=MAX_WORDS)


@privacy.get("/deny-list")
def read_deny_list(office: OfficeHere, me: Viewer) -> JsonBody:
    """Which windows recordings and observers do not look at."""
    return deny_list(office)


@privacy.put("/deny-list")
def replace_deny_list(office: OfficeHere, me: Admin, asked: Annotated[DenyListAsk, Body()]) -> JsonBody:
    """Replace the list; what begins from now on heeds it."""
    return write_deny_list(office, asked.words, who=me.account.name)


@router.get("")
def read_policy(office: OfficeHere, me: Viewer) -> JsonBody:
    """The whole policy in force, and of each key whether the file says it or the preset."""
    return {
        **show_policy(office.heal.policy),
        "file": office.heal.policy.path.name,
        "explicit": office.heal.policy.explicit,
    }


@router.post("/validate")
def validate(office: OfficeHere, me: Viewer, policy: PolicyBody) -> JsonBody:
    """Whether a policy is valid, with every mistake named. Nothing is changed."""
    try:
        found = AutoHealPolicy.from_json(policy, where="policy")
    except DocumentError as error:
        return {"valid": False, "problem": str(error), "digest": None}
    return {"valid": True, "problem": None, "digest": found.digest}


@router.post("/diff")
def diff(office: OfficeHere, me: Viewer, policy: PolicyBody) -> JsonBody:
    """What a policy would change, key by key."""
    return diff_policy(policy_in_force(office.heal.policy), AutoHealPolicy.from_json(policy, where="policy"))


@router.post("/simulate")
def simulate(office: OfficeHere, me: Operator, policy: PolicyBody) -> JsonBody:
    """What a policy would have decided in the past that the audit trail tells."""
    return try_policy(office, policy)


@router.put("")
def save(office: OfficeHere, me: Admin, policy: PolicyBody) -> JsonBody:
    """Put a policy in force; robots take it up at their next step."""
    return save_policy(office.heal.policy, policy, office.heal.audit, me.account.name)
