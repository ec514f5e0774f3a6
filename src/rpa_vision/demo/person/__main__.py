"""`python -m rpa_vision.demo.person TASK`: do a task on $DISPLAY as a person would.

Exit 0 when done, 1 with one line of reason when the application did not do what was expected, 2 for wrong use.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from Xlib import display as xdisplay
from Xlib import error as xerror

from rpa_vision.demo.clinic.sessions import DEMO_PASSWORD, DEMO_USER
from rpa_vision.demo.day.agenda import Agenda
from rpa_vision.demo.person.diary import Diary
from rpa_vision.demo.person.events import XTestSink
from rpa_vision.demo.person.eyes import Eyes
from rpa_vision.demo.person.hands import Hands
from rpa_vision.demo.person.keyboard import Keyboard
from rpa_vision.demo.person.pace import Pace
from rpa_vision.demo.person.tasks import TASKS
from rpa_vision.demo.person.tasks.assignment import Assignment, Note
from rpa_vision.errors import NoDisplayError, RpaVisionError


def main(arguments: Sequence[str] | None = None) -> int:
    """Do one task."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.task.startswith("clinic") and not options.url:
        parser.error("tasks in the clinic need --url")
    if options.task.startswith("clinic_validate") and not options.invoices:
        parser.error("this task needs --invoices")
    if options.task == "office_day" and not (options.url and options.agenda):
        parser.error("this task needs --url and --agenda")
    if options.task.startswith("mousepad") and not options.note:
        parser.error("this task needs --note")
    try:
        with ExitStack() as stack:
            TASKS[options.task](_assignment(options, stack))
    except NoDisplayError as problem:
        sys.stderr.write(f"{problem}\n")
        return 2
    except (RpaVisionError, xerror.ConnectionClosedError) as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    return 0


def _assignment(options: argparse.Namespace, stack: ExitStack) -> Assignment:
    try:
        display = xdisplay.Display()
    except (xerror.DisplayError, OSError) as problem:
        raise NoDisplayError(f"no display to work on: {problem}") from problem
    stack.callback(display.close)
    log = stack.enter_context(options.log.open("w")) if options.log else None
    pace = Pace(options.speed)
    pointer = display.screen().root.query_pointer()
    diary = stack.enter_context(options.diary.open("w")) if options.diary else None
    sink = XTestSink(display, log)
    hands = Hands(
        sink,
        Keyboard(display, pace),
        pace,
        random.Random(options.seed),
        at=(pointer.root_x, pointer.root_y),
    )
    return Assignment(
        display=display,
        hands=hands,
        pace=pace,
        eyes=Eyes(options.url, pace, options.timeout),
        user=options.user,
        password=options.password,
        may_log_in=not options.no_login,
        invoices=tuple(options.invoices),
        submit_by=options.submit,
        goes_on_after_refusal=options.go_on_after_refusal,
        reason=options.reason,
        notes=tuple(options.note),
        clinic=options.url,
        agenda=Agenda.from_json(options.agenda.read_text(encoding="utf-8")) if options.agenda else None,
        diary=Diary(diary, pace.wall),
        presses=lambda: sink.presses,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m rpa_vision.demo.person", description="The scripted person.")
    parser.add_argument("task", choices=sorted(TASKS))
    parser.add_argument("--seed", type=int, default=0, help="the same seed moves and types the same way")
    parser.add_argument("--speed", type=_speed, default=1.0, help="2 works twice as fast (0.2 to 4)")
    parser.add_argument("--timeout", type=float, default=15.0, metavar="S", help="longest wait for the application")
    parser.add_argument("--log", type=Path, metavar="FILE", help="write every input sent, one JSON line each")
    clinic = parser.add_argument_group("in the clinic")
    clinic.add_argument("--url", default="", help="address of the running clinic")
    clinic.add_argument("--invoices", type=_numbers, default=[], metavar="A,B,C", help="invoice numbers")
    clinic.add_argument("--user", default=DEMO_USER)
    clinic.add_argument("--password", default=DEMO_PASSWORD)
    clinic.add_argument("--no-login", action="store_true", help="give up if the login page is shown")
    clinic.add_argument("--submit", choices=("enter", "click"), default="enter", help="how a search is started")
    clinic.add_argument("--reason", default="Contrôle effectué", help="what to type when a reason is asked for")
    clinic.add_argument("--go-on-after-refusal", action="store_true", help="a refused invoice is not the end")
    notes = parser.add_argument_group("in Mousepad")
    notes.add_argument("--note", type=_note, action="append", default=[], metavar="PATIENT=TEXT", help="repeatable")
    day = parser.add_argument_group("a whole day at the office")
    day.add_argument("--agenda", type=Path, metavar="FILE", help="what to do, as `rpa_vision.demo.day` plans it")
    day.add_argument("--diary", type=Path, metavar="FILE", help="write what was done when, one JSON line each")
    return parser


def _speed(value: str) -> float:
    speed = float(value)
    if not 0.2 <= speed <= 4:
        raise argparse.ArgumentTypeError("must be between 0.2 and 4")
    return speed


def _numbers(value: str) -> list[str]:
    return [number.strip() for number in value.split(",") if number.strip()]


def _note(value: str) -> Note:
    patient, separator, text = value.partition("=")
    if not separator or not patient.strip():
        raise argparse.ArgumentTypeError("must look like PATIENT=TEXT")
    return Note(patient.strip(), text)


if __name__ == "__main__":
    sys.exit(main())
