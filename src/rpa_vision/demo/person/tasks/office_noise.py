"""What people do without meaning anything by it: look around, miss, type and delete, glance at the other window."""

from __future__ import annotations

from collections.abc import Callable

from rpa_vision.demo.person.diary import Diary
from rpa_vision.demo.person.tasks.assignment import Assignment
from rpa_vision.demo.person.tasks.clinic_steps import click

_LETTERS = "aeimnorstu"
_MARGIN_PX = (7, 20)
_NOTICE_S = 0.7
_DETOURS = ("nav-statistics", "nav-help")


class Noise:
    """Pointless input; the work is the same after it as it was before."""

    def __init__(self, job: Assignment, diary: Diary) -> None:
        self._job = job
        self._diary = diary

    def make(self, *, between_goes: bool) -> None:
        """Do one pointless thing that can be done here; where a detour is allowed, perhaps one to another page."""
        choices: list[tuple[str, Callable[[], None]]] = [
            ("idle_move", self._wander),
            ("missed_click", self._miss),
            ("scroll", self._scroll),
            ("glance", self._glance),
        ]
        look = self._job.eyes.look()
        field = next((name for name in ("search", "claim-search") if look.shows(name)), None)
        if field is not None:
            choices += 3 * [("typed_and_deleted", lambda: self._type_and_delete(field))]
        if between_goes:
            choices.append(("detour", self._detour))
        name, act = self._job.hands.rng.choice(choices)
        with self._diary.doing(name, kind="noise"):
            act()

    def _wander(self) -> None:
        for _ in range(self._job.hands.rng.randint(1, 3)):
            self._job.hands.move(self._somewhere())
            self._job.hands.think(0.1)

    def _miss(self) -> None:
        self._job.hands.click(self._beside())

    def _scroll(self) -> None:
        self._job.hands.move(self._somewhere())
        notches = self._job.hands.rng.randint(1, 3)
        self._job.hands.scroll(notches)
        self._job.hands.think(0.15)
        self._job.hands.scroll(-notches)

    def _glance(self) -> None:
        """To the other window and back."""
        self._job.hands.press("Tab", "Alt_L")
        self._job.hands.think(0.4)
        self._job.hands.press("Tab", "Alt_L")
        self._job.hands.think(0.2)

    def _type_and_delete(self, field: str) -> None:
        rng = self._job.hands.rng
        click(self._job, field)
        text = "".join(rng.choices(_LETTERS, k=rng.randint(4, 6)))
        self._job.hands.type(text)
        self._job.pace.pause(rng.uniform(0.9, 1.4), at_least=_NOTICE_S)  # until it is noticed
        for _ in text:
            self._job.hands.press("BackSpace")

    def _detour(self) -> None:
        before = click(self._job, self._job.hands.rng.choice(_DETOURS))
        self._job.eyes.wait_for_page_after(before, "another page")

    def _somewhere(self) -> tuple[int, int]:
        """A place on the page with nothing to click."""
        rng, look = self._job.hands.rng, self._job.eyes.look()
        left, top = self._job.eyes.place_on_screen(look, (0.0, 0.0))
        right, bottom = self._job.eyes.place_on_screen(look, look.viewport)
        return round(left + (right - left) * rng.uniform(0.1, 0.9)), round(top + (bottom - top) * rng.uniform(0.3, 0.9))

    def _beside(self) -> tuple[int, int]:
        """In the margin of the page, where a click does nothing."""
        rng, look = self._job.hands.rng, self._job.eyes.look()
        place = (rng.uniform(*_MARGIN_PX), look.viewport[1] * rng.uniform(0.3, 0.9))
        x, y = self._job.eyes.place_on_screen(look, place)
        return round(x), round(y)
