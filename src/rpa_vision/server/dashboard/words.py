"""The dashboard in French (french.json). English is the key, so that a text that is missing there is still a text."""

from __future__ import annotations

import json
from importlib import resources
from typing import Final, Literal

Lang = Literal["en", "fr"]

FRENCH: Final[dict[str, str]] = json.loads(
    resources.files("rpa_vision.server.dashboard").joinpath("french.json").read_text(encoding="utf-8")
)
