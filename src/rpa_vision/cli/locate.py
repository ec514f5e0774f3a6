"""`rpa-vision locate`: where something that was on one picture is on another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rpa_vision.cli.batch_lines import batch_lines, note_error
from rpa_vision.cli.output import EXIT_FAILED, JsonOption, print_json

if TYPE_CHECKING:
    from rpa_vision.app.locate import Locator


def locate(
    before: Annotated[Path | None, typer.Option("--from", metavar="OLD.png", help="The picture it was on.")] = None,
    box: Annotated[str | None, typer.Option(metavar="X1,Y1,X2,Y2", help="Where it was on that picture.")] = None,
    after: Annotated[Path | None, typer.Option("--in", metavar="NEW.png", help="The picture to find it on.")] = None,
    batch: Annotated[
        str | None, typer.Option(metavar="FILE", help="Questions, one JSON line each; - reads them from stdin.")
    ] = None,
    json_output: JsonOption = False,
) -> None:
    """Find again on one picture what a box holds on another, or say why that cannot be told."""
    from rpa_vision.app.locate import parse_box
    from rpa_vision.errors import UsageError

    if batch is not None:
        if before is not None or box is not None or after is not None:
            raise UsageError("--batch brings its own pictures", remedy="Leave --from, --box and --in out.")
        raise typer.Exit(_batch(batch))
    if before is None or box is None or after is None:
        raise UsageError("--from, --box and --in are needed", remedy="Give all three, or --batch.")
    place = parse_box(box)
    answer = _locator().locate(before, place, after)
    if json_output:
        print_json(answer.to_json())
    elif answer.box is not None:
        typer.echo(f"{answer.status}: {list(answer.box.bbox)} ({answer.score:.2f}, {answer.strategy}): {answer.why}")
    else:
        typer.echo(f"{answer.status}: {answer.why}")
    if answer.status != "resolved":
        raise typer.Exit(EXIT_FAILED)


def _batch(source: str) -> int:
    """Answer line by line; the exit code says whether every line could be answered, not what was found."""
    from rpa_vision.app.locate import locate_lines

    failed = 0
    with batch_lines(source) as lines:
        for answer in locate_lines(_locator(), lines):
            if "error" in answer:
                failed += 1
                note_error(answer)
            print_json(answer)
    return EXIT_FAILED if failed else 0


def _locator() -> Locator:
    from rpa_vision.app.locate import Locator
    from rpa_vision.app.wiring import clock, image_files, screen_reader
    from rpa_vision.app.wiring_reading import screen_pairer

    return Locator(image_files(), screen_reader(), clock(), screen_pairer())
