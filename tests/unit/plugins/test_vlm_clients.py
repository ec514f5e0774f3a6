"""Ollama and OpenAI-compatible servers, asked over real sockets: well, slow, failing, lying, foreign or not there."""

from __future__ import annotations

import base64
import json
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from vlm_server import MISBEHAVIOURS, VlmServer, serving

from rpa_vision.adapters.perception.vlm_http import checked_url
from rpa_vision.adapters.perception.vlm_ollama import OllamaVlm, spellings
from rpa_vision.adapters.perception.vlm_openai import OpenAiVlm
from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.errors import PluginError
from rpa_vision.ports.vlm import NoAnswer, VisionLanguageModel, VlmAnswer, VlmQuestion

SCHEMA = {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}
QUESTION = VlmQuestion(b"\x89PNG picture", "Say a number.", "Which one is « Valider » ?", SCHEMA, max_tokens=24)
KEY = "sk-geheim-42"

Make = Callable[..., VisionLanguageModel]


def ollama(server: VlmServer, **options: Any) -> OllamaVlm:
    return OllamaVlm(SystemClock(), **({"url": server.url, "timeout_s": 20.0} | options))


def openai(server: VlmServer, **options: Any) -> OpenAiVlm:
    return OpenAiVlm(SystemClock(), **({"url": f"{server.url}/v1", "model": "some-vl", "timeout_s": 20.0} | options))


BOTH = pytest.mark.parametrize("make", [ollama, openai])


def test_ollama_is_asked_as_it_wants_to_be(vlm_server: VlmServer) -> None:
    """L2-7: the picture, whole answers, the form of the answer, the model kept loaded"""
    vlm_server.answers = ['{"number": 3}']
    answer = ollama(vlm_server).ask(QUESTION)
    assert isinstance(answer, VlmAnswer)
    assert (answer.text, answer.model) == ('{"number": 3}', "qwen2.5-vl:3b")
    ((path, headers, body),) = vlm_server.requests
    assert path == "/api/chat"
    assert "Authorization" not in headers
    assert body["stream"] is False
    assert body["format"] == SCHEMA
    assert body["keep_alive"] == "30m"
    assert body["options"] == {"temperature": 0, "seed": 0, "num_predict": 24, "num_ctx": 8192}
    system, user = body["messages"]
    assert system == {"role": "system", "content": "Say a number."}
    assert user["content"] == "Which one is « Valider » ?"
    assert [base64.b64decode(image) for image in user["images"]] == [QUESTION.picture]


def test_an_openai_compatible_server_is_asked_as_it_wants_to_be(vlm_server: VlmServer) -> None:
    """L2-7"""
    vlm_server.answers = ['{"number": 3}']
    answer = openai(vlm_server, key=KEY).ask(QUESTION)
    assert isinstance(answer, VlmAnswer)
    assert answer.text == '{"number": 3}'
    ((path, headers, body),) = vlm_server.requests
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("some-vl", 0, 24)
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    text, image = body["messages"][1]["content"]
    assert text == {"type": "text", "text": QUESTION.text}
    prefix, _, data = image["image_url"]["url"].partition(",")
    assert prefix == "data:image/png;base64"
    assert base64.b64decode(data) == QUESTION.picture


@pytest.mark.parametrize("there", ["qwen2.5vl:3b", "qwen2.5-vl:3b"])
@pytest.mark.parametrize("configured", ["qwen2.5vl:3b", "qwen2.5-vl:3b"])
def test_both_spellings_of_the_default_model_are_accepted(vlm_server: VlmServer, there: str, configured: str) -> None:
    """Settled, VLM names: whichever the server knows, and it is not asked for the other one again"""
    vlm_server.models, vlm_server.answers = [there], ['{"number": 1}']
    model = ollama(vlm_server, model=configured)
    assert isinstance(model.ask(QUESTION), VlmAnswer)
    tried = len(vlm_server.requests)
    assert isinstance(model.ask(QUESTION), VlmAnswer)
    assert len(vlm_server.requests) == tried + 1
    assert vlm_server.requests[-1][2]["model"] == there
    assert model.problem() == ""


def test_other_names_have_one_spelling() -> None:
    assert spellings("qwen2.5-vl") == ("qwen2.5vl", "qwen2.5-vl")
    assert spellings("qwen3-vl:8b") == ("qwen3-vl:8b",)
    assert spellings("qwen2.5-vlx:3b") == ("qwen2.5-vlx:3b",)


def test_a_model_the_server_does_not_have_is_a_reason(vlm_server: VlmServer) -> None:
    model = ollama(vlm_server, model="llava:7b")
    outcome = model.ask(QUESTION)
    assert isinstance(outcome, NoAnswer)
    assert outcome.kind == "refused"
    assert "404: model 'llava:7b' not found" in outcome.reason
    assert "does not have the model llava:7b" in model.problem()


@BOTH
@pytest.mark.parametrize("manner", MISBEHAVIOURS)
def test_whatever_a_server_does_the_outcome_is_a_value_in_time(
    vlm_server: VlmServer, make: Make, manner: str, system_clock: SystemClock
) -> None:
    """L2-7: hang, slow drip, garbage, huge and endless bodies, cut connections, redirections"""
    vlm_server.answers = [manner]
    slow = manner in ("hang", "drip", "drip_body")
    model = make(vlm_server, timeout_s=0.3 if slow else 20.0)
    began = system_clock.monotonic()
    outcome = model.ask(QUESTION)
    assert isinstance(outcome, NoAnswer)
    assert system_clock.monotonic() - began < 10
    expected = {
        "hang": "timeout",
        "drip": "timeout",
        "drip_body": "timeout",
        "redirect": "refused",
        "close": "unreachable",
    }
    assert outcome.kind == expected.get(manner, "garbled"), outcome
    assert outcome.reason.isprintable()
    assert manner != "redirect" or "redirections are not followed" in outcome.reason
    assert len(vlm_server.requests) == 1, "nothing is sent elsewhere or twice"


@BOTH
@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, "refused"), (401, "refused"), (403, "refused"), (422, "refused"), (429, "busy"), (500, "failed"),
     (502, "failed"), (503, "busy"), (504, "timeout")],
)  # fmt: skip
@pytest.mark.parametrize(
    "body", [{"error": "no\x1b[31m such\nluck"}, {"error": {"message": "no such luck", "code": 1}}, "x", {}]
)
def test_a_server_that_says_no_is_a_reason(
    vlm_server: VlmServer, make: Make, status: int, kind: str, body: Any
) -> None:
    vlm_server.answers = [(status, body)]
    outcome = make(vlm_server).ask(QUESTION)
    assert isinstance(outcome, NoAnswer)
    assert outcome.kind == kind
    assert f"answered {status}" in outcome.reason
    assert outcome.reason.isprintable()
    if body and body != "x":
        assert "such luck" in outcome.reason


def test_how_long_a_busy_server_wants_to_be_left_alone_is_told(vlm_server: VlmServer) -> None:
    for said, expected in (("7", 7.0), ("soon", None), ("-3", None), ("9" * 30, None)):
        vlm_server.answers = [(429, {"error": {"message": "slow down"}}, {"Retry-After": said})]  # type: ignore[list-item]
        outcome = openai(vlm_server).ask(QUESTION)
        assert isinstance(outcome, NoAnswer)
        assert outcome.retry_after_s == expected


BROKEN_BODIES = [
    {}, {"choices": []}, {"choices": [{}]}, {"choices": [{"message": {"content": None}}]}, {"choices": "x"},
    {"choices": [{"message": {"content": ["x"]}}]}, {"message": {}}, {"message": {"content": 7}}, {"message": "hi"},
    {"message": {"content": "x"}, "done": False}, {"error": "unable to load model"},
]  # fmt: skip


@BOTH
@pytest.mark.parametrize("body", BROKEN_BODIES, ids=json.dumps)
def test_a_reply_without_words_is_a_reason(vlm_server: VlmServer, make: Make, body: Any) -> None:
    vlm_server.answers = [(200, body)]
    outcome = make(vlm_server).ask(QUESTION)
    assert isinstance(outcome, NoAnswer)
    assert outcome.kind in ("garbled", "refused")


@BOTH
def test_a_server_that_is_not_there_is_a_reason(make: Make) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    model = make(VlmServerAt(f"http://127.0.0.1:{port}"))
    outcome = model.ask(QUESTION)
    assert isinstance(outcome, NoAnswer)
    assert outcome.kind == "unreachable"
    assert "refused" in outcome.reason


class VlmServerAt:
    """An address where nobody may be."""

    def __init__(self, url: str) -> None:
        self.url = url


@BOTH
def test_a_connection_is_kept_for_the_next_question(vlm_server: VlmServer, make: Make) -> None:
    vlm_server.answers = ["one"]
    model = make(vlm_server)
    for _ in range(5):
        assert isinstance(model.ask(QUESTION), VlmAnswer)
    assert len(vlm_server.requests) == 5
    assert vlm_server.connections == 1


@BOTH
def test_a_connection_that_was_closed_in_between_is_made_anew(vlm_server: VlmServer, make: Make) -> None:
    vlm_server.answers = ["one", "close", "two"]
    model = make(vlm_server)
    assert isinstance(model.ask(QUESTION), VlmAnswer)
    answer = model.ask(QUESTION)
    assert isinstance(answer, VlmAnswer)
    assert answer.text == "two"
    assert vlm_server.connections == 2


@BOTH
def test_after_a_hang_the_next_question_is_answered(vlm_server: VlmServer, make: Make) -> None:
    vlm_server.answers = ["hang", "fine"]
    model = make(vlm_server)
    assert isinstance(model.ask(QUESTION, timeout_s=0.2), NoAnswer)
    answer = model.ask(QUESTION)
    assert isinstance(answer, VlmAnswer)
    assert answer.text == "fine"


@BOTH
def test_no_time_left_is_no_question(vlm_server: VlmServer, make: Make) -> None:
    outcome = make(vlm_server).ask(QUESTION, timeout_s=0.0)
    assert isinstance(outcome, NoAnswer)
    assert outcome.kind == "timeout"
    assert vlm_server.requests == []


def test_a_server_that_knows_no_schema_is_asked_more_plainly(vlm_server: VlmServer) -> None:
    """And is not asked the other way again."""

    def strict(body: dict[str, Any]) -> Any:
        unknown = {"response_format", "max_tokens", "temperature"} & set(body)
        return (400, {"error": {"message": f"unknown: {sorted(unknown)}"}}) if unknown else '{"number": 2}'

    vlm_server.answers = [strict]
    model = openai(vlm_server)
    assert isinstance(model.ask(QUESTION), VlmAnswer)
    assert len(vlm_server.requests) == 3
    assert vlm_server.requests[-1][2]["max_completion_tokens"] > 24
    assert isinstance(model.ask(QUESTION), VlmAnswer)
    assert len(vlm_server.requests) == 4


def test_what_openai_servers_lack_is_told_before_they_are_asked(vlm_server: VlmServer) -> None:
    assert "does not have some-vl" in openai(vlm_server).problem()
    vlm_server.models = ["some-vl"]
    assert openai(vlm_server).problem() == ""


@BOTH
def test_the_key_is_never_shown(vlm_server: VlmServer, make: Make) -> None:
    """Not even when the server repeats it."""
    vlm_server.answers = [(401, {"error": {"message": f"Incorrect API key provided: {KEY}."}})]
    model = make(vlm_server, key=KEY)
    outcome = model.ask(QUESTION)
    assert isinstance(outcome, NoAnswer)
    assert "***" in outcome.reason
    assert KEY not in repr(outcome) + repr(model) + model.name


@pytest.mark.parametrize(
    "url",
    ["ftp://host/x", "file:///etc/passwd", "http://", "//host/x", "127.0.0.1:11434", "", "https://a:b@host/",
     "https://host:99999/", "https://host:0/", "https://host/a b", "https://host/\r\nX: y", "https://host/#part",
     "https://host/?key=geheim", "https://hôte/"],
)  # fmt: skip
def test_only_web_addresses_are_accepted(url: str) -> None:
    with pytest.raises(PluginError) as raised:
        OllamaVlm(SystemClock(), url=url)
    assert "geheim" not in str(raised.value)


def test_pictures_and_keys_do_not_travel_in_clear() -> None:
    """Loopback may be plain; anything else by TLS, or by name."""
    for near in ("http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1", "http://127.8.8.8"):
        checked_url(near, has_key=True, allow_plain=False)
    with pytest.raises(PluginError, match=r"pictures of the screen would travel to gpu\.lan in clear"):
        checked_url("http://gpu.lan:11434", has_key=False, allow_plain=False)
    checked_url("http://gpu.lan:11434", has_key=False, allow_plain=True)
    with pytest.raises(PluginError, match="key would travel in clear"):
        checked_url("http://gpu.lan:11434", has_key=True, allow_plain=True)
    for looks_near in ("http://127.0.0.1.evil.org", "http://localhost.evil.org", "http://0.0.0.0"):
        with pytest.raises(PluginError):
            checked_url(looks_near, has_key=False, allow_plain=False)


@pytest.mark.parametrize("key", ["", "with space", "line\nbreak", "clé"])
def test_a_key_that_is_none_is_refused(vlm_server: VlmServer, key: str) -> None:
    with pytest.raises(PluginError, match="key") as raised:
        ollama(vlm_server, key=key)
    assert not key or key not in str(raised.value)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and a certificate for 127.0.0.1 that nobody vouches for."""
    path = tmp_path_factory.mktemp("tls") / "own.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
               "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(path), "-out", f"{path}.crt"]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    return path


@pytest.fixture
def secure_server(certificate: Path) -> Iterator[VlmServer]:
    server = VlmServer()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{certificate}.crt", str(certificate))
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    yield from serving(server)


def test_certificates_are_checked(secure_server: VlmServer, certificate: Path) -> None:
    secure_server.answers = ["fine"]
    url = secure_server.url.replace("http", "https")
    outcome = OllamaVlm(SystemClock(), url=url, key=KEY, timeout_s=10).ask(QUESTION)
    assert isinstance(outcome, NoAnswer)
    assert outcome.kind == "unreachable"
    assert "CERTIFICATE_VERIFY_FAILED" in outcome.reason
    assert secure_server.requests == []
    trusted = ssl.create_default_context(cafile=f"{certificate}.crt")
    assert isinstance(OllamaVlm(SystemClock(), url=url, key=KEY, timeout_s=10, tls=trusted).ask(QUESTION), VlmAnswer)


def test_a_handshake_that_does_not_come_to_an_end_is_left(system_clock: SystemClock) -> None:
    began = system_clock.monotonic()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        model = OllamaVlm(SystemClock(), url=f"https://127.0.0.1:{silent.getsockname()[1]}", timeout_s=0.2)
        outcome = model.ask(QUESTION)
    assert isinstance(outcome, NoAnswer)
    assert outcome.kind == "timeout"
    assert system_clock.monotonic() - began < 5
