"""Write one line per patient into a sheet of Gnumeric, and keep each as a workbook of its own."""

from __future__ import annotations

from rpa_vision.demo import gnumeric
from rpa_vision.demo.person.eyes import wait_for_found
from rpa_vision.demo.person.tasks.assignment import Assignment, Note
from rpa_vision.demo.person.tasks.mousepad_notes import note_file_name
from rpa_vision.demo.windows import Window, find_windows

_REACTION_S = 0.3
_SAVE_AT = (50, 24)
"""How far the middle of « Save » lies from the lower right corner of the dialog."""


def do(job: Assignment) -> None:
    """Write and save every line."""
    for note in job.notes:
        _write(job, note)


def workbook_name(patient: str) -> str:
    """The file of a patient's workbook."""
    return note_file_name(patient).removesuffix(".txt") + ".gnumeric"


def _write(job: Assignment, note: Note) -> None:
    """Type into the cell that is chosen, save under the patient's name, and wait until the dialog is gone."""
    wait_for_found(job.pace, "a Gnumeric window", lambda: _sheet(job))
    job.hands.think(_REACTION_S)
    job.hands.type(note.text)
    job.hands.press("Return")
    job.pace.pause(0.6, at_least=0.4)
    job.hands.press("s", "Control_L", "Shift_L")
    dialog = wait_for_found(job.pace, "the dialog to save the workbook", lambda: _dialog(job))
    job.hands.think(_REACTION_S)
    job.hands.press("a", "Control_L")
    job.hands.type(workbook_name(note.patient))
    # The dialog completes names while one types.
    job.pace.pause(0.6, at_least=0.5)
    job.hands.click((dialog.x + dialog.width_px - _SAVE_AT[0], dialog.y + dialog.height_px - _SAVE_AT[1]))
    wait_for_found(job.pace, "the dialog to close", lambda: None if _dialog(job) else True)
    wait_for_found(job.pace, "the workbook to bear its name", lambda: _is_saved(job, note.patient))


def _sheet(job: Assignment) -> Window | None:
    return next((w for w in find_windows(job.display, gnumeric.WM_CLASS) if not w.is_dialog), None)


def _dialog(job: Assignment) -> Window | None:
    return next((w for w in find_windows(job.display, gnumeric.WM_CLASS) if w.is_dialog), None)


def _is_saved(job: Assignment, patient: str) -> bool | None:
    sheet = _sheet(job)
    return True if sheet and workbook_name(patient) in sheet.title and not sheet.title.startswith("*") else None
