"""Real pictures, drawn once, and the reader and the detector that are the defaults, loaded once."""

from __future__ import annotations

import shutil

import pytest

from rpa_vision.adapters.perception.ink_reader import InkTextReader
from rpa_vision.adapters.perception.onnx_elements import OnnxElementFinder
from rpa_vision.adapters.perception.onnx_judge import OnnxElementJudge
from rpa_vision.detection.text_detector import TextDetector
from rpa_vision.detection.ui_detector import UIDetector

from .pages import Page, render


@pytest.fixture(scope="session")
def pages(tmp_path_factory) -> dict[str, Page]:
    if shutil.which("chromium") is None:
        pytest.fail("chromium is not installed")
    return render(tmp_path_factory.mktemp("pages"))


@pytest.fixture(scope="session")
def reader() -> InkTextReader:
    return InkTextReader.shipped()


@pytest.fixture(scope="session")
def text_detector(reader) -> TextDetector:
    return TextDetector.over(reader)


@pytest.fixture(scope="session")
def ui_detector(text_detector) -> UIDetector:
    finder, judge = OnnxElementFinder.shipped(faint=True), OnnxElementJudge.shipped()
    return UIDetector(text_detector, finder=finder, judge=judge)
