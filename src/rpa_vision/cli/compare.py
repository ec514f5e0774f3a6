"""`rpa-vision compare`: are two pictures the same screen?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rpa_vision.cli.batch_lines import batch_lines, note_error
from rpa_vision.cli.output import EXIT_ENVIRONMENT, EXIT_FAILED, JsonOption, print_json


def compare(
    images: Annotated[list[Path] | None, typer.Argument(metavar="A.png B.png", help="Two pictures of screens.")] = None,
    batch: Annotated[
        str | None,
        typer.Option(metavar="FILE", help='Pairs to compare, one {"a": PATH, "b": PATH} per line; - reads from stdin.'),
    ] = None,
    json_output: JsonOption = False,
) -> None:
    """Say whether two pictures show the same screen, how alike they are, and why."""
    from rpa_vision.app import wiring
    from rpa_vision.app.compare import Comparer, compare_batch
    from rpa_vision.errors import UsageError

    if (batch is None) == (not images) or (images and len(images) != 2):
        raise UsageError(
            "two pictures are compared, or a --batch of pairs", remedy="Give A.png B.png, or --batch FILE."
        )
    if images:
        comparer = Comparer(wiring.image_files(), wiring.screen_observer(), wiring.clock())
        found = comparer.compare(*images)
        if json_output:
            print_json(found.to_json())
        else:
            typer.echo(f"{'the same screen' if found.same_state else 'another screen'}: {found.why}")
        return
    with batch_lines(batch or "-") as lines:
        comparer = Comparer(wiring.image_files(), wiring.screen_observer(), wiring.clock())
        answers = failed = 0
        for answer in compare_batch(comparer, lines):
            answers += 1
            if "error" in answer:
                failed += 1
                note_error(answer)
            if json_output:
                print_json(answer)
            elif "error" not in answer:
                same = "same" if answer["same_state"] else "other"
                typer.echo(f"{same}  {answer['similarity']:.2f}  {answer['a']}  {answer['b']}: {answer['why']}")
    if failed:
        raise typer.Exit(EXIT_ENVIRONMENT if failed == answers else EXIT_FAILED)
