"""A chord that means something to the recorder and is not part of what the person does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from rpa_vision.errors import UsageError
from rpa_vision.models.input import KEY_NAMES, MODIFIER_NAMES, InputEvent, InputKind


@dataclass(frozen=True, slots=True)
class Hotkey:
    """A key and the modifiers that must be held, no more and no fewer."""

    key: str
    modifiers: frozenset[str]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a chord such as `CTRL+ALT+END`."""
        *modifiers, key = (part.strip().upper() for part in text.split("+"))
        known = key not in MODIFIER_NAMES and (key in KEY_NAMES or len(key) == 1)
        if not known or not modifiers or not set(modifiers) <= set(MODIFIER_NAMES):
            raise UsageError(
                f"{text!r} is not a hotkey",
                remedy=f"Name one or more of {', '.join(MODIFIER_NAMES)} and a key, such as CTRL+ALT+END.",
            )
        return cls(key, frozenset(modifiers))

    def matches(self, event: InputEvent) -> bool:
        """Whether that event is the key going down with its modifiers."""
        return self.is_within(event) and event.modifiers == self.modifiers

    def is_within(self, event: InputEvent) -> bool:
        """Whether that event is the key going down with at least its modifiers, whatever else is held."""
        return event.kind is InputKind.KEY_PRESS and event.key == self.key and event.modifiers >= self.modifiers
