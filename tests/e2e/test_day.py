"""The day in a small form: one task with a rule, shown with noise, learned from one recording, then done alone.

The whole day, with its three tasks mixed, takes minutes: `python -m rpa_vision.demo.day all FOLDER` (docs/clinic.md).
"""

from __future__ import annotations

import pytest

from rpa_vision.demo.day.agenda import DaySize
from rpa_vision.demo.day.bench import DayResult, whole_day

pytestmark = pytest.mark.soak

SEED = 21
SHOWN = DaySize(slips=0, claims=10, journal=0, expiries=0, interruptions=0, broken_off=1, noise_share=0.1)
ALONE = DaySize(slips=0, claims=2, journal=0, expiries=0, interruptions=0, broken_off=0)


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> DayResult:
    return whole_day(tmp_path_factory.mktemp("day"), SEED, SHOWN, speed=3.0, alone=ALONE)


def test_one_task_was_found_with_all_its_steps_and_no_other(day: DayResult) -> None:
    """L0-4, L0-5, L4-2: neither the noise nor the go that was broken off became a step."""
    assert day.problem == ""
    assert (day.workflows, day.foreign_workflows) == (1, ())
    (task,) = day.tasks
    assert (task.missing, task.steps_foreign) == ([], 0)
    assert day.boundary_f1 is not None
    assert day.boundary_f1 >= 0.9


def test_what_differs_is_a_variable_and_the_amount_is_read_from_the_screen(day: DayResult) -> None:
    """L4-3"""
    (task,) = day.tasks
    assert set(task.variables) == {"claim", "amount"}
    assert (task.extra_variables, task.wrong_source) == ([], [])


def test_the_rule_decides_every_claim_of_the_clinic_as_the_person_did(day: DayResult) -> None:
    """L4-4"""
    (task,) = day.tasks
    assert task.particular == {"rule": True, "decides": True}


def test_new_claims_are_decided_alone_on_both_sides_of_the_limit(day: DayResult) -> None:
    """EX-7: judged by the clinic's own database."""
    assert [run.verdict for run in day.runs] == ["completed", "completed"], [run.reason for run in day.runs]
