"""The window an event or a screen belongs to."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import AliasChoices, Field

from rpa_vision.errors import InputNotDeliveredError
from rpa_vision.models.document import Part
from rpa_vision.models.geometry import BBox, Point
from rpa_vision.models.wording import folded


class WindowContext(Part):
    """Which application, which title, where. `window_title` is accepted for `title` (seed names)."""

    title: str = Field(default="", validation_alias=AliasChoices("title", "window_title"))
    app_name: str = ""
    pid: int | None = None
    geometry: BBox | None = None
    screen_resolution: Point | None = Field(default=None, description="width, height of the whole screen in pixels")


def only_fit(windows: Sequence[WindowContext], app_name: str | None, title_contains: str | None) -> int | None:
    """Which of the windows is meant, None where none is; several that fit equally are an InputNotDeliveredError.

    The application's name must fit whole, but for `.exe`; the title in part; both in any case and with or without
    accents. A title that fits whole is meant rather than one that has it in it.
    """
    wanted = folded(title_contains or "")
    fitting = [
        index
        for index, window in enumerate(windows)
        if (app_name is None or _program(window.app_name) == _program(app_name)) and wanted in folded(window.title)
    ]
    if title_contains is not None:
        fitting = [index for index in fitting if folded(windows[index].title) == wanted] or fitting
    if len(fitting) > 1:
        titles = ", ".join(f"« {windows[index].title} »" for index in fitting)
        raise InputNotDeliveredError(
            f"several windows fit, and nothing tells which is meant: {titles}",
            remedy="Close those that are not meant, or give the step a title that only one window has.",
        )
    return fitting[0] if fitting else None


def _program(name: str) -> str:
    return folded(name).removesuffix(".exe")
