"""`rpa-vision run`: let a workflow be done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rpa_vision.cli.heal_questions import TerminalVoice
from rpa_vision.cli.output import DataOption, JsonOption, note, progress
from rpa_vision.cli.person import TerminalPerson, is_there
from rpa_vision.cli.run_each import do_each, tell_each
from rpa_vision.cli.run_told import Change, tell_run
from rpa_vision.cli.terminal_lines import TerminalLines

if TYPE_CHECKING:
    from rpa_vision.app.run import RunHooks, RunTools
    from rpa_vision.app.standing import Standing
    from rpa_vision.app.wiring_auto_heal import AutoHeal
    from rpa_vision.cli.interruption import Interruption
    from rpa_vision.models.workflow_graph import Workflow


_SIGN_S = 2.5
"""So long a sign says how a run ended, where the desktop has no notifications."""


class Mode(StrEnum):
    """Who acts."""

    AUTO = "auto"
    ASSIST = "assist"
    SHADOW = "shadow"


def run(
    workflow: Annotated[str, typer.Argument(metavar="WORKFLOW", help="Id or name of a learned workflow.")],
    param: Annotated[
        list[str] | None, typer.Option("--param", metavar="K=V", help="Value of a variable; may be repeated.")
    ] = None,
    mode: Annotated[
        Mode, typer.Option(help="auto: the robot acts. assist: you act, it guides. shadow: it only watches.")
    ] = Mode.ASSIST,
    authorise: Annotated[
        str | None,
        typer.Option("--authorise", metavar="WHY", help="Let a young workflow run alone this once; audited."),
    ] = None,
    screen_timeout: Annotated[
        float,
        typer.Option("--screen-timeout", metavar="SECONDS", min=0.5, max=600.0, help="Wait this long for a screen."),
    ] = 10.0,
    from_here: Annotated[
        bool, typer.Option("--from-here", help="Begin with the step that is due on the screen shown now.")
    ] = False,
    each: Annotated[
        Path | None, typer.Option("--each", metavar="FILE", help="Run it once for each row of a CSV or XLSX file.")
    ] = None,
    again: Annotated[
        bool,
        typer.Option("--again", help="Also rows that an earlier run has done in part (with --each: half); look first."),
    ] = False,
    rest: Annotated[
        bool, typer.Option("--rest", help="Leave out rows of a list on the screen that an earlier run did; look first.")
    ] = False,
    batch: Annotated[
        str | None,
        typer.Option("--batch", metavar="NAME", help="With --each: under which name the list is remembered."),
    ] = None,
    ask: Annotated[
        bool, typer.Option("--ask", help="You are there: where it does not know what is meant, it asks you.")
    ] = False,
    ask_timeout: Annotated[
        float,
        typer.Option("--ask-timeout", metavar="SECONDS", min=1.0, max=3000.0, help="Wait this long for an answer."),
    ] = 300.0,
    on_screen: Annotated[
        bool, typer.Option("--on-screen", help="Ask before steps by a bubble on the screen, not in the terminal.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say for every step what was taken and why, and what came second.")
    ] = False,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Run a workflow. Exit code 0: every step verified; 1: halted, failed or blocked; 2: wrong use or environment."""
    from rpa_vision.app import wiring
    from rpa_vision.app.learned_with import LearnedWith
    from rpa_vision.app.run import RunRequest, checked_values, keep_heals, run_workflow
    from rpa_vision.app.run_each import planned_rows

    _refuse_contradictions(authorise, each, batch, again=again, rest=rest, from_here=from_here, explain=explain)
    store = wiring.existing_data_directory(data)
    document = store.workflows.load(workflow)
    parameters = wiring.parse_parameters(param or [])
    if each is None:
        checked_values(document, parameters)
    else:
        table = wiring.row_files().read(each)
        rows, ignored = planned_rows(document, table, parameters, each.name)
        for left_out in table.notes:
            note(f"{each.name}: {left_out}")
    request = RunRequest(
        document,
        parameters,
        mode.value,
        authorise,
        screen_timeout,
        from_here=from_here,
        asks=ask,
        ask_timeout_s=ask_timeout,
        again=again and not rest,
        rest=rest,
        keeps_heals=each is None,
    )
    with _robot(store, document, mode, on_screen=on_screen, quiet=json_output) as robot:
        learned = LearnedWith(document, robot.tools.observer.perception)
        if learned.told:
            robot.say(f"{learned.told}\n  do: {learned.remedy}")
        before, level = robot.standing(), robot.heal.learning.level(document)
        if each is None:
            report, path = run_workflow(request, robot.tools, robot.hooks, robot.interruption.gate)
        else:
            journal = wiring.batch_journal(store, document, batch or each.name)
            file = "" if batch is not None else str(each.resolve())
            results = do_each(request, rows, journal, robot, file=file, again=again)
            keep_heals(document.workflow_id, robot.tools)
        change = Change(before, robot.standing(), level, robot.heal.learning.maturity(document.workflow_id))
    if each is None:
        is_watched = json_output or robot.interruption.is_wanted
        title, sign_s = f"{document.name}: {report.status}", 0.0 if is_watched else _SIGN_S
        wiring.notify(title, report.reason, urgent=report.status != "success", sign_s=sign_s)
        tell_run(report, path, change, learned, json_output=json_output, explain=explain, from_here=from_here)
    else:
        complete = sum(result.is_complete for result in results)
        wiring.notify(document.name, f"{complete} of {len(results)} rows are complete", urgent=complete < len(results))
        tell_each(results, ignored, change.after, learned, json_output=json_output, is_news=change.is_news)


def _refuse_contradictions(
    authorise: str | None,
    each: Path | None,
    batch: str | None,
    *,
    again: bool,
    rest: bool,
    from_here: bool,
    explain: bool,
) -> None:
    from rpa_vision.errors import UsageError

    if authorise is not None and not authorise.strip():
        raise UsageError("--authorise needs a reason", remedy='Say why, as in --authorise "first supervised trial".')
    if each is None and batch is not None:
        raise UsageError("--batch means nothing without --each", remedy="Leave it out; a run is always a new run.")
    if each is None and again and rest:
        raise UsageError("--again and --rest exclude each other", remedy="Give one of them.")
    if each is not None and authorise is not None:
        raise UsageError(
            "a workflow is authorised for one run, and --each has many",
            remedy="Run one row by itself with --param, or approve the workflow (`rpa-vision workflows approve`).",
        )
    if each is not None and explain:
        raise UsageError("--explain and --each exclude each other", remedy="The report of each row says why.")
    if each is not None and from_here:
        raise UsageError("--from-here and --each exclude each other", remedy="Give one of them.")


@dataclass(frozen=True)
class _Robot:
    """What runs a workflow, and the line that tells of it meanwhile."""

    workflow: Workflow
    heal: AutoHeal
    tools: RunTools
    hooks: RunHooks
    say: Callable[[str], None]
    interruption: Interruption

    def standing(self) -> Standing:
        from rpa_vision.app.standing import standing

        return standing(self.heal, self.workflow.workflow_id)


@contextmanager
def _robot(
    store: Any,
    workflow: Workflow,
    mode: Mode,
    *,
    on_screen: bool,
    quiet: bool,
) -> Iterator[_Robot]:
    """The desktop with everything a run needs, until it is over; a signal has it end."""
    from rpa_vision.app import wiring, wiring_guidance
    from rpa_vision.app.run import RunHooks
    from rpa_vision.app.wiring_auto_heal import auto_heal, person
    from rpa_vision.cli.interruption import Interruption

    with (
        closing(Interruption().listen()) as interruption,
        closing(wiring.desktop()) as screen,
        progress(f"{workflow.name}: looking at the screen") as shown,
        ExitStack() as bubbles,
        auto_heal(store, tell=None if quiet else shown.done) as heal,
    ):
        interruption.say = shown.done
        tools = wiring.run_tools(store, screen, workflow, heal)
        asked = wiring_guidance.screen_person(screen) if on_screen else None
        if asked is not None:
            bubbles.callback(asked.overlay.close)
            interruption.then(asked.leave)
            tools = replace(tools, beside=wiring_guidance.beside(screen, asked=asked))
        guided = None
        if mode is Mode.ASSIST:
            level = heal.learning.level(workflow)
            guided = bubbles.enter_context(wiring_guidance.guided_on(screen, level, interruption.ask))
        verb, lines = "you:" if mode is Mode.ASSIST else "doing:", TerminalLines()
        interruption.then(lines.leave)
        hooks = RunHooks(
            on_begin=lambda edge, sentence: shown.say(f"{verb} {sentence}"),
            may_go_on=lambda: not interruption.is_wanted,
            person=asked or (TerminalPerson(shown.done, lines.read) if is_there() and not quiet else None),
            on_question=TerminalVoice(heal.questions, person(), shown.done, lines).ask,
            on_guided=guided.guide if guided is not None else (lambda question: None),
            on_step=lambda step: guided.over() if guided is not None else None,
        )
        yield _Robot(workflow, heal, tools, hooks, shown.done, interruption)
