"""Write one note per patient in Mousepad, each into a file of its own."""

from __future__ import annotations

import re
import unicodedata

from rpa_vision.demo import mousepad
from rpa_vision.demo.person.eyes import wait_for_found
from rpa_vision.demo.person.tasks.assignment import Assignment, Note
from rpa_vision.demo.windows import Window, find_windows

_REACTION_S = 0.3


def do(job: Assignment) -> None:
    """Write and save every note."""
    for note in job.notes:
        _write(job, note)


def note_file_name(patient: str) -> str:
    """The file of a patient's note: plain letters, so that any file system keeps it."""
    plain = unicodedata.normalize("NFKD", patient.replace("œ", "oe").replace("Œ", "OE"))
    ascii_only = plain.encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only).strip("-") + ".txt"


def _write(job: Assignment, note: Note) -> None:
    """Replace the text, save it under the patient's name, and wait until the dialog is gone."""
    editor = wait_for_found(job.pace, "a Mousepad window", lambda: _editor(job))
    job.hands.think(_REACTION_S)
    job.hands.click((editor.x + editor.width_px // 3, editor.y + editor.height_px // 2))
    job.hands.press("a", "Control_L")
    job.hands.type(note.text)
    job.hands.press("s", "Control_L", "Shift_L")
    wait_for_found(job.pace, "the dialog to save the note", lambda: _dialog(job))
    job.hands.think(_REACTION_S)
    job.hands.press("a", "Control_L")
    job.hands.type(note_file_name(note.patient))
    # The dialog completes names while one types, and swallows a Return that comes before it is done.
    job.pace.pause(0.6, at_least=0.5)
    job.hands.press("Return")
    wait_for_found(job.pace, "the dialog to close", lambda: None if _dialog(job) else True)
    wait_for_found(job.pace, "the note to bear its name", lambda: _is_saved(job, note.patient))
    # The window bears its name before the editor has painted over where the dialog was; a person looks.
    job.pace.pause(0.9, at_least=0.9)


def _editor(job: Assignment) -> Window | None:
    return next((w for w in find_windows(job.display, mousepad.WM_CLASS) if not w.is_dialog), None)


def _dialog(job: Assignment) -> Window | None:
    return next((w for w in find_windows(job.display, mousepad.WM_CLASS) if w.is_dialog), None)


def _is_saved(job: Assignment, patient: str) -> bool | None:
    editor = _editor(job)
    return True if editor and note_file_name(patient) in editor.title and not editor.title.startswith("*") else None
