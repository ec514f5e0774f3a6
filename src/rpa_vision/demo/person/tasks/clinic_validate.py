"""Validate invoices in the clinic, finding each by its number."""

from __future__ import annotations

from rpa_vision.demo.person.tasks.assignment import Assignment
from rpa_vision.demo.person.tasks.clinic_steps import (
    click,
    fill,
    log_in_if_asked,
    open_list,
    sit_down,
    validate_open_invoice,
)


def do(job: Assignment) -> None:
    """Search, open, validate, confirm, back to the list; for each invoice."""
    sit_down(job)
    log_in_if_asked(job)
    open_list(job)
    for number in job.invoices:
        _validate(job, number)


def _validate(job: Assignment, number: str) -> None:
    before = job.eyes.wait_for("search")
    fill(job, "search", number)
    if job.submit_by == "click":
        click(job, "search-button")
    else:
        job.hands.press("Return")
    row = f"row:{number}"
    # The row may already be on the page that is being left: only the page of results will do.
    job.eyes.wait_until(f"invoice {number} in the results", lambda look: look.page > before.page and look.shows(row))
    click(job, row)
    validate_open_invoice(job, number)
