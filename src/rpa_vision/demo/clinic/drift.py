"""How the application can change between the day it was learned and the day it is automated.

Every switch is one way in which real applications drift. They are set when the server starts and can be
changed while it runs; pages follow at their next load.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from rpa_vision.errors import UsageError


class DriftError(UsageError):
    """A drift switch that does not exist, or a value it cannot take."""

    code = "demo.drift"


@dataclass(frozen=True, slots=True)
class Drift:
    """The state of all switches; the defaults are the application as it was learned."""

    theme: str = "light"
    font_face: str = "sans"
    font_size: int = 15
    zoom: int = 100
    device_scale: float = 1.0
    moved: str = "none"
    renamed: bool = False
    lookalike: bool = False
    columns: bool = False
    notice: bool = False
    modal: bool = False
    required_field: bool = False
    slow: int = 0
    lang: str = "fr"
    hidden: bool = False
    covered: bool = False
    restyled: bool = False
    expire_after: int = 0
    expire_after_s: float = 0.0

    @classmethod
    def parse(cls, settings: Iterable[str]) -> Drift:
        """Read `name=value` settings, as given on a command line; a bare name switches a flag on."""
        pairs: dict[str, Any] = {}
        for setting in settings:
            name, _, value = setting.partition("=")
            pairs[name.strip()] = value.strip() or "on"
        return cls().changed(pairs)

    def changed(self, changes: Mapping[str, Any]) -> Drift:
        """The same switches with some of them set anew; nothing changes if any of it is wrong."""
        values: dict[str, Any] = {}
        for name, value in changes.items():
            reader = SWITCHES.get(name)
            if reader is None:
                raise DriftError(f"unknown drift switch '{name}'", remedy=f"Known switches: {', '.join(SWITCHES)}.")
            try:
                values[name] = reader(value)
            except ValueError as error:
                raise DriftError(
                    f"drift switch {name}={value}: {error}", remedy=f"Example: {_EXAMPLES[name]}"
                ) from None
        return replace(self, **values)

    def as_dict(self) -> dict[str, Any]:
        """All switches by name, as JSON can carry them."""
        return asdict(self)


def _choice(*allowed: str, on: str | None = None) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        text = str(value)
        if on is not None and text in _YES:
            return on
        if text not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}")
        return text

    return read


def _whole(low: int, high: int, unit: str) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        number = _number(low, high, unit)(value)
        if number != int(number):
            raise ValueError(f"must be a whole number of {unit}")
        return int(number)

    return read


def _number(low: float, high: float, unit: str) -> Callable[[Any], float]:
    def read(value: Any) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise ValueError(f"must be a number of {unit}") from None
        if not low <= number <= high:
            raise ValueError(f"must be between {low:g} and {high:g} {unit}")
        return number

    return read


def _flag(value: Any) -> bool:
    text = str(value).lower()
    if text in _YES:
        return True
    if text in _NO:
        return False
    raise ValueError("must be on or off")


_YES = ("on", "true", "1", "yes", "True")
_NO = ("off", "false", "0", "no", "none")

SWITCHES: Mapping[str, Callable[[Any], Any]] = {
    "theme": _choice("light", "dark", "high-contrast"),
    "font_face": _choice("sans", "serif", "mono", "dejavu"),
    "font_size": _whole(12, 20, "px"),
    "zoom": _whole(80, 200, "%"),
    "device_scale": _number(1, 3, "device pixels per pixel"),
    "moved": _choice("none", "top", "bottom", on="top"),
    "renamed": _flag,
    "lookalike": _flag,
    "columns": _flag,
    "notice": _flag,
    "modal": _flag,
    "required_field": _flag,
    "slow": _whole(0, 20_000, "ms"),
    "lang": _choice("fr", "en"),
    "hidden": _flag,
    "covered": _flag,
    "restyled": _flag,
    "expire_after": _whole(0, 100_000, "requests"),
    "expire_after_s": _number(0, 86_400, "seconds"),
}
_EXAMPLES = {name: f"{name}={default}" for name, default in asdict(Drift()).items()}
