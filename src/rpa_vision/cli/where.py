"""`rpa-vision workflows where`: which workflow, and which of its screens, a picture or the desktop shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rpa_vision.cli.output import DataOption, JsonOption, note, print_json

if TYPE_CHECKING:
    from rpa_vision.models.frame import Pixels


def where(
    image: Annotated[
        Path | None, typer.Argument(metavar="[IMAGE]", help="A picture of a screen (default: the desktop, now).")
    ] = None,
    title: Annotated[str, typer.Option(metavar="TEXT", help="The title of its window, where that is known.")] = "",
    app_name: Annotated[str, typer.Option("--app", metavar="NAME", help="Its application, where that is known.")] = "",
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Say which known screen it is: hints over all workflows, decided by each workflow itself."""
    from rpa_vision.app import wiring
    from rpa_vision.models.window import WindowContext

    store = wiring.existing_data_directory(data)
    frame = None if image is None else read_picture(image)
    observer = wiring.screen_observer()
    locator = wiring.locator(store, observer.embedder.space)
    locator.take_in(store.workflows.list().items)
    if frame is None:
        screen = wiring.look_now(observer)
    else:
        window = WindowContext(title=title, app_name=app_name)
        screen = observer.observe(frame, window=window, screen_state_id="picture", timestamp=wiring.clock().now())
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
                        "goes_on_with": place.goes_on_with,
                        "why_not": place.why_not,
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
        if place.goes_on_with is not None:
            typer.echo(f"      {place.goes_on_with} is next: rpa-vision run {place.hint.workflow_id} --from-here")
        elif place.why_not:
            typer.echo(f"      {place.why_not}")


def read_picture(image: Path) -> Pixels:
    """A picture from the disk; an error names the file."""
    from rpa_vision.app import wiring
    from rpa_vision.errors import ImageError
    from rpa_vision.imaging.codec import decode

    try:
        return decode(wiring.image_files().read(image))
    except ImageError as error:
        raise ImageError(f"{image}: {error}", remedy=error.remedy) from error
