"""Who is signed in, and when a session has lasted too long."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

DEMO_USER = "marie.dupont"
DEMO_PASSWORD = "Lilas-2026!"
PEOPLE = {DEMO_USER: (DEMO_PASSWORD, "Marie Dupont"), "paul.lefevre": ("Muguet-2026!", "Paul Lefèvre")}


class Access(StrEnum):
    """Whether a request may go on."""

    OPEN = "open"
    EXPIRED = "expired"
    ANONYMOUS = "anonymous"


@dataclass(slots=True)
class Message:
    """What the next page says once: a success or a refusal."""

    kind: str
    text: str


@dataclass(slots=True)
class Session:
    """One signed-in person."""

    user: str
    started_at: float
    requests: int = 0
    ended: bool = False
    message: Message | None = None

    @property
    def full_name(self) -> str:
        """The name shown at the top of the page."""
        return PEOPLE[self.user][1]

    def take_message(self) -> Message | None:
        """The waiting message, which is shown only once."""
        message, self.message = self.message, None
        return message


class Sessions:
    """All sessions by their cookie."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._by_token: dict[str, Session] = {}

    def open(self, user: str, password: str) -> str | None:
        """Sign somebody in; the token goes into a cookie. None when the password is wrong."""
        if user not in PEOPLE or not secrets.compare_digest(PEOPLE[user][0].encode(), password.encode()):
            return None
        token = secrets.token_urlsafe(16)
        self._by_token[token] = Session(user, self._now())
        return token

    def enter(self, token: str | None, expire_after: int, expire_after_s: float) -> tuple[Access, Session | None]:
        """Count one request of this session and say whether it may still go on."""
        session = self._by_token.get(token or "")
        if session is None:
            return Access.ANONYMOUS, None
        session.requests += 1
        too_many = 0 < expire_after < session.requests
        too_long = 0 < expire_after_s < self._now() - session.started_at
        if session.ended or too_many or too_long:
            del self._by_token[token or ""]
            return Access.EXPIRED, session
        return Access.OPEN, session

    def close(self, token: str | None) -> None:
        """Sign out."""
        self._by_token.pop(token or "", None)

    def expire_all(self) -> None:
        """Every session ends at its next request."""
        for session in self._by_token.values():
            session.ended = True
