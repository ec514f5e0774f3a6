"""One line of an event log: what somebody else's recorder wrote down, without any picture."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

COLUMNS = ("ts", "app", "action", "target", "value", "row", "url")
REQUIRED_COLUMNS = ("ts", "app", "action")


@dataclass(frozen=True, slots=True)
class LogRow:
    """Who did what to what, with which value, and when. Empty where the log does not say."""

    ts: datetime
    app: str
    action: str
    target: str = ""
    value: str = ""
    row: str = ""
    url: str = ""
