"""The score of a day can be trusted: what is right counts as right, and every mistake shows."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from day_documents import claims, click, journal, slips, workflow

from rpa_vision.demo.day.agenda import Go, plan_day
from rpa_vision.demo.day.alone import judge
from rpa_vision.demo.day.truth import DayTruth, tell, variables_of
from rpa_vision.demo.day.understanding import plain, understood
from rpa_vision.models.raw_session import Environment, Event, RecordedSession, ScreenEnvironment, UserRef
from rpa_vision.models.workflow_graph import Workflow

TRUTH = DayTruth("sess_1", plan_day(4), ())


def shown(task: str) -> dict[str, tuple[str, ...]]:
    goes = [variables_of(go) for go in TRUTH.agenda.goes if go.task == task]
    return {name: tuple(go[name] for go in goes) for name in goes[0]}


def everything() -> list[Workflow]:
    return [slips(examples=shown("slips")["slip"]), claims(examples=shown("claims")), journal(shown("journal"))]


def test_workflows_that_say_what_is_true_are_right() -> None:
    """L4-2 … L4-7: and nothing else is claimed of them."""
    tasks, foreign = understood(TRUTH, everything())
    assert [(task.task, task.is_right, task.steps_foreign, task.extra_variables) for task in tasks] == [
        ("slips", True, 0, []),
        ("claims", True, 0, []),
        ("journal", True, 0, []),
    ]
    assert foreign == []


def test_a_workflow_of_nothing_that_was_done_is_foreign() -> None:
    noise = workflow("aide", [(click("Aide"), {}), (click("Statistiques"), {})], {})
    tasks, foreign = understood(TRUTH, [*everything(), noise])
    assert foreign == ["aide"]
    assert all(task.is_right for task in tasks)


@pytest.mark.parametrize("expression", ["montant < 500", "montant > 1000", "montant <= 3000"])
def test_a_rule_that_decides_otherwise_is_not_right(expression: str) -> None:
    """L4-4"""
    (task,) = [t for t in understood(TRUTH, [claims(expression, shown("claims"))])[0] if t.task == "claims"]
    assert task.particular == {"rule": True, "decides": False}


@pytest.mark.parametrize("filter_", ["statut != 'Validé'", "statut == 'Validé'", "reglement != ''"])
def test_a_filter_that_takes_other_rows_is_not_right(filter_: str) -> None:
    """L4-5: disputed payments are to be left alone."""
    (task,) = [t for t in understood(TRUTH, [slips(filter_, shown("slips")["slip"])])[0] if t.task == "slips"]
    assert task.particular == {"loop": True, "filter": False, "paging": True}


def test_one_click_does_not_count_as_two_steps() -> None:
    """L4-2: opening the slip and opening a payment both click a value, and are two steps."""
    whole = slips(examples=shown("slips")["slip"])
    without = [edge for edge in whole.edges if edge.edge_id != "e1"]
    (task,) = [
        t for t in understood(TRUTH, [whole.model_copy(update={"edges": tuple(without)})])[0] if t.task == "slips"
    ]
    assert (task.steps_found, len(task.missing), task.is_right) == (5, 1, False)


def test_without_a_way_out_the_recovery_is_not_right() -> None:
    """L4-6"""
    (task,) = [t for t in understood(TRUTH, [journal(shown("journal"), recovers=False)])[0] if t.task == "journal"]
    assert task.particular == {"screen": False, "way_out": False}
    assert not task.is_right


def test_a_way_out_that_never_presses_the_button_is_none() -> None:
    """L4-6"""
    (task,) = [t for t in understood(TRUTH, [journal(shown("journal"), signs_in=False)])[0] if t.task == "journal"]
    assert task.particular == {"screen": True, "way_out": False}


def test_values_are_compared_as_people_read_them() -> None:
    assert plain("1\u00a0050,78\u00a0€") == plain("1050.78") == plain("1 050,78 €")
    assert plain("FAC-2026-00123") == "FAC-2026-00123"


SLIP = Go("slips-1", "slips", "BOR-1", rows=("REG-1", "REG-2"))
RIGHT = {"BOR-1": "closed", "REG-1": "validated", "REG-2": "validated"}


@pytest.mark.parametrize(
    ("status", "changes", "verdict"),
    [
        ("success", RIGHT, "completed"),
        ("halted", RIGHT, "halted"),
        ("halted", {"REG-1": "validated"}, "halted"),
        ("halted", {}, "halted"),
        ("success", {}, "wrong"),
        ("success", {"BOR-1": "closed", "REG-1": "validated"}, "wrong"),
        ("halted", {"REG-9": "validated"}, "wrong"),
        ("success", RIGHT | {"REG-9": "validated"}, "wrong"),
        ("success", RIGHT | {"line 0": "FAC-1 : 1,00 €"}, "wrong"),
    ],
)
def test_a_run_is_judged_by_what_it_changed(status: str, changes: dict[str, str], verdict: str) -> None:
    """EX-7: a run that says it is done and is not is wrong; so is one that touched anything else."""
    assert judge(SLIP, status, changes) == verdict


def test_a_line_in_the_journal_must_be_the_right_one() -> None:
    go = Go("journal-1", "journal", "FAC-2026-00101", amount="1\u00a0050,78\u00a0€")
    assert judge(go, "success", {"line 3": "FAC-2026-00101 : 1 050,78 €"}) == "completed"
    assert judge(go, "success", {"line 3": "FAC-2026-00101 : 1 050,7 €"}) == "wrong"
    assert judge(go, "halted", {"line 3": "FAC-2026-00102 : 1 050,78 €"}) == "wrong"
    assert judge(go, "failed", {}) == "halted"


def test_an_event_belongs_to_the_inner_entry_of_the_diary() -> None:
    """L0-5: a typo in the middle of a word is noise, the word is not."""
    began = datetime(2026, 3, 1, 8, tzinfo=UTC)
    at = began.timestamp()
    agenda = plan_day(4)
    go = agenda.goes[0].name
    diary = [
        {"from": at + 2.0, "to": at + 3.0, "go": go, "step": "typo", "kind": "noise"},
        {"from": at + 1.0, "to": at + 5.0, "go": go, "step": "type_claim", "kind": "step"},
        {"from": at + 6.0, "to": at + 7.0, "go": None, "step": "glance", "kind": "noise"},
    ]
    times = (("key_press", 1.5), ("key_press", 2.5), ("key_press", 4.0), ("mouse_move", 4.5), ("key_press", 6.5))
    session = RecordedSession(
        session_id="sess_1",
        environment=Environment(platform="linux", screen=ScreenEnvironment(primary_resolution=(1920, 1080))),
        user=UserRef(id="marie"),
        started_at=began,
        ended_at=began + timedelta(seconds=9),
        events=tuple(Event(t=t, type=kind) for kind, t in times),
    )
    truth = tell(session, agenda, "\n".join(json.dumps(entry) for entry in diary))
    assert [(event.kind, event.step) for event in truth.events] == [
        ("step", "type_claim"), ("noise", "typo"), ("step", "type_claim"), ("noise", "move"), ("noise", "glance"),
    ]  # fmt: skip
    assert truth.cases() == [go, None, go, None, None]
    assert truth.noise_share == 0.5
    assert DayTruth.from_json(truth.to_json()) == truth
