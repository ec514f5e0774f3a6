"""The small parts of a generated page: how a kit is asked for its class names, words made safe, buttons, links, icons."""

from __future__ import annotations

import html
import random

from factory.icons import icon_tag
from factory.kits import Kit
from factory.words import Words

KINDS = (
    "form",
    "table",
    "list",
    "dashboard",
    "dialog",
    "menu",
    "settings",
    "mail",
    "grid",
    "login",
    "mixed",
    "mixed",
    "mixed",
)
OWN_MARKS = frozenset({"ant_marks", "el_marks", "prime_marks", "bp_marks", "on_marks", "span_check", "icon_check"})
"""Kits that draw their checkboxes from other things than an `<input>`."""


class PageParts:
    """One page in the making: two sources of chance, a kit, and what is drawn with them."""

    def __init__(self, kit: Kit, layout_seed: int, content_seed: int, lang: str, theme: str) -> None:
        self.kit = kit
        self.r = random.Random(f"layout-{layout_seed}")
        self.words = Words(random.Random(f"content-{content_seed}"), lang)
        self.lang = lang
        self.theme = theme
        self.kind = self.r.choice(KINDS)
        self.icons = self.r.choice(["fa", "bi", "mdi", "svg"])
        self.small = self.r.random() < 0.25
        self.tall = self.r.random() < 0.08
        self._ids = 0
        self._picks: dict[str, str] = {}
        self._own = self.r.getrandbits(32)
        self._toggle_look: tuple[int, int, int, int, int, str] | None = None
        self.side_labels, self.gap, self.label_px, self.label_side = False, 8, 120, "left"

    def part(self, name: str) -> str:
        """The kit's class names for a part; one of them is chosen per page where there are several."""
        if name not in self._picks:
            self._picks[name] = self.r.choice(self.kit.parts.get(name, "").split("|"))
        return self._picks[name]

    def fresh(self) -> str:
        self._ids += 1
        return f"e{self._ids}"

    def text(self, words: str) -> str:
        return html.escape(words)

    def icon(self, size: int = 0) -> str:
        return icon_tag(self.icons, self.r, size)

    def odds(self, chance: float) -> bool:
        return self.r.random() < chance

    def button(self, words: str | None = None, *, only_icon: bool = False, extra: str = "", small: bool = False) -> str:
        tone = self.r.choice(self.kit.buttons)
        if small or self.small:
            tone += " " + self.part("small")
        elif self.tall:
            tone += " " + self.part("large")
        off = " disabled" if self.odds(0.07) else ""
        say = self.words.action() if words is None else words
        inner = self.text(say)
        pick = self.r.random()
        if only_icon:
            inner = self.icon()
        elif pick < 0.2:
            inner = f"{self.icon()} {inner}"
        elif pick < 0.24:
            inner = f"{inner} {self.icon()}"
        tag = "a href='#' role='button'" if self.odds(0.2) and not off else "button type='button'"
        return f'<{tag} class="{tone}" data-t="button"{off} {extra}>{inner}</{tag.split()[0]}>'

    def ghost(self, size: int | None = None) -> str:
        """A flat icon that can be clicked."""
        size = size or self.r.choice([14, 16, 18, 20, 24])
        pad = self.r.choice([2, 4, 6, 8])
        style = f"padding:{pad}px;display:inline-block;line-height:1;border:0;background:none;color:inherit;cursor:pointer;min-width:0;min-height:0;width:auto;height:auto;margin:0;box-shadow:none"
        tag = self.r.choice(["a href='#'", "span", "button type='button'"])
        return f"<{tag} data-t='button' style='{style}'>{self.icon(size)}</{tag.split()[0]}>"

    def link(self, words: str) -> str:
        style = self.r.choice(["", "", "", "text-decoration:none", "text-decoration:underline"])
        return f'<a href="#" data-t="link" style="{style}">{self.text(words)}</a>'

    def badge(self) -> str:
        return f'<span class="{self.part("badge") or "own-badge"}">{self.text(self.words.state())}</span>'

    def heading(self, level: int | None = None) -> str:
        level = level or self.r.randint(1, 5)
        return f'<h{level} data-t="heading" style="margin:.4em 0">{self.text(self.words.phrase(1, 4) if self.odds(0.4) else self.words.menu())}</h{level}>'
