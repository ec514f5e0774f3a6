"""What was learned works alone, on data nobody showed; the applications' own data say what really came of it.

*completed*: exactly what was asked for was done, and the run says so. *wrong*: something else was changed, or the run
says it is done and it is not. *halted*: everything else; the run stopped and said so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rpa_vision.app import wiring
from rpa_vision.app.run import RunHooks, RunRequest, RunTools, run_workflow
from rpa_vision.app.wiring_auto_heal import auto_heal
from rpa_vision.demo.clinic.sessions import DEMO_PASSWORD
from rpa_vision.demo.day.agenda import Go
from rpa_vision.demo.day.office import Office
from rpa_vision.demo.person.tasks.office_goes import journal_line
from rpa_vision.errors import RpaVisionError
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.desktop import Desktop

AUTHORISATION = "the day: what was learned works alone on the demo clinic's own data"
_TABLES = ("slips", "payments", "claims", "invoices")
Changes = dict[str, str]
"""What has another status than before, and the lines that were added to the journal."""


@dataclass(frozen=True, slots=True)
class AloneRun:
    """One run, what it said and what was true."""

    task: str
    subject: str
    expired: bool
    status: str
    verdict: str
    reason: str
    duration_s: float
    steps: int
    report: str = ""


@dataclass(frozen=True, slots=True)
class Robot:
    """What runs need, at work in an office."""

    office: Office
    tools_for: Callable[[Desktop, Workflow], RunTools]

    def run(self, workflow: Workflow, go: Go, names: Mapping[str, str]) -> AloneRun:
        """Do one go alone; `names` says what the workflow calls the true variables."""
        before = self._state()
        parameters = {names[true]: value for true, value in {_SUBJECT[go.task]: go.subject}.items() if true in names}
        steps_begun = 0

        def on_begin(*_: object) -> None:
            nonlocal steps_begun
            steps_begun += 1
            if go.expires_at == "submit_search" and steps_begun == _EXPIRES_AT_STEP:
                self.office.clinic.expire_sessions()

        if go.expires_at == "open_invoices":
            self.office.clinic.expire_sessions()
        clock = wiring.clock()
        began = clock.monotonic()
        report_path, steps = "", 0
        desktop = wiring.desktop(self.office.env["DISPLAY"])
        try:
            tools = replace(self.tools_for(desktop, workflow), secrets=_secrets(workflow))
            request = RunRequest(workflow, parameters, mode="auto", authorised_because=AUTHORISATION)
            report, report_path = run_workflow(request, tools, RunHooks(on_begin=on_begin))
            status, reason, steps = str(report.status), report.reason, len(report.steps)
        except RpaVisionError as error:  # refused before it began: a value is missing, the document makes no sense
            status, reason = "refused", f"{error} ({error.code})"
        finally:
            desktop.close()
        verdict = judge(go, status, _changes(before, self._state()))
        duration_s = round(clock.monotonic() - began, 1)
        return AloneRun(
            go.task, go.subject, bool(go.expires_at), status, verdict, reason, duration_s, steps, report_path
        )

    def _state(self) -> Changes:
        truth = self.office.clinic.truth()
        state = {entry["number"]: entry["status"] for table in _TABLES for entry in truth[table]}
        lines = self.office.written()
        return state | {f"line {index}": line for index, line in enumerate(lines)}


def work_alone(
    office: Office,
    data: Path,
    goes: Sequence[Go],
    learned: Mapping[str, tuple[Workflow, Mapping[str, str]]],
    on_run: Callable[[AloneRun], None] = lambda run: None,
) -> list[AloneRun]:
    """Do every go whose task was learned; one that was not is halted by nature."""
    store = wiring.data_directory(data)
    observer = wiring.screen_observer()
    runs = []
    with auto_heal(store, quiet=True) as heal:
        robot = Robot(office, lambda desktop, workflow: wiring.run_tools(store, desktop, workflow, heal, observer))
        for go in goes:
            if go.task not in learned:
                run = AloneRun(go.task, go.subject, bool(go.expires_at), "refused", "halted", "not learned", 0.0, 0)
            else:
                # What is in use now: a heal that proved itself makes a version of its own.
                workflow = store.workflows.load(learned[go.task][0].workflow_id)
                run = robot.run(workflow, go, learned[go.task][1])
                if run.status != "success":
                    office.tidy_up()
            runs.append(run)
            on_run(run)
    return runs


def judge(go: Go, status: str, changes: Changes) -> str:
    """What a run is worth, by what it changed."""
    wanted = wanted_changes(go)
    line_added = sorted(value for name, value in changes.items() if name.startswith("line "))
    changed = {name: value for name, value in changes.items() if not name.startswith("line ")}
    is_right = changed == wanted and line_added == ([journal_line(go)] if go.task == "journal" else [])
    if is_right:
        return "completed" if status == "success" else "halted"
    is_astray = bool(changed.items() - wanted.items()) or line_added not in ([], [journal_line(go)])
    return "wrong" if is_astray or status == "success" else "halted"


def wanted_changes(go: Go) -> Changes:
    """What a go changes in the clinic."""
    if go.task == "slips":
        return {go.subject: "closed", **dict.fromkeys(go.rows, "validated")}
    if go.task == "claims":
        return {go.subject: "sent" if go.is_high else "validated"}
    return {}


def _changes(before: Changes, after: Changes) -> Changes:
    gone = dict.fromkeys(before.keys() - after.keys(), "")
    return gone | {name: value for name, value in after.items() if before.get(name) != value}


def _secrets(workflow: Workflow) -> dict[str, str]:
    """The one secret of this office, under whatever name it was learned."""
    refs = {action.parameters.secret_ref for _, action in workflow.actions()}
    return {ref: DEMO_PASSWORD for ref in refs if ref is not None}


_SUBJECT = {"slips": "slip", "claims": "claim", "journal": "invoice"}
_EXPIRES_AT_STEP = 3
