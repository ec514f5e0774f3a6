"""A run under the supervisor: it learns from what was proven, is held to its terms, and goes on after a rollback."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from healing_office import Stage, run, spoil, supervised, with_label
from office import NEW, SEND, Office, show_three

from rpa_vision.app.failures import replay_case
from rpa_vision.app.learn import LearnResult
from rpa_vision.app.wiring_auto_heal import AutoHeal, auto_heal
from rpa_vision.errors import StorageError
from rpa_vision.models.auto_heal import ExecutionState, StepThresholds
from rpa_vision.models.geometry import Box
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge
from rpa_vision.system.precision import PrecisionMetrics
from rpa_vision.testing.supervisors import NORMAL_TERMS, OpenSupervisor

CAREFUL = replace(NORMAL_TERMS, learning_enabled=False, ambiguity_refused=True)
SUCCESSES_BEFORE = 6


def test_a_run_goes_on_with_the_version_its_failure_had_restored(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """AH-4.4, AH-4.5: a bad update is undone by the real supervisor, and the run that showed it ends well."""
    good = learned.workflow
    for _ in range(SUCCESSES_BEFORE):
        assert run(good, supervised(office, heal, office.desktop())).status == "success"
    bad = spoil(office, heal, {0: with_label(good.edges[0], "Supprimer tout")})
    reports = [run(bad, supervised(office, heal, office.desktop())) for _ in range(3)]
    assert [report.status for report in reports] == ["halted", "halted", "success"]
    last = reports[-1]
    assert (last.workflow_version, last.rolled_back_to) == (2, 1)
    assert last.reason == "all 3 steps verified, after going back to version 1"
    assert [step.verified for step in last.steps] == [False, True, True, True]
    assert [version.version_id for version in heal.versions.list_versions("WF_patients") if version.in_use] == ["v001"]

    heal.audit.flush()
    trail = [(entry.kind, entry.record) for entry in heal.audit.entries()]
    gone_on = [record for kind, record in trail if kind == "run_goes_on"]
    assert [(one["run_id"], one["from_version"], one["to_version"]) for one in gone_on] == [(last.run_id, 2, 1)]
    told = [record["version_id"] for kind, record in trail if kind == "step_result"]
    assert told[-6:] == ["v002", "v002", "v002", "v001", "v001", "v001"]
    assert all("run_id" in record for kind, record in trail if kind in ("step_allowed", "step_result"))


def test_a_step_that_sent_nothing_is_tried_again_with_what_was_restored(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """AH-4.5"""
    bad = spoil(office, heal, {0: with_label(learned.workflow.edges[0], "Supprimer tout")})
    stage = Stage(office, heal, office.desktop())
    report = run(bad, stage.tools)
    assert (report.status, report.rolled_back_to) == ("success", 1)
    assert stage.supervisors[0].versions == [2, 1, 1, 1]
    assert stage.kinds.count("run_goes_on") == 1


def test_input_that_may_have_arrived_is_not_sent_again_after_a_rollback(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """AH-4.5, EX-3: the click worked, only the check was learned wrongly."""
    step = learned.workflow.edges[1]
    assert step.post_conditions is not None
    wrong = step.post_conditions.model_copy(update={"expected_node": step.from_node})
    bad = spoil(office, heal, {1: step.model_copy(update={"post_conditions": wrong})})
    desktop = office.desktop()
    stage = Stage(office, heal, desktop)
    report = run(bad, stage.tools)
    assert report.status == "failed"
    assert report.reason.endswith("; version 1 was restored, but the input of the failed step may have had an effect")
    assert [deed.verb for deed in desktop.deeds].count("click") == 2, "into the field, and on the button, once"
    assert "run_goes_on" not in stage.kinds


def test_input_that_visibly_did_nothing_may_be_sent_again_after_a_rollback(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """AH-4.5, EX-3"""
    bad = spoil(office, heal, {2: with_label(learned.workflow.edges[2], "Encore")})
    desktop = office.desktop(deaf_clicks=1)
    report = run(bad, Stage(office, heal, desktop).tools)
    assert (report.status, report.rolled_back_to) == ("success", 1)
    on_the_button = [deed for deed in desktop.deeds if deed.verb == "click" and Box(*SEND).contains(deed.at or (0, 0))]
    assert len(on_the_button) == 2


def test_a_run_goes_on_once_at_most(office: Office, heal: AutoHeal, learned: LearnResult) -> None:
    """AH-4.4"""
    bad = spoil(office, heal, {0: with_label(learned.workflow.edges[0], "Supprimer tout")})
    office.book.draw("elsewhere", [("heading", "title", "Autre chose", (40, 60, 240, 100))], title="Autre")
    desktop = office.desktop(start="elsewhere")
    stage = Stage(office, heal, desktop, always=True)
    report = run(bad, stage.tools)
    assert (report.status, len(report.steps), report.rolled_back_to) == ("halted", 2, 1)
    assert desktop.deeds == []


def test_a_run_does_not_go_on_with_a_version_that_would_have_done_something_else(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """AH-4.5, EX-7"""
    first, second = learned.workflow.edges[:2]
    other = WorkflowEdge.model_validate_json(first.model_dump_json(by_alias=True).replace("${nom}", "M. ${nom}"))
    wrong = with_label(second, "Supprimer tout")
    bad = spoil(office, heal, {0: other, 1: wrong})
    stage = Stage(office, heal, office.desktop(f"M. {NEW}"))
    report = run(bad, stage.tools)
    assert (report.status, report.rolled_back_to) == ("halted", None)
    assert report.reason.endswith("version 1 was restored, but what was done so far is not what it would have done")
    assert "run_goes_on" not in stage.kinds


def test_only_what_was_verified_is_remembered_and_counted(office: Office, heal: AutoHeal, learned: LearnResult) -> None:
    """EX-9, AH-7.4"""
    assert run(learned.workflow, supervised(office, heal, office.desktop())).status == "success"
    assert heal.memory.count("WF_patients") == 3
    report = heal.precision.report()
    assert [(one.claims, one.hits) for one in report.strategies] == [(3, 3)]
    late = supervised(office, heal, office.desktop(deaf_clicks=9))
    assert run(learned.workflow, late).status == "failed"
    assert heal.memory.count("WF_patients") <= 3  # what spoke for the wrong thing may go, nothing is added
    assert sum(one.claims - one.hits for one in heal.precision.report().strategies) == 1


def test_a_second_run_asks_what_the_first_remembered(office: Office, heal: AutoHeal, learned: LearnResult) -> None:
    """EX-9"""
    first, second = (run(learned.workflow, supervised(office, heal, office.desktop())) for _ in range(2))
    said = [[" ".join(step.chosen.reasons) for step in one.steps if step.chosen is not None] for one in (first, second)]
    assert not any("was the target before" in reasons for reasons in said[0])
    assert all("was the target before, once" in reasons for reasons in said[1])


@pytest.mark.parametrize(("terms", "rows"), [(NORMAL_TERMS, 3), (CAREFUL, 0)])
def test_nothing_is_learned_where_the_terms_forbid_it(
    office: Office, heal: AutoHeal, learned: LearnResult, terms: StepThresholds, rows: int
) -> None:
    """AH-3.3"""
    supervisor = OpenSupervisor()
    supervisor.terms = terms
    tools = supervised(office, heal, office.desktop(), supervisor=lambda run: supervisor)
    assert run(learned.workflow, tools).status == "success"
    assert heal.memory.count("WF_patients") == rows
    assert bool(heal.precision.report().strategies) == bool(rows)


class BrokenMemory:
    """Implements `ports.learning.TargetMemory`; every question is trouble."""

    def __init__(self, trouble: Exception) -> None:
        self.trouble = trouble

    def recall(self, place: object) -> Any:
        raise self.trouble

    def remember(self, place: object, found: object, *, verified: bool, learning_enabled: bool = True) -> bool:
        raise self.trouble

    def forget(self, place: object, stable_id: str | None = None) -> int:
        raise self.trouble


class BrokenMetrics(PrecisionMetrics):
    def note(self, workflow_id: str, step: object) -> Any:
        raise ZeroDivisionError("a bug")


@pytest.mark.parametrize("trouble", [StorageError("the disk is gone"), ZeroDivisionError("a bug")])
def test_trouble_with_memory_and_metrics_never_stops_a_run(
    office: Office, heal: AutoHeal, learned: LearnResult, trouble: Exception
) -> None:
    """EX-6, EX-9: nor does a fault of ours"""
    metrics = BrokenMetrics(heal.precision._store, office.clock)
    tools = supervised(office, heal, office.desktop(), memory=BrokenMemory(trouble), precision=metrics)
    assert run(learned.workflow, tools).status == "success"


def test_a_case_has_the_terms_the_machine_and_the_run_and_replays_the_same(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """AH-2.4, AH-7.1"""
    assert run(learned.workflow, supervised(office, heal, office.desktop())).status == "success"
    heal.manager.force_transition("WF_patients", ExecutionState.DEGRADED, "a test", who="somebody")
    bad = spoil(office, heal, {1: with_label(learned.workflow.edges[1], "Enregistrer tout")})
    report = run(bad, supervised(office, heal, office.desktop()))
    assert report.status == "halted"
    found = [one.seen.case_id for one in heal.failure_store.list().items]
    assert len(found) == 1
    case, replay = replay_case(heal.failure_store, found[0])
    assert replay.verdict == "same"
    assert case.terms is not None
    assert (case.terms.state, case.terms.min_confidence, case.terms.learning_enabled) == ("degraded", 0.82, False)
    assert case.environment is not None
    assert (case.environment.hostname, case.environment.screen.primary_resolution) == ("robot", (960, 600))
    assert case.run_id == report.run_id


def test_a_close_call_between_two_screens_degrades_the_workflow(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """AH-9.4"""
    told: list[tuple[str, str, float]] = []

    def hear(workflow_id: str, step_id: str, margin: float) -> None:
        told.append((workflow_id, step_id, margin))
        heal.manager.on_node_match(workflow_id, step_id, margin)

    assert run(learned.workflow, supervised(office, heal, office.desktop(), on_node_match=hear)).status == "success"
    assert [step for _, step, _ in told] == [edge.edge_id for edge in learned.workflow.edges]
    assert heal.manager.get_mode("WF_patients") == "running"
    twins = _with_a_twin(learned.workflow)
    report = run(twins, supervised(office, heal, office.desktop(), on_node_match=hear))
    assert report.status == "halted"
    assert told[-1][2] < 0.04
    assert heal.manager.get_mode("WF_patients") == "degraded"


def test_learning_tells_the_supervisor_and_keeps_five_versions_besides(office: Office, heal: AutoHeal) -> None:
    """AH-4.6"""
    office.keep(show_three(office.book))
    told: list[str] = []
    for _ in range(9):
        office.learn(versions=heal.versions, on_update=told.append)
    assert told == ["WF_patients"] * 9
    versions = heal.versions.list_versions("WF_patients")
    assert [version.version_id for version in versions] == [f"v{number:03}" for number in range(9, 3, -1)]
    assert versions[0].in_use


def _with_a_twin(workflow: Workflow) -> Workflow:
    """The same workflow, with a screen that cannot be told from its first."""
    first = workflow.get_node(workflow.edges[0].from_node)
    assert first is not None
    twin = first.model_copy(update={"node_id": "twin", "label": "twin"})
    return workflow.model_copy(update={"nodes": (*workflow.nodes, twin)})


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs a system that shows open files")
def test_the_supervisor_lets_go_of_every_database_when_its_block_ends(office: Office) -> None:
    """EX-9"""
    with auto_heal(office.data, quiet=True) as opened:
        office.keep(show_three(office.book))
        lesson = office.learn(versions=opened.versions)
        assert run(lesson.workflow, supervised(office, opened, office.desktop())).status == "success"
        assert any("target_memory.db" in name for name in _open_files(office))
    assert [name for name in _open_files(office) if ".db" in name or ".sqlite" in name] == []


def _open_files(office: Office) -> list[str]:
    """What this process holds open in the data directory."""
    links = [link for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
    names = [str(link.readlink()) for link in links if link.exists()]
    return [name for name in names if name.startswith(str(office.data.paths.root))]
