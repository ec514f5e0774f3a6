"""What the system says in English, said in French too: why something waits, what it needs, how it ended.

The API and the command line speak English, and reasons are stored so; a page or a report takes their sentences and says
them in the language of its reader. A sentence may hold others: each is looked up for itself (french_sayings.py). What
is not known there is shown as it was said; `tests/unit/app/test_sayings.py` finds it in the code before a reader does.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from typing import Final

from rpa_vision.app.figures import in_french_figures
from rpa_vision.app.french_sayings import SAYINGS
from rpa_vision.app.french_terms import A_KIND, KINDS, ROLES
from rpa_vision.models.guidance import Language

_BLANK: Final = re.compile(r"(« )?\{(\w+)\}( »)?")
_NOT_QUOTED: Final = r"(?![^«]*»)"
"""What stands between « and » is the screen's, and is neither parted nor said otherwise."""
_MOMENT: Final = re.compile(
    r'"[^"]*"|“[^”]*”|(?<!\')\b(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))' + _NOT_QUOTED
)
"""A time of the system's own; what is quoted in another way is found too, so that it is passed over."""
_BETWEEN: Final = tuple(
    (re.compile(english + _NOT_QUOTED), french) for english, french in (("; ", " ; "), (": ", " : "), (" and ", " et "))
)
_DEEPEST: Final = 24
"""Sentences inside sentences; what lies deeper stays as it was said."""
_TERMS: Final = {"kind": KINDS, "one": A_KIND, "role": ROLES}
_INNER: Final = {"n": r"\d+", "x": r"-?\d+(?:\.\d+)?%?", "it": r"(?:(?!: ).)+?", "part": r"(?:(?!; ).)+?"} | {
    name: "|".join(map(re.escape, known)) for name, known in _TERMS.items()
}


def said_in(language: Language, text: str) -> str:
    """A sentence of the system in a language, with times as people of that language write them."""
    return readable_moments(in_french(text) if language == "fr" else text, french=language == "fr")


@lru_cache(maxsize=4096)
def in_french(text: str, depth: int = 0) -> str:
    """A sentence of the system in French; where it is not known as a whole, its parts each for itself."""
    if depth > _DEEPEST:
        return text
    whole = _known(text, depth)
    if whole is not None:
        return whole
    for between, french in _BETWEEN:
        parts = between.split(text)
        told = [in_french(part, depth + 1) for part in parts] if len(parts) > 1 else parts
        if told != parts:
            return french.join(told)
    return text


def readable_moments(text: str, *, french: bool) -> str:
    """The same with times as people write them, in the server's time zone."""
    form = "%d/%m/%Y %H:%M" if french else "%Y-%m-%d %H:%M"
    return _MOMENT.sub(lambda found: _readable(found[1], form) if found[1] else found[0], text)


def _readable(moment: str, form: str) -> str:
    try:
        return datetime.fromisoformat(moment).astimezone().strftime(form)
    except (ValueError, OverflowError):  # it only looks like a time
        return moment


def _pattern(english: str) -> re.Pattern[str]:
    """What a sentence looks like, whatever its blanks are filled with; what is quoted holds no other quotation."""
    parts, at = [], 0
    for found in _BLANK.finditer(english):
        before, name, after = found[1] or "", found[2], found[3] or ""
        inner = _INNER.get(name.rstrip("0123456789"), r"(?:(?!« | »).)+?" if before and after else ".+?")
        parts += [re.escape(english[at : found.start()] + before), f"(?P<{name}>{inner})", re.escape(after)]
        at = found.end()
    parts.append(re.escape(english[at:]))
    return re.compile("".join(parts).replace("'", "['\"]"), re.DOTALL)


_KNOWN: Final = tuple((_pattern(english), french) for english, french in SAYINGS)


def _known(text: str, depth: int) -> str | None:
    for english, french in _KNOWN:
        found = english.fullmatch(text)
        if found is not None:
            given = {name: _said(name.rstrip("0123456789"), value, depth) for name, value in found.groupdict().items()}
            return french.format(**given)
    return None


def _said(kind: str, value: str, depth: int) -> str:
    if kind in _TERMS:
        return _TERMS[kind][value]
    if kind == "x":
        return in_french_figures(value)
    return in_french(value, depth + 1) if kind in ("said", "it") else value
