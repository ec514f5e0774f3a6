"""What pages show is fetched once for all of them, and they are brought up to date one after the other."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

import pytest
from served import Served

from rpa_vision.app.wiring_office import folder_watch
from rpa_vision.server.news import News
from rpa_vision.testing.manual_clock import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def news(api: Served, clock: ManualClock) -> News:
    return News(replace(api.office, clock=clock), folder_watch(api.office))


@dataclass
class Part:
    """A part of a page that counts how often it was drawn."""

    news: News
    is_broken: bool = False
    is_gone: bool = False
    drawn: int = 0
    seen: int = -1

    @property
    def is_behind(self) -> bool:
        return self.seen != self.news.changes

    async def catch_up(self) -> None:
        self.seen = self.news.changes
        self.drawn += 1
        if self.is_broken:
            raise ValueError("cannot be drawn")


def test_what_many_show_is_fetched_once_until_something_changes(news: News) -> None:
    """UX-3"""
    fetched: list[int] = []

    def load() -> int:
        fetched.append(1)
        return len(fetched)

    assert [news.fetch("a", load, 0.0), news.fetch("a", load, 0.0)] == [(0, 1), (0, 1)]
    assert news.at_hand("b", 0.0) is None
    news.changes += 1
    assert news.at_hand("a", 0.0) is None
    assert news.fetch("a", load, 0.0) == (1, 2)


def test_what_is_costly_is_kept_a_while_and_says_how_much_it_knows(news: News, clock: ManualClock) -> None:
    """UX-3: whoever shows it sees by the number that it is behind, and asks again."""
    assert news.fetch("a", lambda: "old", 2.0) == (0, "old")
    news.changes += 1
    assert news.fetch("a", lambda: "new", 2.0) == (0, "old")
    clock.advance(2.1)
    assert news.fetch("a", lambda: "new", 2.0) == (1, "new")


def test_what_somebody_did_here_is_seen_at_once(news: News) -> None:
    """UX-2"""
    assert news.fetch("a", lambda: "old", 60.0) == (0, "old")
    news.changed()
    assert news.fetch("a", lambda: "new", 60.0) == (1, "new")


def test_pages_catch_up_and_one_that_cannot_be_drawn_stops_no_other(news: News) -> None:
    """UX-2"""

    async def story() -> tuple[Part, Part, Part]:
        broken, good, gone = Part(news, is_broken=True), Part(news), Part(news, is_gone=True)
        for part in (broken, good, gone):
            news.watch(part)
        painting = asyncio.create_task(news._paint())
        for _ in range(2):
            news.changed()
            while good.is_behind:
                await asyncio.sleep(0.01)
        painting.cancel()
        return broken, good, gone

    broken, good, gone = asyncio.run(story())
    assert (broken.drawn, good.drawn, gone.drawn) == (2, 2, 0)


class _Broken:
    """A watched folder that nobody foresaw."""

    def __init__(self) -> None:
        self.looks = 0

    def look(self) -> int:
        self.looks += 1
        raise UnicodeEncodeError("utf-8", "\udce9", 0, 1, "surrogates not allowed")


def test_a_chore_that_breaks_stops_neither_the_others_nor_the_next_look(api: Served) -> None:
    """UX-3: whatever it was, schedules and pages go on."""
    broken = _Broken()
    news = News(api.office, broken)  # type: ignore[arg-type]

    async def story() -> int:
        watching = asyncio.create_task(news._watch())
        while not broken.looks:
            await asyncio.sleep(0.01)
        before = news.last
        api.office.queue.tell("guidance", {}, now=api.office.clock.now())
        while news.last == before and not watching.done():
            await asyncio.sleep(0.01)
        watching.cancel()
        return news.last - before

    assert asyncio.run(story()) >= 1
