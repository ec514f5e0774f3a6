"""Sessions are cut where people cut them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from rpa_vision.capture.event_log import session_of_log
from rpa_vision.capture.segmentation import Segmentation, segment
from rpa_vision.models.event_log import LogRow
from rpa_vision.models.raw_session import RecordedSession
from rpa_vision.ports.patterns import Episode, Patterns

BEGAN = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


class Knows:
    """Implements `PatternOracle` for whoever knows the answer."""

    def __init__(self, *episodes: Episode) -> None:
        self._episodes = episodes

    def patterns(self, session: RecordedSession, ignored: frozenset[int]) -> Patterns:
        del ignored
        taken = {index for episode in self._episodes for index in episode.events}
        noise = frozenset(range(len(session.events))) - taken
        return Patterns(self._episodes, noise, dict.fromkeys(noise, 0.8))


def cut(places: list[tuple[float, str]], *episodes: Episode) -> Segmentation:
    """Clicks at these times in these applications."""
    rows = [LogRow(BEGAN + timedelta(seconds=t), app, "click", f"t{n}") for n, (t, app) in enumerate(places)]
    return segment(session_of_log(rows, session_id="s", name="s", file="f"), Knows(*episodes))


def spans(found: Segmentation) -> list[tuple[int, int, str]]:
    return [(one.start_event_index, one.end_event_index, one.trigger) for one in found.session.segments]


@pytest.mark.parametrize(("pause", "parts"), [(29.0, 1), (31.0, 2)])
def test_a_pause_of_more_than_thirty_seconds_cuts(pause: float, parts: int) -> None:
    """L0-4"""
    found = cut([(float(t), "a") for t in range(4)] + [(3 + pause + t, "a") for t in range(4)])
    assert len(found.session.segments) == parts
    assert found.session.segments[0].trigger == "long_pause"


def test_an_application_that_is_stayed_in_cuts_and_a_visit_does_not() -> None:
    """L0-4"""
    stays = cut([(float(t), "a" if t < 6 else "b") for t in range(12)])
    assert spans(stays) == [(0, 5, "window_change"), (6, 11, "long_pause")]
    visits = cut([(float(t), "b" if t in (6, 7) else "a") for t in range(14)])
    assert spans(visits) == [(0, 13, "long_pause")]


def test_the_desktop_cuts() -> None:
    """L0-4"""
    found = cut([(float(t), "Desktop" if t == 4 else "a") for t in range(9)])
    assert spans(found)[0] == (0, 3, "return_to_desktop")
    assert found.segment_of[4] is None


def test_a_completed_pattern_cuts_without_any_pause() -> None:
    """L0-4"""
    first, second = Episode((0, 1, 3), "routine_1", 0.9), Episode((2, 4, 5), "routine_2", 0.8, is_complete=False)
    found = cut([(float(t), "a") for t in range(7)], first, second)
    assert spans(found) == [(0, 3, "pattern_complete"), (2, 5, "pattern_complete")]
    assert found.session.segments[0].event_indices == (0, 1, 3)
    assert found.segment_of == ("seg_001", "seg_001", "seg_002", "seg_001", "seg_002", "seg_002", None)
    assert found.routine_of[:3] == ("routine_1", "routine_1", "routine_2")
    assert found.incomplete == {"seg_002"}
    assert [event.noise_flag for event in found.session.events] == [False] * 6 + [True]
    assert all(event.confidence is not None for event in found.session.events)


def test_a_pattern_goes_on_over_a_pause() -> None:
    """L0-4: the telephone rang"""
    found = cut([(0.0, "a"), (1.0, "a"), (90.0, "a"), (91.0, "a")], Episode((0, 1, 2, 3), "r", 1.0))
    assert len(found.session.segments) == 1


def test_where_nothing_was_repeated_few_events_are_no_episode_and_no_noise() -> None:
    """L0-5"""
    found = cut([(0.0, "a"), (1.0, "a")])
    assert found.session.segments == ()
    assert [event.noise_flag for event in found.session.events] == [False, False]


def test_cutting_again_gives_the_same() -> None:
    """L0-4"""
    episodes = (Episode((0, 1, 3), "routine_1", 0.9),)
    once = cut([(float(t), "a") for t in range(6)], *episodes)
    assert segment(once.session, Knows(*episodes)).session == once.session


def test_clocks_that_jump_back_make_no_pause() -> None:
    """L0-4"""
    assert len(cut([(100.0, "a"), (5.0, "a"), (101.0, "a"), (102.0, "a")]).session.segments) == 1


def test_a_session_without_events_has_no_segments() -> None:
    """L0-4"""
    rows = [LogRow(BEGAN, "a", "click")]
    empty = session_of_log(rows, session_id="s", name="s", file="f").model_copy(update={"events": ()})
    assert segment(empty, Knows()).segment_of == ()
