"""What a cell of a sheet says: its value in the form the sheet shows it, as far as that form means something.

Zeros in front, percents and dates are part of what is meant (« 01000 », « 20 % », « 02/03/2026 »); signs between
thousands and the number of decimals are not, and a number stays the whole number it is.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time
from decimal import Decimal

from rpa_vision.models.written_values import as_date

MAX_DIGITS = 15
"""So many digits of a number a sheet keeps; the others are zeros or made up."""
_PERCENT = re.compile(r"0(?:\.(0+))?(\s*)%")
_LOCALE = re.compile(r"\[\$[^\]]*\]")
_DIGITS = re.compile(r'"([^"]*)"|\\(.)|([0#]|[ \-/])')
_DATE = re.compile(r'(yyyy|yy|mm|m|dd|d|hh|h|ss)|\\(.)|"([^"]*)"|([/\-. :])', re.IGNORECASE)


def cell_text(value: object, number_format: str) -> str:
    """A cell as a person reads it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    shown = _LOCALE.sub("", number_format).partition(";")[0].strip()
    if isinstance(value, (datetime, date, time)):
        return _moment(value, shown)
    if isinstance(value, (int, float)):
        return _number(Decimal(f"{value:.{MAX_DIGITS}g}"), shown)
    return str(value)


def is_too_long(value: object) -> bool:
    """Whether a number has more digits than a sheet keeps."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) >= 10**MAX_DIGITS


def _number(number: Decimal, shown: str) -> str:
    percent = _PERCENT.fullmatch(shown)
    if percent is not None:
        hundred = _plain(number * 100)
        whole, _, decimals = hundred.partition(".")
        filled = decimals.ljust(len(percent[1] or ""), "0")
        return f"{whole}{'.' if filled else ''}{filled}{percent[2]}%"
    plain = _plain(number)
    return _in_places(plain, shown) if plain.isdecimal() else plain


def _plain(number: Decimal) -> str:
    """Without an exponent and without zeros at the end."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _in_places(digits: str, shown: str) -> str:
    """A number that is shown with zeros in front, or with signs between its digits, such as that of a telephone."""
    parts = list(_DIGITS.finditer(shown))
    places = [part for part in parts if part[3] in ("0", "#")]
    if "".join(part[0] for part in parts) != shown or len(places) < 2 or places[0][3] != "0":
        return digits
    left = digits.zfill(len(places))
    rest, left = left[: len(left) - len(places)], left[len(left) - len(places) :]
    text = ""
    for part in parts:
        if part[3] in ("0", "#"):
            text, left, rest = text + rest + left[0], left[1:], ""
        else:
            text += next(one for one in part.groups() if one is not None)
    return text


def _moment(moment: datetime | date | time, shown: str) -> str:
    """A day or a time as the sheet shows it; a day in a form that others read as another day is written 2026-03-02."""
    written = _written(moment, shown)
    if isinstance(moment, time):
        return written or (moment.isoformat("minutes") if moment.second == 0 else moment.isoformat("seconds"))
    day = moment.date() if isinstance(moment, datetime) else moment
    if written is not None and not re.search("[hs]", shown, re.IGNORECASE):
        meant = as_date(written)
        if meant is not None and meant.date() == day:
            return written
    if isinstance(moment, datetime) and moment.time() != time():
        return moment.isoformat(sep=" ", timespec="minutes")
    return day.isoformat()


def _written(moment: datetime | date | time, shown: str) -> str | None:
    """The moment in a form of digits; None where the form has words in it, or what the moment has not."""
    parts = list(_DATE.finditer(shown))
    if not parts or "".join(part[0] for part in parts) != shown:
        return None
    tokens = [(part[1] or "").lower() for part in parts]
    has_day, has_time = isinstance(moment, date), isinstance(moment, (datetime, time))
    text = ""
    for at, (part, token) in enumerate(zip(parts, tokens, strict=True)):
        if not token:
            text += next(one for one in part.groups() if one is not None)
            continue
        before = next((one for one in reversed(tokens[:at]) if one), "")
        after = next((one for one in tokens[at + 1 :] if one), "")
        is_minute = token.startswith("m") and (before.startswith("h") or after == "ss")
        if not (has_time if is_minute or token[0] in "hs" else has_day):
            return None
        name = {"y": "year", "d": "day", "h": "hour", "s": "second"}.get(token[0], "minute" if is_minute else "month")
        number = getattr(moment, name)
        text += f"{number % 100 if token == 'yy' else number:0{len(token)}d}"
    return text
