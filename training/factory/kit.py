"""What a look is made of."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Kit:
    """A look: style sheets below `build/kits`, class names by part, and themes it can be asked for."""

    name: str
    css: tuple[str, ...]
    parts: dict[str, str] = field(default_factory=dict)
    buttons: tuple[str, ...] = ("",)
    split: str = "train"
    """`train`, `held_out`, or, only for `bench relocate`, `fresh`, then `unseen`, `newest`, `last`, `later`, `final`, `latest`, `afresh` and `anew`:
    scored once before anything was tuned on them."""
    dark: str = ""
    """How dark is asked for: `attr` (data-theme attributes), `class:NAME` on the body, `always`, or not at all."""
    weight: float = 1.0
    extra: str = ""
    """Style that mends what the kit does to a whole page (narrow bodies, centred text)."""
