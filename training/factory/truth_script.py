"""Truth scripts for a page, each after the code they share."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent
SHARED = ("truth_common.js", "truth_readable.js")


def truth_script(name: str) -> str:
    """One expression that gives the truth of the page it is evaluated in."""
    shared = "\n".join((_HERE / part).read_text(encoding="utf-8") for part in SHARED)
    return f"(() => {{\n{shared}\n{(_HERE / name).read_text(encoding='utf-8')}\n}})()"
