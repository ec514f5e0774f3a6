"""`rpa-vision heal questions|answer`, and the terminal of `run --ask`: people show a lost run what is meant."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rpa_vision.cli.output import DataOption, JsonOption, print_json
from rpa_vision.cli.times import minute

if TYPE_CHECKING:
    from rpa_vision.app.point_out import QuestionDesk
    from rpa_vision.cli.terminal_lines import TerminalLines
    from rpa_vision.models.heal_question import HealQuestion


def questions(data: DataOption = None, json_output: JsonOption = False) -> None:
    """Show the questions of runs that wait for somebody to show them a target."""
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_auto_heal import auto_heal

    store = wiring.existing_data_directory(data)
    with auto_heal(store, quiet=True) as opened:
        found = opened.questions.waiting()
    if json_output:
        unreadable = [{"name": bad.name, "problem": bad.problem} for bad in found.unreadable]
        print_json({"questions": [one.to_json() for one in found.items], "unreadable": unreadable})
        return
    if not found.items:
        typer.echo("No run waits for an answer.")
    for one in found.items:
        for line in told(one):
            typer.echo(line)


def answer(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="Id of a question.")],
    number: Annotated[int | None, typer.Option("--number", metavar="N", min=1, help="It is this one.")] = None,
    point: Annotated[
        str | None, typer.Option("--point", metavar="X,Y", help="It is here, in pixels of the screen.")
    ] = None,
    none: Annotated[bool, typer.Option("--none", help="It is none of these.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Yes, really: where something may do harm.")] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Find it so from now on, once the step has worked.")] = False,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Answer a question of a run that waits. The first answer counts, and only for the screen it was asked about."""
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_auto_heal import auto_heal, person

    store = wiring.existing_data_directory(data)
    with auto_heal(store, quiet=True) as opened:
        given = opened.questions.answer(
            question,
            person(),
            number=number,
            point=point_of(point) if point is not None else None,
            none=none,
            yes=yes,
            keep=keep,
        )
    print_json(given.to_json()) if json_output else typer.echo(f"{question}: answered; the run goes on from there")


def point_of(text: str) -> tuple[int, int]:
    """`640,360` as a point."""
    from rpa_vision.errors import UsageError

    parts = text.replace(";", ",").split(",")
    try:
        x, y = (int(part) for part in parts)
    except ValueError as error:
        raise UsageError(f"{text!r} is not a point", remedy="Write it as X,Y in pixels: 640,360.") from error
    return (x, y)


def told(question: HealQuestion) -> list[str]:
    """A question in words."""
    lines = [
        f"{question.question_id}  {question.workflow_name}, {question.edge_id}: {question.step}",
        f"  {question.why}",
    ]
    for one in question.candidates:
        against = f", refused: {one.objection}" if one.objection else ""
        why = f" ({'; '.join(one.reasons)})" if one.reasons else ""
        lines.append(f"  {one.number}. {one.type} « {one.label} » at {one.bbox}, {one.score:.2f}{why}{against}")
    if question.picture is not None:
        lines.append(f"  picture: {question.picture}")
    ways = "yes or none" if question.kind == "confirm" else "a number, X,Y or none (with keep: from now on)"
    lines.append(f"  answer with {ways}, until {minute(question.expires_at.isoformat())}")
    return lines


class TerminalVoice:
    """Answers typed into the terminal of the run itself, line by line, beside whatever other processes answer."""

    def __init__(self, desk: QuestionDesk, who: str, say: Callable[[str], None], lines: TerminalLines) -> None:
        self._lines = lines
        self._desk = desk
        self._who = who
        self._say = say
        self._open: HealQuestion | None = None

    def ask(self, question: HealQuestion) -> None:
        """Show a question; the next line that is typed is taken for its answer."""
        for line in told(question):
            self._say(line)
        self._open = question
        self._lines.listen(self._hear)

    def _hear(self, line: str) -> None:
        question = self._open
        if question is not None and line.strip():
            self._answer(question, line.strip().lower())

    def _answer(self, question: HealQuestion, said: str) -> None:
        from rpa_vision.errors import RpaVisionError

        try:
            self._desk.answer(question.question_id, self._who, **parsed(said))
        except RpaVisionError as error:
            self._say(f"{error}; {error.remedy}")


def parsed(said: str) -> dict[str, Any]:
    """`2`, `2 keep`, `640,360`, `none`, `yes` as an answer."""
    words = said.split()
    keep = "keep" in words
    rest = "".join(word for word in words if word != "keep")
    if rest.isdigit() and rest != "0":
        return {"number": int(rest), "keep": keep}
    if "," in rest:
        return {"point": point_of(rest), "keep": keep}
    return {"yes": True} if rest in ("yes", "y", "oui") else {"none": rest in ("none", "n", "no", "0", "non")}
