"""What the rest of the system says in English, said in French too: why something waits, what it needs, how it ended.

The API and the command line speak English, and reasons are stored so; a page takes their sentences and says them in the
language of its reader. A sentence may hold others: each is looked up for itself (french_sayings.py). What is not known
there is shown as it was said.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from typing import Final

from rpa_vision.server.dashboard.french_sayings import KINDS, SAYINGS

_BLANK: Final = re.compile(r"\\\{(\w+)\\\}")
_MOMENT: Final = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)")


def _pattern(english: str) -> re.Pattern[str]:
    """What a sentence looks like, whatever its blanks are filled with."""

    def blank(found: re.Match[str]) -> str:
        name = found[1]
        kinds = "|".join(map(re.escape, KINDS))
        thing = r"(?:(?!: ).)+?" if name.startswith("it") else ".+?"
        inner = r"\d+" if name[0] == "n" else (kinds if name.startswith("kind") else thing)
        return f"(?P<{name}>{inner})"

    return re.compile(_BLANK.sub(blank, re.escape(english)).replace("'", "['\"]"), re.DOTALL)


_KNOWN: Final = tuple((_pattern(english), french) for english, french in SAYINGS)


@lru_cache(maxsize=4096)
def in_french(text: str) -> str:
    """A sentence of the system in French; where it is not known as a whole, its parts each for itself."""
    whole = _known(text)
    if whole is not None:
        return whole
    for between, french in (("; ", " ; "), (": ", " : "), (" and ", " et ")):
        parts = text.split(between)
        told = [_known(part) for part in parts]
        if len(parts) > 1 and any(one is not None for one in told):
            return french.join(part if one is None else one for part, one in zip(parts, told, strict=True))
    return text


def readable_moments(text: str, *, french: bool) -> str:
    """The same with times as people write them, in the server's time zone."""
    form = "%d/%m/%Y %H:%M" if french else "%Y-%m-%d %H:%M"
    return _MOMENT.sub(lambda found: datetime.fromisoformat(found[0]).astimezone().strftime(form), text)


def _known(text: str) -> str | None:
    for english, french in _KNOWN:
        found = english.fullmatch(text)
        if found is not None:
            given = {name: _said(name, value) for name, value in found.groupdict().items()}
            return french.format(**given)
    return None


def _said(name: str, value: str) -> str:
    if name.startswith("kind"):
        return KINDS[value]
    return in_french(value) if name.startswith(("said", "it")) else value
