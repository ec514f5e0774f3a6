"""From pixels to a ScreenState: read the text, find the elements, sign and summarise; one screenshot, one moment.

Screens stand still most of the time, and change in small parts. A picture that is the last one, or one of those seen
lately, is understood already. Of any other only what changed is filtered, labelled, read and described again: every
stage keeps what came of the picture before (see `pixel_work`), so the result is that of a first look, only sooner.
A finder looks at the picture meanwhile, on a core of its own where there is one.
"""

from __future__ import annotations

import gc
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from pydantic import JsonValue

from rpa_vision.detection.finding_beside import FindingBeside
from rpa_vision.detection.groups import find_groups
from rpa_vision.detection.layout_signature import content_signature, layout_signature
from rpa_vision.detection.pixel_work import KeptWork
from rpa_vision.detection.summary import summarise
from rpa_vision.detection.text_detector import TextDetector, as_bgr, regions_of
from rpa_vision.detection.ui_detector import UIDetector
from rpa_vision.detection.window_titles import with_known_title
from rpa_vision.imaging.changed_tiles import same_bytes
from rpa_vision.models.frame import Frame, Pixels
from rpa_vision.models.geometry import BBox, Box
from rpa_vision.models.screen_state import (
    ContentSignature,
    ContextLevel,
    DebugView,
    ElementGroup,
    LayoutSignature,
    PerceptionLevel,
    RawLevel,
    RegionOfInterest,
    ScreenState,
    StateSource,
    TextLine,
)
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.perception import TextCache, TextRecognizer
from rpa_vision.ports.runtime import Clock

KEPT_SCREENS = 8
_STRIP_ROWS = 32
_SAMPLED_ROWS = 24
"""Every so many rows are enough to tell most pictures apart; those that agree there are compared whole."""


@dataclass(slots=True)
class _Understood:
    """A picture (its own copy) in a window, and all that was made of it."""

    pixels: Pixels
    window: WindowContext
    lines: tuple[TextLine, ...]
    elements: tuple[UIElement, ...]
    groups: tuple[ElementGroup, ...]
    layout: LayoutSignature
    content: ContentSignature
    view: DebugView
    regions: tuple[RegionOfInterest, ...]
    of_shot: str | None = None
    shown: tuple[UIElement, ...] = ()
    """The elements as they were told last, of the screenshot `of_shot`."""


class ScreenReader:
    """Understands whole screens, each for itself. With a clock it says how long each stage took; `finds_beside` gives
    the finder a thread of its own."""

    def __init__(
        self,
        text_detector: TextDetector,
        ui_detector: UIDetector,
        *,
        clock: Clock | None = None,
        kept_screens: int = KEPT_SCREENS,
        finds_beside: bool = False,
    ) -> None:
        self._text = text_detector
        self._ui = ui_detector.following()
        self._clock = clock
        self._now = clock.monotonic if clock is not None else _no_time
        self._finding = FindingBeside(self._ui.begin, self._now, is_beside=finds_beside and self._ui.has_finder)
        self._lines: dict[BBox, TextLine | None] = {}
        """What each place of the last picture said."""
        self._kept_screens = max(1, kept_screens)
        self._work = KeptWork()
        self._seen: OrderedDict[int, _Understood] = OrderedDict()

    @classmethod
    def over(
        cls, recognizer: TextRecognizer, *, clock: Clock | None = None, cache: TextCache | None = None
    ) -> ScreenReader:
        """The embedded detector over a reader of lines."""
        text_detector = TextDetector.over(recognizer, cache)
        return cls(text_detector, UIDetector(text_detector), clock=clock)

    def read(
        self,
        frame_or_pixels: Frame | Pixels,
        *,
        window: WindowContext | None = None,
        screen_state_id: str,
        timestamp: datetime,
        screenshot_id: str | None = None,
        session_id: str | None = None,
        screenshot_path: str = "memory/screenshot.png",
        capture_method: str = "memory",
        file_size_bytes: int = 0,
        source: StateSource | None = None,
    ) -> ScreenState:
        """The screen, understood; all its levels point to the one screenshot and timestamp given (P003-2)."""
        frame = frame_or_pixels if isinstance(frame_or_pixels, Frame) else None
        window = window or (frame.window if frame is not None else None) or WindowContext()
        shot = screenshot_id or (source.screenshot_id if source is not None else None)
        pixels = frame_or_pixels.pixels if isinstance(frame_or_pixels, Frame) else frame_or_pixels
        with _nothing_collected():
            seen, metadata = self._understand(pixels, window)
        began = self._now()
        state = ScreenState(
            screen_state_id=screen_state_id,
            timestamp=timestamp,
            session_id=session_id or (source.session_id if source is not None else None),
            source=source,
            window=window,
            raw=RawLevel(
                screenshot_id=shot, captured_at=timestamp, screenshot_path=screenshot_path,
                capture_method=capture_method, file_size_bytes=file_size_bytes,
            ),
            perception=PerceptionLevel(
                screenshot_id=shot, captured_at=timestamp, detected_text=tuple(line.text for line in seen.lines),
                text_detection_method=self._text.method,
                confidence_avg=float(np.mean([line.confidence for line in seen.lines])) if seen.lines else 0.0,
                text_lines=seen.lines,
            ),
            ui_elements=_of_shot(seen, shot),
            context=ContextLevel(screenshot_id=shot, captured_at=timestamp),
            layout_signature=seen.layout,
            content_signature=seen.content,
            debug=seen.view,
            regions_of_interest=seen.regions,
            groups=seen.groups,
            metadata={**metadata, "describe_ms": self._since(began), "detector": self._ui.name},
        )  # fmt: skip
        return state

    def _understand(self, picture: Pixels, window: WindowContext) -> tuple[_Understood, dict[str, JsonValue]]:
        began = self._now()
        pixels = as_bgr(picture)
        last = next(reversed(self._seen.values()), None)
        if last is not None and _is_same(last, pixels, window):
            return last, {"seen_before": True, "compare_ms": self._since(began)}
        key = _key(pixels, window)
        known = self._seen.get(key)
        if known is not None and _is_same(known, pixels, window):
            self._seen.move_to_end(key)
            return known, {"seen_before": True, "compare_ms": self._since(began)}
        compared = self._now()
        finding = self._finding.begin(pixels)  # first of all: it takes longest
        try:
            self._work.begin(pixels)
            lines_before, self._lines = self._lines, {}  # of the picture before, however this one ends
            own = pixels.copy() if pixels is picture else pixels
            regions = regions_of(pixels, self._work)
            walled = self._now()
            boxes = self._text.find(pixels, regions, self._work)
            found = self._now()
            lines = with_known_title(self._read_lines(pixels, boxes, lines_before), window)
            read = self._now()
            elements = tuple(
                self._ui.detect_elements(
                    pixels, window, text_lines=lines, regions=regions, found=finding, work=self._work
                )
            )
        finally:
            finding.settle()
        detected = self._now()
        groups = find_groups(elements)
        understood = _Understood(
            pixels=own,
            window=window,
            lines=lines,
            elements=elements,
            groups=groups,
            layout=layout_signature(elements),
            content=content_signature(lines, elements),
            view=summarise(window, elements, lines, groups),
            regions=tuple(_regions(window, groups, (int(pixels.shape[1]), int(pixels.shape[0])))),
        )
        metadata: dict[str, JsonValue] = {"seen_before": False}
        if self._clock is not None:
            metadata |= {
                "compare_ms": _ms(compared - began),
                "find_boxes_ms": _ms(walled - compared),
                "find_lines_ms": _ms(found - walled),
                "read_lines_ms": _ms(read - found),
                "find_elements_ms": _ms(finding.took_s),
                "wait_for_elements_ms": _ms(finding.waited_s),
                "detect_elements_ms": _ms(detected - read - finding.waited_s),
                "group_ms": self._since(detected),
            }
        self._seen[key] = understood
        self._seen.move_to_end(key)
        while len(self._seen) > self._kept_screens:
            self._seen.popitem(last=False)
        return understood, metadata

    def _read_lines(
        self, pixels: Pixels, boxes: Sequence[Box], before: Mapping[BBox, TextLine | None]
    ) -> list[TextLine]:
        """The lines that say something; a place that shows what it showed before is not even asked for."""
        places = [box.bbox for box in boxes]
        known = {
            place: before[place]
            for place, box in zip(places, boxes, strict=True)
            if place in before and self._work.is_untouched(box)
        }
        fresh = [box for place, box in zip(places, boxes, strict=True) if place not in known]
        said: dict[BBox, TextLine | None] = {line.bbox: line for line in self._text.read(pixels, fresh)}
        self._lines = known | {box.bbox: said.get(box.bbox) for box in fresh}
        return [line for place in places if (line := self._lines[place]) is not None]

    def _since(self, began: float) -> float | None:
        return _ms(self._now() - began) if self._clock is not None else None


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Without looking for objects that only hold each other: a screen makes thousands, all of them in use, and each
    time they are gone through they have only become more. Afterwards they are gone through once."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _no_time() -> float:
    return 0.0


def _is_same(seen: _Understood, pixels: Pixels, window: WindowContext) -> bool:
    if seen.window != window or seen.pixels.shape != pixels.shape:
        return False
    strips = range(0, pixels.shape[0], _STRIP_ROWS)  # small enough for the processor's cache
    return all(same_bytes(seen.pixels[y : y + _STRIP_ROWS], pixels[y : y + _STRIP_ROWS]) for y in strips)


def _key(pixels: Pixels, window: WindowContext) -> int:
    sample = pixels[_SAMPLED_ROWS // 2 :: _SAMPLED_ROWS].tobytes()
    return hash((pixels.shape, window.app_name, window.title, window.geometry, sample))


def _of_shot(seen: _Understood, shot: str | None) -> tuple[UIElement, ...]:
    if shot is None:
        return seen.elements
    if seen.of_shot != shot:
        seen.shown = tuple(element.model_copy(update={"screenshot_id": shot}) for element in seen.elements)
        seen.of_shot = shot
    return seen.shown


def _regions(window: WindowContext, groups: tuple[ElementGroup, ...], size: tuple[int, int]) -> list[RegionOfInterest]:
    """Where to look: a dialog before anything else, then forms, tables, lists and what steers, then the window."""
    kinds = ("dialog", "form", "table", "list", "tabs", "toolbar", "menu")
    found = [RegionOfInterest(name=g.group_id, bbox=g.bbox) for kind in kinds for g in groups if g.kind == kind]
    place = Box.of(window.geometry).clamped(*size) if window.geometry is not None else None
    if place is not None:
        found.append(RegionOfInterest(name="window", bbox=place.bbox))
    return found


def _ms(seconds: float) -> float:
    return round(max(0.0, seconds) * 1000, 2)
