"""The terms of a step, over every policy there can be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rpa_vision.errors import DocumentError
from rpa_vision.models.auto_heal import DisplayGeometry, ExecutionState
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.system.drift import RuntimeDrift, find_drift
from rpa_vision.system.thresholds import thresholds_in_force

DISPLAYS = st.builds(
    DisplayGeometry,
    width_px=st.integers(320, 16_000),
    height_px=st.integers(200, 16_000),
    scale=st.sampled_from([0.5, 1.0, 1.25, 1.5, 2.0, 3.0]),
)
DRIFTS = st.one_of(st.none(), st.builds(RuntimeDrift, DISPLAYS, DISPLAYS))


@st.composite
def policies(draw: st.DrawFn) -> AutoHealPolicy:
    normal = draw(st.floats(0.5, 0.9))
    margin = draw(st.floats(0.0, 0.4))
    return AutoHealPolicy(
        mode=draw(st.sampled_from(["hybrid", "conservative", "aggressive"])),
        min_confidence_normal=normal,
        min_confidence_degraded=draw(st.floats(normal, 1.0)),
        min_margin_top1_top2_normal=margin,
        min_margin_top1_top2_degraded=draw(st.floats(margin, 0.5)),
        disable_learning_in_degraded=draw(st.booleans()),
    )


@given(policies(), DRIFTS)
def test_degraded_always_asks_for_more_than_running(policy: AutoHealPolicy, drift: RuntimeDrift | None):
    """P001-3 AH-3.1 AH-3.2 AH-3.3 AH-3.4 AH-3.5"""
    normal = thresholds_in_force(policy, ExecutionState.RUNNING, drift)
    degraded = thresholds_in_force(policy, ExecutionState.DEGRADED, drift)
    assert degraded.min_confidence >= min(1.0, normal.min_confidence + 0.1) - 1e-9
    assert degraded.min_confidence >= policy.min_confidence_degraded - 1e-9
    assert degraded.min_margin == policy.min_margin_top1_top2_degraded >= normal.min_margin
    assert degraded.learning_enabled is not policy.disable_learning_in_degraded
    assert degraded.hard_constraints_required
    assert degraded.ambiguity_refused
    assert degraded.min_confidence <= 1.0


@given(policies(), st.sampled_from(ExecutionState), DISPLAYS, DISPLAYS)
def test_drift_never_lowers_a_threshold(
    policy: AutoHealPolicy, state: ExecutionState, recorded: DisplayGeometry, live: DisplayGeometry
):
    """AH-9.5"""
    drift = find_drift(recorded, live)
    without, with_it = thresholds_in_force(policy, state), thresholds_in_force(policy, state, drift)
    assert with_it.min_confidence >= without.min_confidence
    assert 0.25 <= with_it.pixel_scale <= 4.0
    if drift is None:
        assert with_it == without
    elif without.min_confidence <= 0.95:
        assert abs(with_it.min_confidence - without.min_confidence - 0.05) < 1e-9


@given(policies())
def test_a_policy_survives_json_with_its_digest(policy: AutoHealPolicy):
    """P001-6"""
    again = AutoHealPolicy.from_json(policy.to_json())
    assert again == policy
    assert again.digest == policy.digest


VALUES = st.one_of(st.none(), st.booleans(), st.integers(-5, 10**7), st.floats(allow_nan=True), st.text(max_size=5))


@given(st.dictionaries(st.sampled_from([*AutoHealPolicy.model_fields, "other"]), VALUES, max_size=5))
def test_whatever_the_file_says_it_is_a_policy_that_makes_sense_or_an_error(document: dict[str, object]):
    """AH-6.2"""
    try:
        policy = AutoHealPolicy.from_json(document)
    except DocumentError:
        return
    assert policy.min_confidence_degraded >= policy.min_confidence_normal >= 0.5
    assert policy.global_fail_max_in_window >= policy.workflow_fail_max_in_window
    assert policy.workflow_fail_max_in_window >= policy.step_fail_streak_to_degraded
