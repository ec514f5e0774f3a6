"""A vision-language model behind an OpenAI-compatible address: `POST /chat/completions` with the picture inside.

Servers that call themselves compatible differ in what they refuse. A request that is refused as such (400, 422) is
written more plainly, in fixed steps; the first that is accepted is remembered.
"""

from __future__ import annotations

import base64
import ssl
from typing import Any, Final

from rpa_vision.adapters.perception.vlm_http import HttpReply, JsonServer
from rpa_vision.adapters.perception.vlm_replies import failure
from rpa_vision.errors import PluginError
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.vlm import NoAnswer, VlmAnswer, VlmQuestion

_REFUSED_AS_WRITTEN: Final = frozenset({400, 422})
_WAYS: Final[tuple[str, ...]] = ("schema", "plain", "reasoning")


class OpenAiVlm:
    """Implements `ports.vlm.VisionLanguageModel`. The address includes the version: `https://host/v1`."""

    def __init__(
        self,
        clock: Clock,
        *,
        url: str,
        model: str,
        key: str | None = None,
        timeout_s: float = 60.0,
        allow_plain: bool = False,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        if not model:
            raise PluginError("no model is named for the VLM", remedy="Set RPA_VISION_VLM_MODEL to its name.")
        self._server = JsonServer(url, key=key, allow_plain=allow_plain, tls=tls)
        self._clock = clock
        self._timeout_s = timeout_s
        self._model = model
        self._ways = _WAYS

    def __repr__(self) -> str:
        return f"OpenAiVlm({self._model!r} at {self._server.where})"

    @property
    def name(self) -> str:
        return f"openai:{self._model}"

    @property
    def where(self) -> str:
        """The server, for people."""
        return self._server.where

    def ask(self, question: VlmQuestion, *, timeout_s: float | None = None) -> VlmAnswer | NoAnswer:
        began_s = self._clock.monotonic()
        left_s = self._timeout_s if timeout_s is None else timeout_s
        first: HttpReply | None = None
        for number, way in enumerate(self._ways):
            spent_s = self._clock.monotonic() - began_s
            reply = self._server.call("POST", "/chat/completions", self._body(question, way), left_s - spent_s)
            if isinstance(reply, NoAnswer):
                return reply
            if reply.status not in _REFUSED_AS_WRITTEN:
                self._ways = self._ways[number:]
                return self._answer(reply, self._clock.monotonic() - began_s)
            first = first or reply  # the first refusal says most: it is about the request as it should be
        return failure(self._server, first) if first else NoAnswer("refused", "nothing was asked")

    def problem(self, *, timeout_s: float = 3.0) -> str:
        """What keeps it from answering, as far as can be told without asking it anything; empty where nothing does."""
        reply = self._server.call("GET", "/models", None, timeout_s)
        if isinstance(reply, NoAnswer):
            return reply.reason
        if reply.status == 404:
            return ""  # not all servers list their models
        if reply.status != 200:
            return failure(self._server, reply).reason
        listed = reply.body.get("data")
        names = {item.get("id") for item in listed if isinstance(item, dict)} if isinstance(listed, list) else set()
        return "" if self._model in names or not names else f"{self._server.where} does not have {self._model}"

    def _answer(self, reply: HttpReply, seconds: float) -> VlmAnswer | NoAnswer:
        if reply.status != 200:
            return failure(self._server, reply)
        choices = reply.body.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else None
        message = first.get("message") if isinstance(first, dict) else None
        text = message.get("content") if isinstance(message, dict) else None
        if not isinstance(text, str):
            return NoAnswer("garbled", f"{self._server.where} sent no message")
        return VlmAnswer(text, self._model, seconds)

    def _body(self, question: VlmQuestion, way: str) -> dict[str, Any]:
        picture = "data:image/png;base64," + base64.b64encode(question.picture).decode("ascii")
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": question.instructions},
                {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": question.text},
                        {"type": "image_url", "image_url": {"url": picture, "detail": "high"}},
                    ],
                },
            ],
        }
        if way == "reasoning":  # thinks before it speaks, which takes tokens, and chooses its temperature itself
            return body | {"max_completion_tokens": question.max_tokens + 2000}
        body |= {"temperature": 0, "max_tokens": question.max_tokens, "stream": False}
        if way == "schema":
            form = {"name": "answer", "strict": True, "schema": dict(question.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        return body
