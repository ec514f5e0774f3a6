"""A desktop with the clinic on it, a workflow learned there, and robots that run it under the real supervisor.

The recording and the learning are done once; every robot has a copy of what was learned, so no story sees another's.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from script_view import CommandLine, person
from Xlib import display as xdisplay

from rpa_vision.adapters.storage.data_directory import FileDataDirectory
from rpa_vision.app import wiring
from rpa_vision.app.learn import learn
from rpa_vision.app.run import RunHooks, RunRequest, run_workflow
from rpa_vision.app.wiring_auto_heal import AutoHeal, auto_heal, versioned_store
from rpa_vision.demo.browser import launch_browser
from rpa_vision.demo.clinic.data import Invoice, make_invoices, validatable
from rpa_vision.demo.clinic.serve import ClinicServer
from rpa_vision.demo.first_light import NAME, variable_holding
from rpa_vision.demo.person.events import XTestSink
from rpa_vision.demo.person.eyes import Eyes
from rpa_vision.demo.person.hands import Hands
from rpa_vision.demo.person.keyboard import Keyboard
from rpa_vision.demo.person.pace import Pace
from rpa_vision.demo.person.tasks.assignment import Assignment
from rpa_vision.demo.person.tasks.clinic_steps import click, sit_down
from rpa_vision.embedding.screen_observer import ScreenObserver
from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import RunReport

SEED = 7
UNLIKE = 4
SHOWN = 5
"""A busy machine may miss the screen of a repetition or two; three that were seen whole are enough."""


@dataclass(frozen=True, slots=True)
class Office:
    """The desktop, the clinic, and what was learned from watching somebody work in it."""

    env: Mapping[str, str]
    clinic: ClinicServer
    colleague: Assignment
    observer: ScreenObserver
    learned: Path
    workflow_id: str
    variable: str
    waiting: list[str]

    def tidy_up(self) -> None:
        """A person leaves the page a halted run stopped on, and goes back to the list."""
        before = self.colleague.eyes.look()
        click(self.colleague, "nav-invoices")
        self.colleague.eyes.wait_until("the list", lambda look: look.page > before.page and look.shows("search"))

    def validated(self) -> list[str]:
        """What the clinic's own journal says was done."""
        return [entry["number"] for entry in self.clinic.truth()["journal"] if entry["number"] is not None]

    def copy_of_learned(self, root: Path, **policy: object) -> Path:
        """A data directory with what was learned, and a policy."""
        shutil.copytree(self.learned, root)
        if policy:
            (root / "config").mkdir()
            wiring.image_files().write(root / "config" / "auto_heal_policy.json", _json(policy))
        return root


@dataclass(slots=True)
class Robot:
    """One data directory with its supervisor, running the workflow in the office."""

    office: Office
    data: FileDataDirectory
    heal: AutoHeal

    def run(self, hooks: RunHooks | None = None, *, screen_timeout_s: float = 10.0) -> RunReport:
        """Validate the next waiting invoice, alone."""
        document = self.data.workflows.load(self.office.workflow_id)
        desktop = wiring.desktop(self.office.env["DISPLAY"])
        try:
            tools = wiring.run_tools(self.data, desktop, document, self.heal, self.office.observer)
            values = {self.office.variable: self.office.waiting.pop()}
            request = RunRequest(document, values, "auto", "test of the supervisor", screen_timeout_s)
            return run_workflow(request, tools, hooks)[0]
        finally:
            desktop.close()

    def audited(self, kind: str) -> list[JsonObject]:
        """What the audit trail holds of one kind, in order."""
        self.heal.audit.flush()
        return [entry.record for entry in self.heal.audit.entries() if entry.kind == kind]

    def moves(self) -> list[tuple[str, str]]:
        """The changes of state so far."""
        return [(move.from_state.value, move.to_state.value) for move in self.heal.manager.history(self.workflow_id)]

    @property
    def workflow_id(self) -> str:
        return self.office.workflow_id


@contextmanager
def open_office(folder: Path) -> Iterator[Office]:
    """Open the clinic, let somebody validate a few invoices, learn that."""
    with ExitStack() as stack:
        env = stack.enter_context(wiring.virtual_desktop()).env
        clinic = stack.enter_context(ClinicServer(seed=SEED))
        stack.enter_context(launch_browser(clinic.url, profile_dir=folder / "browser", env=env))
        invoices = validatable(make_invoices(SEED))
        to_show = _unlike(invoices)
        root = folder / "learned"
        with CommandLine(env, root).recording(NAME) as session:
            asked = ("clinic_validate", "--url", clinic.url, "--invoices", ",".join(to_show))
            person(env, *asked, "--seed", str(SEED), "--speed", "1.5")
        data, observer = wiring.data_directory(root), wiring.screen_observer()
        with versioned_store(data) as versions:
            lesson = learn(
                data, observer, wiring.clock(), name=NAME, session_ids=[session["session_id"]], versions=versions
            )
        display = xdisplay.Display(env["DISPLAY"])
        stack.callback(display.close)
        office = Office(
            env=env,
            clinic=clinic,
            colleague=_colleague(display, clinic.url),
            observer=observer,
            learned=root,
            workflow_id=lesson.workflow.workflow_id,
            variable=variable_holding(lesson.workflow, to_show),
            waiting=[invoice.number for invoice in invoices if invoice.number not in to_show],
        )
        sit_down(office.colleague)
        office.tidy_up()
        yield office


@contextmanager
def robot_on(office: Office, root: Path) -> Iterator[Robot]:
    """A robot process, as it were: its supervisor runs until the block ends."""
    data = wiring.data_directory(root)
    with auto_heal(data, quiet=True) as heal:
        yield Robot(office, data, heal)


def _unlike(invoices: tuple[Invoice, ...]) -> list[str]:
    """Invoices of which any three have nothing in common, so that no coincidence is learned as a rule."""

    def words(invoice: Invoice) -> set[str]:
        return {invoice.practitioner, invoice.insurer, *(act.label for act in invoice.acts)}

    chosen = next(some for some in combinations(invoices, UNLIKE) if _are_disjoint([words(one) for one in some]))
    others = [invoice for invoice in invoices if invoice not in chosen]
    return [invoice.number for invoice in (*chosen, *others[: SHOWN - UNLIKE])]


def _are_disjoint(sets: list[set[str]]) -> bool:
    return len(set().union(*sets)) == sum(map(len, sets))


def _colleague(display: xdisplay.Display, url: str) -> Assignment:
    pace, pointer = Pace(4.0), display.screen().root.query_pointer()
    hands = Hands(
        XTestSink(display, None),
        Keyboard(display, pace),
        pace,
        random.Random(SEED),
        at=(pointer.root_x, pointer.root_y),
    )
    return Assignment(display=display, hands=hands, pace=pace, eyes=Eyes(url, pace))


def _json(value: object) -> bytes:
    return json.dumps(value).encode()
