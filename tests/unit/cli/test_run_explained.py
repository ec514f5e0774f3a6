"""`run --explain`: every step says what was taken, why, and what came second."""

from __future__ import annotations

from datetime import UTC, datetime

from rpa_vision.cli.run_explained import explained
from rpa_vision.models.execution import (
    CandidateReport,
    ExecutionStatus,
    HealingAttempt,
    RecoveryReport,
    RunReport,
    StepReport,
)

MOMENT = datetime(2026, 1, 5, tzinfo=UTC)


def report(*steps: StepReport) -> RunReport:
    return RunReport(
        run_id="run_1", workflow_id="WF", workflow_name="Validation", workflow_version=1, mode="auto", status="success",
        started_at=MOMENT, ended_at=MOMENT, duration_s=2.0, steps=steps,
    )  # fmt: skip


def test_a_step_says_what_was_taken_why_and_what_came_second() -> None:
    """UX-1, EX-7"""
    taken = CandidateReport(
        label="Approuver", type="button", bbox=(10, 20, 110, 50), score=0.88, reasons=("says « Approuver »",)
    )
    rival = CandidateReport(label="", type="icon", bbox=(1, 2, 3, 4), score=0.4)
    closed = RecoveryReport(
        error_node="unknown_dialog", error_type="generic", label="Nouveauté", from_node="N1", edge_id="E1",
        action="closed by « OK »", succeeded=True,
    )  # fmt: skip
    criteria: dict[str, float | bool] = {"min_ratio": 0.82, "pad_mul": 1.0, "expand_roles": False}
    attempts = tuple(
        HealingAttempt(attempt_level=level, success=level == 1, strategy_used=how, criteria=criteria, duration_ms=12.0)
        for level, how in enumerate(("not_found", "som_text_match"))
    )
    step = StepReport(
        index=0, edge_id="E1", action="mouse_click", description="click « Valider »", status=ExecutionStatus.SUCCESS,
        strategy="som_text_match", score=0.88, chosen=taken, runner_up=rival, healing_level=1, duration_ms=400.0,
        verified=True, expected="the screen « Liste »", observed="the screen « Liste » (0.97)",
        timing_ms={"resolve": 20.0, "act": 30.0}, recoveries=(closed,), attempts=attempts,
    )  # fmt: skip
    told = "\n".join(explained(report(step)))
    assert "1. E1 mouse_click: click « Valider »" in told
    assert "taken: button « Approuver » at 10,20,110,50, 0.88 by som_text_match at healing level 1" in told
    assert "looked for: level 0 not_found, 12 ms; level 1 som_text_match, 12 ms" in told
    assert "says « Approuver »" in told
    assert "next best: icon without words" in told
    assert "in the way: « Nouveauté », closed by « OK »" in told
    assert "seen: the screen « Liste » (0.97)" in told
    assert "400 ms: resolve 20, act 30" in told


def test_where_nothing_was_taken_nothing_is_said_to_be_taken() -> None:
    """EX-4, EX-7: what came nearest was not touched"""
    nearest = CandidateReport(label="Valider", type="button", bbox=(1, 2, 30, 40), score=0.91, reasons=("says so",))
    step = StepReport(
        index=0, edge_id="E1", action="mouse_click", status=ExecutionStatus.FAILED, reason="could be two things",
        nearest=nearest, runner_up=nearest, duration_ms=10.0, verified=False,
    )  # fmt: skip
    told = "\n".join(explained(report(step)))
    assert "taken: " not in told
    assert "nothing taken; nearest: button « Valider » at 1,2,30,40, 0.91" in told
    assert "stopped: could be two things" in told


def test_a_step_that_stopped_says_why() -> None:
    """EX-7"""
    step = StepReport(
        index=1, edge_id="E2", action="mouse_click", status=ExecutionStatus.FAILED, reason="it is disabled",
        duration_ms=10.0, verified=False,
    )  # fmt: skip
    assert explained(report(step)) == ["2. E2 mouse_click: failed", "     stopped: it is disabled"]
