"""The drift benchmark: which drifts there are, what a run is worth, and a campaign that goes on where it stopped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from rpa_vision.demo.clinic.drift import Drift
from rpa_vision.demo.drift.campaign import JOURNAL, Plan, read_journal, run_campaign
from rpa_vision.demo.drift.points import DriftPoint, UnknownPointError, all_points, chosen
from rpa_vision.demo.drift.table import lines, summary
from rpa_vision.demo.drift.verdicts import Entry, Ran, judge, judge_files
from rpa_vision.models.execution import ExecutionStatus, RunReport, RunStatus, StepReport

NUMBER = "FAC-2026-00101"
DONE = Entry("validated", NUMBER, None)


def test_every_group_has_its_points_and_every_switch_exists() -> None:
    """EX-7: the points that the bars of the benchmark are about"""
    counted = Counter(point.group for point in all_points())
    assert counted["cosmetic"] == 21
    assert counted["compound"] == 15
    assert counted["in_the_way"] == 6
    assert len({point.name for point in all_points()}) == len(all_points())
    for point in all_points():
        Drift().changed(point.switches)


def test_points_are_chosen_by_name_or_group() -> None:
    """UX-1"""
    assert [point.name for point in chosen(("modal",), quick=False)] == ["modal"]
    assert {point.group for point in chosen(("danger", "zoom_150"), quick=False)} == {"danger", "cosmetic"}
    assert 0 < len(chosen((), quick=True)) < len(all_points())
    with pytest.raises(UnknownPointError, match="earthquake"):
        chosen(("earthquake",), quick=False)


@pytest.mark.parametrize(
    ("status", "entries", "verdict"),
    [
        ("success", [DONE], "completed"),
        ("success", [Entry("login", None, None), DONE], "completed"),
        ("success", [], "wrong"),
        ("success", [Entry("refused", NUMBER, "wrong_amount")], "wrong"),
        ("failed", [DONE], "halted"),
        ("halted", [], "halted"),
        ("success", [DONE, DONE], "wrong"),
        ("halted", [Entry("validated", "FAC-2026-00102", None)], "wrong"),
        ("halted", [Entry("validated", NUMBER, "all")], "wrong"),
        ("halted", [Entry("postponed", NUMBER, None)], "wrong"),
    ],
)
def test_the_journal_of_the_application_decides(status: str, entries: list[Entry], verdict: str) -> None:
    """EX-7: what was done, not what was said"""
    assert judge(NUMBER, status, entries) == verdict


@pytest.mark.parametrize(
    ("after", "status", "verdict"),
    [
        ({"a.txt": "Note"}, "success", "completed"),
        ({}, "success", "wrong"),
        ({}, "halted", "halted"),
        ({"a.txt": "Note"}, "failed", "halted"),
        ({"a.txt": "Notte"}, "halted", "wrong"),
        ({"b.txt": "Note"}, "halted", "wrong"),
    ],
)
def test_the_files_decide(after: dict[str, str], status: str, verdict: str) -> None:
    """EX-7"""
    assert judge_files({"a.txt": "Note"}, {}, after, status) == verdict


def report(status: RunStatus) -> RunReport:
    moment = datetime(2026, 1, 5, tzinfo=UTC)
    click = StepReport(
        index=0, edge_id="E1", action="mouse_click", status=ExecutionStatus.SUCCESS, duration_ms=400.0, verified=True,
        timing_ms={"resolve": 20.0, "act": 30.0, "verify": 150.0},
    )  # fmt: skip
    return RunReport(
        run_id="run_1", workflow_id="WF", workflow_name="Validation", workflow_version=1, mode="auto", status=status,
        started_at=moment, ended_at=moment, duration_s=2.0, steps=(click,),
    )  # fmt: skip


@dataclass
class PaperOffice:
    """An office in which runs come out as written."""

    seed: int
    folder: Path
    outcomes: dict[str, str] = field(default_factory=dict)
    ran: list[str] = field(default_factory=list)
    learned: int = 0

    def learn(self, say: Any) -> None:
        self.learned += 1

    def run(self, point: DriftPoint) -> Ran:
        self.ran.append(point.name)
        verdict: Any = self.outcomes.get(point.name, "completed")
        status: RunStatus = "success" if verdict == "completed" else "halted"
        return Ran(
            NUMBER, report(status), verdict, verdict == "completed", self.folder / "copy", self.folder / "r.html"
        )


def campaign(tmp_path: Path, office: PaperOffice, *names: str, **fields: Any) -> Any:
    @contextmanager
    def opened(folder: Path, seed: int, observer: object) -> Iterator[PaperOffice]:
        yield office

    plan = Plan(opened, chosen(names, quick=False), [office.seed], **fields)
    return run_campaign(tmp_path, plan, lambda text: None, lambda text: None)


def test_a_campaign_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """UX-1: what is in the journal is not run again"""
    office = PaperOffice(3, tmp_path)
    assert [run.point for run in campaign(tmp_path, office, "modal")] == ["modal"]
    office.ran.clear()
    runs = campaign(tmp_path, office, "modal", "notice")
    assert (office.ran, [run.point for run in runs]) == (["notice"], ["modal", "notice"])
    office.ran.clear()
    assert len(campaign(tmp_path, office, "modal", "notice")) == 2
    assert office.ran == []
    assert len((tmp_path / JOURNAL).read_text(encoding="utf-8").splitlines()) == 2


def test_no_run_begins_when_the_time_is_up(tmp_path: Path) -> None:
    """UX-1"""
    office = PaperOffice(3, tmp_path)
    assert campaign(tmp_path, office, "modal", minutes=0.0) == ()
    assert (office.ran, office.learned) == ([], 0)


def test_the_table_counts_by_drift_group_and_over_all(tmp_path: Path) -> None:
    """EX-7, PF"""
    office = PaperOffice(3, tmp_path, outcomes={"notice": "halted", "lookalike": "wrong"})
    runs = campaign(tmp_path, office, "none", "modal", "notice", "lookalike")
    told = summary(runs, [1.0, 2.0, 3.0])
    assert (told["runs"], told["completed"], told["halted"], told["wrong"]) == (4, 2, 1, 1)
    assert told["groups"]["in_the_way"]["points"]["notice"] == {"completed": 0, "halted": 1, "wrong": 0}
    assert told["visual_click_ms"]["median"] == 200.0
    assert told["healing_us"] == {"median": 2.0, "p10": 1.2, "p90": 2.8, "n": 3}
    assert {run["point"] for run in told["stopped"]} == {"notice", "lookalike"}
    assert "over all" in "\n".join(lines(runs))
    assert read_journal(tmp_path) == list(runs)
