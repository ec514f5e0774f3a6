"""A vision-language model served by Ollama: `POST /api/chat`, whole answers, held to a JSON schema.

Ollama spells the default model `qwen2.5vl:3b`, its makers `qwen2.5-vl:3b`. Either is accepted: where the server does
not know one spelling, the other is tried, and what it knew is remembered.
"""

from __future__ import annotations

import base64
import ssl
from typing import Any, Final

from rpa_vision.adapters.perception.vlm_http import HttpReply, JsonServer
from rpa_vision.adapters.perception.vlm_replies import failure
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.vlm import NoAnswer, VlmAnswer, VlmQuestion

DEFAULT_URL: Final = "http://127.0.0.1:11434"
DEFAULT_MODEL: Final = "qwen2.5-vl:3b"
KEEP_ALIVE: Final = "30m"
CONTEXT_TOKENS: Final = 8192
"""A picture of a screen is some 3,000 of them; Ollama's own default may be less than that."""
_SPELLINGS: Final = (("qwen2.5-vl", "qwen2.5vl"),)


class OllamaVlm:
    """Implements `ports.vlm.VisionLanguageModel`."""

    def __init__(
        self,
        clock: Clock,
        *,
        url: str = DEFAULT_URL,
        model: str = DEFAULT_MODEL,
        key: str | None = None,
        timeout_s: float = 60.0,
        allow_plain: bool = False,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._server = JsonServer(url, key=key, allow_plain=allow_plain, tls=tls)
        self._clock = clock
        self._timeout_s = timeout_s
        self._model = model
        self._spellings = spellings(model)

    def __repr__(self) -> str:
        return f"OllamaVlm({self._model!r} at {self._server.where})"

    @property
    def name(self) -> str:
        return f"ollama:{self._model}"

    @property
    def where(self) -> str:
        """The server, for people."""
        return self._server.where

    def ask(self, question: VlmQuestion, *, timeout_s: float | None = None) -> VlmAnswer | NoAnswer:
        began_s = self._clock.monotonic()
        left_s = self._timeout_s if timeout_s is None else timeout_s
        reply: HttpReply | NoAnswer = NoAnswer("refused", "no model is named")
        for spelling in self._spellings:
            spent_s = self._clock.monotonic() - began_s
            reply = self._server.call("POST", "/api/chat", _body(question, spelling), left_s - spent_s)
            if isinstance(reply, NoAnswer) or reply.status != 404:
                self._remember(spelling)
                break
        if isinstance(reply, NoAnswer):
            return reply
        if reply.status != 200 or "error" in reply.body:
            return failure(self._server, reply)
        message = reply.body.get("message")
        text = message.get("content") if isinstance(message, dict) else None
        if not isinstance(text, str) or reply.body.get("done") is False:
            return NoAnswer("garbled", f"{self._server.where} sent no whole message")
        return VlmAnswer(text, self._model, self._clock.monotonic() - began_s)

    def problem(self, *, timeout_s: float = 3.0) -> str:
        """What keeps it from answering, as far as can be told without asking it anything; empty where nothing does."""
        reply = self._server.call("GET", "/api/tags", None, timeout_s)
        if isinstance(reply, NoAnswer):
            return reply.reason
        if reply.status != 200:
            return failure(self._server, reply).reason
        there = [item.get("name") for item in _list(reply.body.get("models")) if isinstance(item, dict)]
        wanted = {with_tag(spelling) for spelling in self._spellings}
        return "" if wanted & set(there) else f"{self._server.where} does not have the model {self._model}"

    def _remember(self, spelling: str) -> None:
        self._spellings = (spelling, *(other for other in self._spellings if other != spelling))


def spellings(model: str) -> tuple[str, ...]:
    """The ways to write a model's name, the one Ollama uses first."""
    for makers, ollamas in _SPELLINGS:
        for written in (makers, ollamas):
            if model == written or model.startswith(f"{written}:"):
                tag = model[len(written) :]
                return (ollamas + tag, makers + tag)
    return (model,)


def with_tag(model: str) -> str:
    """The name with its tag, which is `latest` where none is given."""
    return model if ":" in model else f"{model}:latest"


def _body(question: VlmQuestion, model: str) -> dict[str, Any]:
    return {
        "model": model,
        "stream": False,
        "keep_alive": KEEP_ALIVE,
        "format": dict(question.schema),
        "options": {"temperature": 0, "seed": 0, "num_predict": question.max_tokens, "num_ctx": CONTEXT_TOKENS},
        "messages": [
            {"role": "system", "content": question.instructions},
            {
                "role": "user",
                "content": question.text,
                "images": [base64.b64encode(question.picture).decode("ascii")],
            },
        ],
    }


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
