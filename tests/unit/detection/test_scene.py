"""Lines and boxes put together."""

from __future__ import annotations

import cv2
import numpy as np

from rpa_vision.detection.scene import Scene
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine


def drawn(words: list[str], gap: int) -> tuple[np.ndarray, Box, list[int]]:
    image = np.full((60, 600, 3), 250, np.uint8)
    x, starts = 20, []
    for word in words:
        starts.append(x)
        cv2.putText(image, word, (x, 36), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (20, 20, 20), 1, cv2.LINE_AA)
        x += cv2.getTextSize(word, cv2.FONT_HERSHEY_SIMPLEX, 0.45, 1)[0][0] + gap
    return image, Box(17, 20, x - gap + 3, 44), starts


def scene_of(image: np.ndarray, text: str, box: Box) -> Scene:
    return Scene(image, [], [TextLine(text=text, bbox=box.bbox, confidence=0.9)])


def test_a_menu_bar_read_as_one_line_is_taken_apart():
    image, box, starts = drawn(["File", "Edit", "View", "Help"], 12)
    lines = scene_of(image, "File Edit View Help", box).lines
    assert [line.text for line in lines] == ["File", "Edit", "View", "Help"]
    assert all(abs(line.box.x1 - start) <= 6 for line, start in zip(lines, starts, strict=True))


def test_a_sentence_stays_whole():
    image, box, _ = drawn(["Votre", "facture", "est", "payable"], 8)
    assert len(scene_of(image, "Votre facture est payable", box).lines) == 1


def test_the_size_of_type_does_not_depend_on_the_letters():
    image = np.full((60, 600, 3), 250, np.uint8)
    tall = scene_of(image, "Montant", Box(10, 10, 90, 25)).lines[0].font_px
    deep = scene_of(image, "Patient payé", Box(10, 10, 90, 29)).lines[0].font_px
    assert abs(tall - deep) <= 0.15 * tall
