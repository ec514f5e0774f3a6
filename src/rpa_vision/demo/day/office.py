"""The office: the clinic in a browser on the left, the journal in Mousepad on the right, on a desktop of its own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from Xlib import display as xdisplay

from rpa_vision.app import wiring
from rpa_vision.demo import mousepad
from rpa_vision.demo.browser import launch_browser
from rpa_vision.demo.clinic.serve import ClinicServer
from rpa_vision.demo.day.agenda import Agenda
from rpa_vision.demo.person.eyes import wait_for_found
from rpa_vision.demo.person.pace import Pace
from rpa_vision.demo.program import Program
from rpa_vision.demo.windows import Window, find_windows, place_window
from rpa_vision.errors import RpaVisionError

NAME = "Journée au bureau"
JOURNAL = "journal.txt"
JOURNAL_HEAD = "Journal des factures\n"
_CLINIC_SIZE = (1240, 1080)
_JOURNAL_BOX = (1250, 30, 660, 1010)
_STOP_TIMEOUT_S = 900.0
"""A recorder on a busy machine is behind: it still has to decide of what was typed whether it is a secret."""
_LOGIN_TIMEOUT_S = 90.0


class DayError(RpaVisionError):
    """A part of the day did not take place."""

    code = "demo.day_failed"
    default_remedy = "Run it again on a calmer machine; the last lines of the person or the recorder say what broke."


@dataclass(slots=True)
class Office:
    """Where the day takes place; `journal` is the file that is open in Mousepad."""

    env: Mapping[str, str]
    clinic: ClinicServer
    journal: Path
    editor: Program

    def tidy_up(self) -> None:
        """After something went wrong: the clinic's list of invoices, and the journal as it was saved last."""
        self.editor.stop()
        self.editor = _open_journal(self.env, self.journal)
        self.person("clinic_home", "--speed", "4", timeout_s=_LOGIN_TIMEOUT_S)

    def written(self) -> list[str]:
        """The lines that were saved into the journal."""
        return self.journal.read_text(encoding="utf-8").removeprefix(JOURNAL_HEAD).splitlines()

    def person(self, *arguments: str, timeout_s: float) -> None:
        """Let the scripted person do something."""
        command = [sys.executable, "-m", "rpa_vision.demo.person", *arguments, "--url", self.clinic.url]
        ended = subprocess.run(
            command, env=dict(self.env), capture_output=True, text=True, timeout=timeout_s, check=False
        )
        if ended.returncode != 0:
            raise DayError(f"the scripted person gave up: {ended.stderr.strip()}")


@contextmanager
def open_office(folder: Path, seed: int) -> Iterator[Office]:
    """Open the clinic and the journal; somebody has signed in already."""
    journal = folder / JOURNAL
    folder.mkdir(parents=True, exist_ok=True)
    wiring.image_files().write(journal, JOURNAL_HEAD.encode())
    with ExitStack() as stack:
        env = stack.enter_context(wiring.virtual_desktop()).env
        clinic = stack.enter_context(ClinicServer(seed=seed, accounts=True))
        stack.enter_context(
            launch_browser(clinic.url, profile_dir=folder / "browser", env=env, position=(0, 0), size=_CLINIC_SIZE)
        )
        office = Office(env, clinic, journal, _open_journal(env, journal))
        stack.callback(lambda: office.editor.stop())
        office.person("clinic_login", "--speed", "4", timeout_s=_LOGIN_TIMEOUT_S)
        yield office


def record_day(office: Office, agenda: Agenda, data: Path, folder: Path, *, speed: float) -> tuple[str, str]:
    """Let the person work through the agenda under the eyes of the recorder; the session's id, and the diary."""
    with recording(office.env, data, NAME) as told:
        diary = show(office, agenda, folder, speed=speed)
    return told["session_id"], diary


def show(office: Office, agenda: Agenda, folder: Path, *, speed: float = 2.0) -> str:
    """Let the person work through the agenda; agenda and diary are written into the folder."""
    plan, diary = folder / "agenda.json", folder / "diary.jsonl"
    wiring.image_files().write(plan, agenda.to_json().encode())
    office.person(
        "office_day", "--agenda", str(plan), "--diary", str(diary), "--seed", str(agenda.seed), "--speed", str(speed),
        timeout_s=120.0 + 60.0 * len(agenda.turns),
    )  # fmt: skip
    return diary.read_text(encoding="utf-8")


@contextmanager
def recording(env: Mapping[str, str], data: Path, name: str) -> Iterator[dict[str, str]]:
    """Record while inside; the dictionary holds what `record --json` said once outside."""
    recorder = subprocess.Popen(
        [sys.executable, "-m", "rpa_vision", "record", "--name", name, "--data", str(data), "--json"],
        env=dict(env),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    told: dict[str, str] = {}
    try:
        assert recorder.stderr is not None
        first = recorder.stderr.readline().strip()
        if first != "recording":
            raise DayError(f"the recorder did not start: {first} {recorder.stderr.read()}")
        yield told
        recorder.send_signal(signal.SIGINT)
        output, problems = recorder.communicate(timeout=_STOP_TIMEOUT_S)
        if recorder.returncode != 0:
            raise DayError(f"the recorder ended with {recorder.returncode}: {problems.strip()[-500:]}")
        told.update(json.loads(output.strip().splitlines()[-1]))
    finally:
        if recorder.poll() is None:
            recorder.kill()
            recorder.wait()


def _open_journal(env: Mapping[str, str], journal: Path) -> Program:
    editor = mousepad.launch_mousepad(folder=journal.parent, home=journal.parent / "home", file=journal, env=env)
    _arrange(env["DISPLAY"])
    return editor


def _arrange(name: str) -> None:
    """The journal beside the clinic, not over it."""
    display = xdisplay.Display(name)
    pace = Pace()

    def editor() -> Window | None:
        return next(iter(find_windows(display, mousepad.WM_CLASS)), None)

    def arranged() -> bool | None:
        window = editor()
        if window is None:
            return None
        if abs(window.x - _JOURNAL_BOX[0]) < 10 and abs(window.width_px - _JOURNAL_BOX[2]) < 10:
            return True
        place_window(display, window, _JOURNAL_BOX)
        return None

    try:
        wait_for_found(pace, "the journal beside the clinic", arranged)
    finally:
        display.close()
