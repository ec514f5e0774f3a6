"""Real pictures, drawn once, and the shipped reader, loaded once."""

from __future__ import annotations

import shutil

import pytest

from rpa_vision.adapters.perception.onnx_reader import OnnxTextRecognizer
from rpa_vision.detection.text_detector import TextDetector
from rpa_vision.detection.ui_detector import UIDetector

from .pages import Page, render


@pytest.fixture(scope="session")
def pages(tmp_path_factory) -> dict[str, Page]:
    if shutil.which("chromium") is None:
        pytest.fail("chromium is not installed")
    return render(tmp_path_factory.mktemp("pages"))


@pytest.fixture(scope="session")
def reader() -> OnnxTextRecognizer:
    return OnnxTextRecognizer.shipped()


@pytest.fixture(scope="session")
def text_detector(reader) -> TextDetector:
    return TextDetector.over(reader)


@pytest.fixture(scope="session")
def ui_detector(text_detector) -> UIDetector:
    return UIDetector(text_detector)
