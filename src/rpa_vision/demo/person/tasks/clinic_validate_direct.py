"""Validate invoices in the clinic, finding each by leafing through the list."""

from __future__ import annotations

from rpa_vision.demo.person.eyes import ExpectationError
from rpa_vision.demo.person.tasks.assignment import Assignment
from rpa_vision.demo.person.tasks.clinic_steps import click, log_in_if_asked, open_list, sit_down, validate_open_invoice


def do(job: Assignment) -> None:
    """Open the row in the list, turning pages until it is there; validate, confirm, back to the list."""
    sit_down(job)
    log_in_if_asked(job)
    open_list(job)
    for number in job.invoices:
        look = job.eyes.wait_for("search")
        while not look.shows(f"row:{number}"):
            if not look.shows("page-next"):
                raise ExpectationError(f"invoice {number} is on no page of the list")
            click(job, "page-next")
            look = job.eyes.wait_for_page_after(look, "the next page of the list")
        click(job, f"row:{number}")
        validate_open_invoice(job, number)
