"""A server on this machine that speaks as Ollama and OpenAI-compatible servers do, and misbehaves as it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = str | tuple[int, Any] | Callable[[dict[str, Any]], str]
"""Words of the model; a status with its body; a way to misbehave (`MISBEHAVIOURS`); or what to say to a request."""
MISBEHAVIOURS = (
    "hang",
    "drip",
    "drip_body",
    "garbage",
    "not_json",
    "list",
    "huge",
    "endless",
    "cut",
    "close",
    "redirect",
)


class VlmServer(ThreadingHTTPServer):
    """Answers in order and remembers what it was asked; the last answer is given again and again."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: list[Answer] = []
        self.models = ["qwen2.5vl:3b"]
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.connections = 0
        self.go_on = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections += 1
        super().process_request(request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller that went away is what some tests are about."""

    def next_answer(self) -> Answer:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class Handler(BaseHTTPRequestHandler):
    server: VlmServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.server.requests.append((self.path, dict(self.headers), {}))
        if self.path == "/api/tags":
            self.reply(200, {"models": [{"name": name, "model": name} for name in self.server.models]})
        elif self.path == "/v1/models":
            self.reply(
                200, {"object": "list", "data": [{"id": name, "object": "model"} for name in self.server.models]}
            )
        else:
            self.reply(404, {"error": "not found"})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((self.path, dict(self.headers), body))
        is_ollama = self.path == "/api/chat"
        if is_ollama and body["model"] not in self.server.models:
            self.reply(404, {"error": f"model '{body['model']}' not found"})
            return
        answer = self.server.next_answer()
        if callable(answer):
            answer = answer(body)
        if isinstance(answer, tuple):
            self.reply(*answer)
        elif answer in MISBEHAVIOURS:
            self.misbehave(answer)
        else:
            self.reply(200, ollama_body(body["model"], answer) if is_ollama else openai_body(body["model"], answer))

    def misbehave(self, manner: str) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        if manner == "hang":
            self.server.go_on.wait(30)
        elif manner in ("drip", "drip_body"):
            self.write(b"" if manner == "drip" else head + b"Content-Length: 100000\r\n\r\n")
            for _ in range(2000):
                self.write(b"H")
                if self.server.go_on.wait(0.01):
                    break
        elif manner == "garbage":
            self.write(bytes(range(256)) * 4)
        elif manner == "not_json":
            self.write(head + b"Content-Length: 12\r\n\r\n<html>no</ht")
        elif manner == "list":
            self.write(head + b"Content-Length: 2\r\n\r\n[]")
        elif manner == "huge":
            self.write(head + b"Content-Length: 8000000\r\n\r\n" + b" " * 8_000_000)
        elif manner == "endless":
            self.write(head + b"Transfer-Encoding: chunked\r\n\r\n")
            while not self.server.go_on.is_set():
                self.write(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
        elif manner == "cut":
            self.write(head + b'Content-Length: 500\r\n\r\n{"message": {"content": "{\\"num')
        elif manner == "redirect":
            elsewhere = f"Location: {self.server.url}/api/elsewhere\r\nContent-Length: 0\r\n\r\n"
            self.write(b"HTTP/1.1 307 Temporary Redirect\r\n" + elsewhere.encode())
            return
        self.close_connection = True

    def reply(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in (
            {"Content-Type": "application/json", "Content-Length": str(len(data))} | (headers or {})
        ).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def write(self, data: bytes) -> None:
        self.wfile.write(data)
        self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Tests are quiet."""


def ollama_body(model: str, words: str) -> dict[str, Any]:
    """As `POST /api/chat` answers with `"stream": false`."""
    return {
        "model": model, "created_at": "2026-01-01T00:00:00Z", "message": {"role": "assistant", "content": words},
        "done": True, "done_reason": "stop", "total_duration": 5043500667, "load_duration": 5025959,
        "prompt_eval_count": 2800, "prompt_eval_duration": 325953000, "eval_count": 9, "eval_duration": 4709213000,
    }  # fmt: skip


def openai_body(model: str, words: str | None) -> dict[str, Any]:
    """As `POST /v1/chat/completions` answers."""
    message = {"role": "assistant", "content": words, "refusal": None}
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1767225600, "model": model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 2800, "completion_tokens": 9, "total_tokens": 2809},
    }  # fmt: skip


def serving(server: VlmServer) -> Iterator[VlmServer]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield server
    server.go_on.set()
    server.shutdown()
    server.server_close()
    thread.join()
