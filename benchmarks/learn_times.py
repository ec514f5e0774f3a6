"""How long `rpa-vision learn` takes after a person has shown a task of twelve steps five times.

    python benchmarks/learn_times.py [--folder DIR] [--rounds N] [--seed N] [--json]

The recording is real: a browser and an editor on a virtual desktop of 1920 × 1080, a scripted person who moves the
mouse and types, the recorder of `rpa-vision record`. Somebody looks up an invoice, validates it with a reason, writes
it into a journal in another program and looks at the statistics: thirteen things to do, learned as twelve steps (the
key that goes to the end of the journal is one step with the line that is typed there). It is recorded once and kept in
DIR. Then the whole command is timed, from its start to its exit, as a process of its own over a fresh copy each time:
imports, models, reading, building, a version of the result. A round that does not count comes first: it leaves bytecode
and warm disks, as on a machine in use. Every second round is over a copy without what was read while recording.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from Xlib import display as xdisplay

from rpa_vision.app import wiring
from rpa_vision.demo.clinic.data import Invoice, make_invoices, validatable
from rpa_vision.demo.clinic.sessions import DEMO_PASSWORD, DEMO_USER
from rpa_vision.demo.clinic.texts import write_amount
from rpa_vision.demo.day.office import Office, open_office, recording
from rpa_vision.demo.person.events import XTestSink
from rpa_vision.demo.person.eyes import Eyes, wait_for_found
from rpa_vision.demo.person.hands import Hands
from rpa_vision.demo.person.keyboard import Keyboard
from rpa_vision.demo.person.pace import Pace
from rpa_vision.demo.person.tasks.assignment import Assignment
from rpa_vision.demo.person.tasks.clinic_steps import click, fill, sit_down
from rpa_vision.demo.person.tasks.office_goes import journal_window

NAME = "Facture au journal"
AIM_S = 5.0
GOES = 5
SPEED = 1.0
_REACTION_S = 0.25


@dataclass(frozen=True, slots=True)
class Round:
    """The command once, from its start to its exit."""

    seconds: float
    cpu_s: float
    """Of all its processes."""
    peak_mb: float
    """Of the largest of them."""
    load: float
    read_ahead: int
    """How many screens were read while recording."""
    learned: dict[str, Any]


def main() -> None:
    """Record if need be, measure, and print a table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--folder", type=Path, default=Path("learn-times"), help="what was shown is kept there")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--seed", type=int, default=7, help="of the clinic and the person")
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    shown = given.folder / f"seed-{given.seed}"
    if not (shown / "data").is_dir():
        record(shown, given.seed)
    rounds = [learned_once(shown, unread=unread) for _ in range(given.rounds + 1) for unread in (False, True)][2:]
    screens = sum(1 for _ in (shown / "data" / "sessions").rglob("*.png"))
    if given.json:
        sys.stdout.write(json.dumps({"screens": screens, "rounds": [asdict(one) for one in rounds]}) + "\n")
    else:
        sys.stdout.write("\n".join(table(rounds, screens)) + "\n")


def table(rounds: list[Round], screens: int) -> list[str]:
    """Median and spread, and what was learned."""
    told, loads = rounds[0].learned, [one.load for one in rounds]
    lines = [f"{told['repetitions']} demonstrations of {told['edges']} steps, {screens} screens (aim {AIM_S} s)"]
    for ahead in dict.fromkeys(one.read_ahead for one in rounds):
        own = [one for one in rounds if one.read_ahead == ahead]
        seconds = sorted(one.seconds for one in own)
        lines.append(
            f"{ahead:3} read while recording: median {median(seconds):.2f} s ({seconds[0]:.2f} to {seconds[-1]:.2f}) "
            f"from start to exit, {len(own)} rounds; {median(one.cpu_s for one in own):.2f} s of processor; "
            f"at most {max(one.peak_mb for one in own):.0f} MB a process"
        )
    return [*lines, f"load of the machine ({os.cpu_count()} cores): {min(loads):.1f} to {max(loads):.1f}"]


def learned_once(shown: Path, *, unread: bool = False) -> Round:
    """`rpa-vision learn` over a fresh copy of the recording, with what was read while recording or without."""
    copy = shown / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(shown / "data", copy, ignore=shutil.ignore_patterns("read") if unread else None)
    ahead = sum(1 for _ in (copy / "sessions").rglob("read/*.json"))
    (session,) = (summary.session_id for summary in wiring.data_directory(copy).sessions.list().items)
    command = [sys.executable, "-m", "rpa_vision", "learn", session, "--name", NAME, "--data", str(copy), "--json"]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    load, answer = os.getloadavg()[0], shown / "answer.json"
    with answer.open("wb") as out:
        began = time.monotonic()
        process = subprocess.Popen(command, env=env, stdout=out, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
    if status:
        raise SystemExit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    told = json.loads(answer.read_text(encoding="utf-8"))
    return Round(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, load, ahead, told)


def record(shown: Path, seed: int) -> None:
    """Let somebody do the task under the eyes of the recorder."""
    being_made = shown / "being_made"
    shutil.rmtree(shown, ignore_errors=True)
    with open_office(shown, seed) as office:
        office.clinic.change_drift(required_field=True)
        display = xdisplay.Display(office.env["DISPLAY"])
        try:
            person = _person(office, display, seed)
            sit_down(person)
            _look_at_statistics(person)
            with recording(office.env, being_made, NAME):
                for number, invoice in enumerate(_invoices(seed, GOES), start=1):
                    sys.stderr.write(f"somebody shows it: {number} of {GOES}\n")
                    _go(person, invoice)
                    person.pace.pause(2.0, at_least=1.0)
        finally:
            display.close()
    being_made.rename(shown / "data")


def _go(person: Assignment, invoice: Invoice) -> None:
    before = click(person, "nav-invoices")
    before = person.eyes.wait_until("the list", lambda look: look.page > before.page and look.shows("search"))
    fill(person, "search", invoice.number)
    person.hands.press("Return")
    row = f"row:{invoice.number}"
    before = person.eyes.wait_until("the results", lambda look: look.page > before.page and look.shows(row))
    click(person, row)
    person.eyes.wait_until("the invoice", lambda look: look.page > before.page and look.shows("validate"))
    click(person, "validate")
    before = person.eyes.wait_for("reason")
    fill(person, "reason", "Contrôle effectué")
    click(person, "confirm")
    person.eyes.wait_until("the validation", lambda look: look.page > before.page and look.shows("message"))
    editor = wait_for_found(person.pace, "the journal", lambda: journal_window(person))
    person.hands.think(_REACTION_S)
    person.hands.click((editor.x + editor.width_px // 2, editor.y + round(editor.height_px * 0.8)))
    person.hands.press("End", "Control_L")
    person.hands.type(f"{invoice.number} : {write_amount(invoice.amount_cents, 'fr')}".replace("\u00a0", " "))
    person.hands.press("Return")
    person.hands.think(_REACTION_S)
    person.hands.press("s", "Control_L")
    wait_for_found(person.pace, "the journal to be saved", lambda: _is_saved(person))
    _look_at_statistics(person)


def _look_at_statistics(person: Assignment) -> None:
    before = click(person, "nav-statistics")
    person.eyes.wait_for_page_after(before, "the statistics")
    person.eyes.wait_until_still()


def _is_saved(person: Assignment) -> bool | None:
    editor = journal_window(person)
    return True if editor is not None and not editor.title.startswith("*") else None


def _invoices(seed: int, count: int) -> list[Invoice]:
    return random.Random(f"learn-times-{seed}").sample(validatable(make_invoices(seed)), count)


def _person(office: Office, display: Any, seed: int) -> Assignment:
    pace, pointer = Pace(SPEED), display.screen().root.query_pointer()
    hands = Hands(
        XTestSink(display, None),
        Keyboard(display, pace),
        pace,
        random.Random(seed),
        at=(pointer.root_x, pointer.root_y),
    )
    eyes = Eyes(office.clinic.url, pace)
    return Assignment(display=display, hands=hands, pace=pace, eyes=eyes, user=DEMO_USER, password=DEMO_PASSWORD)


if __name__ == "__main__":
    main()
