"""Before something is done because of a text: what a second reader's answer counts for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpa_vision.detection.second_look import SecondLook
from rpa_vision.models.geometry import Box
from rpa_vision.ports.perception import ReadText, TextConfirmer

PICTURE = np.zeros((60, 200, 3), np.uint8)
BOX = Box(10, 10, 110, 34)


class Says:
    """Gives its answers in turn, the last one for ever, and keeps the shapes it was asked about."""

    name = "says"

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.shapes: list[tuple[int, ...]] = []

    def read(self, lines):
        assert len(lines) == 1
        self.shapes.append(lines[0].shape)
        return [ReadText(self.answers.pop(0) if len(self.answers) > 1 else self.answers[0], 0.9)]


def checked(first: str, *answers: str, wanted: str = ""):
    confirmer: TextConfirmer = SecondLook(Says(*answers))
    return confirmer.confirm(PICTURE, BOX, ReadText(first, 0.9), wanted=wanted or first)


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        ("Valider", "Valider", "agree"),
        ("1 050,78 €", "1050,78€", "agree"),
        ("Prélèvement", "PRELEVEMENT", "agree"),
        ("FAC-2026-00012", "FAC-2026-00017", "differ"),
        ("12", "17", "differ"),
        ("Valider", "Supprimer", "differ"),
        ("Valider", "Valider tout", "differ"),
        ("Actif", "Inactif", "differ"),
        ("Oui", "Non", "differ"),
        ("OK", "0K", "differ"),
        ("Règlement", "Reglament", "cannot_tell"),
        ("Fermer", "x Fermer", "cannot_tell"),
        ("Fermer", "Fermer O", "cannot_tell"),
        ("Valider", "", "cannot_tell"),
    ],
)
def test_numbers_must_agree_by_every_character_and_words_but_for_a_slip(first, second, verdict):
    """EX-7, L2-6"""
    assert checked(first, second).verdict == verdict


def test_an_answer_that_changes_with_the_cut_tells_nothing():
    """EX-7"""
    assert checked("FAC-12", "FAC-17", "FAC-1Z").verdict == "cannot_tell"
    assert checked("FAC-12", "FAC-17", "FAC-17", "FAC-12").verdict == "cannot_tell"
    assert checked("FAC-12", "FAC-17", "FAC-17", "FAC-17").verdict == "differ"


def test_what_the_second_reads_may_be_what_was_wanted_all_along():
    """EX-7"""
    assert checked("Va1ider", "Valider", wanted="Valider").verdict == "agree"


def test_agreement_makes_surer_and_difference_less_sure():
    """L2-6"""
    agreed, differing, silent = checked("12", "12"), checked("12", "17"), checked("12", "")
    assert agreed.confidence > 0.98
    assert silent.confidence == pytest.approx(0.9)
    assert differing.confidence < 0.6
    assert (differing.first.text, differing.second.text) == ("12", "17")


def test_a_line_is_read_three_times_at_most_and_from_three_cuts():
    """PF: what a second look costs is bounded."""
    reader = Says("FAC-17")
    SecondLook(reader).confirm(PICTURE, BOX, ReadText("FAC-12", 0.9))
    assert reader.shapes == [(24, 100, 3), (28, 104, 3), (22, 100, 3)]
    reader = Says("FAC-12")
    SecondLook(reader).confirm(PICTURE, BOX, ReadText("FAC-12", 0.9))
    assert len(reader.shapes) == 1


def test_a_place_outside_the_picture_is_no_place():
    reader = Says("x")
    check = SecondLook(reader).confirm(PICTURE, Box(300, 10, 340, 30), ReadText("Valider", 0.9))
    assert (check.verdict, check.confidence, reader.shapes) == ("cannot_tell", 0.9, [])


@given(st.text(max_size=24), st.text(max_size=24), st.floats(0, 1))
def test_any_two_readings_give_a_verdict_and_a_confidence(first, second, sure):
    """EX-7"""
    check = SecondLook(Says(second)).confirm(PICTURE, BOX, ReadText(first, sure), wanted=first)
    assert 0 <= check.confidence <= 1
    if first and first == second and not first.isspace():
        assert check.verdict == "agree"
    if not "".join(second.split()):
        assert check.verdict != "differ"


def test_the_name_says_who_looks():
    assert SecondLook(Says("x")).name == "second:says"
