"""How days are written: in digits, with or without zeros before them, or with the month as a word.

A form is known by example: it writes the day of an example exactly as the example has it. Another day can then be
written in the same form. Where several forms fit all examples, the usual one is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final

from rpa_vision.models.written_values import DATE_FORMATS, as_date, date_format

DayForm = Callable[[datetime], str]

_FRENCH: Final = ("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
                  "novembre", "décembre")  # fmt: skip
_FRENCH_SHORT: Final = ("janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.",
                        "déc.")  # fmt: skip
_ENGLISH: Final = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
                   "November", "December")  # fmt: skip
_ENGLISH_SHORT: Final = tuple(month[:3] for month in _ENGLISH)
_FRENCH_DAYS: Final = ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche")
_ENGLISH_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_PLAIN: Final = str.maketrans("éèûôÉÈÛÔ", "eeuoEEUO")
_ZEROS: Final = re.compile(r"\b0(?=\d\b)")


def day_form(examples: Sequence[str]) -> DayForm | None:
    """The form in which all examples are written; None where there is none, or it is not known."""
    forms = [set(forms_of(example)) for example in examples]
    shared = set.intersection(*forms) if forms else set()
    if shared:
        return _all_forms()[min(shared)]
    patterns = {date_format(example) for example in examples}
    pattern = patterns.pop() if len(patterns) == 1 else None
    return _in_digits(pattern) if pattern is not None else None  # now with zeros, now without: with them


def written_as(moment: datetime, examples: Sequence[str]) -> str | None:
    """A day as the examples are written; None where their form is not known, or could not say which day it is."""
    form = day_form(examples)
    text = form(moment) if form is not None else None
    again = as_date(text) if text is not None else None
    return text if again is not None and again.date() == moment.date() else None


def forms_of(example: str) -> tuple[int, ...]:
    """The numbers of the forms in which an example may be written."""
    moment = as_date(example)
    text = example.strip()
    return () if moment is None else tuple(at for at, form in enumerate(_all_forms()) if form(moment) == text)


@lru_cache(maxsize=1)
def _all_forms() -> tuple[DayForm, ...]:
    """Every form, the usual ones first."""
    return (*map(_in_digits, DATE_FORMATS), *map(_without_zeros, DATE_FORMATS), *_in_words())


def _in_digits(pattern: str) -> DayForm:
    return lambda moment: moment.strftime(pattern)


def _without_zeros(pattern: str) -> DayForm:
    """The day and the month without zeros before them; the time stays as it is."""
    day, space, time = pattern.partition(" ")
    return lambda moment: _ZEROS.sub("", moment.strftime(day)) + moment.strftime(space + time)


def _in_words() -> Iterator[DayForm]:
    cases: tuple[Callable[[str], str], ...] = (str, str.title, str.upper, str.lower)
    for case in cases:
        for months in (_FRENCH, _FRENCH_SHORT, tuple(month.translate(_PLAIN) for month in _FRENCH)):
            for day in (_first, _number, _two_digits):
                for weekdays in (None, _FRENCH_DAYS):
                    yield _worded("{day} {month} {year}", months, weekdays, "{} ", day, case)
        for months in (_ENGLISH, _ENGLISH_SHORT):
            for template in ("{month} {day}, {year}", "{day} {month} {year}", "{month} {day} {year}"):
                for day in (_number, _two_digits):
                    for weekdays in (None, _ENGLISH_DAYS):
                        yield _worded(template, months, weekdays, "{}, ", day, case)


def _worded(
    template: str,
    months: Sequence[str],
    weekdays: Sequence[str] | None,
    before: str,
    day: Callable[[int], str],
    case: Callable[[str], str],
) -> DayForm:
    def write(moment: datetime) -> str:
        named = case(before.format(weekdays[moment.weekday()])) if weekdays is not None else ""
        month = case(months[moment.month - 1])
        return named + template.format(day=day(moment.day), month=month, year=moment.year)

    return write


def _first(day: int) -> str:
    return "1er" if day == 1 else str(day)


def _number(day: int) -> str:
    return str(day)


def _two_digits(day: int) -> str:
    return f"{day:02d}"
