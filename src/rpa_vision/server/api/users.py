"""Accounts and tokens. Secrets are shown once, when they are made."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Body
from pydantic import Field

from rpa_vision.app.users import account_json, token_json
from rpa_vision.models.account import Role
from rpa_vision.server.api.answers import Admin, Ask, IdPath, JsonBody, OfficeHere, Viewer, failures
from rpa_vision.server.errors import ForbiddenError

router = APIRouter(responses=failures())


class UserAsk(Ask):
    """A new account."""

    name: str = Field(min_length=1, max_length=64)
    role: Role


class UserChange(Ask):
    """What is to be another way; what is left out stays."""

    name: str | None = Field(default=None, min_length=1, max_length=64)
    role: Role | None = None
    disabled: bool | None = None


class TokenAsk(Ask):
    """A token for a program, or a link that lets a person in once. Without an account, for oneself."""

    kind: Literal["api", "link"] = "api"
    label: str = Field(default="", max_length=64)
    user_id: str | None = Field(default=None, max_length=128)
    days: int | None = Field(default=None, ge=1, le=3650)


@router.get("/users")
def list_users(office: OfficeHere, me: Admin) -> JsonBody:
    """All accounts."""
    return {"users": [account_json(one) for one in office.accounts.accounts()]}


@router.post("/users", status_code=201)
def create_user(office: OfficeHere, me: Admin, asked: Annotated[UserAsk, Body()]) -> JsonBody:
    """A new account; a link or token lets it in."""
    return account_json(office.accounts.create(asked.name, asked.role, who=me.account.name))


@router.patch("/users/{user_id}", responses=failures(404))
def change_user(user_id: IdPath, office: OfficeHere, me: Admin, asked: Annotated[UserChange, Body()]) -> JsonBody:
    """Another role or name, or locked out at once."""
    changed = office.accounts.change(
        user_id, who=me.account.name, role=asked.role, disabled=asked.disabled, name=asked.name
    )
    return account_json(changed)


@router.get("/tokens")
def list_tokens(office: OfficeHere, me: Viewer) -> JsonBody:
    """One's own tokens; an administrator sees all. There is no secret in them."""
    own = None if me.account.may("admin") else me.account.user_id
    return {"tokens": [token_json(one) for one in office.accounts.tokens(own)]}


@router.post("/tokens", status_code=201, responses=failures(404))
def create_token(office: OfficeHere, me: Viewer, asked: Annotated[TokenAsk, Body()]) -> JsonBody:
    """A token with the rights of its account; its secret is in this answer and nowhere else."""
    user_id = asked.user_id or me.account.user_id
    if user_id != me.account.user_id and not me.account.may("admin"):
        raise ForbiddenError("only an administrator makes tokens for others")
    token, secret = office.accounts.issue(user_id, asked.kind, asked.label, who=me.account.name, days=asked.days)
    return {"token": token_json(token), "secret": secret}


@router.delete("/tokens/{token_id}", responses=failures(404))
def revoke_token(token_id: IdPath, office: OfficeHere, me: Viewer) -> JsonBody:
    """End a token at once."""
    if office.accounts.owner_of(token_id) != me.account.user_id and not me.account.may("admin"):
        raise ForbiddenError("only an administrator ends tokens of others")
    office.accounts.revoke(token_id, who=me.account.name)
    return {"token_id": token_id, "revoked": True}
