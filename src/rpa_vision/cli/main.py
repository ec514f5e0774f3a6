"""The command line: one verb, one file. Errors are one line of cause and one of remedy, exit codes are for scripts."""

from __future__ import annotations

import errno
import json
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any

import typer

from rpa_vision import __version__
from rpa_vision.cli import (
    bench,
    compare,
    dataset,
    demo,
    desktop,
    detect,
    doctor,
    failures,
    heal,
    learn,
    locate,
    observe,
    policy,
    record,
    run,
    serve,
    sessions,
    simulate,
    status,
    stop,
    undo,
    workflows,
)
from rpa_vision.cli.output import EXIT_ENVIRONMENT, EXIT_FAILED, EXIT_OK
from rpa_vision.errors import RpaVisionError, UsageError

DEBUG_VARIABLE = "RPA_VISION_DEBUG"
FAILED_CODES = frozenset(
    {
        "learning.no_workflow",
        "embedding.not_migrated",
        "bench.relocate_failed",
        "demo.failed",
        "demo.day_failed",
        "demo.replay_failed",
        "demo.expectation",
        "unexpected",
    }
)
"""Errors that are neither wrong use nor the environment: it was tried, and did not work out."""
_INTERRUPTED = 130
"""What typer makes of Ctrl-C."""
# Typer has a click of its own in newer versions; what is public in all of them leads to its root of wrong use.
_WrongUse = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")

app = typer.Typer(
    name="rpa-vision",
    help="Watches a person work on a desktop, learns the workflow by vision, and does it alone, safely.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("demo")(demo.demo)
app.command("record")(record.record)
app.command("observe")(observe.observe)
app.add_typer(sessions.app, name="sessions")
app.command("learn")(learn.learn)
app.add_typer(workflows.app, name="workflows")
app.command("run")(run.run)
app.command("stop")(stop.stop)
app.command("undo")(undo.undo)
app.command("status")(status.status)
app.add_typer(heal.app, name="heal")
app.add_typer(policy.app, name="policy")
app.add_typer(failures.app, name="failures")
app.command("simulate")(simulate.simulate)
app.command("detect")(detect.detect)
app.command("locate")(locate.locate)
app.command("compare")(compare.compare)
app.add_typer(dataset.app, name="dataset")
app.command("serve")(serve.serve)
app.command("work")(serve.work)
app.command("doctor")(doctor.doctor)
app.command("desktop")(desktop.desktop)
app.add_typer(bench.app, name="bench")


@app.callback(invoke_without_command=True)
def _root(
    version: bool = typer.Option(False, "--version", help="Print the version and leave.", is_eager=True),
) -> None:
    if version:
        typer.echo(f"rpa-vision {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line and leave with its exit code."""
    sys.exit(run_command_line(sys.argv[1:]))


def run_command_line(arguments: list[str], command: Callable[..., Any] = app) -> int:
    """Do what the arguments ask, say what went wrong if something did, and give the exit code."""
    as_json = "--json" in arguments[: arguments.index("--") if "--" in arguments else None]
    try:
        result = command(args=arguments, prog_name="rpa-vision", standalone_mode=False)
        sys.stdout.flush()
    except RpaVisionError as error:
        return _tell(error, as_json=as_json)
    except (KeyboardInterrupt, typer.Abort):
        return _stopped()
    except BrokenPipeError:  # whoever read our output has gone, `head` for instance
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FAILED
    except Exception as error:  # the top: a person gets two lines, never a traceback
        if isinstance(error, typer.Exit):
            return int(error.exit_code)
        if isinstance(error, _WrongUse):
            return _wrong_use(error, as_json=as_json)
        if isinstance(error, OSError):
            return _tell(SystemRefusedError(error), as_json=as_json)
        return _tell(UnexpectedError(error), as_json=as_json)
    if result == _INTERRUPTED:
        return _stopped()
    return result if isinstance(result, int) else EXIT_OK


class UnexpectedError(RpaVisionError):
    """A fault of the program itself."""

    code = "unexpected"

    def __init__(self, fault: BaseException) -> None:
        super().__init__(
            f"unexpected {type(fault).__name__}: {fault}",
            remedy=f"This is a fault of rpa-vision; {DEBUG_VARIABLE}=1 in the environment shows where it happened.",
        )
        self.__cause__ = fault


class SystemRefusedError(RpaVisionError):
    """The operating system refused something that nobody below could say more about."""

    code = "environment.refused"

    def __init__(self, refusal: OSError) -> None:
        where = f"{refusal.filename}: " if refusal.filename else ""
        is_full = refusal.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        super().__init__(
            f"{where}the system refused ({refusal.strerror or refusal})",
            remedy="Free disk space, then try again." if is_full else None,
        )
        self.__cause__ = refusal


def _tell(error: RpaVisionError, *, as_json: bool) -> int:
    """Say what happened and what to do, and give the exit code."""
    if os.environ.get(DEBUG_VARIABLE, "") not in ("", "0"):
        traceback.print_exception(error.__cause__ or error)
    sys.stderr.write(f"error: {_one_line(str(error))}\n  do: {_one_line(error.remedy)}\n")
    if as_json:
        body = {"error": {"code": error.code, "message": str(error), "remedy": error.remedy}}
        sys.stdout.write(json.dumps(body, ensure_ascii=False) + "\n")
        sys.stdout.flush()
    return EXIT_FAILED if error.code in FAILED_CODES else EXIT_ENVIRONMENT


def _wrong_use(error: Exception, *, as_json: bool) -> int:
    """What typer itself refuses, said as everything else is."""
    if type(error).__name__ == "NoArgsIsHelpError":  # a bare command asks for help
        sys.stdout.write(str(error).rstrip() + "\n")
        return EXIT_ENVIRONMENT
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "rpa-vision"
    formatted = error.format_message() if hasattr(error, "format_message") else str(error)
    message = _one_line(formatted).rstrip(".").replace("Value error, ", "")
    return _tell(UsageError(message[:1].lower() + message[1:], remedy=f"See `{command} --help`."), as_json=as_json)


def _stopped() -> int:
    sys.stderr.write("error: stopped\n  do: Nothing more was done; start it again when you like.\n")
    return EXIT_FAILED


def _one_line(text: str) -> str:
    return " ".join(text.split())
