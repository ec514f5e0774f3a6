"""Look at runs: list and count them, open one, say whether it did right, and what a week came to."""

from __future__ import annotations

import re
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, Literal
from xml.sax.saxutils import escape, quoteattr

from rpa_vision.app.run_live import steps_so_far, warnings_so_far
from rpa_vision.errors import UnknownIdError, UsageError
from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import RunReport
from rpa_vision.ports.run_index import RunFilter, Verdict

if TYPE_CHECKING:
    from rpa_vision.app.office import Office

_NO_XML: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
MAX_LISTED = 500
MAX_OFFSET = 10_000_000
MAX_WEEKS_AGO = 520


def list_runs(office: Office, which: RunFilter, *, limit: int = 50, offset: int = 0) -> JsonObject:
    """Runs, the newest first, and how many there are in all."""
    office.runs.refresh()
    found = office.runs.find(which, limit=min(limit, MAX_LISTED), offset=offset)
    return {"runs": [asdict(one) for one in found], "count": office.runs.count(which), "offset": offset}


def run_details(office: Office, run_id: str) -> JsonObject:
    """A run: its place in the queue if it has one, what it did so far or its report, and what people said of it."""
    queued = office.queue.item(run_id)
    report: JsonObject | None = None
    if queued is None or queued.state not in ("waiting", "running"):
        try:
            report = office.data.runs.load(run_id).to_json()
        except UnknownIdError:
            if queued is None:
                raise
    verdict = office.runs.verdict(run_id)
    told = office.queue.told_of(run_id) if report is None else []
    return {
        "run_id": run_id,
        "queued": queued.to_json() if queued is not None else None,
        "live": {**steps_so_far(told), "warnings": warnings_so_far(told)} if report is None else None,
        "report": report,
        "verdict": {**asdict(verdict), "at": verdict.at.isoformat()} if verdict is not None else None,
    }


def judge_run(office: Office, run_id: str, verdict: Literal["right", "wrong"], *, who: str, note: str = "") -> Verdict:
    """Keep what a person says of a run: that a run reported as done did something wrong is what counts most."""
    report = office.data.runs.load(run_id)
    said = Verdict(verdict, who, office.clock.now(), note.strip()[:1000])
    office.heal.audit.append("run_judged", {"run_id": run_id, "verdict": verdict, "who": who, "note": said.note})
    office.runs.judge(run_id, said)
    if verdict == "wrong":
        office.heal.learning.judged_wrong(report.workflow_id, run_id, who=who, note=said.note)
    return said


def junit(report: RunReport) -> str:
    """A run as JUnit reads it: a step is a test case; what was not verified is a failure, what was blocked an error.
    What the screen said and XML has no place for is shown as a replacement character."""
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", _junit(report))


def _junit(report: RunReport) -> str:
    cases = []
    for step in report.steps:
        name = quoteattr(f"{step.index + 1:02d} {step.description or step.action}")
        inner = ""
        if step.status == "blocked":
            inner = f"<error message={quoteattr(step.reason)}/>"
        elif not step.verified:
            inner = (
                f"<failure message={quoteattr(step.reason)}>{escape(step.expected)} / {escape(step.observed)}</failure>"
            )
        cases.append(
            f'<testcase classname={quoteattr(report.workflow_id)} name={name} time="{step.duration_ms / 1000:.3f}">'
            f"{inner}</testcase>"
        )
    failures = sum(not step.verified and step.status != "blocked" for step in report.steps)
    errors = sum(step.status == "blocked" for step in report.steps)
    if report.status != "success" and not failures and not errors:
        cases.append(
            f'<testcase classname={quoteattr(report.workflow_id)} name="run" time="0">'
            f"<failure message={quoteattr(report.reason)}/></testcase>"
        )
        failures += 1
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuite name={quoteattr(report.workflow_name)} tests="{len(cases)}" failures="{failures}" '
        f'errors="{errors}" time="{report.duration_s:.3f}" timestamp={quoteattr(report.started_at.isoformat())}>'
        f"{''.join(cases)}</testsuite>\n"
    )


def weekly(office: Office, *, weeks_ago: int = 0) -> JsonObject:
    """A week, Monday to Sunday: completed, halted, healed, wrong, per workflow; and time saved, where it is known.

    Time saved is what the demonstrations took, for every completed run alone, less nothing: the robot's own time costs
    nobody's. Where no demonstration was timed, nothing is claimed.
    """
    if not 0 <= weeks_ago <= MAX_WEEKS_AGO:
        raise UsageError("weeks ago: 0 to 520", remedy="0 is this week.")
    office.runs.refresh()
    begin = _monday(office.clock.now()) - timedelta(weeks=weeks_ago)
    end = begin + timedelta(weeks=1)
    rows = []
    for workflow in office.data.workflows.list().items:
        counted = office.runs.count(RunFilter(workflow_id=workflow.workflow_id, since=begin, until=end))
        if counted["total"]:
            by_hand_s = workflow.stats.avg_duration_seconds
            alone = office.runs.count(
                RunFilter(workflow_id=workflow.workflow_id, since=begin, until=end, status="success", mode="auto")
            )
            gained = round(by_hand_s * alone["total"]) if by_hand_s is not None else None
            rows.append({"workflow_id": workflow.workflow_id, "name": workflow.name, **counted, "saved_s": gained})
    saved = [row["saved_s"] for row in rows if row["saved_s"] is not None]
    return {
        "from": begin.isoformat(),
        "to": end.isoformat(),
        "total": office.runs.count(RunFilter(since=begin, until=end)),
        "workflows": rows,
        "saved_s": sum(saved) if saved else None,
    }


def _monday(now: datetime) -> datetime:
    local = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    return local - timedelta(days=local.weekday())
