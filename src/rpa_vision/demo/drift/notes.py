"""Mousepad and Gnumeric, programs nobody here wrote, in another theme, in larger letters, moved and resized.

Notes are written and saved under a patient's name; the files say what was done. The program is started anew for every
run, because GTK reads theme and letter size at the start.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from Xlib import display as xdisplay

from rpa_vision.app import wiring
from rpa_vision.demo import gnumeric, mousepad
from rpa_vision.demo.clinic.data import FIRST_NAMES, LAST_NAMES
from rpa_vision.demo.day.office import recording
from rpa_vision.demo.drift.office import learned_from, run_copy
from rpa_vision.demo.drift.points import DriftPoint
from rpa_vision.demo.drift.verdicts import Ran, judge_files
from rpa_vision.demo.first_light import variable_holding
from rpa_vision.demo.person.events import XTestSink
from rpa_vision.demo.person.eyes import Eyes, wait_for_found
from rpa_vision.demo.person.hands import Hands
from rpa_vision.demo.person.keyboard import Keyboard
from rpa_vision.demo.person.pace import Pace
from rpa_vision.demo.person.tasks import gnumeric_sheets, mousepad_notes
from rpa_vision.demo.person.tasks.assignment import Assignment, Note
from rpa_vision.demo.program import Program
from rpa_vision.demo.windows import Window, find_windows, place_window
from rpa_vision.embedding.screen_observer import ScreenObserver

NAME = "Notes"
SHOWN = 3
BOX = (200, 120, 900, 640)
"""Where the editor is while it is watched: x, y, width, height."""
PACES = (1.0, 0.6, 0.4)
"""On a busy machine screens come too late to be learned from: then the same is shown again, more slowly."""
_OPENING = "Compte rendu : "
_SLACK_PX = 60
_LAST_LOOK_S = 2.0
"""So long the recording goes on after the last note: on a busy machine its screen comes late."""


@dataclass(frozen=True, slots=True)
class Editor:
    """A program in which notes are written: how it is started, worked with, and what its files hold."""

    wm_class: str
    launch: Callable[..., Program]
    write: Callable[[Assignment], None]
    file_name: Callable[[str], str]
    text_of: Callable[[Path], str]


MOUSEPAD = Editor(
    mousepad.WM_CLASS,
    mousepad.launch_mousepad,
    mousepad_notes.do,
    mousepad_notes.note_file_name,
    lambda path: path.read_text(encoding="utf-8"),
)
GNUMERIC = Editor(
    gnumeric.WM_CLASS,
    gnumeric.launch_gnumeric,
    gnumeric_sheets.do,
    gnumeric_sheets.workbook_name,
    gnumeric.cells_of,
)


@dataclass(slots=True)
class NotesOffice:
    """The desktop with the editor on it."""

    folder: Path
    env: Mapping[str, str]
    display: Any
    seed: int
    observer: ScreenObserver
    editor: Editor = MOUSEPAD

    def learn(self, say: Callable[[str], None]) -> None:
        """Let somebody write a few notes, and learn that; what was learned before is kept."""
        if (self.learned / "workflows").is_dir():
            return
        for speed in PACES:
            say(f"seed {self.seed}: somebody writes {SHOWN} notes; RPA Vision watches")
            shutil.rmtree(self.learned, ignore_errors=True)
            files = _emptied(self.folder / "shown")
            notes = [Note(patient, _OPENING + patient) for patient in self.patients[:SHOWN]]
            with self._editor(files, {}, BOX), recording(self.env, self.learned, NAME) as told:
                self.editor.write(self._person(notes, speed))
                Pace().pause(_LAST_LOOK_S, at_least=_LAST_LOOK_S)
            say(f"seed {self.seed}: learning")
            if learned_from(self.learned, self.observer, NAME, told["session_id"], last=speed == PACES[-1]):
                return

    def run(self, point: DriftPoint) -> Ran:
        """Write one note alone in an editor that looks otherwise."""
        patient = self.patients[SHOWN + sum(map(ord, point.name)) % (len(self.patients) - SHOWN)]
        files = _emptied(self.folder / "files")
        shown = self.patients[:SHOWN]
        file_of = self.editor.file_name
        wanted = {file_of(patient): _OPENING + patient}
        with self._editor(files, point.switches.get("env", {}), point.switches.get("box", BOX)):
            report, root, page = run_copy(
                self.learned, self.folder / "runs" / point.name, self.env["DISPLAY"], self.observer,
                lambda workflow: {
                    variable_holding(workflow, shown): patient,
                    variable_holding(workflow, [file_of(one) for one in shown]): file_of(patient),
                },
            )  # fmt: skip
        written = {path.name: self.editor.text_of(path) for path in files.iterdir() if path.is_file()}
        verdict = judge_files(wanted, {}, written, report.status)
        return Ran(patient, report, verdict, written == wanted, root, page)

    @property
    def learned(self) -> Path:
        return self.folder / "learned"

    @property
    def patients(self) -> Sequence[str]:
        rng = random.Random(f"notes-{self.seed}")
        return [
            f"{first} {last}"
            for first, last in zip(rng.sample(FIRST_NAMES, 24), rng.sample(LAST_NAMES, 24), strict=True)
        ]

    @contextmanager
    def _editor(self, files: Path, looks: Mapping[str, str], box: tuple[int, int, int, int]) -> Iterator[Program]:
        home = self.folder / "home"
        shutil.rmtree(home, ignore_errors=True)
        with self.editor.launch(folder=files, home=home, env={**self.env, **looks}) as program:
            wait_for_found(Pace(), "the editor in its place", lambda: self._placed(box))
            yield program

    def _placed(self, box: tuple[int, int, int, int]) -> Window | None:
        window = next(iter(find_windows(self.display, self.editor.wm_class)), None)
        if window is None:
            return None
        if abs(window.x - box[0]) < _SLACK_PX and abs(window.width_px - box[2]) < _SLACK_PX:
            return window
        place_window(self.display, window, box)
        return None

    def _person(self, notes: Sequence[Note], speed: float) -> Assignment:
        pace, pointer = Pace(speed), self.display.screen().root.query_pointer()
        at = (pointer.root_x, pointer.root_y)
        hands = Hands(
            XTestSink(self.display, None), Keyboard(self.display, pace), pace, random.Random(self.seed), at=at
        )
        return Assignment(display=self.display, hands=hands, pace=pace, eyes=Eyes("", pace), notes=tuple(notes))


@contextmanager
def open_notes(folder: Path, seed: int, observer: ScreenObserver, editor: Editor = MOUSEPAD) -> Iterator[NotesOffice]:
    """A desktop of its own for the editor."""
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        env = stack.enter_context(wiring.virtual_desktop()).env
        display = xdisplay.Display(env["DISPLAY"])
        stack.callback(display.close)
        yield NotesOffice(folder, env, display, seed, observer, editor)


@contextmanager
def open_sheets(folder: Path, seed: int, observer: ScreenObserver) -> Iterator[NotesOffice]:
    """A desktop of its own for the spreadsheet."""
    with open_notes(folder, seed, observer, GNUMERIC) as office:
        yield office


def _emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
