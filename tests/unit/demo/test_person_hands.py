"""The person's hands: the same for the same seed, human in between, exact at the end."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from Xlib import XK

from rpa_vision.demo.person.events import Event, Kind
from rpa_vision.demo.person.hands import Hands
from rpa_vision.demo.person.keyboard import KeyTable, Stroke, keysym
from rpa_vision.demo.person.motion import aim, plan_move

US_ROWS = {
    **{10 + i: (ord(c), ord(c.upper()), 0, 0) for i, c in enumerate("abcdefghijklmnopqrstuvwxyz")},
    **{40 + i: (ord(c), 0) for i, c in enumerate("0123456789-. ")},
    60: (XK.XK_Shift_L, 0),
    61: (XK.XK_Control_L, 0),
    62: (XK.XK_Return, 0),
    **dict.fromkeys(range(200, 220), (0, 0, 0, 0)),
}


class TableKeys:
    """A keyboard without a display."""

    def __init__(self) -> None:
        self.table = KeyTable(US_ROWS)

    def prepare(self, text: str) -> None:
        self.table.bind_missing(text)

    def stroke(self, character: str) -> Stroke:
        stroke = self.table.stroke(character)
        assert stroke is not None
        return stroke

    def keycode(self, name: str) -> int:
        keycode = self.table.keycode(XK.string_to_keysym(name))
        assert keycode is not None
        return keycode


class NoTime:
    """Counts pauses and takes none."""

    def __init__(self) -> None:
        self.total_s = 0.0

    def pause(self, seconds: float, *, at_least: float = 0.0) -> None:
        self.total_s += max(seconds, at_least)


def work(seed: int) -> tuple[list[Event], float]:
    sent: list[Event] = []
    time = NoTime()
    hands = Hands(sent.append, TableKeys(), time, random.Random(seed), at=(100, 100))
    hands.click((600, 400))
    hands.type("Élodie FAC-2026")
    hands.press("a", "Control_L")
    hands.double_click((50, 70))
    hands.drag((50, 70), (300, 90))
    hands.scroll(-2)
    return sent, time.total_s


def test_same_seed_gives_the_same_events_and_pauses() -> None:
    """A demonstration can be repeated exactly."""
    assert work(5) == work(5)


def test_other_seed_works_differently() -> None:
    """Two people do not move alike."""
    assert work(5)[0] != work(6)[0]


@pytest.mark.parametrize("goal", [(900, 700), (3, 2), (101, 100), (100, 900)])
def test_move_ends_exactly_on_the_goal_and_never_jumps(goal: tuple[int, int]) -> None:
    """Curved and smooth, with the longest step in the middle of the way."""
    way = plan_move(random.Random(1), (100, 100), goal)
    assert (way[-1].x, way[-1].y) == goal
    places = [(100, 100), *((p.x, p.y) for p in way)]
    steps = [abs(b[0] - a[0]) + abs(b[1] - a[1]) for a, b in pairwise(places)]
    assert max(steps) < 0.2 * (abs(goal[0] - 100) + abs(goal[1] - 100)) + 3
    assert all(p.x >= 0 and p.y >= 0 for p in way)


def test_no_move_is_no_event() -> None:
    """Already there."""
    assert plan_move(random.Random(1), (5, 5), (5, 5)) == []


def test_aim_is_inside_the_box() -> None:
    """Also for small and for wide targets."""
    rng = random.Random(3)
    for box in ((10.0, 20.0, 400.0, 30.0), (0.5, 0.5, 8.0, 8.0)):
        for _ in range(200):
            x, y = aim(rng, box)
            assert box[0] < x < box[0] + box[2]
            assert box[1] < y < box[1] + box[3]


def test_every_press_is_released() -> None:
    """No key or button stays down."""
    down: dict[tuple[bool, int], int] = {}
    for event in work(1)[0]:
        is_key = event.kind in (Kind.KEY_DOWN, Kind.KEY_UP)
        change = {Kind.BUTTON_DOWN: 1, Kind.KEY_DOWN: 1, Kind.BUTTON_UP: -1, Kind.KEY_UP: -1}.get(event.kind, 0)
        down[is_key, event.detail] = down.get((is_key, event.detail), 0) + change
        assert down[is_key, event.detail] in (0, 1)
    assert set(down.values()) == {0}


def test_missing_characters_get_a_key_for_small_and_capital() -> None:
    """É and é share one key, bound once."""
    table = KeyTable(US_ROWS)
    bound = table.bind_missing("Été à l'Évêché, cœur, 10 €")
    assert len(bound) == len({c.lower() for c in "éàê',œ€"})
    capital, small = table.stroke("É"), table.stroke("é")
    assert capital is not None
    assert small is not None
    assert capital == Stroke(small.keycode, shift=True)
    assert table.bind_missing("été") == {}


def test_characters_of_the_layout_are_not_bound_again() -> None:
    """What a key gives is typed with that key, shifted if need be."""
    table = KeyTable(US_ROWS)
    assert table.bind_missing("Abc 12") == {}
    assert table.stroke("A") == Stroke(10, shift=True)


def test_altgr_characters_are_found() -> None:
    """The euro sign of a French layout, by its older name."""
    table = KeyTable({26: (ord("e"), ord("E"), 0, 0, 0x20AC, 0)})
    assert table.stroke("€") == Stroke(26, altgr=True)


def test_key_symbols_beyond_latin_1_are_unicode() -> None:
    """X's rule for key symbols."""
    assert keysym("é") == 0xE9
    assert keysym("œ") == 0x01000153
    assert keysym("\n") == XK.XK_Return
