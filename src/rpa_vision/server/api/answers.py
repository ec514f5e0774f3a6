"""What every route shares: who asks, ids as they may be written, and the answers that any of them may give."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import Depends, Path, Request
from pydantic import BaseModel, ConfigDict

from rpa_vision.app.office import Office
from rpa_vision.app.users import Identity
from rpa_vision.models.account import Role
from rpa_vision.models.ids import ID_PATTERN, MAX_ID_LENGTH
from rpa_vision.server.errors import ForbiddenError, NotSignedInError

JsonBody = dict[str, Any]
IdPath = Annotated[str, Path(pattern=ID_PATTERN, max_length=MAX_ID_LENGTH)]
VersionPath = Annotated[str, Path(pattern=r"^v?\d{1,6}$")]


class ErrorDetail(BaseModel):
    """What happened, with a code that does not change, and what to do."""

    code: str
    message: str
    remedy: str


class ErrorBody(BaseModel):
    """Every answer that is not a success."""

    error: ErrorDetail


class Ask(BaseModel):
    """What is sent: nothing that nobody knows."""

    model_config = ConfigDict(extra="forbid", strict=True)


def failures(*more: int) -> dict[int | str, dict[str, Any]]:
    """The answers besides success that a route may give."""
    words = {
        400: "not a request that can be read",
        401: "not signed in",
        403: "not allowed",
        404: "there is no such thing",
        405: "no such verb",
        406: "not in that form",
        409: "not possible just now",
        413: "too large",
        415: "not of that kind",
        422: "not asked as it can be asked",
        429: "too many requests",
        503: "the disk refused, or not ready",
    }
    return {
        status: {"model": ErrorBody, "description": words[status]} for status in (400, 401, 403, 422, 429, 503, *more)
    }


def picture(kind: str = "image/png") -> dict[int | str, dict[str, Any]]:
    """A route that answers with a file of that kind."""
    return {200: {"content": {kind: {"schema": {"type": "string", "format": "binary"}}}}, **failures(404)}


async def office_of(request: Request) -> Office:
    """The office this server keeps open. Asked for without a thread: a stop must not wait for one."""
    found: Office = request.app.state.office
    return found


def needs(role: Role) -> Callable[[Request], Awaitable[Identity]]:
    """Only for those who have at least that role."""

    async def identity(request: Request) -> Identity:
        found: Identity | None = getattr(request.state, "identity", None)
        if found is None:
            raise NotSignedInError("nobody is signed in")
        if not found.account.may(role):
            raise ForbiddenError(f"{found.account.name} is {found.account.role}; this needs {role}")
        return found

    return identity


OfficeHere = Annotated[Office, Depends(office_of)]
Viewer = Annotated[Identity, Depends(needs("viewer"))]
Operator = Annotated[Identity, Depends(needs("operator"))]
Admin = Annotated[Identity, Depends(needs("admin"))]
