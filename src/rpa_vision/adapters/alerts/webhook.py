"""Send an alert to a web address: one POST of its JSON, signed, over and done with within a time.

The receiver checks `X-RPA-Vision-Signature: v1=<hex>`: HMAC-SHA256, with the shared secret, of the timestamp header,
a dot and the body as received. An old timestamp tells a repeated message; `alert_id` in the body tells one that was
sent twice because the first answer got lost. Redirections are not followed: the signature is for the address that was
given.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import socket
import ssl
import threading
from contextlib import suppress
from urllib.parse import SplitResult, urlsplit

from rpa_vision.errors import EnvironmentMissingError, UsageError
from rpa_vision.models.auto_heal import Alert
from rpa_vision.models.ids import checked_id
from rpa_vision.ports.runtime import Clock

SIGNATURE_HEADER = "X-RPA-Vision-Signature"
TIMESTAMP_HEADER = "X-RPA-Vision-Timestamp"
ALERT_HEADER = "X-RPA-Vision-Alert"


class Webhook:
    """Implements `ports.alerts.AlertListener`. Of the address only the host is ever shown."""

    def __init__(
        self,
        name: str,
        url: str,
        clock: Clock,
        *,
        secret: str | None = None,
        timeout_s: float = 5.0,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.name = checked_id(name, what="webhook")
        self._url = _checked(url, name)
        self._clock = clock
        self._secret = secret.encode() if secret is not None else None
        self._timeout_s = timeout_s
        self._tls = tls

    def __repr__(self) -> str:
        return f"Webhook({self.name!r}, {self._url.scheme}://{self._url.hostname})"

    def deliver(self, alert: Alert) -> None:
        """Send it; returns when the receiver answered with 2xx."""
        body = json.dumps(alert.to_json(), ensure_ascii=False, separators=(",", ":")).encode()
        timestamp = str(int(self._clock.now().timestamp()))
        headers = {"Content-Type": "application/json", TIMESTAMP_HEADER: timestamp, ALERT_HEADER: alert.alert_id}
        if self._secret is not None:
            headers[SIGNATURE_HEADER] = f"v1={signature(self._secret, timestamp, body)}"
        try:
            status = self._post(body, headers)
        except (OSError, http.client.HTTPException) as error:
            raise _undelivered(self, f"{type(error).__name__}: {error}") from error
        if not 200 <= status < 300:
            raise _undelivered(self, f"it answered {status}")

    def _post(self, body: bytes, headers: dict[str, str]) -> int:
        connection = self._connection()
        deadline = _Deadline(connection, self._timeout_s)
        try:
            path = (self._url.path or "/") + (f"?{self._url.query}" if self._url.query else "")
            deadline.start()
            connection.request("POST", path, body, headers)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            if deadline.is_over:
                raise TimeoutError(f"no answer within {self._timeout_s:g} s") from error
            raise
        finally:
            deadline.stop()
            connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        """A connection that is made already, so that the deadline can end it whatever it is doing."""
        host, is_plain = self._url.hostname or "", self._url.scheme == "http"
        port = self._url.port or (80 if is_plain else 443)
        if is_plain:
            plain = http.client.HTTPConnection(host, port, timeout=self._timeout_s)
            plain.connect()
            return plain
        context = self._tls or ssl.create_default_context()
        secure = http.client.HTTPSConnection(host, port, timeout=self._timeout_s)
        raw = socket.create_connection((host, port), self._timeout_s)
        secure.sock = context.wrap_socket(raw, server_hostname=host, do_handshake_on_connect=False)
        return secure


class _Deadline:
    """Ends a connection when the time is up: a timeout of the socket alone would begin anew with every byte."""

    def __init__(self, connection: http.client.HTTPConnection, seconds: float) -> None:
        self._connection = connection
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True
        self.is_over = False

    def start(self) -> None:
        self._timer.start()
        sock = self._connection.sock
        if isinstance(sock, ssl.SSLSocket):
            sock.do_handshake()

    def stop(self) -> None:
        self._timer.cancel()

    def _end(self) -> None:
        self.is_over = True
        sock = self._connection.sock
        if sock is not None:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)


def signature(secret: bytes, timestamp: str, body: bytes) -> str:
    """What the receiver computes as well."""
    return hmac.new(secret, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def _checked(url: str, name: str) -> SplitResult:
    remedy = "Give an address such as https://alerts.example.org/rpa-vision."
    try:
        split = urlsplit(url)
        port = split.port
    except ValueError as error:
        raise UsageError(f"webhook {name!r}: not an address ({error})", remedy=remedy) from error
    if split.scheme not in ("http", "https"):
        raise UsageError(f"webhook {name!r}: only http and https addresses are sent to", remedy=remedy)
    if not split.hostname or port == 0 or split.username is not None or not url.isascii() or not url.isprintable():
        raise UsageError(f"webhook {name!r}: the address needs a host, and no user or odd characters", remedy=remedy)
    if " " in url or split.fragment:
        raise UsageError(f"webhook {name!r}: the address holds a space or a fragment", remedy=remedy)
    return split


def _undelivered(webhook: Webhook, why: str) -> EnvironmentMissingError:
    return EnvironmentMissingError(
        f"webhook {webhook.name!r} did not take the alert: {why}",
        remedy="It is tried again. See that the receiver can be reached and answers with 2xx.",
    )
