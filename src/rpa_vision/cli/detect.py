"""`rpa-vision detect`: what is seen on a picture of a screen."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rpa_vision.cli.output import EXIT_ENVIRONMENT, EXIT_FAILED, JsonOption, note, print_json


def detect(
    images: Annotated[list[Path], typer.Argument(metavar="IMAGE", help="Pictures of screens.")],
    overlay: Annotated[
        Path | None,
        typer.Option(metavar="OUT.png", help="Draw what was seen; a folder when there are several pictures."),
    ] = None,
    json_output: JsonOption = False,
) -> None:
    """Detect the elements of a screen and read its text."""
    from rpa_vision.app.detect import detect_image, overlay_paths
    from rpa_vision.app.wiring import clock, image_files, ui_detector
    from rpa_vision.errors import ImageError, StorageError

    places = overlay_paths(overlay, images) if overlay is not None else {}
    detector = ui_detector()
    files, now = image_files(), clock()
    failed = 0
    for image in images:
        try:
            seen = detect_image(files, detector, now, image)
            if image in places:
                files.write(places[image], seen.overlay())
        except (ImageError, StorageError) as error:
            failed += 1
            note(f"error: {error}\n  do: {error.remedy}")
            if json_output:
                problem = {"code": error.code, "message": str(error), "remedy": error.remedy}
                print_json({"image": str(image), "error": problem})
            continue
        if json_output:
            print_json(
                {
                    "image": str(image),
                    "elements": [element.to_json() for element in seen.elements],
                    "timing_ms": seen.timing_ms,
                }
            )
        else:
            typer.echo(f"{image}: {len(seen.elements)} elements in {seen.timing_ms['total']:.0f} ms")
            for element in seen.elements:
                typer.echo(
                    f"  {element.type:<14} {element.role:<16} {element.confidence:.2f} {list(element.bbox)} "
                    f"{element.label}"
                )
    if failed:
        raise typer.Exit(EXIT_ENVIRONMENT if failed == len(images) else EXIT_FAILED)
