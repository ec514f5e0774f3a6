"""Times and shares, as people write and read them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import typer

SinceOption = Annotated[
    str | None,
    typer.Option(
        "--since", metavar="WHEN", help="A time (2026-03-31, 2026-03-31T12:00) or how long ago (30m, 2h, 7d)."
    ),
]


def minute(moment: str) -> str:
    """A time where the reader is."""
    return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def span(seconds: float | None) -> str:
    """How long."""
    if seconds is None:
        return ""
    whole = int(seconds)
    if whole < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{whole} s"
    hours, rest = divmod(whole, 3600)
    return f"{hours} h {rest // 60} min" if hours else f"{rest // 60} min {rest % 60} s"


def percent(share: float | None) -> str:
    """A share of a whole."""
    return "" if share is None else f"{share:.0%}"
