"""A dense 1920×1080 screen, drawn here so that measuring needs no browser: a bar, a field, a button, rows of cells."""

from __future__ import annotations

import cv2
import numpy as np

from rpa_vision.models.frame import Pixels

FONT = cv2.FONT_HERSHEY_SIMPLEX
COLUMNS, ROWS = 8, 30
CHANGED_ROWS = (3, 9, 20)
_INK, _PAPER, _BAR = (40, 30, 20), 250, (168, 90, 30)


def dense_screen(seed: int = 1, rows: int = ROWS) -> Pixels:
    """Eight cells in each row, about 250 texts in all; another seed says other things."""
    rng = np.random.default_rng(seed)
    image = np.full((1080, 1920, 3), _PAPER, np.uint8)
    image[:48] = _BAR
    for index, word in enumerate(("Accueil", "Patients", "Reglements", "Parametres")):
        _write(image, word, (40 + 140 * index, 32), (255, 255, 255))
    cv2.rectangle(image, (40, 60), (360, 94), (150, 150, 150), 1)
    image[60:94, 380:490] = _BAR
    _write(image, "Rechercher", (392, 82), (255, 255, 255))
    for row in range(rows):
        y = 140 + 30 * row
        cv2.line(image, (40, y + 10), (1880, y + 10), (225, 220, 215), 1)
        for column in range(COLUMNS):
            text = f"F{rng.integers(10**4, 10**5)} {'abcdefgh'[column] * 3}"
            _write(image, text, (50 + 230 * column, y), _INK)
    return image


def with_three_cells_changed(screen: Pixels, number: int) -> Pixels:
    """The same screen, three of its cells saying something new."""
    image = screen.copy()
    for row in CHANGED_ROWS:
        y = 140 + 30 * row
        image[y - 14 : y + 6, 280:500] = _PAPER
        _write(image, f"Neuf {number} {row}", (290, y), _INK)
    return image


def _write(image: Pixels, text: str, at: tuple[int, int], ink: tuple[int, int, int]) -> None:
    cv2.putText(image, text, at, FONT, 0.5, ink, 1, cv2.LINE_AA)
