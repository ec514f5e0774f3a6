"""What was repeated, in days that are anything but tidy."""

from __future__ import annotations

from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_days import log_of, said, scored, segmented

from rpa_vision.graph.routines.discovery import find_routines
from rpa_vision.graph.routines.stream import Deed, stream_of
from rpa_vision.testing.event_logs import LogPlan, generate_log

SEEDS = range(100, 106)
"""Never looked at while the code was made."""


@pytest.mark.parametrize("noise", [0.0, 0.1, 0.2, 0.3])
@pytest.mark.parametrize("interleaved", [0.0, 0.3])
def test_routines_are_found_in_noise_and_interleaving(noise: float, interleaved: float) -> None:
    """L0-4, L0-5, L4-2: three routines with variants, no pauses, some broken off"""
    plan = LogPlan(noise=noise, interleaved=interleaved, abandoned=0.05)
    scores = [scored(generate_log(seed, plan)) for seed in SEEDS]
    assert mean(one.boundary_precision for one in scores) >= 0.95
    assert mean(one.boundary_recall for one in scores) >= 0.95
    assert mean(one.routine_v_measure for one in scores) >= 0.97
    if noise:
        assert mean(one.noise_precision for one in scores) >= 0.93
        assert mean(one.noise_recall for one in scores) >= 0.95


def test_tasks_done_in_turn_are_told_apart_by_the_breath_between_them() -> None:
    """L0-4"""
    scores = [scored(generate_log(seed, LogPlan(round_robin=True, pauses=True, noise=0.1))) for seed in SEEDS]
    assert min(one.boundary_recall for one in scores) >= 0.95


def test_two_times_are_not_a_routine_and_three_are() -> None:
    """P003-16"""
    once = "find open check save close"
    assert set(segmented(log_of(" ".join([once] * 2))).routine_of) == {None}
    rows = log_of(" ".join([once] * 3))
    assert list(said(rows, segmented(rows)).values()) == [once] * 3


def test_a_task_that_was_interrupted_and_resumed_is_one() -> None:
    """L0-4"""
    a, b = "a1 a2 a3 a4 a5", "b1 b2 b3 b4"
    rows = log_of(f"{a} {b} {b} {a} a1 a2 {b} a3 a4 a5 {a} {b}")
    found = segmented(rows)
    assert sorted(said(rows, found).values()) == [a] * 4 + [b] * 4
    resumed = next(one for one in found.session.segments if one.event_indices is not None)
    assert resumed.event_indices == (18, 19, 24, 25, 26)


def test_a_task_that_was_broken_off_is_told_as_such() -> None:
    """L0-4: it is not half learned"""
    a = "a1 a2 a3 a4 a5 a6"
    rows = log_of(f"{a} {a} a1 a2 a3 {a} {a}")
    found = segmented(rows)
    assert [said(rows, found)[name] for name in found.incomplete] == ["a1 a2 a3"]
    assert list(said(rows, found).values()).count(a) == 4


def test_a_shared_beginning_that_is_sometimes_broken_off_is_no_task_of_its_own() -> None:
    """L0-4, L4-2: every go is whole, or told as broken off"""
    one, two, begun = "new name city vat save", "new name city send close", "new name city"
    goes = [one, two, two, begun, one, one, two, one, begun, two, two, one, two, begun, one, two, one, one, begun, two]
    rows = log_of(" ".join(goes))
    found = segmented(rows)
    assert list(said(rows, found).values()) == goes
    assert [said(rows, found)[name] for name in found.incomplete] == [begun] * 4


def test_similar_tasks_with_little_in_common_stay_two() -> None:
    """L4-2"""
    one, two = "login list edit1 edit2 edit3 save", "login list del1 del2 del3 sure"
    rows = log_of(" ".join([one, two, two, one, one, two, one, two, two, one]))
    found = segmented(rows)
    assert sorted(said(rows, found).values()) == sorted([one] * 5 + [two] * 5)
    of = {said(rows, found)[one.segment_id]: one.label for one in found.session.segments}
    assert len(set(of.values())) == 2


def test_a_branch_in_the_middle_is_a_variant_of_one_task() -> None:
    """L4-4: what a rule may explain later"""
    small = "find open read amount approve back list"
    large = "find open read amount forward boss back list"
    rows = log_of(" ".join([small, large, small, small, large, large, small]))
    found = segmented(rows)
    assert list(said(rows, found).values()).count(small) == 4
    assert len({one.label for one in found.session.segments}) == 1
    assert set(found.variants.values()) == {1, 2}


def test_rows_of_a_list_inside_a_task_are_part_of_it() -> None:
    """L4-5"""
    rows = log_of(" ".join(f"menu list {' '.join(['row tick ok'] * n)} report quit" for n in (3, 2, 4, 3, 5)))
    found = segmented(rows)
    assert [text.split()[0] + text.split()[-1] for text in said(rows, found).values()] == ["menuquit"] * 5


def test_names_that_change_from_case_to_case_are_values() -> None:
    """L4-2: an invoice clicked by its number is the same step each time"""
    rows = log_of(" ".join(f"search F-{n} open F-{n} check save" for n in range(10, 16)))
    assert len(set(segmented(rows).segment_of)) == 6
    fields = log_of(" ".join(["field1 field2 field3 ok"] * 4))
    assert len(stream_of([Deed((row.target, "field")) for row in fields]).labels) == 4


def test_the_first_event_of_a_recording_tells_where_a_task_begins() -> None:
    """L0-4: nothing else does in this log"""
    rows = log_of(" ".join(["c d e a b"] * 5))
    assert list(said(rows, segmented(rows)).values()) == ["c d e a b"] * 5


@settings(max_examples=60)
@given(st.lists(st.sampled_from("abcdefg"), max_size=60))
def test_whatever_was_done_each_deed_has_one_place(sequence: list[str]) -> None:
    """P003-16, L0-5: and what is called a routine was done three times"""
    found = find_routines([Deed((name,), float(at)) for at, name in enumerate(sequence)])
    assert len(found.run_of) == len(sequence)
    assert sorted(deed for run in found.runs for deed in run.deeds) == [
        at for at, number in enumerate(found.run_of) if number is not None
    ]
    for routine in range(len(found.backbones)):
        assert sum(run.routine == routine and run.is_complete for run in found.runs) >= 3


def test_noise_alone_is_no_routine() -> None:
    """P003-16"""
    for seed in SEEDS:
        log = generate_log(seed, LogPlan(routines=1, executions=2, noise=0.9, strange_kinds=30))
        assert set(segmented(log.rows).routine_of) == {None}
