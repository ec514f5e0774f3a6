"""Leave whatever page the clinic shows, and go back to the list of invoices."""

from __future__ import annotations

from rpa_vision.demo.person.tasks.assignment import Assignment
from rpa_vision.demo.person.tasks.clinic_steps import click, log_in_if_asked, sit_down


def do(job: Assignment) -> None:
    """Sign in when asked, also when the session turns out to have ended; then the list, fresh."""
    sit_down(job)
    log_in_if_asked(job)
    before = click(job, "nav-invoices")
    job.eyes.wait_for_page_after(before, "an answer of the clinic")
    log_in_if_asked(job)
    job.eyes.wait_until("the list of invoices", lambda look: look.page > before.page and look.shows("search"))
