"""Each drift switch changes what it says, and only that."""

from __future__ import annotations

import html

import pytest
from clinic_visit import Visit

from rpa_vision.demo.clinic.data import Status, make_invoices, validatable

INVOICES = make_invoices(7)
GOOD = validatable(INVOICES)[0]
DETAIL = f"/factures/{GOOD.number}"


def test_english_leaves_no_french(signed_in: Visit) -> None:
    """The whole interface, messages included."""
    signed_in.drift(lang="en")
    page = html.unescape(signed_in.page("/factures")) + html.unescape(signed_in.page(DETAIL))
    for english in ("To validate", "Validated", "Validate", "Confirm", "Search", "Back to the list", 'lang="en"'):
        assert english in page
    for french in ("À valider", "Validée", "Valider", "Rechercher", "Retour", "Montant", "Se déconnecter"):
        assert french not in page
    assert f"Invoice {GOOD.number} validated" in signed_in.post(f"{DETAIL}/valider")


def test_renamed_controls(signed_in: Visit) -> None:
    """« Valider » → « Approuver », everywhere on the page."""
    signed_in.drift(renamed=True)
    page = html.unescape(signed_in.page(DETAIL))
    assert "Approuver" in page
    assert "Oui, approuver" in page
    assert "alider" not in page.split("<main>")[1].replace("/valider", "")
    assert f"Facture {GOOD.number} approuvée" in signed_in.post(f"{DETAIL}/valider")


def test_lookalike_buttons_do_what_they_say(signed_in: Visit) -> None:
    """« Valider tout » really validates everything, so that a wrong click shows in the truth."""
    signed_in.drift(lookalike=True)
    page = signed_in.page(DETAIL)
    assert "Valider tout" in page
    assert "Valider plus tard" in page
    assert "reportée" in html.unescape(signed_in.post(f"{DETAIL}/reporter"))
    assert signed_in.client.get("/truth").json()["journal"][-1]["action"] == "postponed"
    signed_in.post("/factures/valider-tout")
    assert {i["status"] for i in signed_in.client.get("/truth").json()["invoices"]} == {Status.VALIDATED.value}


@pytest.mark.parametrize(
    ("switch", "path", "shown"),
    [
        ({"theme": "dark"}, "/factures", 'data-theme="dark"'),
        ({"theme": "high-contrast"}, "/factures", 'data-theme="high-contrast"'),
        ({"font_face": "mono"}, "/factures", 'data-font="mono"'),
        ({"font_size": 18}, "/factures", "font-size: 18px"),
        ({"zoom": 150}, "/factures", "zoom: 1.5;"),
        ({"columns": True}, "/factures", "Mutuelle"),
        ({"notice": True}, "/factures", 'data-ref="notice-close"'),
        ({"restyled": True}, DETAIL, "data-restyled"),
        ({"modal": True}, DETAIL, 'data-ref="modal-close"'),
        ({"required_field": True}, DETAIL, 'data-ref="reason"'),
        ({"slow": 800}, "/factures", 'data-slow-ms="800"'),
        ({"covered": True}, DETAIL, 'data-ref="cover"'),
        ({"moved": "top"}, "/factures", 'data-moved="top"'),
    ],
)
def test_switch_shows_on_its_page_and_only_when_on(
    signed_in: Visit, switch: dict[str, object], path: str, shown: str
) -> None:
    """One by one; absent by default."""
    assert shown not in signed_in.page(path)
    signed_in.drift(**switch)
    assert shown in signed_in.page(path)


def test_hidden_removes_the_target(signed_in: Visit) -> None:
    """There is nothing to click."""
    signed_in.drift(hidden=True)
    assert 'data-ref="validate"' not in signed_in.page(DETAIL)


@pytest.mark.parametrize(("moved", "comes_first"), [("top", True), ("none", False), ("bottom", False)])
def test_moved_puts_the_button_elsewhere(signed_in: Visit, moved: str, comes_first: bool) -> None:
    """Above the heading, beside it, or below everything."""
    signed_in.drift(moved=moved)
    page = signed_in.page(DETAIL)
    assert (page.index('data-ref="validate"') < page.index("<h1>")) is comes_first
    assert (page.index('data-ref="validate"') > page.index("<tfoot>")) is (moved == "bottom")


def test_required_field_is_required_by_the_server_too(signed_in: Visit) -> None:
    """Without a reason nothing is validated."""
    signed_in.drift(required_field=True)
    assert "motif de validation est obligatoire" in signed_in.post(f"{DETAIL}/valider")
    assert f"Facture {GOOD.number} validée" in signed_in.post(f"{DETAIL}/valider", reason="Contrôle effectué")


def test_all_switches_work_together(signed_in: Visit) -> None:
    """Nothing in one breaks another."""
    signed_in.drift(
        theme="dark", font_face="serif", font_size=20, zoom=200, moved="bottom", renamed=True, lookalike=True,
        columns=True, notice=True, modal=True, required_field=True, slow=10, lang="en", covered=True,
    )  # fmt: skip
    for path in ("/factures", DETAIL, "/statistiques", "/aide"):
        assert signed_in.client.get(path).status_code == 200


def test_wrong_switch_at_run_time_changes_nothing(visit: Visit) -> None:
    """400 with the reason, and the drift as before."""
    before = visit.client.get("/truth/drift").json()
    answer = visit.client.post("/truth/drift", json={"theme": "dark", "zoom": 999})
    assert answer.status_code == 400
    assert "between 80 and 200" in answer.json()["error"]
    assert visit.client.post("/truth/drift", content=b"[1]").status_code == 400
    assert visit.client.get("/truth/drift").json() == before
