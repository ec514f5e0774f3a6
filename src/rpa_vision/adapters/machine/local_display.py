"""The display we were started on: can it be reached, what does it offer, is it locked?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rpa_vision.errors import DesktopError, EnvironmentMissingError, NoDisplayError
from rpa_vision.models.machine import DisplayFacts
from rpa_vision.ports.desktop import Desktop


def display_facts(
    platform: str, environment: Mapping[str, str], open_desktop: Callable[[], Desktop], extensions: Sequence[str]
) -> DisplayFacts:
    """Open the desktop for a moment and look; of the X extensions, only those asked for are told."""
    is_x11 = platform.startswith("linux")
    name = environment.get("DISPLAY", "") if is_x11 else platform
    found: frozenset[str] = frozenset()
    try:
        if is_x11:
            found = _x_extensions(name, extensions)
        desktop = open_desktop()
    except EnvironmentMissingError:  # an extension is missing: not the same as having no display
        return DisplayFacts(name, extensions=found)
    except (DesktopError, ImportError) as error:
        return DisplayFacts(name, problem=str(error))
    try:
        return DisplayFacts(
            name,
            resolution=desktop.eyes.info().resolution,
            extensions=found,
            is_locked=desktop.is_locked(),
            is_wayland=environment.get("XDG_SESSION_TYPE") == "wayland",
        )
    finally:
        desktop.close()


def _x_extensions(display: str, wanted: Sequence[str]) -> frozenset[str]:
    from rpa_vision.adapters.desktop.x11.connection import Connection

    if not display:
        raise NoDisplayError("there is no display: DISPLAY is not set")
    connection = Connection(display)
    try:
        with connection.use() as link:
            return frozenset(wanted) & frozenset(link.list_extensions())
    finally:
        connection.close()
