"""One JSON request to one server, over and done with within a time, whatever the server does.

Only the address that was configured is ever talked to: no proxy, no redirection. Without TLS only this machine is,
unless that was allowed by name, and a key never travels in clear. The connection is kept for the next question. Name
look-up, connecting, sending, waiting and reading share one deadline, kept by a thread that can be left behind.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from rpa_vision.errors import PluginError
from rpa_vision.ports.vlm import NoAnswer

MAX_BODY: Final = 1024 * 1024
MAX_REASON: Final = 200
_STALE: Final = (http.client.RemoteDisconnected, http.client.CannotSendRequest, ConnectionError)


@dataclass(frozen=True, slots=True)
class HttpReply:
    """A status and the JSON object that came with it (empty where none did)."""

    status: int
    body: Mapping[str, Any]
    retry_after_s: float | None = None


class JsonServer:
    """A server of JSON at a configured address. Of the address only scheme, host and port are ever shown."""

    def __init__(
        self, url: str, *, key: str | None = None, allow_plain: bool = False, tls: ssl.SSLContext | None = None
    ) -> None:
        self._url = checked_url(url, has_key=key is not None, allow_plain=allow_plain)
        if key is not None and not (key and key.isascii() and key.isprintable() and " " not in key):
            raise PluginError("the key for the VLM has characters that no key has", remedy="Set it again, as given.")
        self._key = key
        self._tls = tls
        self._kept: http.client.HTTPConnection | None = None
        self._turn = threading.Lock()

    def __repr__(self) -> str:
        return f"JsonServer({self.where})"

    @property
    def where(self) -> str:
        """The address, for people."""
        return f"{self._url.scheme}://{self._url.netloc}"

    def call(self, method: str, path: str, body: Mapping[str, Any] | None, timeout_s: float) -> HttpReply | NoAnswer:
        """Send and receive, or say why that did not work."""
        late = NoAnswer("timeout", f"{self.where} gave no answer within {round(timeout_s, 1):g} s")
        if timeout_s <= 0 or not self._turn.acquire(timeout=timeout_s):
            return late
        exchange = _Exchange(self, method, path, None if body is None else json.dumps(body).encode(), timeout_s)
        try:
            self._kept, exchange.connection = None, self._kept
            thread = threading.Thread(target=exchange.run, name="vlm", daemon=True)
            thread.start()
            if not exchange.done.wait(timeout_s):
                exchange.leave()
                return late
            self._kept = exchange.connection
            return exchange.outcome or late
        finally:
            self._turn.release()

    def say(self, text: object) -> str:
        """What a server or a library said, in one short line of plain characters, without the key."""
        said = " ".join(str(text).split())
        said = said.replace(self._key, "***") if self._key else said
        plain = "".join(char for char in said if char.isprintable())
        return plain if len(plain) <= MAX_REASON else plain[: MAX_REASON - 1] + "…"

    def headers(self) -> dict[str, str]:
        """What goes with every request."""
        return {"Accept": "application/json", "Content-Type": "application/json"} | (
            {"Authorization": f"Bearer {self._key}"} if self._key is not None else {}
        )

    def target(self, path: str) -> str:
        """The path of a request, below the one of the address."""
        return self._url.path.rstrip("/") + path

    def connect(self, timeout_s: float) -> http.client.HTTPConnection:
        """A new connection."""
        host, port = self._url.hostname or "", self._url.port
        if self._url.scheme == "http":
            return http.client.HTTPConnection(host, port or 80, timeout=timeout_s)
        context = self._tls or ssl.create_default_context()
        return http.client.HTTPSConnection(host, port or 443, timeout=timeout_s, context=context)


@dataclass(slots=True, eq=False)
class _Exchange:
    """One request and its reply, run in a thread of its own."""

    server: JsonServer
    method: str
    path: str
    body: bytes | None
    timeout_s: float
    connection: http.client.HTTPConnection | None = None
    outcome: HttpReply | NoAnswer | None = None
    done: threading.Event = field(default_factory=threading.Event)
    is_left: bool = False

    def run(self) -> None:
        """Speak; whatever goes wrong becomes a value."""
        try:
            self.outcome = self._speak()
        except TimeoutError:
            self.outcome = NoAnswer(
                "timeout", f"{self.server.where} gave no answer within {round(self.timeout_s, 1):g} s"
            )
        except ssl.SSLError as error:
            self.outcome = NoAnswer("unreachable", self._told(f"TLS: {error.reason or error}"))
        except (OSError, UnicodeError) as error:
            self.outcome = NoAnswer("unreachable", self._told(error))
        except (http.client.HTTPException, ValueError, RecursionError) as error:
            self.outcome = NoAnswer("garbled", self._told(f"{type(error).__name__} {error}"))
        finally:
            if self.is_left or not isinstance(self.outcome, HttpReply):
                self._close()
            self.done.set()

    def leave(self) -> None:
        """The time is up: the thread is left to itself, and ends with the connection."""
        self.is_left = True
        connection = self.connection
        sock = connection.sock if connection is not None else None
        if sock is not None:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def _speak(self) -> HttpReply | NoAnswer:
        kept = self.connection
        if kept is not None and kept.sock is not None:
            kept.sock.settimeout(self.timeout_s)
            try:
                return self._ask(kept)
            except _STALE:  # the server closed the connection between two questions: nothing was answered
                self._close()
                if self.is_left:
                    raise
        self.connection = self.server.connect(self.timeout_s)
        return self._ask(self.connection)

    def _ask(self, connection: http.client.HTTPConnection) -> HttpReply | NoAnswer:
        connection.request(self.method, self.server.target(self.path), self.body, self.server.headers())
        response = connection.getresponse()
        data = response.read(MAX_BODY + 1)
        if len(data) > MAX_BODY:
            return NoAnswer("garbled", f"{self.server.where} sent more than {MAX_BODY:,} bytes")
        if 300 <= response.status < 400:
            return NoAnswer("refused", f"{self.server.where} answered {response.status}: redirections are not followed")
        if not response.isclosed() or response.will_close:
            connection.close()
        try:
            body = json.loads(data)
        except (ValueError, RecursionError):
            body = None
        if response.status == 200 and not isinstance(body, dict):
            return NoAnswer("garbled", self._told("no JSON object came"))
        return HttpReply(response.status, body if isinstance(body, dict) else {}, _seconds(response))

    def _told(self, what: object) -> str:
        return f"{self.server.where}: {self.server.say(what)}"

    def _close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def checked_url(url: str, *, has_key: bool, allow_plain: bool) -> SplitResult:
    """The address, taken apart, or an error that says what is wrong with it. It is not repeated: it may hold a key."""
    remedy = "Give an address such as http://127.0.0.1:11434 or https://vlm.example.org/v1."
    try:
        split = urlsplit(url)
        port = split.port
    except ValueError as error:
        raise PluginError("the VLM's address is not one", remedy=remedy) from error
    odd = not url.isascii() or not url.isprintable() or " " in url
    if split.scheme not in ("http", "https") or not split.hostname or port == 0 or odd:
        raise PluginError("the VLM's address needs http or https, a host, and no odd characters", remedy=remedy)
    if split.username is not None or split.query or split.fragment:
        raise PluginError("the VLM's address must not hold a user, a query or a fragment", remedy=remedy)
    if split.scheme == "http" and not is_loopback(split.hostname):
        if has_key:
            raise PluginError("the VLM's key would travel in clear", remedy="Use an address that begins with https.")
        if not allow_plain:
            raise PluginError(
                f"pictures of the screen would travel to {split.hostname} in clear",
                remedy="Use https, or allow it with RPA_VISION_VLM_PLAIN_HTTP=1 on a network you trust.",
            )
    return split


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by its name alone."""
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


def _seconds(response: http.client.HTTPResponse) -> float | None:
    said = response.getheader("Retry-After", "")
    return float(said) if said.isascii() and said.isdecimal() and len(said) < 7 else None
