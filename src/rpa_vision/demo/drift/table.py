"""What a drift campaign came to: per drift, per group, over all, and how long a step took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from statistics import median, quantiles
from typing import Any

from rpa_vision.demo.drift.campaign import DriftRun
from rpa_vision.demo.drift.points import GROUPS

VERDICTS = ("completed", "halted", "wrong")
CLICK_PARTS: Mapping[str, tuple[str, ...]] = {
    "find": ("locate", "resolve", "read_again"),
    "make sure": ("write_down", "last_look"),
    "act": ("act",),
    "application": ("application",),
    "verify": ("verify",),
}
"""What a click is made of, by the names under which a run notes its times."""


def summary(runs: Sequence[DriftRun], healing_us: Sequence[float] = ()) -> dict[str, Any]:
    """What scripts read."""
    return {
        "runs": len(runs),
        **{verdict: _count(runs, verdict) for verdict in VERDICTS},
        "groups": {
            group.name: {
                **{verdict: _count(of_group, verdict) for verdict in VERDICTS},
                "points": {name: _verdicts(of_point) for name, of_point in _by_point(of_group).items()},
            }
            for group in GROUPS
            if (of_group := [run for run in runs if run.group == group.name])
        },
        "step_ms": spread([step["ms"] for run in runs for step in run.steps if step["status"] == "success"]),
        "visual_click_ms": spread([sum(click.values()) for click in clicks(runs)]),
        "visual_click_parts_ms": {part: spread([click[part] for click in clicks(runs)]) for part in CLICK_PARTS},
        "healing_us": spread(healing_us),
        "run_s": spread([run.duration_s for run in runs if run.verdict == "completed"]),
        "stopped": [asdict(run) for run in runs if run.verdict != "completed"],
    }


def lines(runs: Sequence[DriftRun], healing_us: Sequence[float] = ()) -> list[str]:
    """The same for people."""
    told = summary(runs, healing_us)
    shown = [f"{'drift':20}{'completed':>10}{'halted':>8}{'wrong':>7}"]
    for group in GROUPS:
        counted = told["groups"].get(group.name)
        if counted is None:
            continue
        total, points = sum(counted[verdict] for verdict in VERDICTS), len(counted["points"])
        bar = f"   bar: {group.bar} of {points}" if group.bar is not None and points >= group.bar else ""
        shown.append("")
        shown.append(f"{group.title} ({total} runs){bar}")
        for name, verdicts in counted["points"].items():
            shown.append(f"  {name:18}{_columns(verdicts)}")
        shown.append(f"  {'all of them':18}{_columns(counted)}")
    shown.append("")
    shown.append(f"{'over all':20}{_columns(told)}")
    for title, key, unit in (
        ("a step", "step_ms", "ms"),
        ("a visual click as learned, all of it", "visual_click_ms", "ms"),
        ("an attempt to heal, besides the search", "healing_us", "µs"),
        ("a completed run", "run_s", "s"),
    ):
        if told[key] is not None:
            spans = told[key]
            shown.append(f"{title}: median {spans['median']:g} {unit}, {spans['p10']:g} to {spans['p90']:g}")
    for part, spans in told["visual_click_parts_ms"].items():
        if spans is not None:
            shown.append(f"  {part:12} {spans['median']:>6g} ms, {spans['p10']:g} to {spans['p90']:g}")
    return shown


def clicks(runs: Sequence[DriftRun]) -> list[dict[str, float]]:
    """Every click on a screen as it was learned, and how long each part of it took."""
    return [
        parts_of(step["timing_ms"])
        for run in runs
        if run.group == "none"
        for step in run.steps
        if step["status"] == "success" and step["action"] == "mouse_click"
    ]


def parts_of(timing_ms: Mapping[str, float]) -> dict[str, float]:
    """How long each part of a click took."""
    return {part: sum(timing_ms.get(name, 0.0) for name in names) for part, names in CLICK_PARTS.items()}


def spread(values: Sequence[float]) -> dict[str, float] | None:
    """Median, and what nine of ten stay above and below."""
    if not values:
        return None
    cuts = quantiles(values, n=10, method="inclusive") if len(values) > 1 else [values[0]] * 9
    return {"median": round(median(values), 1), "p10": round(cuts[0], 1), "p90": round(cuts[-1], 1), "n": len(values)}


def _count(runs: Sequence[DriftRun], verdict: str) -> int:
    return sum(run.verdict == verdict for run in runs)


def _verdicts(runs: Sequence[DriftRun]) -> dict[str, int]:
    return {verdict: _count(runs, verdict) for verdict in VERDICTS}


def _by_point(runs: Sequence[DriftRun]) -> dict[str, list[DriftRun]]:
    found: dict[str, list[DriftRun]] = {}
    for run in runs:
        found.setdefault(run.point, []).append(run)
    return found


def _columns(counted: Mapping[str, Any]) -> str:
    return f"{counted['completed']:>10}{counted['halted']:>8}{counted['wrong']:>7}"
