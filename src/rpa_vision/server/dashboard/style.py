"""How the dashboard looks: one sheet (style.css), light and dark by the same names."""

from __future__ import annotations

from importlib import resources
from typing import Final

CSS: Final = resources.files("rpa_vision.server.dashboard").joinpath("style.css").read_text(encoding="utf-8")
