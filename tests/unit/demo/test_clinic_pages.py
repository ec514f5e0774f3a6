"""What a person can do in the clinic, page by page."""

from __future__ import annotations

import html
import re

import pytest
from clinic_visit import Visit

from rpa_vision.demo.clinic.data import make_invoices, validatable

INVOICES = make_invoices(7)
GOOD = validatable(INVOICES)[0]
WRONG = next(i for i in INVOICES if i.amount_is_wrong)


def rows(page: str) -> list[str]:
    return re.findall(r'data-ref="row:([^"]+)"', page)


def title(page: str) -> str:
    found = re.search(r"<title>(.*?)</title>", page)
    assert found
    return html.unescape(found.group(1))


def journal(visit: Visit) -> list[tuple[str, str | None]]:
    return [(entry["action"], entry["number"]) for entry in visit.client.get("/truth").json()["journal"]]


def test_login_page_has_a_password_field_with_its_label(visit: Visit) -> None:
    """« Mot de passe » labels a real password field."""
    page = visit.page("/factures")
    assert title(page).startswith("Connexion")
    assert '<label for="password">Mot de passe</label>' in page
    assert 'type="password"' in page


def test_right_password_opens_the_list(visit: Visit) -> None:
    """Login leads to the invoices, and the journal knows."""
    assert title(visit.log_in()).startswith("Factures")
    assert journal(visit) == [("login", None)]


def test_wrong_password_is_refused_and_never_shown(visit: Visit) -> None:
    """The page says so, stays, and does not repeat the password."""
    page = visit.log_in("pas-le-bon")
    assert "Identifiant ou mot de passe incorrect" in page
    assert "pas-le-bon" not in page
    assert journal(visit) == [("login_refused", None)]


def test_list_shows_number_patient_date_amount_and_status(signed_in: Visit) -> None:
    """Every column of a row, in French."""
    page = html.unescape(signed_in.page("/factures"))
    assert GOOD.number in rows(page)
    for text in (GOOD.patient, f"{GOOD.issued_on:%d/%m/%Y}", "\u00a0€", "À valider", "Validée", "N° facture"):
        assert text in page


def test_paging_shows_every_invoice_once(signed_in: Visit) -> None:
    """Leafing through the list meets each invoice, and ends."""
    seen: list[str] = []
    for page in range(1, 5):
        text = signed_in.page(f"/factures?page={page}")
        seen += rows(text)
        assert f"Page {page} sur 4" in text
    assert seen == [i.number for i in INVOICES]
    assert 'data-ref="page-next"' not in signed_in.page("/factures?page=4")


@pytest.mark.parametrize("page", ["0", "99", "-1", "x", "²", "9" * 5000])
def test_absurd_page_numbers_show_a_page(signed_in: Visit, page: str) -> None:
    """No address crashes the list."""
    assert rows(signed_in.page(f"/factures?page={page}"))


@pytest.mark.parametrize(
    "query", [GOOD.number, GOOD.number.lower(), GOOD.patient, GOOD.patient.lower(), f" {GOOD.number} "]
)
def test_search_finds_by_number_or_patient(signed_in: Visit, query: str) -> None:
    """Exactly the one, whatever the case."""
    page = signed_in.client.get("/factures", params={"q": query}).text
    assert rows(page) == [GOOD.number]
    assert title(page).startswith("Recherche")


def test_search_does_without_accents(signed_in: Visit) -> None:
    """People type LEFEVRE for LEFÈVRE."""
    assert rows(signed_in.page("/factures?q=lefevre"))


def test_search_for_nothing_says_so(signed_in: Visit) -> None:
    """An empty result is a message, and what was typed cannot become markup."""
    page = signed_in.client.get("/factures", params={"q": "<b>personne"}).text
    assert "Aucune facture ne correspond" in page
    assert "<b>personne" not in page


def test_detail_offers_to_validate_with_a_confirmation(signed_in: Visit) -> None:
    """Valider, a dialog with Confirmer and Annuler, and a way back."""
    page = signed_in.page(f"/factures/{GOOD.number}")
    assert title(page) == f"Facture {GOOD.number} — Clinique des Lilas"
    for ref in ("validate", "confirm", "cancel", "back"):
        assert f'data-ref="{ref}"' in page
    assert "Retour à la liste" in page


def test_validating_says_so_once_and_changes_the_status(signed_in: Visit) -> None:
    """« Facture … validée », and the button is gone."""
    page = signed_in.post(f"/factures/{GOOD.number}/valider")
    assert f"Facture {GOOD.number} validée" in page
    assert 'data-ref="validate"' not in page
    assert f"Facture {GOOD.number} validée" not in signed_in.page(f"/factures/{GOOD.number}")
    assert journal(signed_in)[-1] == ("validated", GOOD.number)


def test_wrong_amount_is_refused(signed_in: Visit) -> None:
    """The business error « Montant incorrect » changes nothing."""
    page = signed_in.post(f"/factures/{WRONG.number}/valider")
    assert "Montant incorrect" in page
    assert 'data-ref="error"' in page
    assert 'data-ref="validate"' in page
    assert journal(signed_in)[-1] == ("refused", WRONG.number)


def test_unknown_invoice_is_a_page_not_found(signed_in: Visit) -> None:
    """A wrong address is said kindly."""
    answer = signed_in.client.get("/factures/FAC-2026-99999")
    assert answer.status_code == 404
    assert "Page introuvable" in answer.text
    assert signed_in.client.get("/nowhere").status_code == 404


def test_validating_needs_a_session(visit: Visit) -> None:
    """Nobody validates without having signed in."""
    assert title(visit.post(f"/factures/{GOOD.number}/valider")).startswith("Connexion")
    assert journal(visit) == []


def test_session_expires_after_so_many_requests(signed_in: Visit) -> None:
    """« Session expirée, veuillez vous reconnecter », and then the login page."""
    signed_in.drift(expire_after=4)  # one request was the list after the login
    assert title(signed_in.page("/factures")).startswith("Factures")
    assert title(signed_in.page("/factures")).startswith("Factures")
    assert title(signed_in.page("/factures")).startswith("Factures")
    assert "Session expirée, veuillez vous reconnecter" in signed_in.post(f"/factures/{GOOD.number}/valider")
    assert title(signed_in.page("/factures")).startswith("Connexion")
    assert journal(signed_in) == [("login", None), ("session_expired", None)]


def test_session_expires_after_so_many_seconds(signed_in: Visit) -> None:
    """By time as well."""
    signed_in.drift(expire_after_s=60)
    signed_in.time_s += 59
    assert title(signed_in.page("/factures")).startswith("Factures")
    signed_in.time_s += 2
    assert title(signed_in.page("/factures")).startswith("Session expirée")


def test_session_expires_on_demand(signed_in: Visit) -> None:
    """A test can end all sessions now."""
    signed_in.client.post("/truth/expire")
    assert title(signed_in.page("/factures")).startswith("Session expirée")


def test_logging_out_ends_the_session(signed_in: Visit) -> None:
    """Se déconnecter leads to the login page."""
    assert title(signed_in.post("/deconnexion")).startswith("Connexion")
    assert title(signed_in.page("/factures")).startswith("Connexion")
