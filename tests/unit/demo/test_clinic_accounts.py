"""The accounting module: slips gone through line by line, claims decided one by one, and a journal of all of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from rpa_vision.demo.clinic.accounts_data import (
    MANAGER_LIMIT_CENTS,
    ROWS_PER_SLIP_PAGE,
    ClaimStatus,
    PaymentStatus,
    SlipStatus,
    make_accounts,
)
from rpa_vision.demo.clinic.accounts_store import AccountsOutcome, AccountsStore
from rpa_vision.demo.clinic.data import make_invoices
from rpa_vision.demo.clinic.server import create_app
from rpa_vision.demo.clinic.sessions import DEMO_PASSWORD, DEMO_USER
from rpa_vision.demo.clinic.store import Store

ACCOUNTS = make_accounts(7)
SLIP = ACCOUNTS.slips[0].number
LINES = [payment for payment in ACCOUNTS.payments if payment.slip == SLIP]
WAITING = [payment.number for payment in LINES if payment.status is PaymentStatus.TO_VALIDATE]
DISPUTED = next(payment.number for payment in ACCOUNTS.payments if payment.status is PaymentStatus.DISPUTED)
LOW = next(claim for claim in ACCOUNTS.claims if not claim.is_for_manager)
HIGH = next(claim for claim in ACCOUNTS.claims if claim.is_for_manager)


@pytest.fixture
def store() -> Iterator[Store]:
    store = Store(make_invoices(7), lambda: 100.0)
    yield store
    store.close()


@pytest.fixture
def accounts(store: Store) -> AccountsStore:
    return AccountsStore(store, ACCOUNTS)


@pytest.fixture
def browser(store: Store, accounts: AccountsStore) -> TestClient:
    client = TestClient(create_app(store, accounts=accounts))
    client.post("/connexion", data={"user": DEMO_USER, "password": DEMO_PASSWORD})
    return client


def done(store: Store) -> list[tuple[str, str | None]]:
    return [(entry.action, entry.number) for entry in store.journal() if entry.action != "login"]


@pytest.mark.parametrize("seed", range(20))
def test_every_seed_has_enough_of_everything_to_show(seed: int) -> None:
    """Something waits on every page of a slip, something else must be left alone, and no claim is at the limit."""
    made = make_accounts(seed)
    assert make_accounts(seed) == made
    for slip in made.slips:
        statuses = [payment.status for payment in made.payments if payment.slip == slip.number]
        for first in range(0, len(statuses), ROWS_PER_SLIP_PAGE):
            page = statuses[first : first + ROWS_PER_SLIP_PAGE]
            assert PaymentStatus.TO_VALIDATE in page
            assert set(page) != {PaymentStatus.TO_VALIDATE}
    assert sum(claim.is_for_manager for claim in made.claims) == len(made.claims) / 2
    assert min(abs(claim.amount_cents - MANAGER_LIMIT_CENTS) for claim in made.claims) >= 1_500


def test_a_slip_is_closed_only_when_nothing_waits_on_it(store: Store, accounts: AccountsStore) -> None:
    """A refusal is in the journal, and changes nothing."""
    assert accounts.close_slip(SLIP, "marie") == (AccountsOutcome.UNFINISHED, len(WAITING))
    for number in WAITING:
        assert accounts.validate_payment(number, "marie") is AccountsOutcome.DONE
    assert accounts.close_slip(SLIP, "marie") == (AccountsOutcome.DONE, 0)
    closed = accounts.slip(SLIP)
    assert closed is not None
    assert closed.status is SlipStatus.CLOSED
    assert done(store) == [
        ("refused", SLIP), *(("payment_validated", number) for number in WAITING), ("slip_closed", SLIP)
    ]  # fmt: skip


def test_a_disputed_payment_can_be_validated_by_mistake_and_the_truth_shows_it(accounts: AccountsStore) -> None:
    """What must be left alone is not protected by the application."""
    assert accounts.validate_payment(DISPUTED, "marie") is AccountsOutcome.DONE
    assert {"number": DISPUTED, "status": "validated"}.items() <= next(
        payment.items() for payment in accounts.truth()["payments"] if payment["number"] == DISPUTED
    )


def test_a_row_is_opened_validated_and_leads_back_to_its_page(browser: TestClient, store: Store) -> None:
    """The list, the line, « Valider », the list again, with what was done said above it."""
    last = WAITING[-1]
    page = 1 + [payment.number for payment in LINES].index(last) // ROWS_PER_SLIP_PAGE
    listed = browser.get(f"/bordereaux/{SLIP}?page={page}").text
    assert f"/reglements/{last}?page={page}" in listed
    assert "À valider" in listed
    assert 'data-ref="validate"' in browser.get(f"/reglements/{last}?page={page}").text
    after = browser.post(f"/reglements/{last}/valider", data={"page": str(page)})
    assert after.url.path == f"/bordereaux/{SLIP}"
    assert after.url.params["page"] == str(page)
    assert f"Règlement {last} validé" in after.text
    assert done(store) == [("payment_validated", last)]


def test_a_claim_found_by_its_number_is_opened_and_decided_once(browser: TestClient, accounts: AccountsStore) -> None:
    """« Valider » and « Envoyer au responsable » both work for any amount: the limit is only in people's heads."""
    opened = browser.get("/remboursements", params={"q": HIGH.number})
    assert opened.url.path == f"/remboursements/{HIGH.number}"
    assert "Envoyer au responsable" in opened.text
    assert "transmise au responsable" in browser.post(f"/remboursements/{HIGH.number}/responsable").text
    assert "validée" in browser.post(f"/remboursements/{LOW.number}/valider").text
    assert "est déjà traitée" in browser.post(f"/remboursements/{LOW.number}/responsable").text
    decided = {claim.number: claim.status for claim in accounts.claims() if claim.status is not ClaimStatus.TO_VALIDATE}
    assert decided == {HIGH.number: ClaimStatus.SENT, LOW.number: ClaimStatus.VALIDATED}


def test_a_search_that_fits_several_claims_lists_them(browser: TestClient) -> None:
    """Only one answer opens by itself."""
    listed = browser.get("/remboursements", params={"q": "DR-2026"})
    assert listed.url.path == "/remboursements"
    assert "Page 1 sur 3" in listed.text
    assert "Aucune demande" in browser.get("/remboursements", params={"q": "xyz"}).text


@pytest.mark.parametrize(
    "path", ["/bordereaux/X", "/reglements/X", "/remboursements/X"], ids=["slip", "payment", "claim"]
)
def test_what_does_not_exist_is_said(browser: TestClient, path: str) -> None:
    """No page pretends."""
    assert browser.get(path).status_code == 404


def test_drift_reaches_the_module(browser: TestClient) -> None:
    """Renamed, moved, look-alike, other columns, a hidden button, another language."""
    slip, payment, claim = f"/bordereaux/{SLIP}", f"/reglements/{WAITING[0]}", f"/remboursements/{LOW.number}"
    browser.post("/truth/drift", json={"renamed": True, "lookalike": True, "columns": True})
    assert "À approuver" in browser.get(slip).text
    assert "Approuver tout" in browser.get(slip).text
    assert "Payé le" in browser.get(slip).text
    assert "Transmettre au responsable" in browser.get(claim).text
    browser.post("/truth/drift", json={"renamed": False, "hidden": True, "lang": "en", "moved": "bottom"})
    assert 'data-ref="validate"' not in browser.get(payment).text
    assert "Send to the manager" in browser.get(claim).text


def test_without_the_module_nothing_of_it_is_there() -> None:
    """The application of first light is as it was."""
    store = Store(make_invoices(7), lambda: 100.0)
    client = TestClient(create_app(store))
    client.post("/connexion", data={"user": DEMO_USER, "password": DEMO_PASSWORD})
    assert "Bordereaux" not in client.get("/factures").text
    assert client.get("/bordereaux").status_code == 404
    assert "claims" not in client.get("/truth").json()
    store.close()


def test_reset_brings_the_first_day_back(browser: TestClient, accounts: AccountsStore) -> None:
    """As for invoices."""
    browser.post(f"/remboursements/{LOW.number}/valider")
    browser.post("/truth/reset")
    assert tuple(accounts.claims()) == ACCOUNTS.claims
