"""What stands after the question mark of a page's address. Anybody may write anything there: what is nothing that could
be meant does not matter, and is never an error."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

_FIRST_YEAR, _LAST_YEAR = 1971, 9000


def whole_number(given: Mapping[str, str], name: str, *, most: int) -> int:
    """A number from 0 to `most`."""
    text = given.get(name, "")
    if not (text.isascii() and text.isdecimal()):
        return 0
    digits = text.lstrip("0")
    return min(int(digits or "0"), most) if len(digits) <= len(str(most)) else most


def one_of(given: Mapping[str, str], name: str, known: Collection[str]) -> str:
    """A word that is known there; the empty one otherwise."""
    return text if (text := given.get(name, "")) in known else ""


def moment(given: Mapping[str, str], name: str) -> datetime | None:
    """A time, or the beginning of a day of the server, as links write it."""
    try:
        found = datetime.fromisoformat(given.get(name, ""))
        return found.astimezone() if _FIRST_YEAR <= found.year <= _LAST_YEAR else None
    except (ValueError, OverflowError):
        return None
