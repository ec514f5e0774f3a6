"""Find again on one picture what a box holds on another."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from rpa_vision.app.detect import ImageFiles
from rpa_vision.detection.screen_reader import ScreenReader
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.errors import ImageError, RpaVisionError, UsageError
from rpa_vision.execution.locating.finding import find_again
from rpa_vision.execution.locating.located import Located
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.imaging.codec import decode
from rpa_vision.models.document import JsonObject
from rpa_vision.models.geometry import Box
from rpa_vision.ports.perception import ScreenPairer
from rpa_vision.ports.runtime import Clock

_log = logging.getLogger(__name__)
_SMALLEST_BOX_PX = 4


class Locator:
    """Reads pictures, each once as long as it is among the last, and finds targets on them."""

    def __init__(
        self, files: ImageFiles, reader: ScreenReader, clock: Clock, pairer: ScreenPairer | None = None
    ) -> None:
        self._files = files
        self._reader = reader
        self._clock = clock
        self._resolver = TargetResolver()
        self._pairer = pairer

    def locate(self, before: Path, box: Sequence[int], after: Path) -> Located:
        """Find on `after` what lies in a box of `before`."""
        began = self._clock.monotonic()
        then = self._screen(before)
        place = checked_box(box, then)
        now = self._screen(after)
        seen = self._clock.monotonic()
        found = find_again(self._resolver, then, place, now, self._pairer)
        ended = self._clock.monotonic()
        timing = {"read": _ms(seen - began), "resolve": _ms(ended - seen), "total": _ms(ended - began)}
        return replace(found, timing_ms=timing)

    def _screen(self, path: Path) -> ObservedScreen:
        try:
            pixels = decode(self._files.read(path))
        except ImageError as error:
            raise ImageError(f"{path}: {error}", remedy=error.remedy) from error
        if min(pixels.shape[:2]) < _SMALLEST_BOX_PX:
            raise ImageError(f"{path}: a picture so small holds nothing", remedy="Give a picture of a screen.")
        state = self._reader.read(pixels, screen_state_id="picture", timestamp=self._clock.now())
        return ObservedScreen(pixels, state, np.zeros(0, np.float32))


def locate_lines(locator: Locator, lines: Iterable[str]) -> Iterator[JsonObject]:
    """Answer questions, one JSON object per line: `{"from", "box", "in"}`. Every answer says which line it is to; an
    empty one asks nothing. What is wrong with one stops no other."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            answer = locator.locate(*_question(line)).to_json()
        except RpaVisionError as error:
            answer = {"error": {"code": error.code, "message": str(error), "remedy": error.remedy}}
        except Exception as error:
            # A fault of ours, or a name that no system takes: this question is not answered, the others are.
            _log.exception("no answer to line %d: %s", number, line.strip()[:200])
            message, remedy = f"unexpected {type(error).__name__}", "Leave this line out, and please report it."
            answer = {"error": {"code": "unexpected", "message": message, "remedy": remedy}}
        yield {"line": number, **answer}


def parse_box(text: str) -> tuple[int, int, int, int]:
    """`x1,y1,x2,y2` as numbers."""
    try:
        x1, y1, x2, y2 = (int(part) for part in text.split(","))
    except ValueError as error:
        raise UsageError(f"--box {text!r} is not x1,y1,x2,y2", remedy="Give four whole numbers.") from error
    return (x1, y1, x2, y2)


def checked_box(box: Sequence[int], screen: ObservedScreen) -> Box:
    """The box, which must lie inside its picture: of what is beside it nothing can be found."""
    height, width = screen.pixels.shape[:2]
    whole = len(box) == 4 and all(isinstance(one, int) and not isinstance(one, bool) for one in box)
    place = Box(*box).clamped(int(width), int(height)) if whole else None
    if place is None or min(place.width, place.height) < _SMALLEST_BOX_PX or place.bbox != tuple(box):
        what = f"the box {list(box)} {_box_fault(box, place, whole=whole)} a picture of {width}x{height}"
        raise UsageError(what, remedy=_box_remedy(box, place, int(width), int(height)))
    return place


def _box_fault(box: Sequence[int], place: Box | None, *, whole: bool) -> str:
    """What is wrong with a box that was refused, up to the picture it was given for."""
    if not whole:
        return "is not four whole numbers for"
    if box[0] >= box[2] or box[1] >= box[3]:
        return "is empty: its corners are not in order, for"
    if place is None:
        return "lies beside"
    if place.bbox != tuple(box):
        return f"{'lies for the most part' if 2 * place.area < Box(*box).area else 'reaches'} outside of"
    return f"is smaller than {_SMALLEST_BOX_PX} pixels in"


def _box_remedy(box: Sequence[int], place: Box | None, width: int, height: int) -> str:
    least = f"at least {_SMALLEST_BOX_PX} pixels wide and high"
    if place is not None and place.bbox == tuple(box):
        return f"Give a box {least}: the whole of what is meant."
    inside = f"within 0,0,{width},{height}, right and bottom excluded"
    return f"Give x1,y1,x2,y2 in pixels of the picture: {inside}, and {least}."


def _question(line: str) -> tuple[Path, list[int], Path]:
    remedy = 'Write one {"from": "old.png", "box": [x1, y1, x2, y2], "in": "new.png"} per line.'
    try:
        body = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"not a line of JSON: {line.strip()[:60]!r}", remedy=remedy) from error
    if not isinstance(body, dict) or not all(isinstance(body.get(name), str) for name in ("from", "in")):
        raise UsageError("a line needs from, box and in", remedy=remedy)
    if not isinstance(body.get("box"), list):
        raise UsageError("a line needs from, box and in", remedy=remedy)
    return Path(body["from"]), body["box"], Path(body["in"])


def _ms(seconds: float) -> float:
    return round(seconds * 1000.0, 1)
