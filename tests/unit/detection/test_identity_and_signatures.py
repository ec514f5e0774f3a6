"""The same element and the same screen, next time."""

from __future__ import annotations

from rpa_vision.detection.layout_likeness import SAME_LAYOUT, KnownLayouts, compare_layouts, layout_similarity
from rpa_vision.detection.layout_signature import content_signature, layout_signature
from rpa_vision.detection.stable_identity import normalised_title, stable_id
from rpa_vision.detection.summary import summarise
from rpa_vision.models.screen_state import TextLine
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.window import WindowContext


def element(kind: str, label: str, x: int = 10, y: int = 10, **metadata) -> UIElement:
    return UIElement(
        element_id=f"{kind}_{x}_{y}", type=kind, role="r", bbox=(x, y, x + 90, y + 30), center=(x + 45, y + 15),
        label=label, confidence=0.9, metadata=metadata,
    )  # fmt: skip


LIST = [
    element("button", "Rechercher"),
    element("text_input", "Facture", 200),
    element("cell", "Montant", 300, header=True),
]


def test_an_identity_survives_small_moves_and_other_numbers_in_the_title():
    """L2-4"""
    first = stable_id("Firefox", "Facture 12 — Clinique", "validate", "Valider", (110, 205, 190, 240))
    assert first == stable_id("firefox", "Facture 97 — Clinique", "validate", "VALIDER", (118, 201, 187, 244))
    assert first != stable_id("Firefox", "Facture 12 — Clinique", "cancel", "Annuler", (110, 205, 190, 240))
    assert first != stable_id("Firefox", "Facture 12 — Clinique", "validate", "Valider", (510, 205, 590, 240))


def test_a_title_is_compared_without_what_changes():
    assert normalised_title("*Sans titre 3 - Mousepad") == normalised_title("Sans titre 4 - Mousepad")


def test_the_layout_is_the_same_with_other_content_places_and_themes():
    """L1-3"""
    other = [
        element("button", "Rechercher", 14, 12), element("text_input", "Facture", 204),
        element("cell", "Montant", 301, header=True), element("cell", "1 050,78 €", 300, 90),
        element("link", "FAC-2026-00123", 30, 90),
    ]  # fmt: skip
    assert layout_signature(LIST).hash == layout_signature(other).hash
    assert layout_similarity(layout_signature(LIST), layout_signature(other)) == 1.0


def test_another_screen_has_another_layout():
    """L1-3"""
    detail = [element("button", "Valider"), element("button", "Retour", 200)]
    assert layout_signature(LIST).hash != layout_signature(detail).hash
    assert layout_similarity(layout_signature(LIST), layout_signature(detail)) < SAME_LAYOUT / 2
    assert not compare_layouts(layout_signature(LIST), layout_signature(detail)).same


def test_a_screen_of_which_less_is_in_view_is_still_known_by_its_first_signature():
    """L1-3"""
    whole = [*LIST, element("button", "Nouvelle facture", 500), element("tab", "En retard", 700)]
    zoomed = [element("button", "Rechercher", 14, 12), element("text_input", "Facture", 260, 14)]
    first, fresh = layout_signature(whole), layout_signature(zoomed)
    other = layout_signature([element("button", "Valider"), element("button", "Retour", 200)])
    assert fresh.hash != first.hash
    assert compare_layouts(first, fresh).same
    assert KnownLayouts([other, first]).known_as(fresh) is first
    assert KnownLayouts([first]).known_as(other) is None


def test_numbers_rows_and_what_was_typed_are_no_labels():
    """L1-3"""
    typed = [element("text_input", "Jean Martin", label_from="content"), element("button", "Voir", 90, row=3)]
    rows = [element("list_item", "Marie Dubois"), element("label", "Page 3"), element("label", "a b c d e f g")]
    assert layout_signature([*typed, *rows]).components["labels"] == []


def test_signatures_of_earlier_versions_are_compared_by_their_hash():
    """L1-3"""
    fresh = layout_signature(LIST)
    earlier = fresh.model_copy(update={"components": {"controls": fresh.components["controls"], "dialog": False}})
    assert compare_layouts(earlier, fresh).same
    assert not compare_layouts(earlier.model_copy(update={"hash": "0"}), fresh).same
    assert not compare_layouts(earlier, earlier.model_copy(update={"hash": "1"})).same


def test_a_dialog_changes_the_layout():
    """L1-3"""
    assert layout_signature(LIST).hash != layout_signature([*LIST, element("dialog", "Confirmer", 5)]).hash


def test_content_says_what_varies_and_what_does_not():
    """L1-3"""
    lines = [TextLine(text="Rechercher", bbox=(0, 0, 9, 9), confidence=0.9)]
    elements = [*LIST, element("cell", "12,00 €", 300, 90, column_title="Montant")]
    signature = content_signature(lines, elements)
    assert set(signature.variable_fields) == {"facture", "montant"}
    assert signature.static_fields == ("rechercher",)
    more = [*lines, TextLine(text="autre", bbox=(0, 0, 9, 9), confidence=0.9)]
    assert content_signature(more, elements).hash != signature.hash


def test_a_summary_says_that_a_template_made_it():
    """L1-4"""
    window = WindowContext(title="Factures", app_name="Firefox")
    view = summarise(window, [*LIST, element("button", "Rechercher", 500)], [])
    assert view.generated_by == "template"
    assert "Firefox — Factures" in view.summary
    assert "button: Rechercher" in view.key_elements
    assert any("Rechercher" in anomaly for anomaly in view.anomalies)
    assert summarise(WindowContext(), [], []).anomalies == ("no element recognised",)
