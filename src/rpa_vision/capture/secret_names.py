"""What secrets are called: by the words of their field, so that the same field has the same name every time."""

from __future__ import annotations

import math
import re
from itertools import chain, count

from rpa_vision.models.geometry import Point
from rpa_vision.models.ids import slug
from rpa_vision.models.window import WindowContext

SAME_PLACE_PX = 40


class SecretNames:
    """Gives `secret_mot_de_passe` for « Mot de passe », and `secret_1` for a field without words.

    The same words in a window with another title are another field: `secret_mot_de_passe_2`. Numbers in titles do not
    count. Fields without words are told apart by where they are; where that is not known each time is another one.
    """

    def __init__(self) -> None:
        self._named: list[tuple[str, str, Point | None, str]] = []

    def name(self, label: str, window: WindowContext | None, place: Point | None) -> str:
        """The name of the secret that is typed into that field."""
        words = slug(label, fallback="")
        title = slug(re.sub(r"\d+", " ", window.title), fallback="") if window is not None else ""
        for known_words, known_title, known_place, name in self._named:
            if (known_words, known_title) == (words, title) and (words or _is_same(place, known_place)):
                return name
        name = self._unused(f"secret_{words}", first="") if words else self._unused("secret", first="_1")
        self._named.append((words, title, place, name))
        return name

    def _unused(self, base: str, *, first: str) -> str:
        used = {name for *_, name in self._named}
        numbered = (f"{base}_{number}" for number in count(2))
        return next(name for name in chain([base + first], numbered) if name not in used)


def _is_same(one: Point | None, other: Point | None) -> bool:
    return one is not None and other is not None and math.dist(one, other) <= SAME_PLACE_PX
