"""The demonstration that `make demo` shows, with everything it claims checked."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from rpa_vision.adapters.audit.jsonl_audit import digest
from rpa_vision.demo.clinic.sessions import DEMO_PASSWORD


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """One demonstration on a machine without a display."""
    data = tmp_path_factory.mktemp("first-light") / "data"
    env = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    ended = subprocess.run(
        [sys.executable, "-m", "rpa_vision", "demo", "--data", str(data), "--json"],
        env=env, capture_output=True, text=True, timeout=280, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return json.loads(ended.stdout.strip().splitlines()[-1]), data


def test_five_demonstrated_invoices_become_five_others_done_alone(shown: tuple[dict[str, Any], Path]) -> None:
    """L4-2, EX-7"""
    summary, _ = shown
    assert summary["demonstrated"] == summary["completed"] == 5
    assert (summary["halted"], summary["wrong"], summary["truth_ok"]) == (0, 0, True)
    assert Path(summary["report"]).read_text(encoding="utf-8").count("FAC-2026-") >= 10


def test_every_step_of_every_run_was_verified(shown: tuple[dict[str, Any], Path]) -> None:
    """EX-1"""
    reports = [json.loads(path.read_text()) for path in (shown[1] / "runs").glob("*/report.json")]
    assert len(reports) == 5
    for report in reports:
        assert report["status"] == "success"
        assert report["steps"]
        assert all(step["verified"] for step in report["steps"])
        assert report["authorised_because"]


def test_what_the_person_has_shown_counts_as_observed(shown: tuple[dict[str, Any], Path]) -> None:
    """L4-11, UX-1"""
    ended = subprocess.run(
        [sys.executable, "-m", "rpa_vision", "status", "--data", str(shown[1]), "--json"],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    (told,) = json.loads(ended.stdout)["workflows"]
    assert told["state"] == "COACHING", "five goes were seen, all as learned"
    assert "observed" not in told["waits_for"]


def test_the_invoice_chosen_is_a_variable(shown: tuple[dict[str, Any], Path]) -> None:
    """L4-3"""
    summary, data = shown
    workflow = json.loads((data / "workflows" / summary["workflow_id"] / "workflow.json").read_text())
    invoice = [v for v in workflow["variables"].values() if all(str(x).startswith("FAC-") for x in v["example_values"])]
    assert len(workflow["variables"]) == len(invoice) == 1
    assert len(invoice[0]["example_values"]) == 5


def test_the_reports_need_nothing_from_outside(shown: tuple[dict[str, Any], Path]) -> None:
    """UX-4"""
    for path in (shown[1] / "runs").glob("*/report.html"):
        page = path.read_text(encoding="utf-8")
        assert page.count("data:image/jpeg;base64,") >= 6
        assert not re.search(r"""(src|href)=["'](?!data:|#)""", page)


def test_the_typed_password_is_in_no_file(shown: tuple[dict[str, Any], Path]) -> None:
    """L0-7"""
    files = [path for path in shown[1].rglob("*") if path.is_file()]
    assert len(files) > 20
    assert [path for path in files if DEMO_PASSWORD.encode() in path.read_bytes()] == []
    session = json.loads(next((shown[1] / "sessions").glob("*/sess_*.json")).read_text())
    typed = "".join(event["char"] or "" for event in session["events"] if event["type"] == "key_press")
    secret = [event for event in session["events"] if event["secret_ref"]]
    assert "marie.dupont" in typed
    assert not any(piece in typed for piece in ("Lilas", "ilas-", "2026!"))
    assert len(secret) >= len(DEMO_PASSWORD)


def test_what_was_decided_is_in_the_audit_trail(shown: tuple[dict[str, Any], Path]) -> None:
    """AH-5.1, AH-7.5"""
    lines = [json.loads(line) for line in (shown[1] / "audit" / "audit.jsonl").read_text().splitlines()]
    kinds = [line["kind"] for line in lines]
    assert kinds.count("run_requested") == kinds.count("run_ended") == 5
    assert kinds.count("step_allowed") == kinds.count("step_result") == 30
    assert all(line["hash"] == digest(line) for line in lines)
    assert all(later["prev"] == earlier["hash"] for earlier, later in pairwise(lines))
