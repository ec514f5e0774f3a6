"""Who reads, who reads again and where answers are kept: chosen by name, and nothing on the disk unless asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rpa_vision.adapters.runtime.clock import SystemClock
from rpa_vision.adapters.storage.data_directory import FileDataDirectory
from rpa_vision.app import wiring_reading
from rpa_vision.detection.reading_cache import CachedTextRecognizer, DiscreetCache
from rpa_vision.detection.text_detector import TextDetector
from rpa_vision.errors import ModelMissingError, PluginError
from rpa_vision.ports.perception import ReadText

LINE = np.full((12, 40, 3), 255, np.uint8)


@pytest.fixture
def data(tmp_path: Path) -> FileDataDirectory:
    return FileDataDirectory(tmp_path / "data", clock=SystemClock())


def test_our_own_reader_is_the_default_and_the_published_one_is_named() -> None:
    """L2-6, L2-7"""
    own = wiring_reading.text_recognizer({})
    assert own.name.startswith("ink-latin")
    assert "careful" not in TextDetector.over(own).method
    assert wiring_reading.text_recognizer({"RPA_VISION_READER": "ink"}).name == own.name
    published = wiring_reading.text_recognizer({"RPA_VISION_READER": "ppocr"})
    assert published.name.startswith("ppocrv6-tiny")
    assert "careful" in TextDetector.over(published).method


def test_what_decides_is_read_again_unless_that_is_switched_off() -> None:
    """EX-7"""
    second = wiring_reading.second_look({})
    assert second is not None
    assert second.name.startswith("second:ppocrv6-small")
    assert wiring_reading.second_look({"RPA_VISION_SECOND_READER": "off"}) is None


def test_nothing_read_is_on_the_disk_unless_asked_for(data: FileDataDirectory) -> None:
    """L0-7"""
    assert wiring_reading.text_cache(data, (), {}) is None
    assert not data.paths.text_cache.exists()


def test_on_the_disk_it_lies_in_the_data_directory_and_holds_no_secret(data: FileDataDirectory) -> None:
    """L0-7"""
    cache = wiring_reading.text_cache(data, ("hunter2",), {"RPA_VISION_TEXT_CACHE": "disk"})
    assert isinstance(cache, DiscreetCache)

    class Both:
        name = "both"

        def read(self, lines):
            return [ReadText("Facture 12", 0.9), ReadText("my hunter2", 0.9)][: len(lines)]

    CachedTextRecognizer(Both(), cache).read([LINE, LINE[:8]])
    cache.close()
    folder = data.paths.text_cache.parent
    written = b"".join(path.read_bytes() for path in folder.iterdir())
    assert b"Facture 12" in written
    assert b"hunter" not in written
    assert data.paths.text_cache.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("variable", "build"),
    [
        ("RPA_VISION_READER", wiring_reading.text_recognizer),
        ("RPA_VISION_SECOND_READER", wiring_reading.second_look),
    ],
)
def test_a_name_nobody_has_is_an_error_with_its_remedy(variable: str, build: Callable[..., object]) -> None:
    with pytest.raises(PluginError, match=variable):
        build({variable: "oracle"})


def test_a_cache_of_another_kind_is_an_error(data: FileDataDirectory) -> None:
    with pytest.raises(PluginError, match="RPA_VISION_TEXT_CACHE"):
        wiring_reading.text_cache(data, (), {"RPA_VISION_TEXT_CACHE": "cloud"})


def test_a_folder_of_models_is_used_for_both_and_must_hold_them(tmp_path: Path) -> None:
    with pytest.raises(ModelMissingError):
        wiring_reading.text_recognizer({"RPA_VISION_MODELS": str(tmp_path)})
    with pytest.raises(ModelMissingError):
        wiring_reading.second_look({"RPA_VISION_MODELS": str(tmp_path)})
