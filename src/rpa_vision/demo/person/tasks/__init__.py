"""What the person can be asked to do: an explicit table, one file per task."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rpa_vision.demo.person.tasks import (
    clinic_home,
    clinic_login,
    clinic_validate,
    clinic_validate_direct,
    mousepad_notes,
    office_day,
)
from rpa_vision.demo.person.tasks.assignment import Assignment

TASKS: Mapping[str, Callable[[Assignment], None]] = {
    "clinic_home": clinic_home.do,
    "clinic_login": clinic_login.do,
    "clinic_validate": clinic_validate.do,
    "clinic_validate_direct": clinic_validate_direct.do,
    "mousepad_notes": mousepad_notes.do,
    "office_day": office_day.do,
}
