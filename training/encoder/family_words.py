"""Words of a screen that is met again: its labels stay, its content does not."""

from __future__ import annotations

import random

from factory.words import Words


class FamilyWords(Words):
    """Names of fields, columns, buttons and menus come from the layout; values, rows and marks from the content."""

    def __init__(self, labels: random.Random, content: random.Random, lang: str) -> None:
        super().__init__(labels, lang)
        self._content = Words(content, lang)
        self._kept = content.choice([1.0, 1.0, 0.85, 0.6])
        """Share of the rows that are there: lists grow and shrink."""

    def value(self) -> str:
        return self._content.value()

    def said(self, low: int, high: int) -> str:
        return self._content.phrase(low, high)

    def chosen(self) -> str:
        return self._content.noun()

    def ticked(self, on: bool) -> bool:
        return on if self._content.rng.random() < 0.7 else not on

    def is_shown(self) -> bool:
        return self._content.rng.random() < self._kept

    def sentence(self, low: int = 5, high: int = 18) -> str:
        return self._content.sentence(low, high)

    def person(self) -> str:
        return self._content.person()

    def state(self) -> str:
        return self._content.state()

    def amount(self) -> str:
        return self._content.amount()

    def date(self) -> str:
        return self._content.date()

    def code(self) -> str:
        return self._content.code()
