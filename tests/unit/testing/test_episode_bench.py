"""Event logs with a known truth, cut into cases, also with foreign work between."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from rpa_vision.errors import DocumentError
from rpa_vision.testing.episode_bench import Foreign, boundary_f1, edit_distance, measure, read_truth, with_foreign
from rpa_vision.testing.event_logs import LogPlan, generate_log

DAY = generate_log(17, LogPlan(executions=12))


@pytest.mark.parametrize("in_bursts", [False, True])
def test_foreign_work_is_kept_out_of_the_cases(in_bursts: bool) -> None:
    """L0-4, L0-5, issue 5: a burst of foreign work in one case is no step of it"""
    scores = measure(DAY.rows, DAY.cases, Foreign(0.3, in_bursts=in_bursts, seed=904))
    assert scores.cases_found == scores.cases_true == 36
    assert scores.boundary_f1_within_one >= 0.95
    assert scores.led <= 0.10
    assert scores.foreign_in_cases <= 0.01 * scores.foreign


def test_foreign_rows_stand_between_the_rows_and_change_none() -> None:
    """L0-4"""
    for foreign in (Foreign(0.3, seed=1), Foreign(0.3, in_bursts=True, seed=1)):
        mixed, own = with_foreign(DAY.rows, foreign)
        assert [mixed[index] for index in own] == list(DAY.rows)
        assert len(mixed) - len(own) == round(0.3 * len(mixed))
        assert (mixed, own) == with_foreign(DAY.rows, foreign)
        assert mixed != with_foreign(DAY.rows, replace(foreign, seed=2))[0]
    assert with_foreign(DAY.rows, Foreign()) == (list(DAY.rows), list(range(len(DAY.rows))))


def test_what_is_exactly_true_is_the_best_and_nothing_the_worst() -> None:
    """L0-4"""
    assert edit_distance(DAY.rows, DAY.cases, DAY.cases) == 0.0
    assert edit_distance(DAY.rows, DAY.cases, [None] * len(DAY.rows)) == 1.0
    assert boundary_f1({3, 9}, {4, 9}, within=0) == 0.5
    assert boundary_f1({3, 9}, {4, 9}, within=1) == 1.0
    assert boundary_f1({3}, set(), within=1) == 0.0


@pytest.mark.parametrize("written", [[0, 1, None], {"case": [0, 1, -1]}, {"day": {"case": [0, 1, -1]}, "x": {}}])
def test_truth_is_read_as_people_write_it(written: object) -> None:
    """UX-1"""
    assert read_truth(json.dumps(written).encode(), "day", 3) == [0, 1, None]


@pytest.mark.parametrize("content", [b"{", b"[1, 2]", b'{"case": 3}', b"[[1], 2, 3]"])
def test_truth_that_does_not_fit_is_refused(content: bytes) -> None:
    """UX-1"""
    with pytest.raises(DocumentError, match="truth: "):
        read_truth(content, "day", 3)
