"""What `rpa-vision run` says when a run is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from rpa_vision.cli.maturity import level_words
from rpa_vision.cli.output import EXIT_FAILED, print_json
from rpa_vision.cli.run_explained import explained
from rpa_vision.cli.standings import standing_words

if TYPE_CHECKING:
    from rpa_vision.app.learned_with import LearnedWith
    from rpa_vision.app.standing import Standing
    from rpa_vision.models.execution import RunReport
    from rpa_vision.models.maturity import Maturity


@dataclass(frozen=True)
class Change:
    """Where the workflow stood before the run, and where it stands now."""

    before: Standing
    after: Standing
    level: str
    now_at: Maturity

    @property
    def is_news(self) -> bool:
        """Whether the supervisor changed its mind."""
        return self.after != self.before


def tell_run(
    report: RunReport,
    path: str,
    change: Change,
    learned: LearnedWith,
    *,
    json_output: bool,
    explain: bool,
    from_here: bool,
) -> None:
    """Print how it ended, and why where that is asked for. Exit code 1 if it did not succeed."""
    is_promoted = change.now_at.state != change.level
    if json_output:
        autonomy = {"state": change.now_at.state, "changed": is_promoted}
        supervisor = {**change.after.to_json(), "changed": change.is_news}
        told = {"supervisor": supervisor, "autonomy": autonomy, "perception": learned.to_json()}
        reasons = {"explanation": explained(report)} if explain else {}
        print_json({**_run_json(report, path), **reasons, **told})
    else:
        if explain:
            typer.echo("\n".join(explained(report)))
        count = f"{len(report.steps)} step{'' if len(report.steps) == 1 else 's'}"
        typer.echo(f"{report.status}: {report.reason} ({count}, {report.duration_s:.1f} s)\n{path}")
        if _is_elsewhere(report) and not from_here:
            typer.echo("  do: show the screen it begins on; or, to go on from the one that is shown, add --from-here")
        if change.is_news or not change.after.runs:
            typer.echo(standing_words(change.after, is_news=change.is_news))
        if is_promoted:
            typer.echo(level_words(change.now_at, change.level))
    if report.status != "success":
        raise typer.Exit(EXIT_FAILED)


def _is_elsewhere(report: RunReport) -> bool:
    """Whether the run stopped before its first step, on another screen of the workflow."""
    return report.status == "halted" and len(report.steps) == 1 and "was expected, but this is" in report.reason


def _run_json(report: RunReport, path: str) -> dict[str, Any]:
    """The report as scripts read it."""
    return {
        "run_id": report.run_id,
        "status": report.status,
        "reason": report.reason,
        "steps": [
            {
                "edge_id": step.edge_id,
                "action": step.action,
                "strategy": step.strategy,
                "score": step.score,
                "healing_level": step.healing_level,
                "duration_ms": step.duration_ms,
                "verified": step.verified,
                "input_sent": step.input_sent,
                "note": step.note,
                "extracted": step.extracted,
                "recoveries": [way.model_dump(mode="json") for way in step.recoveries],
            }
            for step in report.steps
        ],
        "input_sent": report.input_sent,
        "values": report.values,
        "duration_s": report.duration_s,
        "report": path,
    }
