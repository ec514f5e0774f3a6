"""First light: a person validates invoices, RPA Vision watches, learns, and validates other ones alone.

Everything is real: a browser on a desktop, a separate process that moves the mouse, the recorder of
`rpa-vision record`, and the clinic's own database to say in the end what was really done.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from rpa_vision.app import wiring
from rpa_vision.app.learn import learn
from rpa_vision.app.maturity import count_shown
from rpa_vision.app.run import RunRequest, RunTools, run_workflow
from rpa_vision.app.sentences import step_sentence
from rpa_vision.app.wiring_auto_heal import auto_heal
from rpa_vision.demo.browser import launch_browser
from rpa_vision.demo.clinic.serve import ClinicServer
from rpa_vision.errors import RpaVisionError
from rpa_vision.execution.execution_loop import in_order
from rpa_vision.models.execution import RunReport
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.desktop import Desktop

NAME = "Validation facture"
AUTHORISATION = "demonstration of a workflow learned a moment ago, on the demo clinic's own data"
_READY_TIMEOUT_S = 30.0
_PERSON_TIMEOUT_S = 300.0


class DemoError(RpaVisionError):
    """A part of the demonstration did not do its part."""

    code = "demo.failed"
    default_remedy = "Run it again; if it fails the same way, look at the report and run `rpa-vision doctor`."


@dataclass(frozen=True, slots=True)
class DemoSettings:
    """How large a demonstration."""

    demonstrated: int = 5
    alone: int = 5
    seed: int = 7
    speed: float = 1.5
    data: Path | None = None
    force_virtual: bool = False


@dataclass(frozen=True, slots=True)
class DemoResult:
    """What was shown."""

    demonstrated: tuple[str, ...]
    runs: tuple[tuple[str, RunReport, str], ...]
    """Invoice, report and the path of its HTML."""
    workflow: Workflow
    touched: tuple[str, ...]
    """What the clinic's database says was validated, in order."""
    duration_s: float
    report: str

    @property
    def completed(self) -> int:
        return sum(report.status == "success" for _, report, _ in self.runs)

    @property
    def halted(self) -> int:
        return len(self.runs) - self.completed

    @property
    def wrong(self) -> int:
        """Invoices that were touched and should not have been, and runs that said success and were not."""
        wanted = {*self.demonstrated, *(number for number, _, _ in self.runs)}
        claimed = {number for number, report, _ in self.runs if report.status == "success"}
        return len(set(self.touched) - wanted) + len(claimed - set(self.touched))

    @property
    def truth_ok(self) -> bool:
        """The database says: exactly these, each once."""
        wanted = [*self.demonstrated, *(number for number, _, _ in self.runs)]
        return sorted(self.touched) == sorted(wanted)

    def summary(self) -> dict[str, Any]:
        """The one line scripts read."""
        return {
            "demonstrated": len(self.demonstrated),
            "completed": self.completed,
            "halted": self.halted,
            "wrong": self.wrong,
            "truth_ok": self.truth_ok,
            "workflow_id": self.workflow.workflow_id,
            "duration_s": round(self.duration_s, 1),
            "report": self.report,
        }


Say = Callable[[str], None]
Step = Callable[[str, int, int], None]


def show(settings: DemoSettings, say: Say, done: Say, step: Step = lambda what, so_far, total: None) -> DemoResult:
    """Do the whole demonstration. `say` hears what is going on, `done` what is finished, `step` how far it is."""
    clock = wiring.clock()
    began = clock.monotonic()
    with ExitStack() as stack:
        environment = stack.enter_context(_display(settings, done))
        clinic = stack.enter_context(ClinicServer(seed=settings.seed))
        profile = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rpa-vision-browser-")))
        stack.enter_context(launch_browser(clinic.url, profile_dir=profile, env=environment))
        to_show, to_do = _choose(clinic, settings)

        say(f"a person validates {len(to_show)} invoices; RPA Vision watches")
        session_id = _record_person(settings, environment, clinic.url, to_show)
        done(f"watched: {', '.join(to_show)}")

        say("learning the workflow from what was seen")
        store = wiring.data_directory(settings.data)
        observer = wiring.screen_observer()
        heal = stack.enter_context(auto_heal(store))
        learned = learn(
            store,
            observer,
            clock,
            name=NAME,
            session_ids=[session_id],
            on_progress=step,
            versions=heal.versions,
            keep_versions=heal.policy.current().max_versions_to_keep,
            on_update=heal.manager.on_update,
        )
        count_shown(heal.learning, heal.versions, learned)
        variable = variable_holding(learned.workflow, to_show)
        done(
            f"learned: {len(learned.workflow.edges)} steps, seen {learned.repetitions} times, "
            f"variable {variable!r}, in {learned.duration_s:.1f} s"
        )

        def tools_for(desktop: Desktop) -> RunTools:
            return wiring.run_tools(store, desktop, learned.workflow, heal, observer)

        runs = []
        for number, invoice in enumerate(to_do, start=1):
            say(f"alone, {number} of {len(to_do)}: invoice {invoice}")
            report, path = _run_alone(environment.get("DISPLAY"), tools_for, learned.workflow, {variable: invoice})
            runs.append((invoice, report, path))
            done(
                f"{invoice}: {report.status}, {len(report.steps)} steps in {report.duration_s:.1f} s ({report.reason})"
            )
        touched = tuple(entry["number"] for entry in clinic.truth()["journal"] if entry["number"] is not None)
    result = DemoResult(
        demonstrated=tuple(to_show),
        runs=tuple(runs),
        workflow=learned.workflow,
        touched=touched,
        duration_s=clock.monotonic() - began,
        report="",
    )
    return _with_report(result, settings)


def variable_holding(workflow: Workflow, values: Sequence[str]) -> str:
    """The variable whose examples are these values."""
    for name, variable in workflow.variables.items():
        if {str(example) for example in variable.example_values} <= set(values):
            return name
    known = ", ".join(workflow.variables) or "none"
    raise DemoError(f"no variable of the workflow holds the invoice (it has: {known})")


@contextmanager
def _display(settings: DemoSettings, done: Say) -> Iterator[Mapping[str, str]]:
    """The environment programs start in: the person's own display, or a virtual one where there is none."""
    if os.environ.get("DISPLAY") and not settings.force_virtual:
        done(f"using the display {os.environ['DISPLAY']}: leave mouse and keyboard alone until the end")
        yield os.environ
        return
    with wiring.virtual_desktop() as virtual:
        done(f"virtual desktop started on {virtual.display}")
        yield virtual.env


def _choose(clinic: ClinicServer, settings: DemoSettings) -> tuple[list[str], list[str]]:
    """Which invoices are shown and which are done alone: waiting ones that the clinic will accept."""
    waiting = [
        invoice["number"]
        for invoice in clinic.truth()["invoices"]
        if invoice["status"] == "to_validate" and not invoice["amount_is_wrong"]
    ]
    random.Random(settings.seed).shuffle(waiting)
    wanted = settings.demonstrated + settings.alone
    if len(waiting) < wanted:
        raise DemoError(f"the clinic has {len(waiting)} invoices to validate, {wanted} are needed")
    return waiting[: settings.demonstrated], waiting[settings.demonstrated : wanted]


def _record_person(settings: DemoSettings, environment: Mapping[str, str], url: str, invoices: Sequence[str]) -> str:
    """Let the scripted person work under the eyes of the recorder; give the session's id."""
    data = str(wiring.data_path(settings.data))
    recorder = subprocess.Popen(
        [sys.executable, "-m", "rpa_vision", "record", "--name", NAME, "--data", data, "--json"],
        env=dict(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        _wait_until_recording(recorder)
        _let_person_work(settings, environment, url, invoices)
        recorder.send_signal(signal.SIGINT)
        output, problems = recorder.communicate(timeout=_READY_TIMEOUT_S)
    finally:
        if recorder.poll() is None:
            recorder.kill()
            recorder.wait()
    if recorder.returncode != 0:
        raise DemoError(f"the recorder ended with {recorder.returncode}: {problems.strip().splitlines()[-2:]}")
    session_id: str = json.loads(output.strip().splitlines()[-1])["session_id"]
    return session_id


def _wait_until_recording(recorder: subprocess.Popen[str]) -> None:
    assert recorder.stderr is not None
    lines = []
    for line in recorder.stderr:
        if line.strip() == "recording":
            return
        lines.append(line.strip())
    raise DemoError(f"the recorder did not start: {' '.join(lines)}")


def _let_person_work(settings: DemoSettings, environment: Mapping[str, str], url: str, invoices: Sequence[str]) -> None:
    command = [
        sys.executable, "-m", "rpa_vision.demo.person", "clinic_validate",
        "--url", url, "--invoices", ",".join(invoices),
        "--seed", str(settings.seed), "--speed", str(settings.speed),
    ]  # fmt: skip
    ended = subprocess.run(
        command, env=dict(environment), capture_output=True, text=True, timeout=_PERSON_TIMEOUT_S, check=False
    )
    if ended.returncode != 0:
        raise DemoError(f"the scripted person gave up: {ended.stderr.strip()}")


def _run_alone(
    display: str | None, tools_for: Callable[[Desktop], RunTools], workflow: Workflow, parameters: Mapping[str, str]
) -> tuple[RunReport, str]:
    desktop = wiring.desktop(display)
    try:
        request = RunRequest(workflow, parameters, mode="auto", authorised_because=AUTHORISATION)
        return run_workflow(request, tools_for(desktop))
    finally:
        desktop.close()


def _with_report(result: DemoResult, settings: DemoSettings) -> DemoResult:
    """Write the summary page, and give the result that knows where it is."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = resources.files("rpa_vision.demo").joinpath("templates/summary.html.j2").read_text(encoding="utf-8")
    procedure = [step_sentence(edge) for edge in in_order(result.workflow)]
    page = environment.from_string(template).render(result=result, procedure=procedure)
    path = wiring.data_path(settings.data).resolve() / "demo" / "first-light.html"
    wiring.image_files().write(path, page.encode("utf-8"))
    return replace(result, report=str(path))
