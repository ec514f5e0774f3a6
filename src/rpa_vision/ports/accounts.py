"""Where accounts and the hashes of their tokens are kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from rpa_vision.models.account import Account, Token


@dataclass(frozen=True, slots=True)
class StoredToken:
    """A token with what its secret is checked against."""

    token: Token
    salt: bytes
    hash: bytes


class AccountStore(Protocol):
    """Accounts and tokens. Every change is one transaction."""

    def accounts(self) -> Sequence[Account]:
        """All accounts, the oldest first."""

    def account(self, user_id: str) -> Account | None:
        """One account."""

    def save(self, account: Account) -> bool:
        """Keep an account; False, and nothing is changed, if another has its name."""

    def amend(self, user_id: str, how: Callable[[Account, Sequence[Account]], Account]) -> Account | None:
        """Change an account as one: `how` gets it and the others as they are, with nobody else changing any, and gives
        it as it shall be. What `how` raises changes nothing. None if there is no such account."""

    def save_if_first(self, account: Account) -> bool:
        """Keep an account only if there is none yet, whoever else tries the same just now."""

    def add_token(self, token: StoredToken) -> None:
        """Keep a new token."""

    def token(self, token_id: str) -> StoredToken | None:
        """One token."""

    def tokens(self, user_id: str | None = None) -> Sequence[Token]:
        """The tokens of one account or of all, the newest first."""

    def revoke(self, token_id: str) -> bool:
        """End a token; False if it had ended already, so that a link lets in one person only."""

    def touch(self, token_id: str, at: datetime) -> None:
        """Note that a token was used."""
