"""Screens drawn from nothing, what may happen to them, and a reader that only pretends."""

from __future__ import annotations

import cv2
import numpy as np
from hypothesis import strategies as st

from rpa_vision.ports.perception import ReadText

SIZE = (420, 700)
"""Several tiles across and down."""
WORDS = ["Valider", "Mot de passe", "1 050,78 €", "O", "••••", "FAC-2026-00123", "", "Annuler", "Nom :", "▼"]


class PretendReader:
    """Says a word that depends on the pixels alone."""

    name = "pretend"

    def read(self, lines):
        sums = [int(line.astype(np.uint32).sum()) for line in lines]
        return [ReadText(WORDS[total % len(WORDS)], (total % 101) / 100) for total in sums]


@st.composite
def edits(draw):
    """What happens to a screen, one thing after the other."""
    return [
        (draw(st.sampled_from(["fill", "frame", "text", "rule", "erase", "shift", "noise", "nothing"])),
         draw(st.integers(0, SIZE[1])), draw(st.integers(0, SIZE[0])), draw(st.integers(1, 500)),
         draw(st.integers(1, 120)), draw(st.integers(0, 255)))
        for _ in range(draw(st.integers(1, 5)))
    ]  # fmt: skip


def edited(image, edit):
    kind, x, y, w, h, grey = edit
    image = image.copy()
    if kind == "fill":
        cv2.rectangle(image, (x, y), (x + w, y + h), (grey, 255 - grey, grey), -1)
    elif kind == "frame":
        cv2.rectangle(image, (x, y), (x + w, y + h), (grey, grey, 255 - grey), 1)
    elif kind == "text":
        cv2.putText(image, "Valider FAC-26 ij", (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.3 + h / 100, (grey,) * 3, 1)
    elif kind == "rule":
        cv2.line(image, (x, y), (x + w, y), (grey,) * 3, 1)
    elif kind == "erase":
        image[y : y + h, x : x + w] = 250
    elif kind == "shift":
        image[:] = np.roll(image, h, axis=0)
    elif kind == "noise":
        patch = image[y : y + min(h, 40), x : x + min(w, 40)]
        patch[:] = np.random.default_rng(grey).integers(0, 255, patch.shape, np.uint8)
    return image


def first_screen(seed: int):
    rng = np.random.default_rng(seed)
    image = np.full((*SIZE, 3), 250, np.uint8)
    for _ in range(30):
        kind = ("fill", "frame", "text", "text", "rule")[int(rng.integers(5))]
        x, y, w, h = (int(rng.integers(n)) for n in (SIZE[1], SIZE[0], 200, 40))
        image = edited(image, (kind, x, y, w + 1, h + 1, int(rng.integers(255))))
    return image
