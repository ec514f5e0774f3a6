"""What the server itself refuses, in the same tree as every other error, and which HTTP answer each error is."""

from __future__ import annotations

from typing import Final

from rpa_vision.errors import (
    DocumentError,
    ImageError,
    InvalidIdError,
    RpaVisionError,
    StorageError,
    UnknownIdError,
    UsageError,
)


class NotSignedInError(RpaVisionError):
    """Whoever asks did not say who they are, or not convincingly."""

    code = "server.not_signed_in"
    default_remedy = (
        "Send `Authorization: Bearer TOKEN`, or open the one-time link; `rpa-vision serve --link NAME` makes one."
    )


class ForbiddenError(RpaVisionError):
    """Whoever asks may not do this."""

    code = "server.forbidden"
    default_remedy = "Ask an administrator for another role."


class TooManyRequestsError(RpaVisionError):
    """Too much was asked in too short a time."""

    code = "server.too_many_requests"
    default_remedy = "Wait as long as Retry-After says."


class TooLargeError(RpaVisionError):
    """What was sent is larger than it may be."""

    code = "server.too_large"
    default_remedy = "Send less at once."


class ForeignOriginError(RpaVisionError):
    """A browser asks on behalf of another site, or for a name this server does not bear."""

    code = "server.foreign_origin"
    default_remedy = "Open the dashboard under its own address; see --host and --allow-host."


_STATUS: Final[tuple[tuple[type[RpaVisionError], int], ...]] = (
    (NotSignedInError, 401),
    (ForbiddenError, 403),
    (ForeignOriginError, 403),
    (TooLargeError, 413),
    (TooManyRequestsError, 429),
    (UnknownIdError, 404),
    (InvalidIdError, 422),
    (UsageError, 422),
    (DocumentError, 422),
    (ImageError, 422),
    (StorageError, 503),
)


def status_of(error: RpaVisionError) -> int:
    """The HTTP status of an error. What is neither the caller's fault nor the disk's cannot be done just now: 409."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 409)


def body_of(error: RpaVisionError) -> dict[str, dict[str, str]]:
    """The answer, as `--json` prints it."""
    return {"error": {"code": error.code, "message": str(error), "remedy": error.remedy}}
