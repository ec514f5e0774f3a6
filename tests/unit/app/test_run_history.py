"""What is told of runs is told in a form that others can read."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from rpa_vision.app.run_history import junit
from rpa_vision.models.execution import ExecutionStatus, RunReport, StepReport
from rpa_vision.testing.screens import MOMENT


@pytest.mark.parametrize("odd", ["\x0c", "\x00", "\x1b", "\ud800", "\ufffe", "\uffff"])
def test_junit_is_xml_whatever_the_screen_said(odd: str) -> None:
    """UX-4: what XML has no place for is replaced, and nothing else"""
    said = f"« é\t{odd} <\U0001f600> »"
    step = StepReport(
        index=0, edge_id="E1", action="mouse_click", description=said, status=ExecutionStatus.FAILED,
        reason=said, duration_ms=1.0, verified=False, expected=said, observed=said,
    )  # fmt: skip
    report = RunReport(
        run_id="run_1", workflow_id="WF_1", workflow_name=said, workflow_version=1, mode="auto", status="halted",
        reason=said, started_at=MOMENT, ended_at=MOMENT, duration_s=1.0, steps=(step,),
    )  # fmt: skip
    suite = ET.fromstring(junit(report).encode("utf-8"))
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert failure.get("message") == said.replace(odd, "\ufffd")
    assert failure.text == " / ".join([said.replace(odd, "\ufffd")] * 2)
