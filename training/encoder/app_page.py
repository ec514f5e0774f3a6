"""Pages of one application: the same bars around different middles, so that its pages are hard to tell apart."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from factory.kits import PROCEDURAL, Kit
from factory.page import Page
from factory.words import Words

from encoder.family_words import FamilyWords

INVERTED = "html{filter:invert(.93) hue-rotate(180deg);background:#fff}"
"""How browsers and desktops darken what has no dark theme of its own."""
COLUMNS_PX = (1000, 1140, 1240, 1320)
MIDDLE = re.compile(r'(<main style="[^"]*?)max-width:[^;"]*;margin:[^;"]*')


class AppPage(Page):
    """One page: `app_seed` makes the bars, `layout_seed` the middle and its labels, `content_seed` the rest. In a wide
    window the middle of most applications is a column of a fixed width (`centred`): a zoom widens it to both sides."""

    def __init__(
        self,
        kit: Kit,
        app_seed: int,
        layout_seed: int,
        content_seed: int,
        lang: str,
        *,
        other_theme: bool,
        centred: bool = False,
    ) -> None:
        own_dark = kit is PROCEDURAL or kit.dark not in ("", "always")
        super().__init__(kit, layout_seed, content_seed, lang, "dark" if other_theme and own_dark else "light")
        self._app_seed = app_seed
        self._inverted = other_theme and not own_dark
        app = random.Random(f"app-{app_seed}")
        self._own, self.icons = app.getrandbits(32), app.choice(["fa", "bi", "mdi", "svg"])
        self._column_px = app.choice(COLUMNS_PX) if centred else 0
        self.words = FamilyWords(random.Random(f"labels-{layout_seed}"), random.Random(f"content-{content_seed}"), lang)

    def render(self, base: str) -> str:
        made = super().render(base)
        if self._column_px:
            made = MIDDLE.sub(rf"\1max-width:{self._column_px}px;margin:0 auto", made)
        return made.replace("</head>", f"<style>{INVERTED}</style></head>") if self._inverted else made

    def navbar(self) -> str:
        return self._of_the_app("navbar", super().navbar)

    def menubar(self) -> str:
        return self._of_the_app("menubar", super().menubar)

    def sidebar(self) -> str:
        return self._of_the_app("sidebar", super().sidebar)

    def _of_the_app(self, name: str, make: Callable[[], str]) -> str:
        mine = self.r, self.words
        self.r = random.Random(f"{name}-{self._app_seed}")
        self.words = Words(random.Random(f"{name}-words-{self._app_seed}"), self.lang)
        try:
            return make()
        finally:
            self.r, self.words = mine
