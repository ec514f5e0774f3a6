"""The scripted person on a real X server, in a real browser and a real editor; the truth is what was really done."""

from __future__ import annotations

from pathlib import Path

import pytest
from person_desktop import Desktop, fresh_desktop

from rpa_vision.demo.clinic.data import make_invoices, validatable
from rpa_vision.demo.clinic.drift import Drift
from rpa_vision.demo.clinic.serve import ClinicServer
from rpa_vision.demo.mousepad import launch_mousepad

NUMBERS = [invoice.number for invoice in validatable(make_invoices(7))]
WRONG = next(invoice.number for invoice in make_invoices(7) if invoice.amount_is_wrong)
FAST = ("--speed", "4")


def done(server: ClinicServer) -> list[tuple[str, str | None]]:
    return [(entry["action"], entry["number"]) for entry in server.truth()["journal"]]


def validated(server: ClinicServer) -> list[str]:
    return [number for action, number in done(server) if action == "validated" and number]


@pytest.mark.parametrize(
    ("drift", "numbers"),
    [
        (Drift(), NUMBERS[:2]),
        (Drift(theme="dark", zoom=150), NUMBERS[:2]),
        (Drift(device_scale=1.5, font_face="serif", moved="bottom", renamed=True, lookalike=True), NUMBERS[5:6]),
    ],
    ids=["as learned", "dark and zoomed", "scaled, moved, renamed, look-alikes"],
)
def test_person_validates_the_given_invoices_and_no_other(desktop: Desktop, drift: Drift, numbers: list[str]) -> None:
    """The application's own database says exactly those, whatever the looks."""
    with desktop.clinic(drift) as server:
        ended = desktop.person("clinic_validate", "--url", server.url, "--invoices", ",".join(numbers), *FAST)
        assert (ended.returncode, ended.stderr) == (0, "")
        assert done(server) == [("login", None), *(("validated", number) for number in numbers)]


def test_person_copes_with_what_gets_in_the_way(desktop: Desktop) -> None:
    """Closes a modal, fills a new field, turns pages, waits for slow pages; after a login of its own."""
    with desktop.clinic(Drift(modal=True, notice=True, required_field=True, slow=150)) as server:
        assert desktop.person("clinic_login", "--url", server.url, *FAST).returncode == 0
        on_second_page = NUMBERS[14]
        ended = desktop.person(
            "clinic_validate_direct", "--url", server.url, "--invoices", on_second_page, "--no-login", *FAST
        )
        assert (ended.returncode, ended.stderr) == (0, "")
        assert validated(server) == [on_second_page]


def test_person_says_in_one_line_what_did_not_happen(desktop: Desktop) -> None:
    """Exit 1 and nothing validated: a refused invoice, a button that is covered or gone, an ended session."""
    with desktop.clinic() as server:

        def reason_for_giving_up(number: str) -> str:
            ended = desktop.person(
                "clinic_validate", "--url", server.url, "--invoices", number, "--timeout", "2", *FAST
            )
            assert ended.returncode == 1
            assert len(ended.stderr.splitlines()) == 1
            return ended.stderr

        assert "Montant incorrect" in reason_for_giving_up(WRONG)
        server.change_drift(covered=True)
        assert "'validate' is covered" in reason_for_giving_up(NUMBERS[0])
        server.change_drift(covered=False, hidden=True)
        assert "no button to validate" in reason_for_giving_up(NUMBERS[0])
        server.change_drift(hidden=False, expire_after=1)
        assert "Session expirée" in reason_for_giving_up(NUMBERS[0])
        assert validated(server) == []


def test_person_writes_notes_with_accents_in_mousepad(desktop: Desktop, tmp_path: Path) -> None:
    """Another kind of application: the truth is the files on disk."""
    folder = tmp_path / "notes"
    folder.mkdir()
    with launch_mousepad(folder=folder, home=tmp_path / "home", env=desktop.env):
        ended = desktop.person(
            "mousepad_notes",
            "--note", "Élodie LEFÈVRE=Compte rendu : Élodie LEFÈVRE",
            "--note", "Noël LECŒUR=Hôpital d’Évreux, coût 1 050,78 €",
            *FAST,
        )  # fmt: skip
        assert (ended.returncode, ended.stderr) == (0, "")
    assert {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()} == {
        "elodie-lefevre.txt": "Compte rendu : Élodie LEFÈVRE",
        "noel-lecoeur.txt": "Hôpital d’Évreux, coût 1 050,78 €",
    }


def test_same_seed_sends_the_same_input(desktop: Desktop, tmp_path: Path) -> None:
    """Two fresh desktops, one seed: every move, button and key alike."""

    def log_of(desk: Desktop) -> list[str]:
        log = desk.folder / "inputs.jsonl"
        with desk.clinic() as server:
            options = ("--invoices", NUMBERS[3], "--seed", "42", "--log", str(log), *FAST)
            assert desk.person("clinic_validate", "--url", server.url, *options).returncode == 0
        return log.read_text().splitlines()

    first = log_of(desktop)
    with fresh_desktop(tmp_path / "again") as other:
        assert log_of(other) == first
    assert len(first) > 200
