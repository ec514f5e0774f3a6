"""Values as people write them: the number or the day that a French or English text stands for.

« 1 250,50 € », « 1,250.50 » and « 1250.5 » are one amount; « 02/03/2026 », « 2 mars 2026 » and « 2026-03-02 » are one
day. The day comes before the month. « 1,250 » and « 1.250 » could be more than a thousand or little more than one: they
are no number, since nothing may be decided by them.
"""

from __future__ import annotations

import re
from datetime import datetime

from rpa_vision.models.wording import folded, squeezed

_SPACES = " \u00a0\u202f\u2009'’"
_CURRENCY = re.compile(r"^(€|EUR|\$|USD|£|GBP|CHF)\s*|\s*(€|EUR|euros?|\$|USD|£|GBP|CHF)$", re.IGNORECASE)
_NUMBER = re.compile(
    rf"^(?P<sign>[+\-−]?)(?P<whole>\d{{1,3}}(?:[{_SPACES}]\d{{3}})+"
    r"|\d{1,3}(?:\.\d{3}){2,}|\d{1,3}(?:,\d{3}){2,}|\d{1,3}(?:,\d{3})+(?=\.\d+$)|\d{1,3}(?:\.\d{3})+(?=,\d+$)"
    r"|\d{1,15})(?:[.,](?P<part>\d{1,12}))?$"
)
_COULD_BE_TWO = re.compile(r"^[+\-−]?[1-9]\d{0,2}[.,]\d{3}$")
DATE_FORMATS = (
    "%d/%m/%Y", "%Y-%m-%d", "%d-%m-%Y", "%d.%m.%Y", "%d/%m/%y", "%Y/%m/%d", "%d/%m/%Y %H:%M", "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%d/%m/%Y %H:%M:%S", "%Y-%m-%d %H:%M:%S", "%d.%m.%y",
)  # fmt: skip
_MONTHS = {
    **dict.fromkeys(("janvier", "janv", "jan", "january"), 1),
    **dict.fromkeys(("fevrier", "fevr", "fev", "february", "feb"), 2),
    **dict.fromkeys(("mars", "mar", "march"), 3),
    **dict.fromkeys(("avril", "avr", "april", "apr"), 4),
    **dict.fromkeys(("mai", "may"), 5),
    **dict.fromkeys(("juin", "june", "jun"), 6),
    **dict.fromkeys(("juillet", "juil", "july", "jul"), 7),
    **dict.fromkeys(("aout", "august", "aug"), 8),
    **dict.fromkeys(("septembre", "sept", "september", "sep"), 9),
    **dict.fromkeys(("octobre", "oct", "october"), 10),
    **dict.fromkeys(("novembre", "nov", "november"), 11),
    **dict.fromkeys(("decembre", "dec", "december"), 12),
}  # fmt: skip
_WEEKDAY = (
    r"(?:(?:lun|mar|mer|jeu|ven|sam|dim|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
    r"|mon|tue|wed|thu|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\.?,? )?"
)
_SPOKEN_DAY = re.compile(rf"^{_WEEKDAY}(\d{{1,2}})(?:er|st|nd|rd|th)?\.? ([a-z]+)\.?,? (\d{{4}})$")
_SPOKEN_DAY_US = re.compile(rf"^{_WEEKDAY}([a-z]+)\.? (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})$")


def as_number(text: str) -> float | None:
    """The number a French or English text stands for; None where it is none, or could be two."""
    bare = _CURRENCY.sub("", text.strip()).strip()
    found = _NUMBER.match(bare)
    if found is None or _COULD_BE_TWO.match(bare):
        return None
    whole = re.sub(rf"[{_SPACES}.,]", "", found["whole"])
    number = float(f"{whole}.{found['part'] or '0'}")
    return -number if found["sign"] in ("-", "−") else number


def as_date(text: str) -> datetime | None:
    """The day a text stands for, in the formats people type and read."""
    bare = text.strip()
    if not 6 <= len(bare) <= 40:
        return None
    pattern = date_format(bare)
    if pattern is not None:
        return datetime.strptime(bare, pattern)  # noqa: DTZ007 - a day on a form has no time zone
    return _spoken_date(folded(bare))


def date_format(text: str) -> str | None:
    """How a day is written in digits, as `strptime` says it; None where it is not, or with the month as a word."""
    for pattern in DATE_FORMATS:
        try:
            datetime.strptime(text.strip(), pattern)  # noqa: DTZ007 - a day on a form has no time zone
        except ValueError:
            continue
        return pattern
    return None


def same_value(one: str, other: str) -> bool:
    """Whether two texts are the same value: the same words, or the same amount or day, however it is written."""
    if squeezed(one) == squeezed(other):
        return True
    return value_key(one) == value_key(other)


def value_key(text: str) -> tuple[str, object]:
    """What a text stands for, so that equal values have equal keys.

    Digits with leading zeros, and long ones without any separator, are names of things: they are equal only as written.
    """
    bare = text.strip()
    if re.fullmatch(r"0\d+|\d{9,}", bare):
        return ("text", squeezed(text))
    number = as_number(bare)
    if number is not None:
        return ("number", number)
    moment = as_date(bare)
    if moment is not None:
        return ("date", moment)
    return ("text", squeezed(text))


def _spoken_date(text: str) -> datetime | None:
    for pattern, day_group, month_group in ((_SPOKEN_DAY, 1, 2), (_SPOKEN_DAY_US, 2, 1)):
        found = pattern.match(text)
        month = _MONTHS.get(found[month_group]) if found is not None else None
        if found is not None and month is not None:
            try:
                return datetime(int(found[3]), month, int(found[day_group]))  # noqa: DTZ001 - a day has no time zone
            except ValueError:
                return None
    return None
