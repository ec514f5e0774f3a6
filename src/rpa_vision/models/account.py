"""Who may use the server: accounts, their roles, and the tokens by which they are known."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, get_args

Role = Literal["viewer", "operator", "admin"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
"""From the one who may only look to the one who may do everything."""
TokenKind = Literal["api", "session", "link"]
"""For a program, for a browser, or a link that lets somebody in once."""
Language = Literal["", "en", "fr"]
Theme = Literal["", "light", "dark"]


@dataclass(frozen=True, slots=True)
class Account:
    """A person or a program that may use the server. Without a language or theme, the browser's own."""

    user_id: str
    name: str
    role: Role
    created_at: datetime
    disabled: bool = False
    language: Language = ""
    theme: Theme = ""

    def may(self, role: Role) -> bool:
        """Whether the account has at least that role."""
        return not self.disabled and ROLES.index(self.role) >= ROLES.index(role)


@dataclass(frozen=True, slots=True)
class Token:
    """By which an account is known. Of the secret only a hash is kept."""

    token_id: str
    user_id: str
    kind: TokenKind
    label: str
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None = None
    revoked: bool = False

    def is_valid(self, now: datetime) -> bool:
        """Whether it opens the door now."""
        return not self.revoked and now < self.expires_at
