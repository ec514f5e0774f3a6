"""From pixels to a ScreenState: read the text, find the elements, sign and summarise; one screenshot, one moment.

Screens stand still most of the time. What was understood of a picture is kept for the pictures seen last, so looking
twice costs a hash; and of a screen that changed in part, only the lines that changed are read again.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from pydantic import JsonValue

from rpa_vision.detection.layout_signature import content_signature, layout_signature
from rpa_vision.detection.summary import summarise
from rpa_vision.detection.text_detector import TextDetector, as_bgr, regions_of
from rpa_vision.detection.ui_detector import UIDetector
from rpa_vision.models.frame import Frame, Pixels
from rpa_vision.models.screen_state import (
    ContextLevel,
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


@dataclass(frozen=True, slots=True)
class _Understood:
    lines: tuple[TextLine, ...]
    elements: tuple[UIElement, ...]


class ScreenReader:
    """Understands whole screens. With a clock it says how long each stage took."""

    def __init__(
        self,
        text_detector: TextDetector,
        ui_detector: UIDetector,
        *,
        clock: Clock | None = None,
        kept_screens: int = KEPT_SCREENS,
    ) -> None:
        self._text = text_detector
        self._ui = ui_detector
        self._clock = clock
        self._kept_screens = kept_screens
        self._seen: OrderedDict[bytes, _Understood] = OrderedDict()

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
        pixels = as_bgr(frame.pixels if frame is not None else frame_or_pixels)
        window = window or (frame.window if frame is not None else None) or WindowContext()
        shot = screenshot_id or (source.screenshot_id if source is not None else None)
        understood, metadata = self._understand(pixels, window)
        lines, elements = understood.lines, understood.elements
        if shot is not None:
            elements = tuple(element.model_copy(update={"screenshot_id": shot}) for element in elements)
        began = self._now()
        view = summarise(window, elements, lines)
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
                screenshot_id=shot, captured_at=timestamp, detected_text=tuple(line.text for line in lines),
                text_detection_method=self._text.method,
                confidence_avg=float(np.mean([line.confidence for line in lines])) if lines else 0.0,
                text_lines=lines,
            ),
            ui_elements=elements,
            context=ContextLevel(screenshot_id=shot, captured_at=timestamp),
            layout_signature=layout_signature(elements),
            content_signature=content_signature(lines, elements),
            debug=view,
            regions_of_interest=tuple(_regions(elements)),
            metadata={**metadata, "describe_ms": self._since(began), "detector": self._ui.name},
        )  # fmt: skip
        return state

    def _understand(self, pixels: Pixels, window: WindowContext) -> tuple[_Understood, dict[str, JsonValue]]:
        began = self._now()
        key = _key(pixels, window)
        known = self._seen.get(key)
        if known is not None:
            self._seen.move_to_end(key)
            return known, {"seen_before": True, "hash_ms": self._since(began)}
        hashed = self._now()
        regions = regions_of(pixels)
        walled = self._now()
        boxes = self._text.find(pixels, regions)
        found = self._now()
        lines = self._text.read(pixels, boxes)
        read = self._now()
        elements = self._ui.detect_elements(pixels, window, text_lines=lines, regions=regions)
        understood = _Understood(tuple(lines), tuple(elements))
        metadata: dict[str, JsonValue] = {"seen_before": False}
        if self._clock is not None:
            metadata |= {
                "hash_ms": _ms(hashed - began),
                "find_boxes_ms": _ms(walled - hashed),
                "find_lines_ms": _ms(found - walled),
                "read_lines_ms": _ms(read - found),
                "detect_elements_ms": self._since(read),
            }
        self._seen[key] = understood
        while len(self._seen) > self._kept_screens:
            self._seen.popitem(last=False)
        return understood, metadata

    def _now(self) -> float:
        return self._clock.monotonic() if self._clock is not None else 0.0

    def _since(self, began: float) -> float | None:
        return _ms(self._now() - began) if self._clock is not None else None


def _key(pixels: Pixels, window: WindowContext) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    digest.update(f"{pixels.shape}|{window.app_name}|{window.title}".encode())
    digest.update(pixels.data)
    return digest.digest()


def _regions(elements: tuple[UIElement, ...]) -> list[RegionOfInterest]:
    """Where to look: a dialog before anything else, then tables."""
    wanted = [element for kind in ("dialog", "table") for element in elements if element.type == kind]
    return [RegionOfInterest(name=element.element_id, bbox=element.bbox) for element in wanted]


def _ms(seconds: float) -> float:
    return round(max(0.0, seconds) * 1000, 2)
