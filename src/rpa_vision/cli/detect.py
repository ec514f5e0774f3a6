"""`rpa-vision detect`: what is seen on a picture of a screen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rpa_vision.cli.output import EXIT_ENVIRONMENT, EXIT_FAILED, JsonOption, note, print_json

if TYPE_CHECKING:
    from rpa_vision.models.ui_element import UIElement


def detect(
    images: Annotated[list[Path], typer.Argument(metavar="IMAGE", help="Pictures of screens.")],
    overlay: Annotated[
        Path | None,
        typer.Option(metavar="OUT.png", help="Draw what was seen; a folder when there are several pictures."),
    ] = None,
    embeddings: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Embed each element's picture and words; a data directory takes them."),
    ] = None,
    json_output: JsonOption = False,
) -> None:
    """Detect the elements of a screen and read its text."""
    from rpa_vision.app.detect import detect_image, overlay_paths
    from rpa_vision.app.wiring import clock, data_directory, image_files, screen_reader
    from rpa_vision.app.wiring_plugins import vision_model
    from rpa_vision.errors import ImageError, PluginError, StorageError

    files, now = image_files(), clock()
    places = overlay_paths(overlay, images, files) if overlay is not None else {}
    reader = screen_reader()
    vectors = data_directory(embeddings).vectors if embeddings is not None else None
    guarded = vision_model(now)
    model = guarded.for_run() if guarded is not None else None
    failed = 0
    for image in images:
        try:
            seen = detect_image(files, reader, now, image, model)
            if vectors is not None:
                seen = seen.embedded(vectors)
            if image in places:
                files.write(places[image], seen.overlay())
        except (ImageError, PluginError, StorageError) as error:
            failed += 1
            note(f"error: {error}\n  do: {error.remedy}")
            if json_output:
                problem = {"code": error.code, "message": str(error), "remedy": error.remedy}
                print_json({"image": str(image), "error": problem})
            continue
        state = seen.state
        if "vlm" in state.metadata:
            note(f"the VLM did not describe it ({state.metadata['vlm']})")
        if json_output:
            print_json(
                {
                    "image": str(image),
                    "elements": [element.to_json() for element in seen.elements],
                    "text_lines": [line.model_dump(mode="json") for line in state.perception.text_lines],
                    "regions_of_interest": [region.model_dump(mode="json") for region in state.regions_of_interest],
                    "groups": [group.model_dump(mode="json") for group in state.groups],
                    "layout_signature": state.layout_signature and state.layout_signature.model_dump(mode="json"),
                    "content_signature": state.content_signature and state.content_signature.model_dump(mode="json"),
                    "summary": state.debug and state.debug.model_dump(mode="json"),
                    "timing_ms": seen.timing_ms,
                }
            )
            continue
        typer.echo(f"{image}: {len(seen.elements)} elements in {seen.timing_ms['total']:.0f} ms")
        if state.debug is not None:
            typer.echo(f"  {state.debug.summary}")
        for element in seen.elements:
            typer.echo(
                f"  {element.type:<14} {element.role:<16} {element.confidence:.2f} {list(element.bbox)} "
                f"{element.label}{_told(element)}"
            )
        for group in state.groups:
            typer.echo(f"  [{group.kind}] {len(group.member_ids)} elements {list(group.bbox)} {group.label}".rstrip())
        stages = (f"{name} {spent:g}" for name, spent in seen.timing_ms.items() if name != "total")
        typer.echo(f"  ms: {', '.join(stages)}")
    if failed:
        raise typer.Exit(EXIT_ENVIRONMENT if failed == len(images) else EXIT_FAILED)


def _told(element: UIElement) -> str:
    """The states that can be seen."""
    state = element.state.model_dump() if element.state is not None else {}
    facts = [name if holds else f"not {name}" for name, holds in state.items() if holds is not None]
    return f" ({', '.join(facts)})" if facts else ""
