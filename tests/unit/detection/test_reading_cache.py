"""The memory of a reader."""

from __future__ import annotations

import numpy as np
import pytest

from rpa_vision.detection.reading_cache import CachedTextRecognizer, DiscreetCache, MemoryTextCache
from rpa_vision.ports.perception import ReadText


class Counting:
    """Reads the mean brightness, and remembers how often it was asked."""

    def __init__(self, name: str = "counting") -> None:
        self.name = name
        self.asked: list[int] = []

    def read(self, lines):
        self.asked.append(len(lines))
        return [ReadText(str(int(line.mean())), 1.0) for line in lines]


def line(value: int, width: int = 20) -> np.ndarray:
    return np.full((10, width, 3), value, np.uint8)


def test_the_same_pixels_are_read_once():
    inner = Counting()
    reader = CachedTextRecognizer(inner)
    assert [r.text for r in reader.read([line(1), line(2), line(1)])] == ["1", "2", "1"]
    assert [r.text for r in reader.read([line(2), line(3)])] == ["2", "3"]
    assert inner.asked == [2, 1]
    assert (reader.hits, reader.misses) == (2, 3)


def test_another_shape_or_reader_is_another_key():
    cache = MemoryTextCache()
    first, second = Counting("a"), Counting("b")
    CachedTextRecognizer(first, cache).read([line(5, 20)])
    CachedTextRecognizer(first, cache).read([line(5, 40)])
    CachedTextRecognizer(second, cache).read([line(5, 20)])
    assert first.asked == [1, 1]
    assert second.asked == [1]


def test_memory_is_bounded_and_forgets_the_oldest():
    cache = MemoryTextCache(capacity=2)
    reader = CachedTextRecognizer(Counting(), cache)
    reader.read([line(1), line(2)])
    reader.read([line(1)])
    reader.read([line(3)])
    assert len(cache) == 2
    before = reader.misses
    reader.read([line(1), line(3)])
    assert reader.misses == before


def test_no_lines_no_work():
    inner = Counting()
    assert CachedTextRecognizer(inner).read([]) == []
    assert inner.asked == []


def test_a_cut_of_a_larger_picture_is_keyed_by_its_pixels():
    whole = np.arange(30 * 40 * 3, dtype=np.uint32).astype(np.uint8).reshape(30, 40, 3)
    reader = CachedTextRecognizer(Counting())
    reader.read([whole[5:15, 4:24]])
    reader.read([whole[5:15, 4:24].copy()])
    assert reader.hits == 1


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [
        ("Facture 12", True),
        ("hunter2-Éà", False),
        ("HUNTER2-ea", False),
        ("…nter2-", False),
        ("h u n t e r", False),
        ("hun", True),
    ],
)
def test_no_text_that_shows_a_secret_is_kept(text, is_kept):
    """L0-7: secrets never reach the disk, not even a part of one that a narrow field shows."""
    cache = MemoryTextCache()
    discreet = DiscreetCache(cache, ["hunter2-Éà", " "])
    discreet.put(b"key", ReadText(text, 1.0))
    assert (cache.get(b"key") is not None) == is_kept
    assert discreet.get(b"key") == cache.get(b"key")


def test_a_short_secret_is_a_secret_too():
    """L0-7"""
    cache = MemoryTextCache()
    DiscreetCache(cache, ["42"]).put(b"key", ReadText("PIN 42", 1.0))
    assert len(cache) == 0
