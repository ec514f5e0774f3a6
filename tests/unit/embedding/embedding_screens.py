"""Screens drawn by hand: the same layouts with other words, so that what is promised of them can be shown quickly."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime

import cv2
import numpy as np

from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import PerceptionLevel, RawLevel, ScreenState, TextLine
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.window import WindowContext

WIDTH, HEIGHT = 1280, 720
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class SteppingClock:
    """Each look at the clock is a fixed time later."""

    def __init__(self, step_s: float = 0.010) -> None:
        self._step_s = step_s
        self._now_s = 0.0

    def monotonic(self) -> float:
        self._now_s += self._step_s
        return self._now_s

    def now(self) -> datetime:
        return datetime(2025, 1, 1, tzinfo=UTC)

    def sleep(self, seconds: float) -> None:
        self._now_s += seconds


@dataclass
class Sketch:
    """A screen being drawn, and what a reader would read of it."""

    title: str
    dark: bool = False
    pixels: Pixels = field(init=False)
    lines: list[TextLine] = field(default_factory=list)
    elements: list[UIElement] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.paper, self.ink, self.line = ((24, 24, 24), (230, 230, 230), (70, 70, 70)) if self.dark else (
            (250, 250, 250), (20, 20, 20), (205, 205, 205))  # fmt: skip
        self.pixels = np.full((HEIGHT, WIDTH, 3), self.paper[0], np.uint8)

    def write(self, text: str, x: int, y: int) -> None:
        (width, height), base = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)
        cv2.putText(self.pixels, text, (x, y + height), cv2.FONT_HERSHEY_SIMPLEX, 0.5, self.ink, 1, cv2.LINE_AA)
        self.lines.append(TextLine(text=text, bbox=(x, y, x + width, y + height + base), confidence=0.99))

    def box(self, kind: str, x: int, y: int, width: int, height: int, *, text: str = "", role: str = "") -> None:
        cv2.rectangle(self.pixels, (x, y), (x + width, y + height), self.line, 1)
        if text:
            self.write(text, x + 10, y + height // 2 - 8)
        self.elements.append(
            UIElement(
                element_id=f"el_{x}_{y}",
                type=kind,  # type: ignore[arg-type]
                role=role,
                bbox=(x, y, x + width, y + height),
                center=(x + width // 2, y + height // 2),
                label=text,
                confidence=0.9,
            )
        )

    def dialog(self, x: int, y: int, width: int, height: int) -> None:
        dimmed = (self.pixels.astype(np.float32) * 0.5).astype(np.uint8)
        cv2.rectangle(dimmed, (x, y), (x + width, y + height), self.paper, -1)
        self.pixels = dimmed
        hidden = Box(x, y, x + width, y + height)
        self.lines = [line for line in self.lines if not hidden.contains(Box.of(line.bbox).center)]
        self.elements = [element for element in self.elements if not hidden.contains(element.center)]
        self.box("dialog", x, y, width, height)

    def state(self, screen_state_id: str = "screen_1") -> ScreenState:
        return ScreenState(
            screen_state_id=screen_state_id,
            timestamp=datetime(2025, 1, 1, tzinfo=UTC),
            window=WindowContext(title=self.title, app_name="cabinet"),
            raw=RawLevel(screenshot_path="screens/x.png", capture_method="drawn", file_size_bytes=0),
            perception=PerceptionLevel(
                detected_text=tuple(line.text for line in self.lines), text_lines=tuple(self.lines),
                text_detection_method="drawn", confidence_avg=0.99,
            ),
            ui_elements=tuple(self.elements),
        )  # fmt: skip


def invoice_list(seed: int, *, dark: bool = False) -> Sketch:
    """A table under a heading, beside a menu; the seed decides the rows."""
    dice = random.Random(f"list{seed}")
    sketch = _page("Factures - Cabinet", dark)
    sketch.write("Factures", 240, 30)
    sketch.box("text_input", 240, 70, 300, 32, role="search")
    sketch.box("button", 560, 70, 130, 32, text="Rechercher", role="search")
    columns = (250, 430, 680, 860, 1060)
    for x, name in zip(columns, ("Numero", "Patient", "Emise le", "Montant", "Statut"), strict=True):
        sketch.write(name, x, 130)
    for row in range(14):
        y = 165 + row * 36
        cells = (
            f"F-2025-{dice.randint(1, 9999):04d}",
            f"{_word(dice)} {_word(dice)}",
            f"{dice.randint(1, 28)}/05/2025",
            f"{dice.randint(10, 999)},00",
            dice.choice(("Payee", "En attente")),
        )
        for x, cell in zip(columns, cells, strict=True):
            sketch.write(cell, x, y)
        cv2.line(sketch.pixels, (240, y + 26), (1240, y + 26), sketch.line, 1)
    return sketch


def invoice_detail(seed: int, *, dark: bool = False) -> Sketch:
    """Labels with values, and two buttons; the seed decides the values."""
    dice = random.Random(f"detail{seed}")
    sketch = _page(f"Facture F-2025-{dice.randint(1, 9999):04d} - Cabinet", dark)
    sketch.write("Facture", 240, 30)
    for row, name in enumerate(("Patient", "Praticien", "Emise le", "Echeance", "Montant", "Statut")):
        sketch.write(name, 250, 90 + row * 48)
        sketch.box("text_input", 420, 80 + row * 48, 360, 34, text=f"{_word(dice)} {dice.randint(1, 99)}")
    sketch.box("button", 250, 400, 120, 40, text="Valider", role="validate")
    sketch.box("button", 390, 400, 120, 40, text="Refuser", role="cancel")
    return sketch


def confirmation(seed: int, *, dark: bool = False) -> Sketch:
    """The detail page dimmed behind a question."""
    sketch = invoice_detail(seed, dark=dark)
    sketch.dialog(440, 240, 420, 200)
    sketch.write("Valider la facture ?", 470, 270)
    sketch.box("button", 470, 380, 130, 38, text="Confirmer", role="ok_button")
    sketch.box("button", 620, 380, 130, 38, text="Annuler", role="cancel")
    return sketch


def login(seed: int, *, dark: bool = False) -> Sketch:
    """A small form in the middle of nothing."""
    dice = random.Random(f"login{seed}")
    sketch = Sketch("Connexion - Cabinet", dark)
    sketch.write("Connexion", 480, 160)
    sketch.write("Identifiant", 480, 220)
    sketch.box("text_input", 480, 250, 320, 38, text=_word(dice))
    sketch.write("Mot de passe", 480, 310)
    sketch.box("password_input", 480, 340, 320, 38)
    sketch.box("button", 480, 410, 320, 42, text="Se connecter", role="submit")
    return sketch


def _page(title: str, dark: bool) -> Sketch:
    sketch = Sketch(title, dark)
    for row, name in enumerate(("Accueil", "Factures", "Patients", "Praticiens", "Aide")):
        sketch.box("menu_item", 10, 40 + row * 46, 190, 40, text=name, role="navigation")
    return sketch


def _word(dice: random.Random) -> str:
    return "".join(dice.choice(_LETTERS) for _ in range(dice.randint(5, 8))).capitalize()
