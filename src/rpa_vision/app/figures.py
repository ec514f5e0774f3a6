"""Numbers as people write them: 1,234.5 and 95% in English, 1 234,5 and 95 % in French."""

from __future__ import annotations

from typing import Final

from rpa_vision.models.guidance import Language

_NARROW: Final = "\u202f"
"""The space that does not break, between thousands and before a percent sign."""


def figure(value: float, language: Language = "en", *, places: int = 0) -> str:
    """A number with so many places behind the point."""
    return _as_written(f"{value:,.{places}f}", language)


def share(value: float, language: Language = "en", *, places: int = 0) -> str:
    """A part of one, as a percentage."""
    return _as_written(f"{value:,.{places}%}", language)


def in_french_figures(text: str) -> str:
    """A number that was written in English, without thousands apart."""
    return text.replace(".", ",").replace("%", f"{_NARROW}%")


def _as_written(english: str, language: Language) -> str:
    if language == "en":
        return english
    return _NARROW.join(in_french_figures(part) for part in english.split(","))
