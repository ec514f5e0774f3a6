"""How long perception takes on a dense 1920×1080 screen: `pytest benchmarks/test_perception.py --benchmark-only`.

`rpa-vision bench perception` measures the same and more, beside peers.
"""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from rpa_vision.adapters.perception.ink_reader import InkTextReader
from rpa_vision.adapters.perception.onnx_elements import OnnxElementFinder
from rpa_vision.app import wiring
from rpa_vision.detection.line_finder import find_lines
from rpa_vision.detection.pixel_work import KeptWork
from rpa_vision.detection.regions import find_regions
from rpa_vision.detection.screen_reader import ScreenReader
from rpa_vision.detection.text_detector import TextDetector
from rpa_vision.detection.ui_detector import UIDetector
from rpa_vision.testing.dense_screen import dense_screen, with_three_cells_changed

WHEN = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def recognizer() -> InkTextReader:
    return InkTextReader.shipped()


def understand(reader: ScreenReader, image: np.ndarray) -> None:
    reader.read(image, screen_state_id="bench", timestamp=WHEN)


def test_boxes_of_a_dense_screen(benchmark):
    """PF"""
    benchmark(find_regions, dense_screen())


def test_lines_of_a_dense_screen(benchmark):
    """PF"""
    benchmark(find_lines, dense_screen())


def test_elements_of_a_dense_screen_once_it_is_read(benchmark, recognizer):
    """PF P003-19"""
    image = dense_screen()
    text = TextDetector.over(recognizer)
    lines = text.read(image)
    benchmark(UIDetector(text).detect_elements, image, text_lines=lines)


def test_the_net_looks_at_a_dense_screen(benchmark):
    """PF L2-7"""
    benchmark(OnnxElementFinder.shipped(threads=1, faint=True).find, dense_screen())


def test_the_net_looks_at_three_changed_cells(benchmark):
    """PF L2-7"""
    first, changes = dense_screen(), iter(range(10_000))
    finder = OnnxElementFinder.shipped(threads=1, faint=True).following()
    finder.find(first)

    def changed():
        return (with_three_cells_changed(first, next(changes)),), {}

    benchmark.pedantic(finder.find, setup=changed, rounds=10)


def test_lines_of_a_screen_with_three_changed_cells(benchmark):
    """PF"""
    first, changes, work = dense_screen(), iter(range(10_000)), KeptWork()

    def look(image: np.ndarray) -> None:
        work.begin(image)
        find_lines(image, (), work)

    look(first)

    def changed():
        return (with_three_cells_changed(first, next(changes)),), {}

    benchmark.pedantic(look, setup=changed, rounds=10)


def test_net_and_judge_follow_three_changed_cells(benchmark):
    """PF: everything there is, as `detect` looks"""
    first, changes, reader = dense_screen(), iter(range(10_000)), wiring.screen_reader()
    understand(reader, first)

    def changed():
        return (reader, with_three_cells_changed(first, next(changes))), {}

    benchmark.pedantic(understand, setup=changed, rounds=10)


def test_a_dense_screen_seen_for_the_first_time(benchmark, recognizer):
    """PF"""
    image = dense_screen()

    def fresh():
        return (ScreenReader.over(recognizer), image), {}

    benchmark.pedantic(understand, setup=fresh, rounds=3)


def test_a_screen_with_three_changed_cells(benchmark, recognizer):
    """PF"""
    first = dense_screen()
    changes = iter(range(1000))

    def changed():
        reader = ScreenReader.over(recognizer)
        understand(reader, first)
        return (reader, with_three_cells_changed(first, next(changes))), {}

    benchmark.pedantic(understand, setup=changed, rounds=4)


def test_a_screen_that_did_not_change(benchmark, recognizer):
    """PF"""
    image = dense_screen()
    reader = ScreenReader.over(recognizer)
    understand(reader, image)
    benchmark(understand, reader, image)
