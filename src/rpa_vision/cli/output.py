"""What all commands print with: JSON for scripts on stdout, words for people on stderr and stdout."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

EXIT_OK = 0
EXIT_FAILED = 1
EXIT_ENVIRONMENT = 2
_PIPE_WIDTH = 200

DataOption = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="Where data is kept (default: $RPA_VISION_DATA, or ./data)."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON line for scripts.")]


def print_json(body: dict[str, Any]) -> None:
    """One line of JSON on stdout. What cannot be written as UTF-8, such as half of a path's character, is escaped."""
    line = json.dumps(body, ensure_ascii=False)
    try:
        line.encode()
    except UnicodeEncodeError:
        line = json.dumps(body)
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def tell(body: dict[str, Any], lines: Iterable[str], *, json_output: bool) -> None:
    """A report: one line of JSON for scripts, or lines for a person."""
    if json_output:
        print_json(body)
        return
    for line in lines:
        typer.echo(line)


def refuse_misplaced(context: typer.Context, data: Path | None, json_output: bool) -> None:
    """Options given before a subcommand would be lost without a word; say where they belong."""
    if data is not None or json_output:
        from rpa_vision.errors import UsageError

        option, command = ("--data" if data is not None else "--json"), context.invoked_subcommand
        raise UsageError(f"{option} stands before {command!r}", remedy=f"Put it behind: {command} … {option}.")


def note(text: str) -> None:
    """A line for the person, on stderr, so that stdout stays clean for scripts."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


class Progress:
    """Says what is going on: a live line on a terminal, plain lines elsewhere."""

    def __init__(self, status: Any | None) -> None:
        self._status = status
        self._last = ""

    def say(self, text: str) -> None:
        """What is going on now."""
        if self._status is not None:
            self._status.update(text)
        elif text != self._last:
            self._last = text
            note(text)

    def step(self, what: str, done: int, total: int) -> None:
        """So much of so much; only a terminal shows each."""
        if self._status is not None:
            self._status.update(f"{what}: {done}/{total}")
        else:
            self.say(f"{what} …")

    def done(self, text: str) -> None:
        """A line that stays."""
        if self._status is not None:
            self._status.console.print(text, highlight=False, markup=False)
        else:
            note(text)


@contextmanager
def progress(text: str) -> Iterator[Progress]:
    """Show progress on stderr while something long goes on."""
    if not sys.stderr.isatty():
        yield Progress(None)
        return
    from rich.console import Console

    with Console(stderr=True).status(text) as status:
        yield Progress(status)


def table(title: str, columns: list[str], rows: list[list[str]]) -> None:
    """A table for people."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    shown = Table(title=title, title_justify="left")
    for number, column in enumerate(columns):
        # The first column holds what people copy: it is never cut.
        shown.add_column(column, no_wrap=number == 0, overflow="ignore" if number == 0 else "fold")
    for row in rows:
        shown.add_row(*map(escape, row))  # what people wrote is no markup
    console = Console()
    console.print(shown) if console.is_terminal else Console(width=_PIPE_WIDTH).print(shown)
