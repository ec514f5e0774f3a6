"""What can be said of one variable: smaller than, one of, before the day of the run. The bricks of rules.

Every brick is the set of demonstrations for which it holds, as bits of a number, so that bricks are combined and
compared at once. A threshold between two observed values is the roundest one there, for that is how people think:
between 950 and 1020 they mean 1000. What only names a case has no threshold, whatever digits it is made of.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import combinations, pairwise
from typing import Final

from rpa_vision.models.expression import Comparison, Constant, Operator, Value, Values, Variable
from rpa_vision.models.wording import squeezed
from rpa_vision.models.written_values import as_date, as_number

MAX_CHOICES = 8
"""More different texts than this are no choice but names."""
MAX_LISTED = 3
_LIKE_A_NAME = r"0\d+|\d{9,}"
"""Digits with leading zeros, or very many, are names of things; being smaller means nothing there."""


_OPERATORS: Final[Mapping[str, Operator]] = {"below": "<", "not_below": ">=", "up_to": "<=", "above": ">"}


@dataclass(frozen=True, slots=True)
class Literal:
    """Something said of one variable, and for which demonstrations it holds."""

    variable: str
    kind: str
    """below, not_below, up_to, above, is, one_of."""
    mask: int
    low: float | date | None = None
    high: float | date | None = None
    """Of a threshold: the observed values on both sides."""
    texts: tuple[str, ...] = ()
    today: str | None = None
    """The variable of the day of the run, where that is the threshold."""

    @property
    def variables(self) -> tuple[str, ...]:
        return (self.variable,) if self.today is None else (self.variable, self.today)

    def comparison(self) -> Comparison:
        """The brick as an expression."""
        name = Variable(self.variable)
        if self.kind in _OPERATORS:
            other = Value(self.threshold()) if self.today is None else Variable(self.today)
            return Comparison(_OPERATORS[self.kind], name, other)
        if len(self.texts) == 1:
            return Comparison("==", name, Value(self.texts[0]))
        return Comparison("in", name, Values(tuple(map(Value, self.texts))))

    def threshold(self) -> Constant:
        """The roundest value above `low` and not above `high`."""
        assert self.low is not None
        assert self.high is not None
        if isinstance(self.low, date) and isinstance(self.high, date):
            return round_day(self.low, self.high)
        assert not isinstance(self.low, date)
        assert not isinstance(self.high, date)
        return round_number(self.low, self.high)


def literals_of(
    values: Sequence[Mapping[str, Constant]], *, naming: Collection[str] = (), today: str | None = None
) -> list[Literal]:
    """Everything that can be said of the variables all demonstrations have. Those that are `naming` the case are no
    more and no less than each other; `today` is the variable of the day on which each was shown."""
    shared = sorted(set.intersection(*(set(one) for one in values))) if values else []
    shown = _as_days([one[today] for one in values]) if today in shared else None
    found: list[Literal] = []
    for name in (one for one in shared if one != today):
        column = [one[name] for one in values]
        days = _as_days(column)
        ordered: Sequence[float | date] | None = None if name in naming else _as_numbers(column) or days
        found += _thresholds(name, ordered) if ordered is not None else _choices(name, column)
        if days is not None and shown is not None and today is not None:
            found += _by_the_day(name, days, today, shown)
    return found


def _by_the_day(name: str, days: Sequence[date], today: str, shown: Sequence[date]) -> list[Literal]:
    everything = (1 << len(days)) - 1
    before = up_to = 0
    for at, (day, now) in enumerate(zip(days, shown, strict=True)):
        before |= (day < now) << at
        up_to |= (day <= now) << at
    found = [("below", before), ("not_below", everything & ~before)]
    if up_to != before:
        found += [("up_to", up_to), ("above", everything & ~up_to)]
    return [Literal(name, kind, mask, today=today) for kind, mask in found if mask not in (0, everything)]


def round_number(low: float, high: float) -> float | int:
    """The number in (low, high] with the fewest digits; of several the one nearest to the middle."""
    if low < 0 <= high:
        return 0
    middle = (low + high) / 2
    magnitude = math.floor(math.log10(max(abs(middle), 1e-12)))
    for digits in range(1, 16):
        step = 10.0 ** (magnitude - digits + 1)
        first, last = math.floor(low / step) + 1, math.floor(high / step)
        if first <= last:
            nearest = min(max(math.ceil(middle / step - 0.5), first), last)
            number = round(nearest * step, max(0, digits - 1 - magnitude))
            if low < number <= high:
                return int(number) if number == int(number) else number
    return high


def round_day(low: date, high: date) -> date:
    """The first day of a year or month in (low, high], otherwise the first day after `low`'s side that was seen."""
    for first in (date(high.year, 1, 1), date(high.year, high.month, 1)):
        if low < first <= high:
            return first
    middle = low + timedelta(days=max(1, ((high - low).days + 1) // 2))
    monday = middle + timedelta(days=-middle.weekday())
    return monday if low < monday <= high else high


def _as_numbers(column: Sequence[Constant]) -> list[float | date] | None:
    numbers: list[float | date] = []
    for value in column:
        if isinstance(value, (bool, date)):
            return None
        number = as_number(value) if isinstance(value, str) else float(value)
        if number is None or (isinstance(value, str) and re.fullmatch(_LIKE_A_NAME, value.strip())):
            return None
        numbers.append(number)
    return numbers


def _as_days(column: Sequence[Constant]) -> list[date] | None:
    days: list[date] = []
    for value in column:
        if isinstance(value, datetime):
            days.append(value.date())
        elif isinstance(value, date):
            days.append(value)
        elif isinstance(value, str) and (moment := as_date(value)) is not None:
            days.append(moment.date())
        else:
            return None
    return days


def _thresholds(name: str, ordered: Sequence[float | date]) -> list[Literal]:
    distinct = sorted(set(ordered))
    places = {value: place for place, value in enumerate(distinct)}
    everything = (1 << len(ordered)) - 1
    found = []
    for low, high in pairwise(distinct):
        below = 0
        for index, value in enumerate(ordered):
            below |= (places[value] <= places[low]) << index
        found.append(Literal(name, "below", below, low, high))
        found.append(Literal(name, "not_below", everything & ~below, low, high))
    return found


def _choices(name: str, column: Sequence[Constant]) -> list[Literal]:
    texts = [("true" if value else "false") if isinstance(value, bool) else str(value) for value in column]
    counted = Counter(squeezed(text) for text in texts)
    if not 2 <= len(counted) <= MAX_CHOICES or len(counted) == len(texts) > 2:
        return []
    shown = {squeezed(text): text for text in reversed(texts)}
    masks = {key: sum(1 << at for at, text in enumerate(texts) if squeezed(text) == key) for key in shown}
    found = []
    for size in range(1, min(MAX_LISTED, len(masks) - 1) + 1):
        for keys in combinations(sorted(masks), size):
            mask = sum(masks[key] for key in keys)
            found.append(Literal(name, "is" if size == 1 else "one_of", mask, texts=tuple(shown[key] for key in keys)))
    return found
