"""What varies between repetitions becomes a variable; what does not stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from clinic_by_hand import click_step, element, list_items, pattern, typing_step

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.slots import Slots, infer_slots
from rpa_vision.graph.targets import target_of
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook

FIELD = (40, 60, 300, 90)


@pytest.fixture
def page(book: ScreenBook) -> ObservedScreen:
    return book.draw("page", list_items([f"FAC-2026-0001{digit}" for digit in range(1, 6)]))


def typed(page: ObservedScreen, *texts: str) -> Slots:
    return infer_slots(pattern(*([typing_step(page, "Rechercher une facture", text)] for text in texts)))


def clicked_labels(book: ScreenBook, *said: str, kind: str = "link") -> Slots:
    """One click in each repetition, on a thing that was read so."""
    screens = [
        book.draw(f"screen_{index}", [Item(kind, "x", label, (40, 60, 240, 84))])  # type: ignore[arg-type]
        for index, label in enumerate(said)
    ]
    return infer_slots(pattern(*([click_step(one, label)] for one, label in zip(screens, said, strict=True))))


def test_what_was_always_typed_is_no_variable(page: ObservedScreen) -> None:
    """L4-3"""
    slots = typed(page, "À valider", "À valider", "À valider")
    assert slots.variables == {}
    assert slots.texts == {0: "À valider"}


def test_a_dollar_sign_that_was_typed_stays_one(page: ObservedScreen) -> None:
    """L4-3: texts are templates"""
    assert typed(page, "5 $ net", "5 $ net", "5 $ net").texts == {0: "5 $$ net"}


def test_what_differs_is_a_variable_named_by_its_field(page: ObservedScreen) -> None:
    """L4-3"""
    slots = typed(page, "FAC-2026-00011", "FAC-2026-00012", "FAC-2026-00013")
    assert slots.texts == {0: "${facture}"}
    assert slots.values == {"facture": {0: "FAC-2026-00011", 1: "FAC-2026-00012", 2: "FAC-2026-00013"}}
    assert slots.variables["facture"].source.element_label == "Rechercher une facture"
    assert slots.occurrence(1) == {"facture": "FAC-2026-00012"}


def test_words_around_a_value_are_not_part_of_it(page: ObservedScreen) -> None:
    """L4-3"""
    slots = typed(page, "Note pour Élodie du matin", "Note pour Jean Marc du matin", "Note pour Zoé du matin")
    assert slots.texts == {0: "Note pour ${facture} du matin"}
    assert list(slots.values["facture"].values()) == ["Élodie", "Jean Marc", "Zoé"]


def test_one_value_may_hold_all_words_of_another(page: ObservedScreen) -> None:
    """L4-3: at least one word is left to be the value"""
    slots = typed(page, "Note", "Note longue", "Note très longue")
    assert slots.texts == {0: "${facture}"}


def test_the_same_value_in_two_places_is_one_variable(page: ObservedScreen) -> None:
    """L4-3"""
    numbers = ("FAC-2026-00011", "FAC-2026-00012", "FAC-2026-00013")
    slots = infer_slots(
        pattern(*([typing_step(page, "Rechercher une facture", n), click_step(page, n)] for n in numbers))
    )
    assert list(slots.variables) == ["facture"]
    assert slots.texts == {0: "${facture}"}
    assert slots.labels[1] == "${facture}"


def test_a_value_typed_in_part_is_found_in_the_label(book: ScreenBook, page: ObservedScreen) -> None:
    """L4-3"""
    slots = infer_slots(
        pattern(
            *(
                [typing_step(page, "Rechercher une facture", f"0001{d}"), click_step(page, f"FAC-2026-0001{d}")]
                for d in (1, 2, 3)
            )
        )
    )
    assert slots.labels[1] == "FAC-2026-${facture}"
    assert len(slots.variables) == 1


def test_other_values_are_other_variables_with_names_of_their_own(book: ScreenBook) -> None:
    """L4-3"""
    form: list[AnyItem] = [
        ("text_input", "form_input", "Montant", FIELD),
        ("text_input", "form_input", "Montant payé", (40, 120, 300, 150)),
    ]
    page = book.draw("form", form)
    amounts, paid = ("10,50", "20,00", "30,25"), ("1,00", "2,00", "3,00")
    slots = infer_slots(
        pattern(
            *(
                [typing_step(page, "Montant", a), typing_step(page, "Montant payé", p)]
                for a, p in zip(amounts, paid, strict=True)
            )
        )
    )
    assert slots.texts == {0: "${montant}", 1: "${montant_paye}"}
    assert {v.subtype for v in slots.variables.values()} == {"amount"}


def test_two_fields_of_the_same_name_give_two_names(book: ScreenBook) -> None:
    """L4-3"""
    form: list[AnyItem] = [
        ("text_input", "form_input", "Nom", FIELD),
        ("text_input", "form_input", "Nom", (40, 120, 300, 150)),
    ]
    page = book.draw("form", form)
    one, other = ("Élodie", "Noël", "Zoé"), ("Lefèvre", "Garçon", "Müller")
    slots = infer_slots(
        pattern(*([typing_step(page, "Nom", a), typing_step(page, "Nom", b)] for a, b in zip(one, other, strict=True)))
    )
    assert slots.texts == {0: "${nom}", 1: "${nom_2}"}


def test_without_a_field_the_kind_of_value_names_the_variable(page: ObservedScreen) -> None:
    """L4-3"""
    dates = ("01/02/2026", "03/02/2026", "05/02/2026")
    slots = infer_slots(pattern(*([typing_step(page, None, text)] for text in dates)))
    assert list(slots.variables) == ["date"]


def test_a_secret_is_no_variable_and_no_text(page: ObservedScreen) -> None:
    """L0-7"""
    step = replace(typing_step(page, "Rechercher une facture", ""), text=None, secret_ref="secret_1")
    slots = infer_slots(pattern([step], [step], [step]))
    assert slots.texts == {}
    assert slots.variables == {}


def test_a_label_that_stays_is_that_label(book: ScreenBook) -> None:
    """L4-3"""
    slots = clicked_labels(book, "Valider", "Valider", "Valider", kind="button")
    assert slots.labels == {0: "Valider"}
    assert slots.variables == {}


@pytest.mark.parametrize(
    "read",
    [
        ("Enregistrer", "Enregistrer", "Enregistrcr"),
        ("Enregistrer", "Enregstrer", "Enregistrer"),
        ("← Retour à la liste", "= Retour à la liste", "+ Retour à la liste"),
        ("Échéance", "Echéance", "Échéance"),
    ],
)
def test_a_label_misread_once_is_no_variable(book: ScreenBook, read: Sequence[str]) -> None:
    """L4-3"""
    slots = clicked_labels(book, *read, kind="button")
    assert slots.variables == {}
    assert slots.labels == {0: read[0]}


@pytest.mark.parametrize(
    "read",
    [
        ("Activer", "Activer", "Désactiver"),
        ("Valider", "Valider", "Validée"),
        ("Lot 12", "Lot 12", "Lot 13"),
        ("Importer", "Exporter", "Importer"),
        ("Facture", "Facture", "Factures"),
    ],
)
def test_another_label_is_not_a_misreading(book: ScreenBook, read: Sequence[str]) -> None:
    """EX-7"""
    slots = clicked_labels(book, *read)
    assert len(slots.variables) == 1
    assert slots.labels[0] == "${" + next(iter(slots.variables)) + "}"


@pytest.mark.parametrize(
    ("read", "kind"),
    [
        (("Gautier", "Gautier", "Gauthier", "Gautier", "Gauthier"), "link"),
        (("Bernard", "Bernhard", "Bernard"), "cell"),
        (("Moreau", "Moreau", "Moreau", "Morceau"), "list_item"),
        (("Moreau", "Morceau", "Moreau", "Moreau", "Morceau"), "button"),
    ],
)
def test_a_name_that_differs_by_a_letter_is_another_name(book: ScreenBook, read: Sequence[str], kind: str) -> None:
    """EX-7: what lists hold is taken as it is read, and what came twice was not misread"""
    slots = clicked_labels(book, *read, kind=kind)
    assert len(slots.variables) == 1
    assert slots.labels[0] == "${" + next(iter(slots.variables)) + "}"


def test_what_no_reader_can_tell_apart_is_one_label_in_a_list_too(book: ScreenBook) -> None:
    """L4-3"""
    slots = clicked_labels(book, "Retour à la liste", "Retour à Ia liste", "Retour à la liste")
    assert slots.labels == {0: "Retour à la liste"}


def test_what_a_field_holds_is_not_its_name(book: ScreenBook) -> None:
    """L4-3: a field whose words change is found by what stands around it"""
    slots = clicked_labels(book, "12,00", "47,50", "3,10", kind="text_input")
    assert slots.labels == {0: None}
    assert slots.variables == {}


def rows(
    buttons: str, kind: str = "link", numbers: Sequence[str] = ("FAC-1", "FAC-2", "FAC-3", "FAC-4")
) -> list[AnyItem]:
    """A list in which every row has the same button at its end."""
    items: list[AnyItem] = []
    for index, number in enumerate(numbers):
        y = 100 + 40 * index
        items.append(("cell", "data_display", number, (40, y, 160, y + 24)))
        items.append(("cell", "data_display", "À valider", (200, y, 300, y + 24)))
        items.append(Item(kind, "action", buttons, (400, y, 480, y + 24)))  # type: ignore[arg-type]
    return items


@pytest.mark.parametrize(("label", "kind"), [("Ouvrir", "link"), ("Valider", "button"), ("", "icon")])
def test_a_row_is_known_by_the_value_that_was_asked_for(book: ScreenBook, label: str, kind: str) -> None:
    """L4-3, EX-7: the button says the same in every row, or nothing at all"""
    search: list[AnyItem] = [("text_input", "search", "Rechercher", FIELD), *rows(label, kind)]
    page = book.draw("page", search)
    slots = infer_slots(
        pattern(*([typing_step(page, "Rechercher", f"FAC-{i + 1}"), click_step(page, label, nth=i)] for i in range(3)))
    )
    assert len(slots.variables) == 1
    assert slots.rows[1] == ("${" + next(iter(slots.variables)) + "}",)
    assert slots.labels[1] == (label or None)


def test_a_row_chosen_without_searching_is_a_variable_too(book: ScreenBook) -> None:
    """L4-3"""
    page = book.draw("page", rows("Ouvrir"))
    slots = infer_slots(pattern(*([click_step(page, "Ouvrir", nth=i)] for i in (0, 2, 3))))
    assert list(slots.values.values()) == [{0: "FAC-1", 1: "FAC-3", 2: "FAC-4"}]
    assert slots.rows[0] == ("${" + next(iter(slots.variables)) + "}",)


def test_a_row_is_known_when_the_label_was_repeated_only_some_of_the_time(book: ScreenBook) -> None:
    """EX-7: the last one of a list stands alone"""
    screens = [book.draw(f"page_{n}", rows("Ouvrir", numbers=[f"FAC-{i}" for i in range(n, 4)])) for n in (1, 2, 3)]
    slots = infer_slots(pattern(*([click_step(screen, "Ouvrir")] for screen in screens)))
    assert list(slots.values.values()) == [{0: "FAC-1", 1: "FAC-2", 2: "FAC-3"}]
    assert slots.rows[0] != ()


def test_a_row_that_is_always_the_same_is_known_by_what_only_it_says(book: ScreenBook) -> None:
    """EX-7"""
    form: list[AnyItem] = [
        ("label", "data_display", "Pièce d'identité", (40, 100, 200, 124)),
        ("button", "action", "Parcourir", (300, 100, 400, 124)),
        ("label", "data_display", "Justificatif", (40, 140, 200, 164)),
        ("button", "action", "Parcourir", (300, 140, 400, 164)),
    ]
    page = book.draw("form", form)
    slots = infer_slots(pattern(*([click_step(page, "Parcourir", nth=1)] for _ in range(3))))
    assert slots.rows == {0: ("Justificatif",)}
    assert slots.variables == {}


def test_a_label_that_stands_alone_needs_no_row(page: ObservedScreen) -> None:
    """L4-3"""
    slots = infer_slots(pattern(*([click_step(page, "Statistiques")] for _ in range(3))))
    assert slots.rows == {0: ()}


def test_neighbours_stand_where_they_stood_every_time(book: ScreenBook) -> None:
    """EX-7: a header says nothing about a row that changes"""
    head: list[AnyItem] = [("label", "data_display", "Actions", (400, 60, 480, 84))]
    beside: list[AnyItem] = [("button", "action", "Imprimer", (600, 20, 700, 44))]
    page = book.draw("page", [*head, *rows("", "icon"), *beside])
    moving = [click_step(page, "", nth=i) for i in (0, 1, 2)]
    around = target_of(moving, label=None, row_contains=(), look=None).neighbours
    assert [one.label for one in around if one.label != "À valider"] == []
    fixed = [click_step(page, "Imprimer")] * 3
    (neighbour,) = target_of(fixed, label="Imprimer", row_contains=(), look=None).neighbours[:1]
    assert neighbour.label == "Actions"
    assert neighbour.direction == "left"
    assert neighbour.offset == (210, -40)


def test_a_value_is_no_landmark(book: ScreenBook) -> None:
    """L4-1"""
    page = book.draw("page", list_items(["FAC-2026-00011"]))
    target = target_of([click_step(page, "Patient B")] * 3, label="Patient B", row_contains=(), look=None)
    assert target.neighbours
    assert all(not any(char.isdigit() for char in neighbour.label) for neighbour in target.neighbours)
    assert target.place is not None
    assert target.place.bbox == element(page, "Patient B").bbox


def test_one_value_written_otherwise_is_one_variable(book: ScreenBook) -> None:
    """L4-3: an amount typed with a point and clicked with a comma"""
    occurrences = []
    for typed, shown in (("1250.50", "1 250,50 €"), ("7.00", "7,00 €"), ("99.90", "99,90 €")):
        page = book.draw(
            f"page_{typed}",
            [
                ("text_input", "form_input", "Montant", (40, 60, 300, 90)),
                ("link", "navigation", shown, (40, 150, 200, 172)),
            ],
        )
        occurrences.append([typing_step(page, "Montant", typed), click_step(page, shown)])
    slots = infer_slots(pattern(*occurrences))
    assert list(slots.variables) == ["montant"]
    assert slots.labels[1] == "${montant}"
