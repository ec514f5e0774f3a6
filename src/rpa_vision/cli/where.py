"""`rpa-vision workflows where`: which workflow, and which of its screens, a picture shows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rpa_vision.cli.output import DataOption, JsonOption, note, print_json


def where(
    image: Annotated[Path, typer.Argument(metavar="IMAGE", help="A picture of a screen.")],
    title: Annotated[str, typer.Option(metavar="TEXT", help="The title of its window, where that is known.")] = "",
    app_name: Annotated[str, typer.Option("--app", metavar="NAME", help="Its application, where that is known.")] = "",
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Say which known screen a picture shows: hints over all workflows, decided by each workflow itself."""
    from rpa_vision.app import wiring
    from rpa_vision.errors import ImageError
    from rpa_vision.imaging.codec import decode
    from rpa_vision.models.window import WindowContext

    store = wiring.existing_data_directory(data)
    try:
        pixels = decode(wiring.image_files().read(image))
    except ImageError as error:
        raise ImageError(f"{image}: {error}", remedy=error.remedy) from error
    observer = wiring.screen_observer()
    locator = wiring.locator(store, observer.embedder.space)
    locator.take_in(store.workflows.list().items)
    window = WindowContext(title=title, app_name=app_name)
    screen = observer.observe(pixels, window=window, screen_state_id="picture", timestamp=wiring.clock().now())
    places = locator.places(screen)
    if locator.elsewhere:
        note(f"not asked, as they lie in another space: {', '.join(locator.elsewhere)}")
    if json_output:
        print_json(
            {
                "known": any(place.is_match for place in places),
                "places": [
                    {
                        "workflow_id": place.hint.workflow_id,
                        "node_id": place.hint.node_id,
                        "label": place.node_label,
                        "similarity": round(place.hint.similarity, 4),
                        "confidence": round(place.confidence, 4),
                        "match": place.is_match,
                    }
                    for place in places
                ],
                "not_asked": locator.elsewhere,
            }
        )
        return
    if not places:
        typer.echo("No workflow is known here.")
    for place in places:
        sure = "yes" if place.is_match else "no"
        typer.echo(f"{sure:<4}{place.confidence:.2f}  {place.workflow_name}: « {place.node_label} »")
