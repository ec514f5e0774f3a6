"""How tolerant a search for a target is, by attempt. Later attempts search wider, never with a lower floor."""

from __future__ import annotations

from dataclasses import dataclass


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
