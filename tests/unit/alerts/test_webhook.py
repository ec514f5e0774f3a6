"""A webhook is sent, signed, to a real server on this machine: well, slow, failing, foreign or not there."""

from __future__ import annotations

import hashlib
import hmac
import json
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from rpa_vision.adapters.alerts import SqliteAlertStore, Webhook
from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.errors import EnvironmentMissingError, UsageError
from rpa_vision.models.auto_heal import Alert
from rpa_vision.ports.alerts import AlertListener
from rpa_vision.system.alerts import AlertHub
from rpa_vision.testing.manual_clock import ManualClock

NewAlert = Callable[..., Alert]


class Server(ThreadingHTTPServer):
    """Answers as it is told and remembers what it was sent."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: list[int | str] = []
        self.received: list[tuple[str, dict[str, str], bytes]] = []
        self.go_on = threading.Event()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller that went away is what some tests are about."""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received.append((self.path, dict(self.headers), body))
        answer = self.server.answers.pop(0) if self.server.answers else 204
        if answer == "silence":
            self.server.go_on.wait(30)
        elif answer == "drip":
            for _ in range(1000):
                self.wfile.write(b"H")
                self.wfile.flush()
                if self.server.go_on.wait(0.02):
                    return
        elif answer == "nonsense":
            self.wfile.write(b"this is not HTTP\r\n\r\n")
        elif isinstance(answer, int):
            self.send_response(answer)
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

    def log_message(self, *_: object) -> None:
        """Tests are quiet."""


@pytest.fixture
def server() -> Iterator[Server]:
    yield from serving(Server())


def serving(server: Server) -> Iterator[Server]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield server
    server.go_on.set()
    server.shutdown()
    server.server_close()
    thread.join()


def address(server: Server, scheme: str = "http") -> str:
    return f"{scheme}://127.0.0.1:{server.server_port}/hook?team=rpa"


def test_an_alert_arrives_whole_and_signed(server: Server, clock: ManualClock, new_alert: NewAlert) -> None:
    """AH-8.4"""
    hook: AlertListener = Webhook("ops", address(server), clock, secret="partagé")
    hook.deliver(new_alert())
    ((path, headers, body),) = server.received
    assert path == "/hook?team=rpa"
    assert Alert.from_json(json.loads(body)) == new_alert()
    timestamp = headers["X-RPA-Vision-Timestamp"]
    assert int(timestamp) == int(clock.now().timestamp())
    expected = hmac.new("partagé".encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
    assert headers["X-RPA-Vision-Signature"] == f"v1={expected}"
    assert headers["X-RPA-Vision-Alert"] == "alert_1"


def test_without_a_secret_nothing_is_signed(server: Server, clock: ManualClock, new_alert: NewAlert) -> None:
    Webhook("ops", address(server), clock).deliver(new_alert())
    assert "X-RPA-Vision-Signature" not in server.received[0][1]


@pytest.mark.parametrize("answer", [500, 503, 404, 401, 302, 307, "nonsense"])
def test_any_other_answer_than_yes_is_a_failure(
    server: Server, clock: ManualClock, new_alert: NewAlert, answer: int | str
) -> None:
    """Redirections too: the signed alert goes to nobody else."""
    server.answers = [answer]
    with pytest.raises(EnvironmentMissingError, match="did not take the alert"):
        Webhook("ops", address(server), clock).deliver(new_alert())
    assert len(server.received) == 1


@pytest.mark.parametrize("manner", ["silence", "drip"])
def test_a_server_that_does_not_come_to_an_end_is_left(
    server: Server, clock: ManualClock, new_alert: NewAlert, manner: str, system_clock: SystemClock
) -> None:
    """Bytes that keep trickling in do not lengthen the time."""
    server.answers = [manner]
    began = system_clock.monotonic()
    with pytest.raises(EnvironmentMissingError, match="did not take the alert"):
        Webhook("ops", address(server), clock, timeout_s=0.2).deliver(new_alert())
    assert system_clock.monotonic() - began < 5


def test_a_server_that_is_not_there_is_a_failure(clock: ManualClock, new_alert: NewAlert) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(EnvironmentMissingError, match="ConnectionRefusedError"):
        Webhook("ops", f"http://127.0.0.1:{port}/", clock).deliver(new_alert())


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and a certificate for 127.0.0.1 that nobody vouches for."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl")
    path = tmp_path_factory.mktemp("tls") / "own.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
               "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(path), "-out", f"{path}.crt"]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    return path


@pytest.fixture
def secure_server(certificate: Path) -> Iterator[Server]:
    server = Server()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(str(certificate) + ".crt", str(certificate))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    yield from serving(server)


def test_a_wrong_certificate_is_refused_before_anything_is_sent(
    secure_server: Server, clock: ManualClock, new_alert: NewAlert
) -> None:
    with pytest.raises(EnvironmentMissingError, match="CERTIFICATE_VERIFY_FAILED"):
        Webhook("ops", address(secure_server, "https"), clock).deliver(new_alert())
    assert secure_server.received == []


def test_a_certificate_that_is_vouched_for_is_accepted(
    secure_server: Server, certificate: Path, clock: ManualClock, new_alert: NewAlert
) -> None:
    tls = ssl.create_default_context(cafile=str(certificate) + ".crt")
    Webhook("ops", address(secure_server, "https"), clock, tls=tls).deliver(new_alert())
    assert len(secure_server.received) == 1


def test_a_handshake_that_does_not_come_to_an_end_is_left(clock: ManualClock, new_alert: NewAlert) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        hook = Webhook("ops", f"https://127.0.0.1:{silent.getsockname()[1]}/", clock, timeout_s=0.2)
        with pytest.raises(EnvironmentMissingError, match="did not take the alert"):
            hook.deliver(new_alert())


@pytest.mark.parametrize(
    "url",
    ["ftp://host/x", "file:///etc/passwd", "javascript:alert(1)", "http://", "//host/x", "host/x", "", "http://a:b@host/",
     "http://host:99999/", "http://host:0/", "http://host/a b", "http://host/\r\nX: y", "http://host/#part", "http://hôte/"],
)  # fmt: skip
def test_only_web_addresses_are_accepted(clock: ManualClock, url: str) -> None:
    with pytest.raises(UsageError, match="webhook 'ops'"):
        Webhook("ops", url, clock)


def test_a_webhook_never_shows_what_is_secret(clock: ManualClock) -> None:
    shown = repr(Webhook("ops", "https://host.example/t0ken?key=s3cret", clock, secret="hidden"))
    assert shown == "Webhook('ops', https://host.example)"


def test_a_server_that_fails_twice_gets_the_alert_in_the_end(
    server: Server, store: SqliteAlertStore, clock: ManualClock, new_alert: NewAlert
) -> None:
    """AH-8.4: retry, each time signed with the time it was sent"""
    server.answers = [503, 500, 200]
    hub = AlertHub(store, clock, distant=[Webhook("ops", address(server), clock, secret="s")])
    hub.raise_alert(new_alert())
    for _ in range(3):
        clock.advance(hub.work())
    assert [json.loads(body)["alert_id"] for _, _, body in server.received] == ["alert_1"] * 3
    assert len({headers["X-RPA-Vision-Timestamp"] for _, headers, _ in server.received}) == 3
    assert store.undelivered() == []
