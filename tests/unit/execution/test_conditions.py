"""The small language of conditions: what holds, what does not, and that nothing unknown ever holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pytest
from run_by_hand import FIELD, PAGE

from rpa_vision.detection.second_look import SecondLook
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.conditions import Moment, describe, judge, reads_as
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.ports.perception import ReadText
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook

VALUES = {"facture": "FAC-2026-00012", "montant": "250,00 €", "vide": ""}


@dataclass
class Scripted:
    """A reader that reads the same whatever it is shown."""

    answer: ReadText
    name: str = "scripted"

    def read(self, lines: Sequence[Pixels]) -> list[ReadText]:
        return [self.answer for _ in lines]


class SpoiledByCarets:
    """A reader that takes a « c » with a bar behind it for a « d »."""

    name = "spoiled"

    def read(self, lines: Sequence[Pixels]) -> list[ReadText]:
        barred = [bool((line.min(axis=2) < 100).mean(axis=0).max() > 0.7) for line in lines]
        return [ReadText("claire.gnumerid" if bar else "claire.gnumeric", 0.98) for bar in barred]


def texts(*lines: str) -> list[AnyItem]:
    return [("label", "x", line, (40, 60 + 30 * index, 500, 84 + 30 * index)) for index, line in enumerate(lines)]


def holds(
    condition: str, now: ObservedScreen, *, before: ObservedScreen | None = None, field: Box | None = None
) -> bool:
    return judge(condition, Moment(before or now, now, VALUES, field)).holds


@pytest.mark.parametrize("name", ["text_present", "text_appears"])
@pytest.mark.parametrize(
    ("argument", "shown", "expected"),
    [
        ("Facture validée", "Facture validée", True),
        ("facture VALIDEE", "Facture validée", True),
        ("Facture validée", "Facture vaiidée", True),
        ("Validée", "Valider", False),
        ("validée", "Facture invalidée", False),
        ("validée", "Facture non validée", False),
        ("non validée", "Facture non validée", True),
        ("validée", "La facture n'a pu être validée", False),
        ("validated", "The invoice cannot be validated", False),
        ("validée", "Facture jamais validée", False),
        ("validée", "La facture sera validée demain", False),
        ("validée", "La facture doit être bien validée", False),
        ("validée", "La facture est validée et sera envoyée", True),
        ("Facture ${facture}", "Facture FAC-2026-00012", True),
        ("${facture}", "Facture FAC-2026-00012 validée", True),
        ("${facture}", "Facture FAC-2026-000121 validée", False),
        ("${facture}", "Facture FAC-2026-00013 validée", False),
        ("${montant}", "Total 250,00 €", True),
        ("${montant}", "Total 1 250,00 €", False),
        ("Total 5 $$", "Total 5 $", True),
        ("Heure : 10:31", "Heure : 10:31", True),
        ("", "Facture", False),
        ("${vide}", "Facture", False),
        ("${inconnue}", "${inconnue}", False),
        ("$", "$", False),
    ],
)
def test_a_text_is_present_as_whole_words_with_its_values(
    book: ScreenBook, name: str, argument: str, shown: str, expected: bool
) -> None:
    """L4-15"""
    assert holds(f"{name}:{argument}", book.draw("s", texts("Autre chose", shown))) is expected


@pytest.mark.parametrize("name", ["text_absent", "text_vanishes"])
@pytest.mark.parametrize(
    ("argument", "shown", "expected"),
    [
        ("Session expirée", "Bienvenue", True),
        ("Session expirée", "Session expirée", False),
        ("Session expirée", "Session expirez", False),
        ("Session expirée", "Votre session expirée depuis peu", False),
        ("${facture}", "FAC-2026-00012", False),
        ("", "Bienvenue", False),
        ("${vide}", "Bienvenue", False),
        ("${inconnue}", "Bienvenue", False),
    ],
)
def test_a_text_is_absent_when_nothing_like_it_is_there(
    book: ScreenBook, name: str, argument: str, shown: str, expected: bool
) -> None:
    """L4-15: what may be there has not vanished"""
    assert holds(f"{name}:{argument}", book.draw("s", texts(shown))) is expected


def test_an_element_is_visible_by_role_or_type(book: ScreenBook) -> None:
    """L4-15"""
    page = book.draw("s", PAGE)
    assert holds("element:validate_visible", page)
    assert holds("element:button_visible", page)
    assert not holds("element:delete_action_visible", page)
    assert not holds("element:validate", page)
    assert not holds("element:", page)


def test_a_window_title_changes_or_holds_a_text(book: ScreenBook) -> None:
    """L4-15"""
    one, other = book.draw("a", PAGE, title="Factures"), book.draw("b", PAGE, title="Facture 12 — Réglée")
    assert holds("window_title_changed", other, before=one)
    assert not holds("window_title_changed", one, before=one)
    assert holds("window_title_contains:reglee", other)
    assert not holds("window_title_contains:reglee", one)
    assert not holds("window_title_contains:", one)


def test_a_screen_changes_when_a_pixel_does(book: ScreenBook) -> None:
    """L4-15"""
    one, other = book.draw("a", texts("Un")), book.draw("b", texts("Deux"))
    assert holds("screen_changed", other, before=one)
    assert not holds("screen_changed", one, before=one)


def test_a_target_changes_where_it_is(book: ScreenBook) -> None:
    """L4-15"""
    tick = Box(40, 60, 56, 76)
    one = book.draw("a", [("checkbox", "x", "", tick.bbox)])
    ticked = book.draw("b", [("checkbox", "x", "", tick.bbox), ("image", "x", "", (44, 64, 52, 72))])
    elsewhere = book.draw("c", [("checkbox", "x", "", tick.bbox), ("image", "x", "", (440, 464, 452, 472))])
    assert holds("target_changed", ticked, before=one, field=tick)
    assert not holds("target_changed", elsewhere, before=one, field=tick)
    assert not holds("target_changed", one, before=one, field=tick)


@pytest.mark.parametrize(
    ("held", "argument", "expected"),
    [
        ("FAC-2026-00012", "${facture}", True),
        ("FAC-2026-00013", "${facture}", False),
        ("1FAC-2026-00012", "FAC-2026-00012", False),
        ("312", "12", False),
        ("12", "12", True),
        ("DupontMartin", "Martin", False),
        ("Martin", "Martin", True),
        ("Compte rendu : Éiodie LEFÈVRE", "Compte rendu : Élodie LEFÈVRE", True),
        ("Lettre au sujet du patient", "Lettre au sujet du patient suivi depuis longtemps", True),
        ("du patient suivi", "Lettre au sujet du patient suivi depuis longtemps", False),
        ("-12", "12", False),
        ("", "Martin", False),
    ],
)
def test_a_field_reads_as_what_was_typed(book: ScreenBook, held: str, argument: str, expected: bool) -> None:
    """L4-15, EX-7: letters may be misread, digits may not, and what was there before does not count"""
    items: list[AnyItem] = [*texts("FAC-2026-00012"), Item("text_input", "form_input", "Motif", FIELD, value=held)]
    assert holds(f"field_contains:{argument}", book.draw("s", items), field=Box.of(FIELD).padded(4)) is expected


def test_what_the_title_of_the_window_says_is_on_the_screen(book: ScreenBook) -> None:
    """L4-15: however its small print was read"""
    before = book.draw("a", texts("Factures"), title="Factures — Clinique")
    after = book.draw("b", texts("Recherche : FAC-2026-0011"), title="Recherche : FAC-2026-00012 — Clinique")
    assert holds("text_appears:Recherche : ${facture} — Clinique", after, before=before)
    assert not holds("text_appears:Recherche : FAC-2026-00013 — Clinique", after, before=before)
    assert not holds("text_appears:Recherche : ${facture} — Clinique", before, before=before)


def test_without_a_field_what_was_written_since_is_read(book: ScreenBook) -> None:
    """L4-15"""
    before = book.draw("a", texts("Bonjour"))
    after = book.draw("b", texts("Bonjour", "Compte rendu"))
    assert holds("field_contains:Compte rendu", after, before=before)
    assert not holds("field_contains:Bonjour", after, before=before)


def test_a_field_of_several_lines_keeps_what_it_held(book: ScreenBook) -> None:
    """L4-15, EX-7: only a line of its own counts, and only one that was not there before"""
    before = book.draw("a", texts("Journal", "FAC-2026-00011"))
    after = book.draw("b", texts("Journal", "FAC-2026-00011", "FAC-2026-00012"))
    page = Box(0, 0, 800, 600)
    assert holds("field_contains:FAC-2026-00012", after, before=before, field=page)
    assert not holds("field_contains:FAC-2026-00011", after, before=before, field=page)
    assert not holds("field_contains:FAC-2026-0001", after, before=before, field=page)


@pytest.mark.parametrize(
    ("second", "sureness", "expected"),
    [
        ("FAC-2026-00012 : 1 065,94 €", 0.97, True),
        ("FAC-2026-00012 : 1 065,94 €", 0.6, False),
        ("FAC-2026-00012 : 1 065,84 €", 0.97, False),
        ("", 0.0, False),
    ],
)
def test_what_seems_written_wrong_is_read_again_before_it_is_said(
    book: ScreenBook, second: str, sureness: float, expected: bool
) -> None:
    """L4-15, EX-7: a caret beside the text spoils it for the first reader; another value is never taken for it"""
    before = book.draw("a", texts("Journal", "FAC-2026-00011 : 513,95 €"))
    after = book.draw("b", texts("Journal", "FAC-2026-00011 : 513,95 €", "FAC-2026-00012 105"))
    look = SecondLook(Scripted(ReadText(second, sureness)))
    moment = Moment(before, after, {}, Box(0, 0, 800, 600), look)
    assert judge("field_contains:FAC-2026-00012 : 1 065,94 €", moment).holds is expected
    assert not judge("field_contains:FAC-2026-00012 : 1 065,94 €", replace(moment, confirmer=None)).holds


class Blind:
    """A second reader that breaks."""

    name = "blind"

    def read(self, lines: Sequence[Pixels]) -> list[ReadText]:
        raise ZeroDivisionError("a bug")


def test_what_seems_written_wrong_and_cannot_be_read_again_is_not_written(book: ScreenBook) -> None:
    """EX-6, EX-7: a second reader that breaks stops no run, and confirms nothing"""
    before = book.draw("a", texts("Journal"))
    after = book.draw("b", texts("Journal", "FAC-2026-00012 105"))
    moment = Moment(before, after, {}, Box(0, 0, 800, 600), SecondLook(Blind()))
    verdict = judge("field_contains:FAC-2026-00012 : 1 065,94 €", moment)
    assert (verdict.holds, "FAC-2026-00012 105" in verdict.seen) == (False, True)
    assert judge("field_contains:FAC-2026-00012 105", moment).holds


def test_the_caret_is_not_read_as_a_part_of_the_last_letter(book: ScreenBook) -> None:
    """L4-15"""
    before, after = book.draw("a", texts("Nom")), book.draw("b", texts("Nom", "claire.gnumerid"))
    (line,) = (Box.of(one.bbox) for one in after.state.perception.text_lines if one.text == "claire.gnumerid")
    place = after.pixels[line.y1 - 2 : line.y2 + 2, line.x1 : line.x2 + 4]
    inked = (place.min(axis=2) < 100).any(axis=0).nonzero()[0]
    place[:, inked[-1] + 1] = 0
    moment = Moment(before, after, {}, Box(0, 0, 800, 600), SecondLook(SpoiledByCarets()))
    assert judge("field_contains:claire.gnumeric", moment).holds


@pytest.mark.parametrize(
    ("seen", "wanted"),
    [
        ("Plan B", "Plan A"),
        ("Vitamine D", "Vitamine C"),
        ("Groupe", "Groupe A"),
        ("Groupe A", "Groupe"),
        ("Dupont M", "Dupont J"),
        ("Monsieur Giraud", "Monsieur Girard"),
        ("Rendez-vous avec Monsieur Giraud", "Rendez-vous avec Monsieur Girard"),
        ("1,250", "1250"),
        ("123", "00123"),
        ("7", "07"),
    ],
)
def test_another_value_is_not_what_was_written(seen: str, wanted: str) -> None:
    """L4-15, EX-7: one letter makes another name, another group, another plan"""
    assert not reads_as(seen, wanted)


@pytest.mark.parametrize(
    ("seen", "wanted"),
    [
        ("Dupont ×", "Dupont"),
        ("Plan A |", "Plan A"),
        ("1 065,94 €", "1065,94 €"),
        ("Payer 12 €", "Payer 12 €"),
        ("Rendez-vous avec Monsleur le directeur Girard", "Rendez-vous avec Monsieur le directeur Girard"),
    ],
)
def test_what_stands_beside_a_text_and_a_slip_in_a_long_one_are_forgiven(seen: str, wanted: str) -> None:
    """L4-15"""
    assert reads_as(seen, wanted)


def test_an_icon_that_is_read_as_a_letter_is_no_part_of_the_value(book: ScreenBook) -> None:
    """L4-15: the cross at the end of a search field"""
    field = Box(40, 100, 440, 130)
    before = book.draw("empty", [("label", "x", "Nom", (40, 60, 100, 84))])
    typed: list[AnyItem] = [("label", "x", "Dupont", (48, 104, 130, 126)), ("label", "x", "X", (418, 106, 432, 124))]
    after = book.draw("typed", [("label", "x", "Nom", (40, 60, 100, 84)), *typed])
    assert judge("field_contains:Dupont", Moment(before, after, {}, field)).holds
    close: list[AnyItem] = [("label", "x", "Dupont", (48, 104, 130, 126)), ("label", "x", "X", (136, 106, 150, 124))]
    other = book.draw("other", [("label", "x", "Nom", (40, 60, 100, 84)), *close])
    assert not judge("field_contains:Dupont", Moment(before, other, {}, field)).holds


@pytest.mark.parametrize("condition", ["text_apears:Facture", "", ":", "eval:True", "TEXT_PRESENT:Facture", "Facture"])
def test_an_unknown_condition_does_not_hold(book: ScreenBook, condition: str) -> None:
    """L4-15: it is a failure, not a pass"""
    verdict = judge(condition, Moment(book["page"], book["page"], {}))
    assert not verdict.holds
    assert verdict.seen.startswith("unknown condition")


def test_what_was_seen_is_told(book: ScreenBook) -> None:
    """L4-15: expected against actual"""
    moment = Moment(book["page"], book["page"], VALUES)
    assert judge("text_present:${facture}", moment).seen == "« FAC-2026-00012 » is not on the screen"
    assert judge("window_title_contains:x", moment).seen == "the window title is 'Facture'"


@pytest.mark.parametrize(
    ("condition", "values", "said"),
    [
        ("text_appears:Facture ${facture}", VALUES, "« Facture FAC-2026-00012 » to appear"),
        ("text_appears:Facture ${facture}", {}, "« Facture ${facture} » to appear"),
        ("window_title_changed", {}, "another window title"),
        ("nonsense:x", {}, "nonsense:x"),
    ],
)
def test_a_condition_is_told_in_words(condition: str, values: Mapping[str, str], said: str) -> None:
    """UX-4"""
    assert describe(condition, values) == said


def test_nothing_typed_reads_as_an_empty_field() -> None:
    """L4-15"""
    assert reads_as("", "")
    assert not reads_as("Dupont", "")


def rows_of(*rows: tuple[str, str]) -> list[AnyItem]:
    return [
        ("cell", "x", text, (40 + 300 * column, 60 + 40 * index, 300 + 300 * column, 84 + 40 * index))
        for index, row in enumerate(rows)
        for column, text in enumerate(row)
    ]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("FAC-2026-00012", "Validée"), ("FAC-2026-00013", "À faire")], True),
        ([("FAC-2026-00012", "À faire"), ("FAC-2026-00013", "Validée")], False),
        ([("FAC-2026-00013", "Validée")], False),
        ([("FAC-2026-00012", "Validée"), ("FAC-2026-00012", "À faire")], False),
        ([("FAC-2026-00012", "Non validée")], False),
    ],
)
def test_a_row_says_something_by_itself(book: ScreenBook, rows: list[tuple[str, str]], expected: bool) -> None:
    """EX-7, L4-15: the row of the value, and no other"""
    assert holds("row_says:${facture}=Validée", book.draw("now", rows_of(*rows))) is expected
    assert not holds("row_says:${facture}", book.draw("now", rows_of(*rows)))


def test_what_a_target_is_called_by_now_counts_where_it_is_waited_for(book: ScreenBook) -> None:
    """EX-5: « Enregistrer » is « Consigner » by now"""
    now = book.draw("now", texts("Consigner"))
    names = {"enregistrer": ("Consigner",)}
    moment = Moment(now, now, VALUES, other_names=names)
    assert judge("text_appears:Enregistrer", moment).holds
    assert not judge("text_vanishes:Enregistrer", moment).holds, "it is still there, under its new name"
    assert not holds("text_appears:Enregistrer", now)


def test_a_text_that_landed_in_another_field_is_not_written(book: ScreenBook) -> None:
    """L4-15, EX-7: the field held it before, and it is another one that changed"""
    own, other = (40, 180, 300, 210), (40, 240, 300, 270)

    def form(value: str) -> list[AnyItem]:
        fields = (Item("text_input", "form_input", "Motif", own, value="grippe"),)
        return [*fields, Item("text_input", "form_input", "Code", other, value=value)]

    before, astray = book.draw("before", form("")), book.draw("astray", form("grippe"))
    assert not holds("field_contains:grippe", astray, before=before, field=Box(*own))
    assert holds("field_contains:grippe", before, before=before, field=Box(*own))


def test_a_clock_that_goes_on_is_no_effect(book: ScreenBook) -> None:
    """L4-15: what tells the time changes whatever is done; a list beside it does not"""

    def at(time: str, *more: AnyItem) -> ObservedScreen:
        clocks: list[AnyItem] = [
            ("label", "data_display", f"{place} {time}", (640, 440 + 30 * index, 790, 464 + 30 * index))
            for index, place in enumerate(["Paris", "Lyon", "Lille", "Brest"])
        ]
        return book.draw(f"at_{time.replace(':', '_')}_{len(more)}", [*PAGE, *clocks, *more])

    before, button = at("08:58:57"), Box(20, 20, 40, 40)
    came_up: AnyItem = ("label", "data_display", "08:59:26 Facture validée", (300, 500, 600, 530))
    assert not judge("elsewhere_changed", Moment(before, at("08:59:26"), {}, button)).holds
    assert judge("elsewhere_changed", Moment(before, at("08:59:26", came_up), {}, button)).holds
    assert judge("elsewhere_changed", Moment(before, at("10:28:40"), {}, button)).holds, "put off, not gone on"
