"""The database changes only what was asked, and its journal tells all of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import count

import pytest

from rpa_vision.demo.clinic.data import Status, make_invoices, validatable
from rpa_vision.demo.clinic.store import JournalEntry, Outcome, Store

INVOICES = make_invoices(7)
GOOD = validatable(INVOICES)[0].number
WRONG = next(i.number for i in INVOICES if i.amount_is_wrong)


@pytest.fixture
def store() -> Iterator[Store]:
    ticks = count(100)
    store = Store(INVOICES, lambda: float(next(ticks)))
    yield store
    store.close()


def test_holds_the_invoices_it_was_given(store: Store) -> None:
    """Nothing is lost on the way through the database."""
    assert tuple(store.invoices()) == INVOICES


def test_validating_changes_that_invoice_and_no_other(store: Store) -> None:
    """The truth names exactly what was validated, by whom and when."""
    assert store.validate(GOOD, "marie") is Outcome.VALIDATED
    changed = [now.number for now, then in zip(store.invoices(), INVOICES, strict=True) if now != then]
    assert changed == [GOOD]
    assert store.journal() == [JournalEntry(100.0, "marie", "validated", GOOD, None)]


@pytest.mark.parametrize(
    ("number", "outcome"),
    [
        (WRONG, Outcome.WRONG_AMOUNT),
        ("FAC-2026-99999", Outcome.UNKNOWN),
        (next(i.number for i in INVOICES if i.status is Status.VALIDATED), Outcome.ALREADY_VALIDATED),
    ],
)
def test_refusals_change_nothing_and_are_written_down(store: Store, number: str, outcome: Outcome) -> None:
    """A business error is a refusal in the journal, not a change."""
    assert store.validate(number, "marie") is outcome
    assert tuple(store.invoices()) == INVOICES
    assert [(e.action, e.number, e.detail) for e in store.journal()] == [("refused", number, outcome.value)]


def test_validating_all_shows_every_invoice_in_the_journal(store: Store) -> None:
    """A wrong click on the look-alike button cannot be overlooked."""
    waiting = [i.number for i in INVOICES if i.status is Status.TO_VALIDATE]
    assert store.validate_all("marie") == waiting
    assert [e.number for e in store.journal()] == waiting
    assert all(i.status is Status.VALIDATED for i in store.invoices())


def test_reset_brings_back_the_first_day(store: Store) -> None:
    """Experiments can start again without a new server."""
    store.validate(GOOD, "marie")
    store.reset()
    assert tuple(store.invoices()) == INVOICES
    assert store.journal() == []


def test_many_threads_validate_each_invoice_once(store: Store) -> None:
    """Thread safety: of many attempts on one invoice exactly one succeeds."""
    outcomes: list[Outcome] = []
    threads = [threading.Thread(target=lambda: outcomes.append(store.validate(GOOD, "x"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count(Outcome.VALIDATED) == 1
