"""Mode × maturity, as the seed prints it: all twelve cells."""

from __future__ import annotations

import pytest

from rpa_vision.app.licence import licence_of
from rpa_vision.app.run import RunRequest
from rpa_vision.execution.modes import MATRIX, cell, steps_that_need_consent
from rpa_vision.models.action import Action
from rpa_vision.models.execution import RunMode
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.workflow_graph import SafetyRules, Workflow, WorkflowEdge
from rpa_vision.models.workflow_standing import (
    AUTO_CONFIRMED,
    ExecutionPolicy,
    LearningConfig,
    LearningStateName,
    PolicyCell,
)
from rpa_vision.testing.screens import MOMENT

LEVELS: tuple[LearningStateName, ...] = ("OBSERVATION", "COACHING", "AUTO_CANDIDATE", AUTO_CONFIRMED)
MODES: tuple[RunMode, ...] = ("shadow", "assist", "auto")

SEED_004 = {
    ("shadow", "OBSERVATION"): (["observe", "log"], "none"),
    ("shadow", "COACHING"): (["observe", "log"], "none"),
    ("shadow", "AUTO_CANDIDATE"): (["observe", "log"], "none"),
    ("shadow", "AUTO_CONFIRMÉ"): (["observe", "log"], "none"),
    ("assist", "OBSERVATION"): (["observe", "suggest_weak"], "passive_notification"),
    ("assist", "COACHING"): (["observe", "suggest_strong", "highlight_ui"], "active_guidance"),
    ("assist", "AUTO_CANDIDATE"): (["observe", "suggest_strong", "propose_auto"], "confirmation_dialog"),
    ("assist", "AUTO_CONFIRMÉ"): (["observe", "suggest_strong", "auto_execute"], "notification_only"),
    ("auto", "OBSERVATION"): (["observe"], "notification"),
    ("auto", "COACHING"): (["observe"], "notification"),
    ("auto", "AUTO_CANDIDATE"): (["observe", "auto_execute_supervised"], "step_by_step_confirmation"),
    ("auto", "AUTO_CONFIRMÉ"): (["observe", "auto_execute"], "notification_only"),
}


def workflow(level: LearningStateName, policy: ExecutionPolicy | None = None) -> Workflow:
    return Workflow(
        workflow_id="WF_empty",
        name="Empty",
        created_at=MOMENT,
        updated_at=MOMENT,
        learning_state=level,
        learning=LearningConfig(state=level),
        entry_nodes=(),
        end_nodes=(),
        nodes=(),
        edges=(),
        execution_policy=policy,
    )


def allowed_to(request: RunRequest) -> tuple[str | None, bool]:
    """Why the run may not take place, and whether the robot acts itself in it, nobody being there."""
    given = licence_of(request)
    return given.refusal, given.act


def test_the_table_has_twelve_cells() -> None:
    """L4-12"""
    assert set(MATRIX) == {(mode, level) for mode in MODES for level in LEVELS} == set(SEED_004)


@pytest.mark.parametrize(("mode", "level"), SEED_004)
def test_each_cell_is_as_in_the_seed(mode: RunMode, level: LearningStateName) -> None:
    """L4-12"""
    actions, interaction = SEED_004[(mode, level)]
    found = cell(mode, level)
    assert (list(found.allowed_actions), found.user_interaction) == (actions, interaction)
    young = mode == "auto" and level in ("OBSERVATION", "COACHING")
    assert found.reason == ("insufficient_maturity" if young else None)
    grown = mode == "auto" and not young
    assert found.pause_on_anomaly is (True if grown else None)
    assert found.rollback_on_error is (True if grown and level == AUTO_CONFIRMED else None)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("because", [None, "a first trial"])
def test_shadow_never_acts(level: LearningStateName, because: str | None) -> None:
    """L4-12"""
    refusal, act = allowed_to(RunRequest(workflow(level), {}, "shadow", because))
    assert refusal is not None
    assert not act


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("because", [None, "a first trial"])
def test_assist_never_sends_input(level: LearningStateName, because: str | None) -> None:
    """L4-12"""
    assert allowed_to(RunRequest(workflow(level), {}, "assist", because)) == (None, False)


@pytest.mark.parametrize("level", ["OBSERVATION", "COACHING", "AUTO_CANDIDATE"])
def test_a_young_workflow_does_not_run_alone(level: LearningStateName) -> None:
    """L4-12"""
    refusal, act = allowed_to(RunRequest(workflow(level), {}, "auto"))
    assert not act
    assert refusal is not None
    assert level in refusal
    assert "--authorise" in refusal
    assert refusal.startswith(
        "insufficient_maturity" if level != "AUTO_CANDIDATE" else "needs step by step confirmation"
    )


@pytest.mark.parametrize("level", LEVELS)
def test_a_person_can_authorise_one_run(level: LearningStateName) -> None:
    """L4-12"""
    assert allowed_to(RunRequest(workflow(level), {}, "auto", "a first trial")) == (None, True)


@pytest.mark.parametrize("because", ["", None])
def test_an_authorisation_without_a_reason_is_none(because: str | None) -> None:
    """L4-12"""
    assert allowed_to(RunRequest(workflow("OBSERVATION"), {}, "auto", because))[1] is False


def test_a_grown_workflow_runs_alone() -> None:
    """L4-12"""
    assert allowed_to(RunRequest(workflow(AUTO_CONFIRMED), {}, "auto")) == (None, True)


@pytest.mark.parametrize("because", [None, "a first trial"])
def test_a_workflow_may_narrow_what_it_is_allowed(because: str | None) -> None:
    """L4-12: an authorisation lifts the question of maturity, not the workflow's own policy"""
    only_watch = PolicyCell(allowed_actions=("observe",), user_interaction="notification")
    policy = ExecutionPolicy(shadow_mode=only_watch, auto_mode={AUTO_CONFIRMED: only_watch})
    refusal, act = allowed_to(RunRequest(workflow(AUTO_CONFIRMED, policy), {}, "auto", because))
    assert not act
    assert refusal is not None
    assert "execution policy" in refusal


@pytest.mark.parametrize(("because", "allowed"), [(None, False), ("a first trial", True)])
def test_steps_that_need_consent_need_a_person_who_gives_it(because: str | None, allowed: bool) -> None:
    """L4-13"""
    rules = SafetyRules(require_confirmation_for=("irreversible_action",))
    careful = workflow(AUTO_CONFIRMED).model_copy(update={"safety_rules": rules})
    assert allowed_to(RunRequest(careful, {}, "auto", because))[1] is allowed


@pytest.mark.parametrize(
    ("label", "role", "asked"),
    [
        ("Supprimer définitivement", "delete_action", True),
        ("Tout payer", "submit", True),
        ("Valider", "validate", False),
        ("Rechercher", "search", False),
    ],
)
def test_what_cannot_be_undone_needs_consent_though_no_rule_names_it(label: str, role: str, asked: bool) -> None:
    """L4-13"""
    click = Action(type="mouse_click", target=TargetSpec(type="button", role=role, label=label))
    step = WorkflowEdge(edge_id="step", from_node="a", to_node="b", action=click)
    grown = workflow(AUTO_CONFIRMED).model_copy(update={"edges": (step,)})
    assert bool(steps_that_need_consent(grown)) is asked
    assert allowed_to(RunRequest(grown, {}, "auto"))[1] is not asked


def test_a_workflow_may_not_widen_what_it_is_allowed() -> None:
    """L4-12"""
    everything = PolicyCell(allowed_actions=("observe", "auto_execute"), user_interaction="none")
    policy = ExecutionPolicy(shadow_mode=everything, auto_mode={"OBSERVATION": everything})
    assert allowed_to(RunRequest(workflow("OBSERVATION", policy), {}, "auto"))[1] is False


def test_a_policy_that_repeats_the_table_changes_nothing() -> None:
    """L4-12: the seed prints the table into each workflow"""
    policy = ExecutionPolicy(
        shadow_mode=cell("shadow", "OBSERVATION"),
        assist_mode={level: cell("assist", level) for level in LEVELS},
        auto_mode={level: cell("auto", level) for level in LEVELS},
    )
    for level in LEVELS:
        for because in (None, "a first trial"):
            with_policy = allowed_to(RunRequest(workflow(level, policy), {}, "auto", because))
            assert with_policy == allowed_to(RunRequest(workflow(level), {}, "auto", because))
