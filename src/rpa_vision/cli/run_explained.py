"""Why a run did what it did: `rpa-vision run --explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rpa_vision.models.execution import CandidateReport, RunReport, StepReport


def explained(report: RunReport) -> list[str]:
    """For every step: what was taken and why, what came second, what was waited for and what was seen."""
    lines: list[str] = []
    for step in report.steps:
        lines.append(f"{step.index + 1}. {step.edge_id} {step.action}: {step.description or step.status.value}")
        lines += [f"     {line}" for line in _of_step(step)]
    return lines


def _of_step(step: StepReport) -> list[str]:
    lines: list[str] = []
    if len(step.attempts) > 1:
        tried = (f"level {one.attempt_level} {one.strategy_used}, {one.duration_ms:.0f} ms" for one in step.attempts)
        lines.append(f"looked for: {'; '.join(tried)}")
    if step.chosen is not None:
        lines.append(f"taken: {_named(step.chosen)}{_how(step)}")
        lines += [f"  {reason}" for reason in step.chosen.reasons]
    if step.nearest is not None:
        lines.append(f"nothing taken; nearest: {_named(step.nearest)}")
        lines += [f"  {reason}" for reason in step.nearest.reasons]
    if step.runner_up is not None:
        lines.append(f"next best: {_named(step.runner_up)}")
    lines += [f"in the way: « {one.label} », {one.action}{_failed(one.reason)}" for one in step.recoveries]
    if step.expected:
        lines.append(f"expected: {step.expected}")
        lines.append(f"seen: {step.observed or 'that'}")
    if step.reason:
        lines.append(f"stopped: {step.reason}")
    if step.timing_ms:
        parts = ", ".join(f"{name} {ms:.0f}" for name, ms in step.timing_ms.items())
        lines.append(f"{step.duration_ms:.0f} ms: {parts}")
    return lines


def _named(one: CandidateReport) -> str:
    words = f"« {one.label} »" if one.label else "without words"
    return f"{one.type} {words} at {','.join(map(str, one.bbox))}, {one.score:.2f}"


def _how(step: StepReport) -> str:
    level = f" at healing level {step.healing_level}" if step.healing_level else ""
    return f" by {step.strategy}{level}" if step.strategy else level


def _failed(reason: str) -> str:
    return f" ({reason})" if reason else ""
