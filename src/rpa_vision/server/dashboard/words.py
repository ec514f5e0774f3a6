"""The dashboard in French (french.json). English is the key, so that a text that is missing there is still a text."""

from __future__ import annotations

import json
from importlib import resources
from typing import Final

from rpa_vision.app.french_terms import FAILURES, TIMINGS
from rpa_vision.models.guidance import Language

Lang = Language

ENGLISH: Final = {
    "OBSERVATION": "observation",
    "COACHING": "coaching",
    "AUTO_CANDIDATE": "auto candidate",
    "AUTO_CONFIRMÉ": "auto confirmed",
    "mouse_click": "click",
    "mouse_drag": "drag",
    "mouse_scroll": "scroll",
    "mouse_move": "move",
    "key_press": "key",
    "text_input": "typing",
    "window_change": "another window",
    "observed_runs": "observed runs",
    "assisted_runs": "assisted runs",
    "supervised_runs": "supervised runs",
    "success_rate": "success rate",
    "state_store": "state store",
    "runs halted": "halted",
    "runs failed": "failed",
    "runs blocked": "blocked",
    "runs healed": "healed",
    "workflow running": "may run",
    **{code: english for code, (english, _) in (FAILURES | TIMINGS).items()},
}
"""What the system calls otherwise than people do."""
FRENCH: Final[dict[str, str]] = {
    **json.loads(resources.files("rpa_vision.server.dashboard").joinpath("french.json").read_text(encoding="utf-8")),
    **{code: french for code, (_, french) in (FAILURES | TIMINGS).items()},
}
