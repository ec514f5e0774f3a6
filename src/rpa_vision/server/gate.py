"""The gate in front of everything, API, dashboard and its socket: who is it, may they, from where, how much.

A plain ASGI layer, so that nothing behind it can be reached around it. Browsers are known by a cookie that other sites
cannot send (SameSite=Strict) and, for everything that changes something, must show a header of our own or the same
origin; programs by a bearer token. What is secret (cookies, tokens, codes) is never logged.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from rpa_vision.app.users import Accounts, Identity
from rpa_vision.errors import RpaVisionError
from rpa_vision.ports.runtime import Clock
from rpa_vision.server.errors import (
    ForeignOriginError,
    NotSignedInError,
    TooLargeError,
    TooManyRequestsError,
    body_of,
    status_of,
)
from rpa_vision.server.limits import RateLimit

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE: Final = "rpa_vision_session"
OWN_HEADER: Final = "x-rpa-vision"
MAX_BODY_BYTES: Final = 2 * 1024 * 1024
MAX_UPLOAD_BYTES: Final = 64 * 1024 * 1024
_OPEN: Final = ("/enter", "/health", "/health/live", "/health/ready", "/favicon.ico")
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_SCREENSHOTS: Final = "img-src 'self' data: blob:; "
_API_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"
# The front end compiles its templates in the browser; nothing comes from anywhere but here.
_PAGE_POLICY: Final = (
    f"default-src 'self'; {_SCREENSHOTS}script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; font-src 'self' data:; connect-src 'self'; object-src 'none'; "
    "base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
)
_REPORT_POLICY: Final = (
    "default-src 'none'; img-src data: 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "frame-ancestors 'self'"
)


@dataclass(slots=True)
class Gate:
    """Lets callers in to `inner`. `hosts` are the names this server answers to."""

    inner: App
    accounts: Accounts
    clock: Clock
    hosts: frozenset[str]
    secure_cookies: bool = False
    max_body_bytes: int = MAX_BODY_BYTES
    per_caller: RateLimit = field(init=False)
    strangers: RateLimit = field(init=False)
    wrong: RateLimit = field(init=False)
    wrong_in_all: RateLimit = field(init=False)

    def __post_init__(self) -> None:
        self.per_caller = RateLimit(self.clock, rate=1500.0, burst=3000.0)
        self.strangers = RateLimit(self.clock, rate=50.0, burst=300.0)
        # Guesses at one token from one address, and at whatever token: many people may share an address.
        self.wrong = RateLimit(self.clock, rate=10.0 / 60.0, burst=10.0)
        self.wrong_in_all = RateLimit(self.clock, rate=1.0, burst=100.0)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.inner(scope, receive, send)
            return
        headers = _headers(scope)
        try:
            identity = self._admitted(scope, headers)
        except RpaVisionError as error:
            await self._refuse(scope, send, error, wants_page=_wants_page(scope, headers))
            return
        scope.setdefault("state", {})["identity"] = identity
        if scope["type"] == "websocket":
            await self.inner(scope, receive, send)
            return
        limited = _Limited(receive, MAX_UPLOAD_BYTES if _is_upload(scope) else self.max_body_bytes)
        sender = _WithHeaders(send, scope["path"], secure=self.secure_cookies)
        if limited.announced_too_large(headers):
            await self._refuse(scope, send, TooLargeError(f"more than {limited.limit:,} bytes were sent"))
            return
        try:
            if await limited.is_there():
                await self.inner(scope, limited, sender)
        except TooLargeError as error:
            if not sender.began:
                await self._refuse(scope, send, error)

    def _admitted(self, scope: Scope, headers: dict[str, str]) -> Identity | None:
        """Who asks; None where nobody needs to be known. Raises what is answered instead."""
        if _host_name(headers.get("host", "")) not in self.hosts:
            raise ForeignOriginError(f"this server is not {headers.get('host', '')[:100]!r}")
        caller = (scope.get("client") or ("unknown", 0))[0]
        shown = _shown(headers)
        identity = self._identity(shown.text, caller, is_open=_is_open(scope["path"]))
        limit, name = (self.strangers, caller) if identity is None else (self.per_caller, identity.token.token_id)
        if identity is None and self.accounts.is_remembered(shown.text):  # one that has ended, and asks on its own
            name = f"{caller} {_token_id(shown.text)}"
        wait_s = max(limit.wait_s(name), self._wait_at_the_entrance_s(scope, caller))
        if wait_s > 0:
            raise TooManyRequestsError(f"too many requests; wait {wait_s:.1f} s")
        if identity is None and shown.is_bearer:
            raise NotSignedInError("the token is wrong, expired or revoked")
        changes = scope["type"] == "websocket" or scope["method"] not in _SAFE
        if changes and (shown.is_cookie or "origin" in headers) and not _is_own(scope, headers):
            raise ForeignOriginError("a browser asks on behalf of another site")
        if identity is None and not _is_open(scope["path"]):
            raise NotSignedInError("nobody is signed in")
        return identity

    def _identity(self, text: str, caller: str, *, is_open: bool) -> Identity | None:
        """Who bears a token. Guessing is counted; showing one that has ended is none, its secret is right."""
        if not text:
            return None
        if not self.accounts.is_remembered(text):
            wait_s = self._counted_s(caller, _token_id(text), 0.0)
            if wait_s > 0 and is_open:  # who comes with an old cookie and a new link is let in by the link
                return None
            if wait_s > 0:
                raise TooManyRequestsError(f"too many wrong tokens; wait {wait_s:.0f} s")
        identity = self.accounts.authenticate(text)
        if identity is None and not self.accounts.is_remembered(text):
            self._counted_s(caller, _token_id(text))
        return identity

    def _wait_at_the_entrance_s(self, scope: Scope, caller: str) -> float:
        """Every code or token that is shown there is counted: checking one costs, so that guessing is slow."""
        if scope["type"] != "http" or scope["path"] != "/enter":
            return 0.0
        codes = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("code", [])
        if codes:
            return self._counted_s(caller, _token_id(codes[-1]))
        return self.wrong_in_all.wait_s(caller) if scope["method"] not in _SAFE else 0.0

    def _counted_s(self, caller: str, token_id: str, cost: float = 1.0) -> float:
        wait_s = self.wrong_in_all.wait_s(caller, cost)
        return wait_s if wait_s > 0 else self.wrong.wait_s(f"{caller} {token_id}", cost)

    async def _refuse(self, scope: Scope, send: Send, error: RpaVisionError, *, wants_page: bool = False) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4401})
            return
        status = status_of(error)
        sender = _WithHeaders(send, "/api", secure=self.secure_cookies)
        if wants_page and isinstance(error, NotSignedInError):
            await _answer(sender, 303, b"", [(b"location", b"/enter")])
            return
        extra = [(b"www-authenticate", b"Bearer")] if status == 401 else []
        extra += [(b"retry-after", b"5")] if status == 429 else []
        await _answer(sender, status, json.dumps(body_of(error)).encode(), extra)


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a caller shows to be let in."""

    text: str
    is_bearer: bool

    @property
    def is_cookie(self) -> bool:
        return bool(self.text) and not self.is_bearer


class _Limited:
    """What is sent, up to a limit."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive = receive
        self._left = self.limit = limit
        self._first: Message | None = None

    async def is_there(self) -> bool:
        """Whether the caller waits for an answer still; nobody is woken for one who has left."""
        self._first = await self()
        return bool(self._first["type"] != "http.disconnect")

    def announced_too_large(self, headers: dict[str, str]) -> bool:
        length = headers.get("content-length", "0")
        return not length.isdecimal() or int(length) > self.limit

    async def __call__(self) -> Message:
        if self._first is not None:
            message, self._first = self._first, None
            return message
        message = await self._receive()
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                raise TooLargeError(f"more than {self.limit:,} bytes were sent")
        return message


class _WithHeaders:
    """Adds to every answer what keeps browsers careful."""

    def __init__(self, send: Send, path: str, *, secure: bool) -> None:
        self._send = send
        self._path = path
        self._secure = secure
        self.began = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.began = True
            present = {name.lower() for name, _ in message.get("headers", ())}
            own = [(name, value) for name, value in self._own() if name not in present]
            message = {**message, "headers": [*message.get("headers", ()), *own]}
        await self._send(message)

    def _own(self) -> Iterable[tuple[bytes, bytes]]:
        is_api = self._path.startswith(("/api", "/health", "/metrics"))
        policy = _API_POLICY if is_api else _PAGE_POLICY
        if self._path.endswith(("/report.html", "/film.html")):
            policy = _REPORT_POLICY
        yield b"content-security-policy", policy.encode()
        yield b"x-content-type-options", b"nosniff"
        yield b"x-frame-options", b"SAMEORIGIN"
        yield b"referrer-policy", b"no-referrer"
        yield b"cross-origin-opener-policy", b"same-origin"
        yield b"cross-origin-resource-policy", b"same-origin"
        yield b"permissions-policy", b"camera=(), microphone=(), geolocation=()"
        if is_api:
            yield b"cache-control", b"no-store"
        if self._secure:
            yield b"strict-transport-security", b"max-age=31536000"


async def _answer(send: Send | _WithHeaders, status: int, body: bytes, extra: list[tuple[bytes, bytes]]) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *extra]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope.get("headers", ())}


def _host_name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_own(scope: Scope, headers: dict[str, str]) -> bool:
    """Whether a browser's request comes from a page of ours."""
    origin = headers.get("origin")
    if origin is not None:
        try:
            return urlsplit(origin).netloc.lower() == headers.get("host", "").lower()
        except ValueError:
            return False
    site = headers.get("sec-fetch-site")
    return site in ("same-origin", "none") or OWN_HEADER in headers


def _shown(headers: dict[str, str]) -> _Shown:
    given = headers.get("authorization", "")
    bearer = given[7:].strip() if given[:7].lower() == "bearer " else ""
    return _Shown(bearer or _cookie(headers.get("cookie", "")), is_bearer=bool(bearer))


def _token_id(text: str) -> str:
    """Which token it is said to be; what is none is all one."""
    parts = text.split("_")
    return parts[1][:64] if len(parts) == 3 else ""


def _cookie(text: str) -> str:
    try:
        found = SimpleCookie(text).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found is not None else ""


def _is_open(path: str) -> bool:
    return path in _OPEN


def _is_upload(scope: Scope) -> bool:
    return bool(scope["path"].endswith("/rows")) or scope["path"].startswith("/_nicegui/client/")


def _wants_page(scope: Scope, headers: dict[str, str]) -> bool:
    return scope["type"] == "http" and scope["method"] == "GET" and "text/html" in headers.get("accept", "")
