"""Groups, business roles, states, identities over time: what elements mean to each other and to somebody's work."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import cv2
import numpy as np
import pytest

from rpa_vision.detection.affordance import affordance_of
from rpa_vision.detection.business_roles import aspect_of, business_roles, subject_of
from rpa_vision.detection.controls import find_controls
from rpa_vision.detection.groups import find_groups
from rpa_vision.detection.layout_signature import layout_signature
from rpa_vision.detection.loose_texts import find_texts, name_tabs
from rpa_vision.detection.regions import find_regions
from rpa_vision.detection.scene import Scene
from rpa_vision.detection.stable_identity import IdentityTracker, stable_id
from rpa_vision.detection.states import tell_states
from rpa_vision.detection.summary import summarise
from rpa_vision.models.screen_state import TextLine
from rpa_vision.models.ui_element import ElementState, UIElement
from rpa_vision.models.window import WindowContext

WHEN = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)
WINDOW = WindowContext(title="Factures — Clinique", app_name="chromium")


def element(kind: str, label: str, bbox, *, role: str = "action", state=None, **metadata) -> UIElement:
    x1, y1, x2, y2 = bbox
    return UIElement(
        element_id=f"{kind}_{x1}_{y1}", type=kind, role=role, bbox=bbox, center=((x1 + x2) // 2, (y1 + y2) // 2),
        label=label, label_confidence=0.95, confidence=0.9, state=state, metadata=metadata,
        stable_id=stable_id(WINDOW.app_name, WINDOW.title, role, label, bbox), stability_confidence=0.9,
    )  # fmt: skip


def group_of(elements, kind):
    found = [group for group in find_groups(elements) if group.kind == kind]
    assert len(found) == 1, found
    return found[0]


FORM = [
    element("label", "Nom", (40, 100, 80, 120)),
    element("text_input", "Nom", (200, 95, 500, 125), caption_id="label_40_100"),
    element("label", "Ville", (40, 140, 80, 160)),
    element("text_input", "Ville", (200, 135, 500, 165), caption_id="label_40_140"),
    element("button", "Valider", (200, 180, 290, 210)),
]


def test_a_form_is_its_fields_their_names_and_the_button_under_them():
    """L2-1"""
    far = [element("button", "Aide", (1500, 900, 1560, 930)), element("label", "Nom", (1000, 700, 1040, 720))]
    form = group_of([*FORM, *far], "form")
    assert set(form.member_ids) == {each.element_id for each in FORM}
    assert form.metadata["fields"] == ["Nom", "Ville"]


def test_a_lone_field_is_a_form_only_with_a_name_or_a_button():
    """L2-1"""
    caption, field, *_ = FORM
    alone = field.model_copy(update={"metadata": {}})
    assert not [group for group in find_groups([alone]) if group.kind == "form"]
    assert group_of([caption, field], "form").metadata["fields"] == ["Nom"]
    assert len(group_of([alone, element("button", "Chercher", (510, 95, 600, 125))], "form").member_ids) == 2


def test_a_table_knows_its_columns_and_a_dialog_what_lies_in_it():
    """L2-1"""
    cells = [
        element("cell", word, (60 + 100 * column, 100 + 30 * row, 140 + 100 * column, 120 + 30 * row),
                table=0, row=row, column=column, header=row == 0)
        for row, words in enumerate([("Date", "Montant", "Statut"), ("1/2", "10 €", "Payée"), ("3/4", "20 €", "Due")])
        for column, word in enumerate(words)
    ]  # fmt: skip
    table = element("table", "", (58, 98, 362, 184), table=0, rows=3, has_header=True)
    dialog = element("dialog", "Confirmer", (400, 300, 800, 500), role="dialog")
    inside = element("button", "OK", (420, 440, 500, 470))
    elements = [*cells, table, dialog, inside]
    grid = group_of(elements, "table")
    assert grid.metadata["headers"] == ["Date", "Montant", "Statut"]
    assert (grid.metadata["rows"], grid.metadata["columns"]) == (3, 3)
    assert group_of(elements, "dialog").member_ids == (inside.element_id,)
    view = summarise(WINDOW, elements, [], find_groups(elements))
    assert "A table of 2 rows with columns Date, Montant, Statut." in view.summary


def test_menus_tabs_lists_choices_and_toolbars_are_groups():
    """L2-1"""
    menu = [element("menu_item", word, (10, 100 + 30 * i, 90, 118 + 30 * i)) for i, word in enumerate("abcd")]
    badge = element("menu_item", "neuf", (140, 100, 170, 118))
    tabs = [element("tab", word, (300 + 90 * i, 60, 380 + 90 * i, 80)) for i, word in enumerate("abc")]
    entries = [element("link", f"Message {i}", (300, 200 + 40 * i, 500, 218 + 40 * i)) for i in range(5)]
    radios = [element("radio", f"r{i}", (900, 200 + 30 * i, 916, 216 + 30 * i)) for i in range(3)]
    tools = [element("button", f"t{i}", (700 + 70 * i, 20, 760 + 70 * i, 44)) for i in range(4)]
    elements = [*menu, badge, *tabs, *entries, *radios, *tools]
    for kind, members in (("menu", menu), ("tabs", tabs), ("list", entries), ("choice", radios), ("toolbar", tools)):
        assert set(group_of(elements, kind).member_ids) == {each.element_id for each in members}, kind


def test_a_group_inside_another_says_so():
    dialog = element("dialog", "Nouveau", (20, 60, 700, 300), role="dialog")
    form = group_of([*FORM, dialog], "form")
    assert form.parent_id == group_of([*FORM, dialog], "dialog").group_id


@pytest.mark.parametrize(
    ("kind", "role", "label", "column", "about", "wanted"),
    [
        ("button", "validate", "Valider", "", ("Facture FAC-2026-00123",), ("validate_invoice",)),
        ("button", "delete_action", "Supprimer le patient", "", ("Factures",), ("delete_patient",)),
        ("table_row", "data_display", "", "", ("Factures à traiter",), ("invoice_row",)),
        ("cell", "data_display", "1 050,78 €", "Montant", ("Factures à traiter",), ("invoice_amount",)),
        ("text_input", "form_input", "Patient", "", ("Facture 12",), ("patient_name", "patient_name_field")),
        ("text_input", "form_input", "Due date", "", ("Open invoices",), ("invoice_date", "invoice_date_field")),
        ("button", "validate", "Valider", "", ("Bonjour",), ()),
        ("label", "data_display", "Montant", "", ("Factures",), ()),
    ],
)
def test_business_roles_join_the_subject_to_what_is_done_or_shown(kind, role, label, column, about, wanted):
    """L2-1"""
    assert business_roles(kind, role, label, column, about) == wanted


def test_words_name_subjects_and_aspects_in_both_languages():
    """L2-1 L2-6"""
    assert subject_of("Règlements en attente") == "payment"
    assert subject_of("Order details") == "order"
    assert subject_of("Bonjour") is None
    assert aspect_of("Reste dû") == "amount"
    assert aspect_of("Échéance") == "date"


def scene_of(image, *texts) -> Scene:
    lines = [TextLine(text=text, bbox=bbox, confidence=0.95) for text, bbox in texts]
    return Scene(image, find_regions(image), lines)


def written(image, text, at, colour=(30, 30, 30)):
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, 1, cv2.LINE_AA)
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)
    return text, (at[0] - 3, at[1] - height - 3, at[0] + width + 3, at[1] + 5)


def test_the_entry_with_a_bar_under_it_is_the_tab_in_front():
    """L2-1 L2-3"""
    image = np.full((200, 500, 3), 250, np.uint8)
    texts = [written(image, word, (40 + 100 * i, 50)) for i, word in enumerate(("Profil", "Factures", "Aide"))]
    cv2.rectangle(image, (36, 62), (96, 64), (200, 90, 20), -1)
    scene = scene_of(image, *texts)
    drafts = find_texts(scene)
    name_tabs(scene, drafts)
    assert {draft.label: (draft.kind, draft.selected) for draft in drafts} == {
        "Profil": ("tab", True), "Factures": ("tab", False), "Aide": ("tab", False)
    }  # fmt: skip


def test_the_field_with_the_coloured_frame_has_the_focus():
    """L2-3"""
    image = np.full((260, 600, 3), 250, np.uint8)
    texts = []
    for index, colour in enumerate(((150, 150, 150), (230, 120, 20), (150, 150, 150))):
        top = 30 + 70 * index
        texts.append(written(image, "Nom", (20, top + 22)))
        cv2.rectangle(image, (120, top), (420, top + 34), colour, 1)
    scene = scene_of(image, *texts)
    drafts = find_controls(scene)
    assert [draft.kind for draft in drafts] == ["text_input"] * 3
    tell_states(scene, drafts)
    assert [draft.focused for draft in sorted(drafts, key=lambda d: d.box.y1)] == [False, True, False]


def test_without_anything_to_compare_no_focus_is_told():
    """L2-3"""
    image = np.full((120, 600, 3), 250, np.uint8)
    texts = [written(image, "Nom", (20, 52))]
    cv2.rectangle(image, (120, 30), (420, 64), (230, 120, 20), 1)
    scene = scene_of(image, *texts)
    drafts = find_controls(scene)
    tell_states(scene, drafts)
    assert [draft.focused for draft in drafts] == [None]


def test_one_element_is_followed_over_a_rounding_border():
    """L2-4"""
    tracker = IdentityTracker()
    places = [(120, 205, 210, 240), (126, 209, 216, 244), (124, 224, 214, 259), (128, 227, 218, 262)]
    seen = [
        tracker.track([element("button", "Valider", box, role="validate")], WINDOW, WHEN + timedelta(minutes=index))[0]
        for index, box in enumerate(places)
    ]
    assert len({each.stable_id for each in seen}) > 1
    assert {each.metadata.get("identity", each.stable_id) for each in seen} == {seen[0].stable_id}
    assert tracker.same(seen[0].stable_id, seen[-1].stable_id)
    life = seen[-1].stability_tracking
    assert (life.appearance_count, life.first_seen, life.last_seen) == (4, WHEN, WHEN + timedelta(minutes=3))
    assert life.position_variance == pytest.approx(
        np.var([165, 171, 169, 173]) + np.var([222, 226, 241, 244]), abs=0.01
    )
    assert seen[-1].stability_confidence > seen[0].stability_confidence


def test_a_button_that_says_more_now_is_the_same_button():
    """L2-4"""
    tracker = IdentityTracker()
    box = (120, 205, 260, 240)
    tracker.track([element("button", "Valider", box, role="validate")], WINDOW, WHEN)
    (now,) = tracker.track([element("button", "Valider la facture", box, role="validate")], WINDOW, WHEN)
    assert now.stability_tracking.label_variants == ("Valider", "Valider la facture")


def test_two_elements_are_never_taken_for_one():
    """L2-4"""
    tracker = IdentityTracker()
    first = [element("button", "Voir", (100, 100 + 40 * i, 160, 130 + 40 * i)) for i in range(3)]
    tracker.track(first, WINDOW, WHEN)
    moved = [element("button", "Voir", (104, 108 + 40 * i, 164, 138 + 40 * i)) for i in range(3)]
    again = tracker.track(moved, WINDOW, WHEN)
    names = [each.metadata.get("identity", each.stable_id) for each in again]
    assert len(set(names)) == 3
    other = tracker.track(first[:1], WindowContext(title="Autre", app_name="chromium"), WHEN)
    assert other[0].stability_tracking.appearance_count == 1


def test_rows_of_a_table_are_not_followed_and_memory_is_bounded():
    """L2-4"""
    tracker = IdentityTracker(most=50)
    cell = element("cell", "12,00 €", (10, 10, 90, 30), row=1)
    assert tracker.track([cell], WINDOW, WHEN)[0].stability_tracking is None
    for number in range(40):
        window = WindowContext(title=f"W {'x' * number}", app_name="a")
        tracker.track([element("button", f"b{i}", (10, 40 * i, 90, 40 * i + 30)) for i in range(4)], window, WHEN)
    assert len(tracker) <= 50


def test_a_slip_of_the_reader_does_not_make_another_screen():
    """L1-3"""
    one = [element("button", "Ajouter", (10, 10, 100, 40)), element("text_input", "Montant", (10, 60, 300, 90))]
    two = [element("button", "Ajcuter", (14, 12, 104, 42)), element("text_input", "Montont", (10, 64, 300, 94))]
    assert layout_signature(one).hash == layout_signature(two).hash
    assert layout_signature(one).stability_score == pytest.approx(0.855)


def test_screens_without_controls_are_known_by_headings_or_by_where_text_stands():
    """L1-3"""

    def page(*elements):
        return layout_signature(list(elements)).hash

    title = element("heading", "Rapport", (10, 10, 100, 40))
    other = element("heading", "Mentions", (10, 10, 100, 40))
    low, high = element("label", "x", (10, 800, 30, 820)), element("label", "y", (900, 10, 930, 30))
    middle = element("label", "z", (450, 400, 480, 420))
    assert page(title) != page(other)
    assert page(low, high) != page(low, high, middle)


def test_an_element_plays_its_general_role_and_those_of_its_trade():
    """L2-1"""
    button = element("button", "Valider", (10, 10, 100, 40), role="validate").model_copy(
        update={"tags": ("validate_button", "validate_invoice")}
    )
    assert all(button.plays(role) for role in ("validate", "validate_button", "validate_invoice"))
    assert not button.plays("delete_patient")


def test_a_summary_tells_what_to_press_and_what_is_wrong():
    """L1-4"""
    off = ElementState(enabled=False)
    button = element("button", "Valider", (10, 10, 100, 40), role="validate", state=off)
    scores = affordance_of(
        "button", "validate", "Valider", stands_out=True, paper=(168, 90, 30), enabled=False, covered=False
    )
    elements = [
        button.model_copy(update={"action_affordance": scores}),
        element("label", "Échec de l'envoi", (10, 90, 200, 110)),
    ]
    view = summarise(WINDOW, elements, [])
    assert "« Valider »" in view.summary
    assert "« Valider » is disabled" in view.anomalies
    assert "it says « Échec de l'envoi »" in view.anomalies
