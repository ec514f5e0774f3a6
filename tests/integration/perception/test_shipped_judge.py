"""The shipped judge: loads, decides the same way every time, and following a screen changes nothing."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

import rpa_vision
from rpa_vision.adapters.perception.onnx_elements import OnnxElementFinder
from rpa_vision.adapters.perception.onnx_judge import OnnxElementJudge
from rpa_vision.adapters.perception.onnx_reader import OnnxTextRecognizer
from rpa_vision.detection.candidate_looks import LOOK_SHAPE
from rpa_vision.detection.candidates import KINDS, fact_count
from rpa_vision.detection.screen_reader import ScreenReader
from rpa_vision.detection.text_detector import TextDetector
from rpa_vision.detection.ui_detector import UIDetector
from rpa_vision.errors import ModelMissingError
from rpa_vision.testing.dense_screen import dense_screen, with_three_cells_changed

SHIPPED = Path(rpa_vision.__file__).parent / "resources" / "detector"
WHEN = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.fixture(scope="module")
def judge() -> OnnxElementJudge:
    return OnnxElementJudge.shipped()


@pytest.fixture(scope="module", params=["judge alone", "net and judge"])
def detector(request, judge) -> UIDetector:
    finder = OnnxElementFinder.shipped(faint=True) if request.param == "net and judge" else None
    return UIDetector(TextDetector.over(OnnxTextRecognizer.shipped()), finder=finder, judge=judge)


def form() -> np.ndarray:
    image = np.full((420, 700, 3), 245, np.uint8)
    cv2.rectangle(image, (40, 60), (340, 96), (150, 150, 150), 1)
    cv2.putText(image, "Nom du patient", (40, 48), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (30, 30, 30), 1, cv2.LINE_AA)
    cv2.rectangle(image, (40, 130), (180, 168), (180, 90, 20), -1)
    cv2.putText(image, "Enregistrer", (60, 154), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
    return image


def test_it_answers_for_the_kinds_and_facts_the_code_asks_about(judge):
    """L2-1"""
    assert judge.kinds == KINDS
    shares, fits = judge.judge(np.zeros((3, fact_count()), np.float32), np.zeros((3, *LOOK_SHAPE), np.float32))
    assert shares.shape == (3, 1 + len(KINDS))
    assert np.allclose(shares.sum(axis=1), 1, atol=1e-5)
    assert ((fits >= 0) & (fits <= 1)).all()


def test_a_plain_form_is_understood(detector):
    """L2-1"""
    seen = {element.type: element for element in detector.detect_elements(form()) if element.type in KINDS}
    assert seen["button"].label == "Enregistrer"
    assert seen["text_input"].label == "Nom du patient"


def test_following_a_screen_gives_what_a_first_look_gives(detector):
    """L1-3 L2-2"""
    text = TextDetector.over(OnnxTextRecognizer.shipped())
    following = ScreenReader(text, detector)
    first = dense_screen(3, rows=12)[:560, :900].copy()
    for number, image in enumerate((first, with_three_cells_changed(dense_screen(3, rows=12), 1)[:560, :900].copy())):
        seen = following.read(image, screen_state_id="s", timestamp=WHEN)
        fresh = ScreenReader(text, detector).read(image, screen_state_id="s", timestamp=WHEN)
        assert seen.ui_elements == fresh.ui_elements, number


def test_facts_of_another_version_are_refused(judge):
    """L2-7"""
    with pytest.raises(ModelMissingError):
        judge.judge(np.zeros((1, fact_count() + 1), np.float32), np.zeros((1, *LOOK_SHAPE), np.float32))


def test_a_damaged_judge_says_what_to_do(tmp_path):
    """L2-7"""
    copy = Path(shutil.copytree(SHIPPED, tmp_path / "detector"))
    (copy / "judge.onnx").write_bytes(b"not a net")
    with pytest.raises(ModelMissingError) as told:
        OnnxElementJudge(copy / "judge.json")
    assert told.value.remedy
    assert json.loads((copy / "judge.json").read_text(encoding="utf-8"))["kinds"] == list(KINDS)
