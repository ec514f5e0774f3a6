"""What all servers of vision-language models have in common: what a status means, and how a failure is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rpa_vision.adapters.perception.vlm_http import HttpReply, JsonServer
from rpa_vision.ports.vlm import NoAnswer, NoAnswerKind

_KINDS: Final[Mapping[int, NoAnswerKind]] = {408: "timeout", 425: "busy", 429: "busy", 503: "busy", 504: "timeout"}


def failure(server: JsonServer, reply: HttpReply) -> NoAnswer:
    """A reply that is no answer, told as one."""
    kind: NoAnswerKind = _KINDS.get(reply.status, "failed" if reply.status >= 500 else "refused")
    said = server.say(error_text(reply.body))
    return NoAnswer(
        kind, f"{server.where} answered {reply.status}" + (f": {said}" if said else ""), reply.retry_after_s
    )


def error_text(body: Mapping[str, Any]) -> str:
    """What the server says of its failure: `{"error": "…"}` or `{"error": {"message": "…"}}`."""
    error = body.get("error", body.get("message", ""))
    if isinstance(error, dict):
        error = error.get("message", "")
    return error if isinstance(error, str) else ""
