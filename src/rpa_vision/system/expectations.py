"""Whether a simulation did what was expected of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rpa_vision.models.scenario import Expectation, ExpectationResult, SimulationReport, ThresholdPoint

_NEAR_S = 0.001
_NEAR = 1e-9


def judge_expectations(expectations: Sequence[Expectation], report: SimulationReport) -> tuple[ExpectationResult, ...]:
    """Each expectation with what was seen."""
    return tuple(_judged(expectation, report) for expectation in expectations)


def _judged(wanted: Expectation, report: SimulationReport) -> ExpectationResult:
    """Of a moment behind the end nobody knows anything, so nothing that is expected of it is met."""
    judged = _JUDGES[wanted.subject](wanted, report)
    if wanted.at_s is None or wanted.at_s <= report.duration_s + _NEAR_S:
        return judged
    seen = f"it ended after {report.duration_s:g} s"
    return judged.model_copy(update={"met": False, "seen": seen})


def _state(wanted: Expectation, report: SimulationReport) -> ExpectationResult:
    workflow_id = wanted.workflow_id or report.workflow_id
    if wanted.at_s is None:
        seen = report.final_states.get(workflow_id)
    else:
        until = [
            one for one in report.transitions if one.workflow_id == workflow_id and one.at_s <= wanted.at_s + _NEAR_S
        ]
        first = next((one.from_state for one in report.transitions if one.workflow_id == workflow_id), None)
        seen = until[-1].to_state if until else first or report.final_states.get(workflow_id)
    text = f"{workflow_id} is {wanted.state}{_when(wanted)}"
    return ExpectationResult(expected=text, met=seen is wanted.state, seen=str(seen))


def _transition(wanted: Expectation, report: SimulationReport) -> ExpectationResult:
    assert wanted.transition is not None
    before, after = wanted.transition
    workflow_id = wanted.workflow_id or report.workflow_id
    found = [
        one
        for one in report.transitions
        if (one.workflow_id, one.from_state, one.to_state) == (workflow_id, before, after)
        and (wanted.at_s is None or abs(one.at_s - wanted.at_s) <= _NEAR_S)
    ]
    moments = ", ".join(f"{one.at_s:g} s" for one in found) or "never"
    text = f"{workflow_id} goes {before} → {after}{_often(wanted)}{_when(wanted)}"
    return ExpectationResult(expected=text, met=_enough(len(found), wanted), seen=moments)


def _alert(wanted: Expectation, report: SimulationReport) -> ExpectationResult:
    found = [
        one
        for one in report.alerts
        if one.kind is wanted.alert
        and wanted.workflow_id in (None, one.workflow_id)
        and (wanted.at_s is None or abs(one.at_s - wanted.at_s) <= _NEAR_S)
    ]
    text = f"an alert {wanted.alert}{_often(wanted)}{_when(wanted)}"
    return ExpectationResult(expected=text, met=_enough(len(found), wanted), seen=f"{len(found)} alerts")


def _min_confidence(wanted: Expectation, report: SimulationReport) -> ExpectationResult:
    assert wanted.min_confidence is not None
    workflow_id = wanted.workflow_id or report.workflow_id
    points: list[ThresholdPoint] = [
        one
        for one in report.thresholds
        if one.workflow_id == workflow_id and (wanted.at_s is None or one.at_s <= wanted.at_s + _NEAR_S)
    ]
    seen = points[-1].min_confidence if points else None
    met = seen is not None and abs(seen - wanted.min_confidence) <= _NEAR
    text = f"{workflow_id} must be {wanted.min_confidence:g} sure{_when(wanted)}"
    return ExpectationResult(expected=text, met=met, seen=str(seen))


def _version(wanted: Expectation, report: SimulationReport) -> ExpectationResult:
    workflow_id = wanted.workflow_id or report.workflow_id
    seen = report.versions_in_use.get(workflow_id)
    text = f"{workflow_id} uses {wanted.version_in_use}"
    return ExpectationResult(expected=text, met=seen == wanted.version_in_use, seen=str(seen))


def _number(name: str, count: Callable[[SimulationReport], int]) -> Callable[..., ExpectationResult]:
    def judge(wanted: Expectation, report: SimulationReport) -> ExpectationResult:
        number, seen = getattr(wanted, name), count(report)
        return ExpectationResult(expected=f"{number} {name.replace('_', ' ')}", met=seen == number, seen=str(seen))

    return judge


_JUDGES: dict[str, Callable[[Expectation, SimulationReport], ExpectationResult]] = {
    "state": _state,
    "transition": _transition,
    "alert": _alert,
    "min_confidence": _min_confidence,
    "version_in_use": _version,
    "executed_steps": _number("executed_steps", lambda report: report.steps.executed),
    "refused_steps": _number("refused_steps", lambda report: report.steps.refused),
    "failure_cases": _number("failure_cases", lambda report: report.failure_cases),
}


def _enough(found: int, wanted: Expectation) -> bool:
    return found >= 1 if wanted.times is None else found == wanted.times


def _often(wanted: Expectation) -> str:
    return "" if wanted.times is None else f", {wanted.times} times"


def _when(wanted: Expectation) -> str:
    return "" if wanted.at_s is None else f" after {wanted.at_s:g} s"
