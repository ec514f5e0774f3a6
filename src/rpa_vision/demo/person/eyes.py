"""The person's eyes on the clinic: the page itself says where its controls are and what it shows.

The page knows places inside its window only. Where the window's inside begins on the screen follows from the
pointer: the hand knows where it is on the screen, the page where it is on the page.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.error import URLError
from urllib.request import urlopen

from rpa_vision.demo.person.pace import Pace
from rpa_vision.errors import RpaVisionError

POLL_S = 0.03
Found = TypeVar("Found")
Box = tuple[float, float, float, float]


class ExpectationError(RpaVisionError):
    """The application did not do what the person expected."""

    code = "demo.expectation"
    default_remedy = "Look at the screen; the application may be slow, changed, or not there."


@dataclass(frozen=True, slots=True)
class Look:
    """What the page showed at one moment; boxes are (x, y, width, height) in the page's own pixels."""

    seq: int
    page: float
    title: str
    dpr: float
    viewport: tuple[float, float]
    pointer: tuple[float, float] | None
    items: dict[str, Box]
    covered: frozenset[str]
    filled: frozenset[str]
    said: str

    def shows(self, name: str) -> bool:
        """Whether a control of that name is on the page."""
        return name in self.items

    def is_in_view(self, name: str) -> bool:
        """Whether its middle is inside the window."""
        x, y, width, height = self.items[name]
        return 0 < x + width / 2 < self.viewport[0] and 4 < y + height / 2 < self.viewport[1] - 4


class Eyes:
    """Looks at the clinic until it sees what it waits for."""

    def __init__(self, url: str, pace: Pace, timeout_s: float = 15.0) -> None:
        self._address = url.rstrip("/") + "/truth/layout"
        self._pace = pace
        self._timeout_s = timeout_s
        self._origin: tuple[float, float] | None = None

    def look(self) -> Look:
        """What the page shows now."""
        try:
            with urlopen(self._address, timeout=5) as answer:
                report = json.load(answer)
        except (URLError, OSError, ValueError) as error:
            raise ExpectationError(f"the application does not answer at {self._address}: {error}") from error
        return _look(report)

    def sees(self, is_so: Callable[[Look], bool], within_s: float) -> Look | None:
        """Look until it is so, but not for long; None when it did not come."""
        end = self._pace.now() + within_s
        while True:
            look = self.look()
            if is_so(look):
                return look
            if self._pace.now() > end:
                return None
            self._pace.poll(POLL_S)

    def wait_until(self, expected: str, is_so: Callable[[Look], bool]) -> Look:
        """Look until it is so; `expected` says in words what did not come."""
        look = self.sees(is_so, self._timeout_s)
        if look is None:
            raise ExpectationError(f"expected {expected}, but the page is « {self.look().title or 'not open'} »")
        return look

    def wait_for(self, name: str) -> Look:
        """Look until a control is there."""
        return self.wait_until(f"'{name}' on the page", lambda look: look.shows(name))

    def wait_for_title(self, part: str) -> Look:
        """Look until the title holds these words."""
        return self.wait_until(f"a page titled « {part} »", lambda look: part in look.title)

    def wait_for_page_after(self, previous: Look, expected: str) -> Look:
        """Look until another page has been loaded."""
        return self.wait_until(expected, lambda look: look.page > previous.page)

    def wait_until_still(self, quiet_s: float = 0.15) -> Look:
        """Look until nothing moves any more, as after scrolling."""
        look, since = self.look(), self._pace.now()
        end = since + self._timeout_s
        while self._pace.now() - since < quiet_s and self._pace.now() < end:
            self._pace.poll(POLL_S)
            latest = self.look()
            if latest.seq != look.seq:
                look, since = latest, self._pace.now()
        return look

    def find_origin(self, look: Look, hand_at: tuple[int, int]) -> tuple[float, float] | None:
        """Where the page begins on the screen, seen from a pointer that rests at a known place."""
        if look.pointer is None:
            return None
        return hand_at[0] - look.pointer[0] * look.dpr, hand_at[1] - look.pointer[1] * look.dpr

    def remember_origin(self, origin: tuple[float, float]) -> None:
        """From now on, places on the page are places on the screen."""
        self._origin = origin

    def box_on_screen(self, look: Look, name: str) -> Box:
        """Where a control is on the screen, in pixels."""
        x, y, width, height = look.items[name]
        left, top = self.place_on_screen(look, (x, y))
        return left, top, width * look.dpr, height * look.dpr

    def place_on_screen(self, look: Look, place: tuple[float, float]) -> tuple[float, float]:
        """Where a place of the page is on the screen."""
        if self._origin is None:
            raise ExpectationError(
                "the page's place on the screen is not known yet", remedy="Calibrate the eyes first."
            )
        return self._origin[0] + place[0] * look.dpr, self._origin[1] + place[1] * look.dpr


def wait_for_found(pace: Pace, expected: str, find: Callable[[], Found | None], timeout_s: float = 15.0) -> Found:
    """Look for something that is not on a page of the clinic, such as a window, until it is found."""
    end = pace.now() + timeout_s
    while True:
        found = find()
        if found is not None:
            return found
        if pace.now() > end:
            raise ExpectationError(f"expected {expected}")
        pace.poll(POLL_S)


def _look(report: dict[str, Any]) -> Look:
    pointer = report.get("pointer")
    items = {name: (box[0], box[1], box[2], box[3]) for name, box in report.get("items", {}).items()}
    width, height = report.get("viewport", (0, 0))
    return Look(
        seq=int(report.get("seq", 0)),
        page=float(report.get("page", 0)),
        title=str(report.get("title", "")),
        dpr=float(report.get("dpr", 1)),
        viewport=(width, height),
        pointer=(pointer["clientX"], pointer["clientY"]) if pointer else None,
        items=items,
        covered=frozenset(report.get("covered", ())),
        filled=frozenset(report.get("filled", ())),
        said=str(report.get("said", "")),
    )
