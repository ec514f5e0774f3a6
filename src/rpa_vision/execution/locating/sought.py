"""What is looked for with two whole screens at hand: a box of the first, and what is known of it."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating import captions, same_sight
from rpa_vision.graph.targets import target_on
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.target import TargetSpec


class Sought:
    """A box of a recorded screen, and the screen on which it is looked for; what follows from them is found once."""

    def __init__(self, then: ObservedScreen, box: Box, now: ObservedScreen) -> None:
        self.then, self.box, self.now = then, box, now
        self._places: dict[Point | None, same_sight.Place] = {}

    @cached_property
    def target(self) -> TargetSpec:
        """What lies in the box."""
        return target_on(self.then, self.box)

    @cached_property
    def line_px(self) -> float:
        """How high a line of text was."""
        heights = [line.bbox[3] - line.bbox[1] for line in self.then.state.perception.text_lines]
        return float(np.median(heights)) if heights else 0.0

    @cached_property
    def captioned(self) -> captions.Kind | None:
        """Which kind of thing it is, if a caption names it."""
        return captions.kind_of(self.target, self.box, self.line_px)

    def place(self, found: Point | None) -> same_sight.Place:
        """Its place by what both pictures show, given where something was found."""
        if found not in self._places:
            self._places[found] = same_sight.look_up(self.then, self.box, self.now, found)
        return self._places[found]

    def growth(self, place: Box) -> float:
        """By how much it grew, if it is in a place."""
        return place.height / max(1, self.box.height)
