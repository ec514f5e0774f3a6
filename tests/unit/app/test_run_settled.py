"""A run with a vision-language model: a tie is settled, and the report says by whom; without one the run stops."""

from __future__ import annotations

import json

import pytest
from office import NEW, Office, form, show_three, thanks

from rpa_vision.app.run import RunRequest, run_workflow
from rpa_vision.cli.run_explained import explained
from rpa_vision.models.execution import RunReport
from rpa_vision.models.geometry import Box
from rpa_vision.ports.vlm import NoAnswer, VlmAnswer, VlmQuestion
from rpa_vision.testing.scripted_desktop import Deed, ScriptedDesktop

LEFT, RIGHT = (380, 460, 540, 500), (620, 460, 780, 500)


class Model:
    """Implements `ports.vlm.VisionLanguageModel`: means what stands on the right, whatever its number is."""

    name = "model:1"

    def __init__(self, *, answers: bool = True) -> None:
        self.asked = 0
        self._answers = answers

    def ask(self, question: VlmQuestion, *, timeout_s: float | None = None) -> VlmAnswer | NoAnswer:
        del question, timeout_s
        self.asked += 1
        if not self._answers:
            return NoAnswer("timeout", "too slow")
        return VlmAnswer(json.dumps({"number": 2 if self.asked % 2 else 1}), "1", 0.1)


def two_ways_on(office: Office) -> ScriptedDesktop:
    """The application in a new version: there are two buttons of that name, as far from the old place each."""
    twins = [item for item in thanks(NEW) if item[2] != "Nouveau"]  # type: ignore[index]
    twins += [("button", "navigation", "Nouveau", LEFT), ("button", "navigation", "Nouveau", RIGHT)]
    office.book.draw("typed", form(NEW), title="Patients")
    office.book.draw("twins", twins, title="Merci")

    def follow(screen: str, deed: Deed) -> str | None:
        if screen == "form" and deed.verb == "type_text":
            return "typed"
        if screen == "typed" and deed.verb == "click":
            return "twins"
        return (
            "form" if screen == "twins" and deed.verb == "click" and Box(*RIGHT).contains(deed.at or (0, 0)) else None
        )

    return ScriptedDesktop(office.book.pixels, start="form", script=follow, clock=office.clock)


def run(office: Office, model: Model | None) -> tuple[RunReport, ScriptedDesktop]:
    office.keep(show_three(office.book))
    workflow = office.learn().workflow
    desktop = two_ways_on(office)
    tools = office.tools(desktop, vlm=(lambda: model) if model is not None else None)
    request = RunRequest(workflow, {"nom": NEW}, mode="auto", authorised_because="a test")
    report, _ = run_workflow(request, tools)
    return report, desktop


def test_a_tie_in_a_run_is_settled_by_the_model_and_the_explanation_names_it(office: Office) -> None:
    """EX-4 som_vlm, UX-1"""
    model = Model()
    report, desktop = run(office, model)
    assert report.status == "success", report.reason
    assert desktop.screen == "form"
    told = "\n".join(explained(report))
    assert "by som_vlm" in told
    assert "chosen among 2 by model:1 (som_vlm)" in told
    assert model.asked >= 2


@pytest.mark.parametrize("model", [None, Model(answers=False)])
def test_without_an_answer_the_run_stops_before_the_click(office: Office, model: Model | None) -> None:
    """EX-7: a model that fails changes nothing"""
    report, desktop = run(office, model)
    assert report.status != "success"
    assert "could be two things" in report.reason
    assert desktop.screen == "twins"
    stopped = report.steps[-1]
    assert stopped.chosen is None
    assert stopped.strategy is None
    assert stopped.nearest is not None
    assert stopped.nearest.label == "Nouveau"
    assert stopped.resolution_details["healing_attempt"] == len(stopped.attempts) - 1
    assert ("som_vlm gave no answer (timeout: too slow)" in report.reason) == (model is not None)
