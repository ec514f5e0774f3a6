"""Sign in to the clinic."""

from __future__ import annotations

from rpa_vision.demo.person.eyes import ExpectationError
from rpa_vision.demo.person.tasks.assignment import Assignment
from rpa_vision.demo.person.tasks.clinic_steps import log_in_if_asked, sit_down


def do(job: Assignment) -> None:
    """Type user and password; the list of invoices must follow."""
    sit_down(job)
    if not job.eyes.look().shows("password"):
        raise ExpectationError("the login page is not shown")
    log_in_if_asked(job)
    job.eyes.wait_for("search")
