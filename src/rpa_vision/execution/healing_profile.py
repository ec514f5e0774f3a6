"""How tolerant a search for a target is, by attempt. Later attempts search wider, never with a lower floor.

A profile that makes no sense is replaced by the strict one, with a warning: healing may fail, matching goes on.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from math import isfinite
from typing import Any, Final

_log = logging.getLogger(__name__)

ROLE_ALIASES: Final[Mapping[str, frozenset[str]]] = {
    "input": frozenset({"input", "textfield", "text_field", "form_input", "forminput", "edit", "textbox"}),
    "button": frozenset({"button", "submit", "action", "cta"}),
    "label": frozenset({"label", "text", "data_display"}),
    "checkbox": frozenset({"checkbox", "check_box", "toggle"}),
}
TYPE_ALIASES: Final[Mapping[str, frozenset[str]]] = {
    "text_input": frozenset({"text_input", "input", "textfield"}),
    "button": frozenset({"button"}),
}
MAX_PAD_MUL: Final = 4.0


@dataclass(frozen=True, slots=True)
class HealingProfile:
    """Tolerance of one attempt level (0 strict, 1 and 2 relaxed)."""

    min_ratio: float
    pad_mul: float
    expand_roles: bool
    attempt_level: int

    @classmethod
    def at_level(cls, level: int) -> HealingProfile:
        """The profile of an attempt; from level 2 on it does not relax any further."""
        if level <= 0:
            return cls(min_ratio=0.82, pad_mul=1.0, expand_roles=False, attempt_level=0)
        if level == 1:
            return cls(min_ratio=0.78, pad_mul=1.3, expand_roles=True, attempt_level=1)
        return cls(min_ratio=0.72, pad_mul=1.7, expand_roles=True, attempt_level=level)

    @property
    def is_valid(self) -> bool:
        """Whether it can be searched with: no more tolerant than the last level's ratio, no endless reach."""
        numbers = isfinite(self.min_ratio) and isfinite(self.pad_mul)
        return numbers and 0.5 <= self.min_ratio <= 1.0 and 1.0 <= self.pad_mul <= MAX_PAD_MUL

    def or_strict(self) -> HealingProfile:
        """Itself, or the strict one with a warning where it makes no sense."""
        if self.is_valid:
            return self
        _log.warning("the healing profile %s makes no sense; matching strictly", self)
        return HealingProfile.at_level(0)

    def criteria(self) -> dict[str, Any]:
        """What it asks for, for the record."""
        return {"min_ratio": self.min_ratio, "pad_mul": self.pad_mul, "expand_roles": self.expand_roles}

    def details(self, reasons: tuple[str, ...]) -> dict[str, Any]:
        """How tolerantly something was looked for, with the other names of kinds and roles that counted."""
        aliases = sorted({name for names in (*ROLE_ALIASES.values(), *TYPE_ALIASES.values()) for name in names})
        used = [name for name in aliases if any(reason.endswith(f"another name for {name}") for reason in reasons)]
        return {
            "healing_attempt": self.attempt_level,
            "healing_profile": self.criteria(),
            "role_aliases_used": used,
            "fuzzy_threshold_used": self.min_ratio,
            "spatial_padding_used": self.pad_mul,
        }


@dataclass(frozen=True, slots=True)
class HealingAttemptMetrics:
    """One attempt to find a target: how tolerant it was, and what came of it."""

    attempt_level: int
    success: bool
    strategy_used: str
    original_criteria: dict[str, Any]
    relaxed_criteria: dict[str, Any]
    duration_ms: float
    timestamp: datetime


def alias_of_role(said: str, wanted: str) -> bool:
    """Whether two names of roles stand for one."""
    return said != wanted and any(said in names and wanted in names for names in ROLE_ALIASES.values())


def alias_of_type(said: str, wanted: str) -> bool:
    """Whether two names of types stand for one."""
    return said != wanted and any(said in names and wanted in names for names in TYPE_ALIASES.values())
