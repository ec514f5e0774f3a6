"""The clinic on a desktop of its own, a workflow learned there once, and runs of it after the clinic has changed.

The recording and the learning are kept: a campaign that goes on later goes on with what was learned then. Every run
has a fresh copy of it and begins on the list of invoices, with the clinic's data as on the first day.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from Xlib import display as xdisplay

from rpa_vision.app import wiring
from rpa_vision.app.learn import learn
from rpa_vision.app.run import RunRequest, run_workflow
from rpa_vision.app.wiring_auto_heal import auto_heal
from rpa_vision.demo.browser import launch_browser
from rpa_vision.demo.clinic.data import make_invoices, validatable
from rpa_vision.demo.clinic.drift import Drift
from rpa_vision.demo.clinic.serve import ClinicServer
from rpa_vision.demo.clinic.sessions import DEMO_PASSWORD, DEMO_USER
from rpa_vision.demo.day.office import recording
from rpa_vision.demo.drift.points import DriftPoint
from rpa_vision.demo.drift.verdicts import Entry, Ran, judge
from rpa_vision.demo.first_light import NAME, variable_holding
from rpa_vision.demo.person.events import XTestSink
from rpa_vision.demo.person.eyes import ExpectationError, Eyes
from rpa_vision.demo.person.hands import Hands
from rpa_vision.demo.person.keyboard import Keyboard
from rpa_vision.demo.person.pace import Pace
from rpa_vision.demo.person.tasks import clinic_validate
from rpa_vision.demo.person.tasks.assignment import Assignment
from rpa_vision.demo.person.tasks.clinic_steps import click, log_in_if_asked, sit_down
from rpa_vision.demo.program import Program
from rpa_vision.embedding.screen_observer import ScreenObserver
from rpa_vision.errors import LearningError
from rpa_vision.models.execution import RunReport
from rpa_vision.models.workflow_graph import Workflow

AUTHORISATION = "the drift benchmark, on the demo clinic's own data"
SHOWN = 5
PACES = (1.5, 0.8, 0.5)
"""On a busy machine screens come too late to be learned from: then the same is shown again, more slowly."""
_QUICK_SPEED = 3.0
_LOGINS = 4
_NOT_COPIED = ("sessions", "screen_states", "runs")
Say = Callable[[str], None]


@dataclass(slots=True)
class DriftOffice:
    """The desktop, the clinic, the browser as it runs now, and somebody who can open the list of invoices."""

    folder: Path
    env: Mapping[str, str]
    clinic: ClinicServer
    display: Any
    seed: int
    observer: ScreenObserver
    browser: Program | None = None
    device_scale: float = 1.0
    colleague: Assignment | None = field(default=None)

    def learn(self, say: Say) -> None:
        """Let somebody validate a few invoices, and learn that; what was learned before is kept."""
        if (self.learned / "workflows").is_dir():
            return
        for speed in PACES:
            say(f"seed {self.seed}: somebody validates {SHOWN} invoices; RPA Vision watches")
            shutil.rmtree(self.learned, ignore_errors=True)
            self.clinic.reset()
            self._at_the_list(1.0)
            with recording(self.env, self.learned, NAME) as told:
                clinic_validate.do(self._person(speed, invoices=tuple(self.shown)))
            say(f"seed {self.seed}: learning")
            if learned_from(self.learned, self.observer, NAME, told["session_id"], last=speed == PACES[-1]):
                return

    def run(self, point: DriftPoint) -> Ran:
        """Validate one invoice alone after the clinic has changed."""
        number = self.waiting[sum(map(ord, point.name)) % len(self.waiting)]
        self.clinic.reset()
        self.clinic.change_drift(**{**Drift().as_dict(), **point.switches})
        self._at_the_list(point.device_scale)
        before = len(self._journal())
        report, root, page = run_copy(
            self.learned, self.folder / "runs" / point.name, self.env["DISPLAY"], self.observer,
            lambda workflow: {variable_holding(workflow, self.shown): number},
        )  # fmt: skip
        entries = self._journal()[before:]
        effect = any(entry.action == "validated" and entry.number == number for entry in entries)
        return Ran(number, report, judge(number, report.status, entries), effect, root, page)

    @property
    def learned(self) -> Path:
        return self.folder / "learned"

    @property
    def shown(self) -> list[str]:
        """The invoices that were demonstrated."""
        return self._invoices()[:SHOWN]

    @property
    def waiting(self) -> list[str]:
        """Those that were not."""
        return self._invoices()[SHOWN:]

    def _invoices(self) -> list[str]:
        numbers = [invoice.number for invoice in validatable(make_invoices(self.seed))]
        random.Random(f"drift-{self.seed}").shuffle(numbers)
        return numbers

    def _at_the_list(self, device_scale: float) -> Assignment:
        """Somebody signs in if need be and opens the list of invoices, as the clinic now shows it."""
        if self.browser is None or device_scale != self.device_scale:
            self._open_browser(device_scale)
        try:
            return self._open_the_list()
        except ExpectationError:  # a run that halted in a dialog leaves it open
            self._open_browser(device_scale)
            return self._open_the_list()

    def _open_the_list(self) -> Assignment:
        assert self.colleague is not None
        self._log_in(self.colleague)
        before = self.colleague.eyes.wait_for("nav-invoices")
        click(self.colleague, "nav-invoices")
        self.colleague.eyes.wait_until("the list", lambda look: look.page > before.page and look.shows("search"))
        self.colleague.eyes.wait_until_still()
        return self.colleague

    def _log_in(self, colleague: Assignment) -> None:
        """Sign in; who mistypes on a busy machine tries again."""
        for attempt in range(_LOGINS):
            try:
                log_in_if_asked(colleague)
            except ExpectationError:
                if attempt + 1 == _LOGINS:
                    raise
            else:
                return

    def _open_browser(self, device_scale: float) -> None:
        if self.browser is not None:
            self.browser.stop()
        self.browser = launch_browser(
            self.clinic.url, profile_dir=self.folder / "browser", env=self.env, device_scale=device_scale
        )
        self.device_scale = device_scale
        self.colleague = self._person(_QUICK_SPEED)
        sit_down(self.colleague)

    def _person(self, speed: float, invoices: tuple[str, ...] = ()) -> Assignment:
        pace, pointer = Pace(speed), self.display.screen().root.query_pointer()
        hands = Hands(
            XTestSink(self.display, None),
            Keyboard(self.display, pace),
            pace,
            random.Random(self.seed),
            at=(pointer.root_x, pointer.root_y),
        )
        eyes = Eyes(self.clinic.url, pace)
        return Assignment(
            display=self.display, hands=hands, pace=pace, eyes=eyes, user=DEMO_USER, password=DEMO_PASSWORD,
            invoices=invoices,
        )  # fmt: skip

    def _journal(self) -> list[Entry]:
        return [Entry(entry["action"], entry["number"], entry["detail"]) for entry in self.clinic.truth()["journal"]]


@contextmanager
def open_office(folder: Path, seed: int, observer: ScreenObserver) -> Iterator[DriftOffice]:
    """Open the clinic of a seed on a desktop of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        env = stack.enter_context(wiring.virtual_desktop()).env
        clinic = stack.enter_context(ClinicServer(seed=seed))
        display = xdisplay.Display(env["DISPLAY"])
        stack.callback(display.close)
        office = DriftOffice(folder, env, clinic, display, seed, observer)
        stack.callback(lambda: office.browser.stop() if office.browser is not None else None)
        yield office


def learned_from(root: Path, observer: ScreenObserver, name: str, session_id: str, *, last: bool) -> bool:
    """Learn the one workflow of a recording, as a version like any other; whether that worked. The `last` time, an
    error says why not."""
    data = wiring.data_directory(root)
    try:
        with auto_heal(data, quiet=True) as heal:
            learn(
                data,
                observer,
                wiring.clock(),
                name=name,
                session_ids=[session_id],
                versions=heal.versions,
                keep_versions=heal.policy.current().max_versions_to_keep,
                on_update=heal.manager.on_update,
            )
    except LearningError:
        if last:
            raise
        return False
    return True


def run_copy(
    learned: Path, root: Path, display: str, observer: ScreenObserver, values: Callable[[Workflow], Mapping[str, str]]
) -> tuple[RunReport, Path, Path]:
    """Run what was learned in a fresh copy of it: the report, the copy, and the page of the report in it."""
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(learned, root, ignore=lambda where, names: _left_out(learned, where, names))
    data, desktop = wiring.data_directory(root), wiring.desktop(display)
    try:
        with auto_heal(data, quiet=True) as heal:
            workflow = data.workflows.list().items[0]
            tools = wiring.run_tools(data, desktop, workflow, heal, observer)
            request = RunRequest(workflow, values(workflow), "auto", AUTHORISATION)
            report, page = run_workflow(request, tools)
    finally:
        desktop.close()
    return report, root, root / page


def _left_out(root: Path, where: str, names: list[str]) -> list[str]:
    return [name for name in names if Path(where) == root and name in _NOT_COPIED]
