"""How long perception takes on a dense 1920×1080 screen: `pytest benchmarks/test_perception.py --benchmark-only`.

The screen is drawn here, so that the benchmark needs no browser: 30 rows of 8 cells, a bar, a field, buttons.
"""

from __future__ import annotations

from datetime import UTC, datetime

import cv2
import numpy as np
import pytest

from rpa_vision.adapters.perception.onnx_reader import OnnxTextRecognizer
from rpa_vision.detection.line_finder import find_lines
from rpa_vision.detection.regions import find_regions
from rpa_vision.detection.screen_reader import ScreenReader
from rpa_vision.detection.text_detector import TextDetector
from rpa_vision.detection.ui_detector import UIDetector

WHEN = datetime(2026, 1, 1, tzinfo=UTC)
FONT = cv2.FONT_HERSHEY_SIMPLEX


def dense_screen(seed: int = 1, rows: int = 30) -> np.ndarray:
    rng = np.random.default_rng(seed)
    image = np.full((1080, 1920, 3), 250, np.uint8)
    image[:48] = (168, 90, 30)
    for index, word in enumerate(("Accueil", "Patients", "Reglements", "Parametres")):
        cv2.putText(image, word, (40 + 140 * index, 32), FONT, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
    cv2.rectangle(image, (40, 60), (360, 94), (150, 150, 150), 1)
    image[60:94, 380:490] = (168, 90, 30)
    cv2.putText(image, "Rechercher", (392, 82), FONT, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
    for row in range(rows):
        y = 140 + 30 * row
        cv2.line(image, (40, y + 10), (1880, y + 10), (225, 220, 215), 1)
        for column in range(8):
            text = f"F{rng.integers(10**4, 10**5)} {'abcdefgh'[column] * 3}"
            cv2.putText(image, text, (50 + 230 * column, y), FONT, 0.5, (40, 30, 20), 1, cv2.LINE_AA)
    return image


@pytest.fixture(scope="module")
def recognizer() -> OnnxTextRecognizer:
    return OnnxTextRecognizer.shipped()


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
        image = first.copy()
        number = next(changes)
        for row in (3, 9, 20):
            y = 140 + 30 * row
            image[y - 14 : y + 6, 280:500] = 250
            cv2.putText(image, f"Neuf {number} {row}", (290, y), FONT, 0.5, (40, 30, 20), 1, cv2.LINE_AA)
        return (reader, image), {}

    benchmark.pedantic(understand, setup=changed, rounds=4)


def test_a_screen_that_did_not_change(benchmark, recognizer):
    """PF"""
    image = dense_screen()
    reader = ScreenReader.over(recognizer)
    understand(reader, image)
    benchmark(understand, reader, image)
