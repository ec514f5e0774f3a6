"""Who may use the server: let people and programs in, by tokens whose secrets are shown once and kept as hashes.

A token is `rpav_<token_id>_<secret>`. The secret is 256 bits of randomness, so scrypt protects what is on disk; in
memory a keyed digest of what was found right spares the cost for the next request. Whether a token was revoked or its
account disabled is looked up every time.
"""

from __future__ import annotations

import hashlib
import hmac
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, get_args

from rpa_vision.errors import UnknownIdError, UsageError
from rpa_vision.models.account import ROLES, Account, Language, Role, Theme, Token, TokenKind
from rpa_vision.models.document import JsonObject
from rpa_vision.ports.accounts import AccountStore, StoredToken
from rpa_vision.ports.audit import AuditLog
from rpa_vision.ports.runtime import Clock, Ids

LIFETIMES: Final[dict[TokenKind, timedelta]] = {
    "link": timedelta(hours=1),
    "session": timedelta(days=7),
    "api": timedelta(days=365),
}
MAX_NAME_CHARS: Final = 64
_PREFIX: Final = "rpav"
_SCRYPT: Final = {"n": 2**14, "r": 8, "p": 1, "dklen": 32}
_REMEMBERED: Final = 4096
_TOUCH_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class Identity:
    """Who asks: an account, and the token that proved it."""

    account: Account
    token: Token


class Accounts:
    """Accounts and tokens as people handle them. Every change is written down with who made it."""

    def __init__(
        self, store: AccountStore, audit: AuditLog, clock: Clock, ids: Ids, randomness: Callable[[int], bytes]
    ) -> None:
        self._store = store
        self._audit = audit
        self._clock = clock
        self._ids = ids
        self._randomness = randomness
        self._pepper = randomness(32)
        self._known: dict[str, bytes] = {}
        self._touched: dict[str, float] = {}
        self._lock = threading.Lock()

    def first_link(self) -> str | None:
        """On the very first start: make the administrator, and give the code that lets them in once."""
        admin = Account(self._ids.new("user"), "admin", "admin", self._clock.now())
        if not self._store.save_if_first(admin):
            return None
        self._write_down("created", admin, who="server")
        return self.issue(admin.user_id, "link", "first start", who="server")[1]

    def link_for(self, name: str, *, who: str) -> str:
        """A code that lets an account in once more."""
        account = next((one for one in self._store.accounts() if one.name.lower() == name.lower()), None)
        if account is None:
            raise UnknownIdError(f"there is no account {name!r}", remedy="Settings → Users lists them.")
        return self.issue(account.user_id, "link", "link", who=who)[1]

    def accounts(self) -> Sequence[Account]:
        """All accounts."""
        return self._store.accounts()

    def account(self, user_id: str) -> Account:
        """One account, or an UnknownIdError."""
        found = self._store.account(user_id)
        if found is None:
            raise _unknown(user_id)
        return found

    def create(self, name: str, role: Role, *, who: str) -> Account:
        """A new account; nobody is let in before a token or link is made for it."""
        account = Account(self._ids.new("user"), _checked_name(name), _checked_role(role), self._clock.now())
        if any(one.name.lower() == account.name.lower() for one in self._store.accounts()):
            raise _taken(account)
        self._write_down("created", account, who=who)
        if not self._store.save(account):  # somebody was quicker
            raise _taken(account)
        return account

    def change(
        self, user_id: str, *, who: str, role: Role | None = None, disabled: bool | None = None, name: str | None = None
    ) -> Account:
        """Another role or name, or locked out; the last administrator stays one."""

        def changed(before: Account, others: Sequence[Account]) -> Account:
            after = replace(
                before,
                role=before.role if role is None else _checked_role(role),
                disabled=before.disabled if disabled is None else disabled,
                name=before.name if name is None else _checked_name(name),
            )
            was_and_is_not = before.may("admin") and not after.may("admin")
            if was_and_is_not and not any(one.may("admin") for one in others):
                raise UsageError("the last administrator cannot be taken away", remedy="Make somebody else one first.")
            if any(one.name.lower() == after.name.lower() for one in others):
                raise _taken(after)
            self._write_down("changed", after, who=who)
            return after

        return self._amended(user_id, changed)

    def prefer(self, user_id: str, *, language: Language | None = None, theme: Theme | None = None) -> Account:
        """What somebody wants the dashboard to look like."""
        if (language is not None and language not in get_args(Language)) or (
            theme is not None and theme not in get_args(Theme)
        ):
            raise UsageError("no such language or theme", remedy="Languages: en, fr. Themes: light, dark.")
        return self._amended(
            user_id,
            lambda before, _: replace(before, language=language or before.language, theme=theme or before.theme),
        )

    def issue(
        self, user_id: str, kind: TokenKind, label: str, *, who: str, days: int | None = None
    ) -> tuple[Token, str]:
        """A new token, and its secret: the only time that anybody sees it."""
        account, now = self.account(user_id), self._clock.now()
        lifetime = LIFETIMES[kind] if days is None else timedelta(days=days)
        token = Token(
            self._randomness(8).hex(),
            account.user_id,
            kind,
            label.strip()[:MAX_NAME_CHARS] or kind,
            now,
            now + lifetime,
        )
        secret, salt = self._randomness(32).hex(), self._randomness(16)
        if kind != "session":
            self._write_down(f"{kind}_issued", account, who=who, token_id=token.token_id)
        self._store.add_token(StoredToken(token, salt, _hashed(secret, salt)))
        return token, f"{_PREFIX}_{token.token_id}_{secret}"

    def tokens(self, user_id: str | None = None) -> Sequence[Token]:
        """The tokens of one account or all."""
        return self._store.tokens(user_id)

    def revoke(self, token_id: str, *, who: str) -> None:
        """End a token at once."""
        stored = self._store.token(token_id)
        if stored is None:
            raise UnknownIdError(f"there is no token {token_id!r}", remedy="List the tokens first.")
        self._write_down("token_revoked", self.account(stored.token.user_id), who=who, token_id=token_id)
        self._store.revoke(token_id)

    def owner_of(self, token_id: str) -> str | None:
        """Whose token it is."""
        stored = self._store.token(token_id)
        return stored.token.user_id if stored is not None else None

    def authenticate(self, text: str) -> Identity | None:
        """Who bears this token; None if it is none, or no longer. A link is not a token to ask with."""
        stored = self._checked(text)
        if stored is None or stored.token.kind == "link":
            return None
        account = self._store.account(stored.token.user_id)
        if account is None or account.disabled:
            return None
        self._touch(stored.token.token_id)
        return Identity(account, stored.token)

    def current(self, identity: Identity) -> Identity | None:
        """The same person as they are now; None when the token has ended or the account is locked."""
        stored, account = self._store.token(identity.token.token_id), self._store.account(identity.account.user_id)
        if stored is None or not stored.token.is_valid(self._clock.now()) or account is None or account.disabled:
            return None
        return Identity(account, stored.token)

    def is_remembered(self, text: str) -> bool:
        """Whether exactly this token was found right before, since the start."""
        parts = text.split("_")
        known = self._known.get(parts[1], b"") if len(parts) == 3 else b""
        return hmac.compare_digest(known, hmac.digest(self._pepper, text.encode(), "sha256"))

    def redeem(self, code: str, label: str) -> tuple[Identity, str] | None:
        """Let somebody in by a link, once; gives the secret of their session."""
        stored = self._checked(code)
        if stored is None or stored.token.kind != "link":
            return None
        account = self._store.account(stored.token.user_id)
        if account is None or account.disabled or not self._store.revoke(stored.token.token_id):
            return None
        token, secret = self.issue(account.user_id, "session", label, who=account.name)
        return Identity(account, token), secret

    def open_session(self, identity: Identity, label: str) -> str:
        """A browser's session for somebody who showed a token of theirs."""
        return self.issue(identity.account.user_id, "session", label, who=identity.account.name)[1]

    def _checked(self, text: str) -> StoredToken | None:
        parts = text.split("_")
        if len(text) > 200 or len(parts) != 3 or parts[0] != _PREFIX:
            return None
        token_id, secret = parts[1], parts[2]
        stored = self._store.token(token_id)
        if stored is None:
            _hashed(secret, b"nobody's salt ..")  # as long as for a token that exists
            return None
        digest = hmac.digest(self._pepper, text.encode(), "sha256")
        if not hmac.compare_digest(self._known.get(token_id, b""), digest):
            if not hmac.compare_digest(_hashed(secret, stored.salt), stored.hash):
                return None
            with self._lock:
                if len(self._known) >= _REMEMBERED:
                    self._known.clear()
                self._known[token_id] = digest
        return stored if stored.token.is_valid(self._clock.now()) else None

    def _touch(self, token_id: str) -> None:
        """Note the use of a token, about once a minute."""
        now_s = self._clock.monotonic()
        with self._lock:
            if now_s - self._touched.get(token_id, float("-inf")) < _TOUCH_S:
                return
            if len(self._touched) >= _REMEMBERED:
                self._touched.clear()
            self._touched[token_id] = now_s
        self._store.touch(token_id, self._clock.now())

    def _amended(self, user_id: str, how: Callable[[Account, Sequence[Account]], Account]) -> Account:
        after = self._store.amend(user_id, how)
        if after is None:
            raise _unknown(user_id)
        return after

    def _write_down(self, what: str, account: Account, *, who: str, token_id: str | None = None) -> None:
        self._audit.append(
            "account_changed",
            {"what": what, "user_id": account.user_id, "name": account.name, "role": account.role,
             "disabled": account.disabled, "token_id": token_id, "who": who},
        )  # fmt: skip


def account_json(account: Account) -> JsonObject:
    """For the API."""
    return {
        "user_id": account.user_id,
        "name": account.name,
        "role": account.role,
        "created_at": account.created_at.isoformat(),
        "disabled": account.disabled,
        "language": account.language,
        "theme": account.theme,
    }


def token_json(token: Token) -> JsonObject:
    """For the API; there is no secret in it."""
    return {
        "token_id": token.token_id,
        "user_id": token.user_id,
        "kind": token.kind,
        "label": token.label,
        "created_at": token.created_at.isoformat(),
        "expires_at": token.expires_at.isoformat(),
        "last_used_at": token.last_used_at.isoformat() if token.last_used_at is not None else None,
        "revoked": token.revoked,
    }


def _hashed(secret: str, salt: bytes) -> bytes:
    return hashlib.scrypt(secret.encode(), salt=salt, **_SCRYPT)


def _unknown(user_id: str) -> UnknownIdError:
    return UnknownIdError(f"there is no account {user_id!r}", remedy="List the accounts first.")


def _taken(account: Account) -> UsageError:
    return UsageError(f"there is an account {account.name!r} already", remedy="Choose another name.")


def _checked_name(name: str) -> str:
    words = " ".join(name.split())
    if not words or len(words) > MAX_NAME_CHARS or not words.isprintable():
        raise UsageError("an account needs a name of 1 to 64 characters", remedy="Choose another name.")
    return words


def _checked_role(role: Role) -> Role:
    if role not in ROLES:
        raise UsageError(f"there is no role {role!r}", remedy=f"Roles: {', '.join(ROLES)}.")
    return role
