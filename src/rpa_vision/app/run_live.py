"""A run as it goes on: the steps so far, what the current one is aimed at, and the picture that shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rpa_vision.models.document import JsonObject
from rpa_vision.models.queue import Happening

_OF_TARGET: Final = ("edge_id", "picture", "label", "strategy", "score", "point")
_OF_ENDING: Final = ("status", "verified", "strategy", "healing_level", "duration_ms")


def steps_so_far(told: Iterable[Happening]) -> JsonObject:
    """What its worker told, put together step by step; `picture` names the last screen with its target drawn."""
    steps: dict[int, JsonObject] = {}
    picture: str | None = None
    for one in told:
        number = one.body.get("step")
        if not isinstance(number, int):
            continue
        step = steps.setdefault(number, {"step": number, "doing": "", "status": "running"})
        if one.kind == "step_begins":
            step["doing"] = one.body["doing"]
        elif one.kind == "target_found":
            step |= {key: one.body.get(key) for key in _OF_TARGET}
            picture = one.body.get("picture") or picture
        elif one.kind == "step_ended":
            step |= {key: one.body.get(key) for key in _OF_ENDING}
    return {"steps": [steps[number] for number in sorted(steps)], "picture": picture}


def warnings_so_far(told: Iterable[Happening]) -> list[JsonObject]:
    """What its worker said should be known of it."""
    return [{key: one.body.get(key, "") for key in ("said", "remedy")} for one in told if one.kind == "run_warned"]
