"""The points of the drift benchmark: every way in which the demo clinic can change, alone and together.

Each point belongs to a group, and each group has a bar: how many of its points are to be completed. Nothing may ever
be done wrong silently, in any group.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from rpa_vision.errors import UsageError


class UnknownPointError(UsageError):
    """A drift was asked for that the benchmark does not have."""

    code = "bench.unknown_drift"


@dataclass(frozen=True, slots=True)
class Group:
    """Points that are counted together; `bar` of `out_of` are to be completed, where a bar is set."""

    name: str
    title: str
    bar: int | None = None


@dataclass(frozen=True, slots=True)
class DriftPoint:
    """One way in which the clinic has changed since it was learned."""

    name: str
    group: str
    switches: Mapping[str, Any]

    @property
    def device_scale(self) -> float:
        """What the browser must be started with; everything else changes while it runs."""
        return float(self.switches.get("device_scale", 1.0))


GROUPS = (
    Group("none", "as it was learned", 1),
    Group("cosmetic", "font face, font size, zoom, device scale", 19),
    Group("alone", "every other switch alone"),
    Group("compound", "moved, renamed and re-themed", 12),
    Group("in_the_way", "notice, modal, required field", 5),
    Group("gtk", "programs of others: theme, letter size, window"),
    Group("danger", "look-alike, covered, removed: refused or right"),
)
_LOOKS: Mapping[str, Mapping[str, Any]] = {
    "dark": {"theme": "dark"},
    "contrast": {"theme": "high-contrast"},
    "restyled": {"restyled": True},
    "dark_serif": {"theme": "dark", "font_face": "serif"},
    "contrast_large": {"theme": "high-contrast", "font_size": 18},
}
_LAYOUTS: Mapping[str, Mapping[str, Any]] = {
    "top": {"moved": "top"},
    "bottom": {"moved": "bottom"},
    "columns": {"moved": "top", "columns": True},
}


def all_points(app: str = "clinic") -> tuple[DriftPoint, ...]:
    """Every point, in the order of the table; those that need another browser stand together."""
    return tuple(_points() if app == "clinic" else _notes_points())


def chosen(names: Sequence[str], *, quick: bool, app: str = "clinic") -> tuple[DriftPoint, ...]:
    """The points of these names or groups; all where none is named, a few of each group when it must be quick."""
    points = all_points(app)
    known = {point.name for point in points} | {group.name for group in GROUPS}
    for name in names:
        if name not in known:
            listed = ", ".join([*(group.name for group in GROUPS), *(point.name for point in points)])
            raise UnknownPointError(f"there is no drift '{name}'", remedy=f"Known: {listed}.")
    if names:
        return tuple(point for point in points if point.name in names or point.group in names)
    return tuple(point for point in points if point.name in _QUICK) if quick else points


def _points() -> Iterable[DriftPoint]:
    yield DriftPoint("none", "none", {})
    yield from (DriftPoint(f"face_{face}", "cosmetic", {"font_face": face}) for face in _FACES)
    yield from (DriftPoint(f"size_{size}", "cosmetic", {"font_size": size}) for size in _SIZES)
    yield from (DriftPoint(f"zoom_{zoom}", "cosmetic", {"zoom": zoom}) for zoom in _ZOOMS)
    for name, switches in _ALONE.items():
        yield DriftPoint(name, "alone", switches)
    for (look, looks), (layout, layouts) in product(_LOOKS.items(), _LAYOUTS.items()):
        yield DriftPoint(f"{layout}_{look}", "compound", {"renamed": True, **layouts, **looks})
    for name, switches in _IN_THE_WAY.items():
        yield DriftPoint(name, "in_the_way", switches)
    for name, switches in _DANGER.items():
        yield DriftPoint(name, "danger", switches)
    yield from (DriftPoint(f"scale_{scale:g}", "cosmetic", {"device_scale": scale}) for scale in _SCALES)


def _notes_points() -> Iterable[DriftPoint]:
    yield DriftPoint("none", "none", {})
    for name, switches in _GTK.items():
        yield DriftPoint(name, "gtk", switches)


_FACES = ("sans", "serif", "mono", "dejavu")
_SIZES = (12, 13, 17, 18, 20)
_ZOOMS = (80, 90, 110, 125, 133, 150, 175, 200)
_SCALES = (1.25, 1.5, 1.75, 2.0)
_ALONE: Mapping[str, Mapping[str, Any]] = {
    "dark": {"theme": "dark"},
    "contrast": {"theme": "high-contrast"},
    "restyled": {"restyled": True},
    "moved_top": {"moved": "top"},
    "moved_bottom": {"moved": "bottom"},
    "renamed": {"renamed": True},
    "columns": {"columns": True},
    "slow": {"slow": 2000},
    "english": {"lang": "en"},
}
_IN_THE_WAY: Mapping[str, Mapping[str, Any]] = {
    "notice": {"notice": True},
    "notice_moved": {"notice": True, "moved": "top"},
    "modal": {"modal": True},
    "modal_dark": {"modal": True, "theme": "dark"},
    "notice_modal": {"notice": True, "modal": True},
    "required_field": {"required_field": True},
}
_DANGER: Mapping[str, Mapping[str, Any]] = {
    "lookalike": {"lookalike": True},
    "lookalike_renamed": {"lookalike": True, "renamed": True},
    "lookalike_moved": {"lookalike": True, "moved": "bottom"},
    "lookalike_large": {"lookalike": True, "zoom": 150},
    "covered": {"covered": True},
    "covered_dark": {"covered": True, "theme": "dark"},
    "hidden": {"hidden": True},
    "hidden_lookalike": {"hidden": True, "lookalike": True},
}
_GTK: Mapping[str, Mapping[str, Any]] = {
    "theme_dark": {"env": {"GTK_THEME": "Adwaita:dark"}},
    "theme_greybird": {"env": {"GTK_THEME": "Greybird"}},
    "theme_contrast": {"env": {"GTK_THEME": "HighContrast"}},
    "scale_1.25": {"env": {"GDK_DPI_SCALE": "1.25"}},
    "scale_1.5": {"env": {"GDK_DPI_SCALE": "1.5"}},
    "window_moved": {"box": (760, 330, 900, 640)},
    "window_small": {"box": (200, 120, 660, 460)},
    "window_large": {"box": (20, 40, 1700, 950)},
    "dark_large_moved": {"env": {"GTK_THEME": "Adwaita:dark", "GDK_DPI_SCALE": "1.25"}, "box": (600, 300, 1100, 700)},
    "greybird_small_moved": {"env": {"GTK_THEME": "Greybird"}, "box": (900, 60, 700, 500)},
}
_QUICK = ("none", "size_18", "zoom_125", "dark", "top_dark", "modal", "lookalike", "hidden_lookalike")
