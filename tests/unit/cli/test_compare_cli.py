"""`compare`: the same screen with other content is the same, another one is not; a bad picture costs its own line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from command_line import Ended, rpa_vision

from rpa_vision.app.compare import compare_screens
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook


def form(name: str, amount: str) -> list[AnyItem]:
    return [
        ("heading", "title", "Nouvelle facture", (40, 50, 360, 90)),
        ("label", "data_display", "Fournisseur", (40, 120, 200, 150)),
        Item("text_input", "form_input", "Fournisseur", (220, 120, 560, 150), value=name),
        ("label", "data_display", "Montant", (40, 180, 200, 210)),
        Item("text_input", "form_input", "Montant", (220, 180, 560, 210), value=amount),
        ("button", "submit", "Enregistrer", (40, 260, 220, 300)),
        ("button", "cancel", "Annuler", (240, 260, 400, 300)),
    ]


def listing() -> list[AnyItem]:
    rows: list[AnyItem] = [
        ("cell", "data_display", f"Client {row}", (40, 140 + 50 * row, 900, 180 + 50 * row)) for row in range(8)
    ]
    return [
        ("heading", "title", "Toutes les factures", (40, 50, 360, 90)),
        ("button", "search", "Chercher", (700, 50, 860, 90)),
        ("link", "navigation", "Exporter", (600, 60, 680, 90)),
        *rows,
    ]


@pytest.fixture(scope="module")
def book() -> ScreenBook:
    book = ScreenBook()
    book.draw("one", form("Dupont", "120,00"))
    book.draw("other", form("Lefebvre SA", "98 500,00"))
    book.draw("list", listing())
    confirm: list[AnyItem] = [
        *form("Dupont", "120,00"),
        ("dialog", "", "Confirmer", (300, 200, 660, 400)),
        ("button", "validate", "Oui", (340, 340, 440, 380)),
        ("button", "cancel", "Non", (480, 340, 580, 380)),
    ]
    book.draw("asked", confirm)
    return book


def compared(book: ScreenBook, one: str, other: str) -> tuple[bool, bool, float, str]:
    found = compare_screens(book[one], book[other], book.embedder.space.id)
    back = compare_screens(book[other], book[one], book.embedder.space.id)
    assert (found.similarity, found.same_state) == (back.similarity, back.same_state)
    return found.same_state, found.layout_same, found.similarity, found.why


def test_other_content_is_the_same_screen(book: ScreenBook) -> None:
    """L1-3, P003-5, P003-6"""
    same, layout, similarity, _ = compared(book, "one", "other")
    assert (same, layout) == (True, True)
    assert 0.85 <= similarity <= 1.0


def test_another_screen_is_another(book: ScreenBook) -> None:
    same, layout, similarity, why = compared(book, "one", "list")
    assert (same, layout) == (False, False)
    assert similarity < 0.85
    assert why


def test_a_dialog_makes_it_another_screen(book: ScreenBook) -> None:
    same, _, _, why = compared(book, "one", "asked")
    assert not same
    assert "dialog" in why


def test_a_picture_is_the_same_as_itself(book: ScreenBook) -> None:
    assert compared(book, "list", "list")[:3] == (True, True, pytest.approx(1.0))


def test_what_looks_the_same_and_says_something_else_is_another_screen(book: ScreenBook) -> None:
    """A wrong match is worse than none."""
    one = book["one"]
    words = {"Enregistrer": "Supprimer tout", "Annuler": "Transmettre", "Nouvelle facture": "Purge annuelle",
             "Fournisseur": "Responsable", "Montant": "Motif"}  # fmt: skip
    state = one.state.model_copy(
        update={
            "ui_elements": tuple(
                element.model_copy(update={"label": words.get(element.label, element.label)})
                for element in one.state.ui_elements
            ),
            "perception": one.state.perception.model_copy(
                update={
                    "text_lines": tuple(
                        line.model_copy(update={"text": words.get(line.text, line.text)})
                        for line in one.state.perception.text_lines
                    )
                }
            ),
        }
    )
    found = compare_screens(one, ObservedScreen(one.pixels, state, one.vector), book.embedder.space.id)
    assert not found.same_state
    assert "says something else" in found.why


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory, book: ScreenBook) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    for name in ("one", "other", "list"):
        large = cv2.resize(book.pixels[name], None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
        cv2.imwrite(str(folder / f"{name}.png"), np.ascontiguousarray(large[:, :, :3]))
    (folder / "broken.png").write_bytes(b"no picture at all")
    return folder


def test_two_pictures_from_the_command_line(pictures: Path) -> None:
    """UX-1"""
    ended = rpa_vision("compare", pictures / "one.png", pictures / "one.png", "--json")
    assert ended.code == 0
    assert {"similarity", "layout_same", "same_state", "why"} <= ended.json.keys()
    assert (ended.json["same_state"], ended.json["similarity"]) == (True, 1.0)
    other = rpa_vision("compare", pictures / "one.png", pictures / "list.png")
    assert other.code == 0
    assert other.out.startswith("another screen: ")


def batch(lines: list[str]) -> Ended:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RPA_VISION_")}
    ended = subprocess.run(
        [sys.executable, "-m", "rpa_vision", "compare", "--batch", "-", "--json"],
        input="\n".join(lines), env=kept, capture_output=True, text=True, timeout=280, check=False,
    )  # fmt: skip
    return Ended(ended.returncode, ended.stdout, ended.stderr)


def test_a_batch_answers_every_line_and_bad_ones_cost_only_themselves(pictures: Path) -> None:
    """UX-1: JSONL batch"""
    good = {"a": str(pictures / "one.png"), "b": str(pictures / "list.png"), "id": 7}
    ended = batch(
        [json.dumps(good), "", "nonsense", json.dumps({"a": "x.png"}), "[1, 2]",
         json.dumps({"a": good["a"], "b": str(pictures / "broken.png")}),
         json.dumps({"a": good["a"], "b": str(pictures / "nothing.png")}), json.dumps([good["b"], good["b"]])]
    )  # fmt: skip
    answers = [json.loads(line) for line in ended.out.splitlines()]
    assert ended.code == 1
    assert [answer["line"] for answer in answers] == [1, 3, 4, 5, 6, 7, 8]
    assert (answers[0]["id"], answers[0]["same_state"]) == (7, False)
    assert answers[-1]["same_state"] is True
    codes = [answer["error"]["code"] for answer in answers[1:-1]]
    assert codes == ["usage", "usage", "usage", "image.invalid", "image.invalid"]
    assert "broken.png" in answers[4]["error"]["message"]


def test_a_batch_without_one_good_line_is_wrong_use(pictures: Path) -> None:
    assert batch(["nonsense"]).code == 2
    assert batch([]).code == 0


@pytest.mark.parametrize("arguments", [(), ("a.png",), ("a.png", "b.png", "c.png"), ("a.png", "b.png", "--batch", "-")])
def test_neither_two_pictures_nor_a_batch_is_wrong_use(arguments: tuple[str, ...]) -> None:
    """UX-1"""
    ended = rpa_vision("compare", *arguments)
    assert ended.code == 2
    assert "two pictures" in ended.cause


def asking(title: str, text: str) -> list[AnyItem]:
    return [
        *form("Dupont", "120,00"),
        ("dialog", "", title, (300, 200, 660, 420)),
        ("heading", "title", title, (320, 220, 600, 244)),
        ("label", "data_display", text, (320, 270, 640, 292)),
        ("button", "validate", "Oui", (340, 360, 440, 400)),
        ("button", "cancel", "Non", (480, 360, 580, 400)),
    ]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("Confirmation", "Enregistrer la facture ?"), ("Confirmation", "Supprimer la facture ?"), False),
        (("Confirmation", "Enregistrer la facture ?"), ("Erreur", "Le disque est plein"), False),
        (("Erreur", "Le document est verrouillé"), ("Erreur", "Le disque est plein"), False),
        (("Confirmation", "Payer la facture 12 de Anne ?"), ("Confirmation", "Payer la facture 7 de Hugo ?"), True),
    ],
)
def test_a_dialog_that_says_something_else_is_another_screen(
    book: ScreenBook, one: tuple[str, str], other: tuple[str, str], same: bool
) -> None:
    """L1-3: title, buttons and looks are the same on many dialogs"""
    book.draw("this", asking(*one))
    book.draw("that", asking(*other))
    found = compared(book, "this", "that")
    assert found[0] is same
    assert same or "the dialog in front says something else" in found[3]


def test_with_few_words_the_heading_tells(book: ScreenBook) -> None:
    """L1-3: the next step of a wizard is another screen"""
    for step in (1, 2):
        items: list[AnyItem] = [
            ("heading", "title", f"Étape {step} sur 3", (40, 60, 240, 90)),
            ("button", "submit", "Suivant", (40, 300, 160, 340)),
            ("button", "cancel", "Annuler", (200, 300, 360, 340)),
        ]
        book.draw(f"step_{step}", items)
    assert compared(book, "step_1", "step_1")[0]
    same, _, _, why = compared(book, "step_1", "step_2")
    assert not same
    assert why.startswith("another heading")
