"""Buttons, fields, links and the rest of real screens: found where they are, called what they are."""

from __future__ import annotations

import pytest

from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.window import WindowContext

from .pages import Page
from .scoring import squeezed

WINDOW = WindowContext(title="Factures — Clinique des Tilleuls", app_name="chromium")
SCREENS = ["list_light", "list_dark", "list_contrast", "list_small", "login_light", "login_dark",
           "login_placeholder", "detail_light", "detail_dark", "detail_contrast", "dialog_light", "dialog_dark",
           "settings_english"]  # fmt: skip
EXACT = {"button", "text_input", "password_input", "textarea", "dropdown", "checkbox", "radio", "dialog"}


@pytest.fixture(scope="module")
def detected(pages, ui_detector):
    return {name: ui_detector.detect_elements(pages[name].image, WINDOW) for name in SCREENS}


def at(elements: list[UIElement], kind: str, box: tuple[float, float, float, float]) -> UIElement | None:
    truth = Box(*(round(value) for value in box))
    same = [element for element in elements if element.type == kind]
    if kind in EXACT:
        return next((element for element in same if Box.of(element.bbox).overlap(truth) >= 0.7), None)
    return next((element for element in same if truth.contains(element.center)), None)


def missing(page: Page, elements: list[UIElement], *kinds: str) -> list[tuple[str, str]]:
    lost = []
    for kind, name, box in page.controls:
        if kind in kinds:
            found = at(elements, kind, box)
            if found is None or squeezed(found.label) != squeezed(name):
                lost.append((kind, name))
    return lost


@pytest.mark.parametrize("name", SCREENS)
def test_all_buttons_and_fields_are_found_with_their_names(pages, detected, name):
    """L2-1"""
    kinds = ("button", "text_input", "password_input", "textarea", "dropdown", "checkbox", "radio", "dialog")
    assert missing(pages[name], detected[name], *kinds) == []


@pytest.mark.parametrize("name", SCREENS)
def test_links_and_headings_are_found_with_their_text(pages, detected, name):
    """L2-1"""
    wanted = [control for control in pages[name].controls if control[0] in ("link", "heading", "menu_item")]
    lost = missing(pages[name], detected[name], "link", "heading", "menu_item")
    assert len(lost) <= 0.05 * len(wanted), lost


@pytest.mark.parametrize("name", ["list_light", "detail_light", "login_light", "settings_english"])
def test_nothing_is_called_a_button_or_field_that_is_none(pages, detected, name):
    kinds = ("button", "text_input", "password_input", "textarea", "dropdown", "checkbox", "radio", "toggle", "dialog")
    truth = [Box(*(round(v) for v in box)) for kind, _, box in pages[name].controls if kind in kinds]
    invented = [
        (element.type, element.label)
        for element in detected[name]
        if element.type in kinds and not any(Box.of(element.bbox).overlap(box) > 0.5 for box in truth)
    ]
    assert invented == []


@pytest.mark.parametrize("name", ["list_light", "list_dark", "list_contrast", "list_small"])
def test_cells_know_their_row_and_column(pages, detected, name):
    """L2-1"""
    elements = detected[name]
    (table,) = [element for element in elements if element.type == "table"]
    rows = [element for element in elements if element.type == "table_row"]
    assert table.metadata["has_header"] is True
    assert len(rows) == table.metadata["rows"] == {"list_small": 35, "list_contrast": 21}.get(name, 23)
    links = [element for element in elements if element.type == "link" and "row" in element.metadata]
    assert len(links) == len(rows) - 1
    assert {link.metadata["column"] for link in links} == {0}
    row_ids = {row.element_id for row in rows}
    assert all(link.parent_id in row_ids for link in links)
    titled = [element for element in elements if element.metadata.get("column_title") == "Statut"]
    assert len(titled) == len(rows) - 1


def test_no_text_is_told_twice(detected):
    """A line inside a button or field belongs to it."""
    for elements in detected.values():
        controls = [e for e in elements if e.type in ("button", "text_input", "password_input", "dropdown")]
        texts = [e for e in elements if e.type in ("label", "cell", "link", "heading", "menu_item")]
        twice = [(c.label, t.label) for c in controls for t in texts if Box.of(c.bbox).contains(t.center)]
        assert twice == []


def test_a_dialog_owns_what_is_in_it_and_covers_the_rest(pages, detected):
    elements = detected["dialog_light"]
    dialog = next(element for element in elements if element.type == "dialog")
    confirm = at(elements, "button", pages["dialog_light"].control("button", "Confirmer"))
    assert dialog.label == "Confirmer la validation"
    assert confirm is not None
    assert confirm.parent_id == dialog.element_id
    covered = [element for element in elements if element.type == "link"]
    assert covered
    assert all(element.metadata.get("behind_dialog") for element in covered)
    assert all(element.action_affordance.clickable_score < 0.2 for element in covered)


def test_states_that_can_be_seen_are_told(pages, detected):
    """L2-3"""
    page, elements = pages["settings_english"], detected["settings_english"]
    kinds = ("button", "checkbox", "radio")
    state = {name: at(elements, kind, box).state for kind, name, box in page.controls if kind in kinds}
    assert state["Publish"].enabled is False
    assert state["Save changes"].enabled is True
    assert state["Send a weekly report"].checked is True
    assert state["Notify by email"].checked is False
    assert state["Every week"].checked is True
    assert state["Never"].checked is False


def test_danger_and_main_action_are_scored(pages, detected):
    """L2-5"""
    page, elements = pages["detail_light"], detected["detail_light"]
    delete = at(elements, "button", page.control("button", "Supprimer définitivement"))
    validate = at(elements, "button", page.control("button", "Valider"))
    assert (delete.role, validate.role) == ("delete_action", "validate")
    assert delete.action_affordance.dangerous_action_score > 0.9
    assert validate.action_affordance.primary_action_score > 0.8
    assert validate.visual_features.dominant_color == "#1E5AA8"


def test_values_and_hints_are_kept_apart_from_names(pages, detected):
    amount = at(detected["detail_light"], "text_input", pages["detail_light"].control("text_input", "Montant"))
    assert amount.metadata["label_from"] == "left"
    assert squeezed(str(amount.metadata["value"])) == "1050,78€"
    user = at(detected["login_light"], "text_input", pages["login_light"].control("text_input", "Identifiant"))
    assert (user.metadata["label_from"], user.metadata["value"]) == ("above", "claire.fontaine")
    page = pages["login_placeholder"]
    bare = at(detected[page.name], "text_input", page.control("text_input", "Identifiant"))
    assert bare.metadata["label_from"] == "placeholder"


def test_the_same_pixels_give_the_same_elements(pages, ui_detector):
    """L2-2 P003-13"""
    image = pages["list_dark"].image
    first = ui_detector.detect_elements(image, WINDOW)
    assert first == ui_detector.detect_elements(image.copy(), WINDOW)
    assert len({element.element_id for element in first}) == len(first)
