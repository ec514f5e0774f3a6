"""Builds what reads: the reader of every line, the one that reads again what decides, and where answers are kept.

Each is chosen by name from a table, as in `wiring_plugins`. Answers are kept in memory; on the disk only where a
setting says so, below the data directory, and never for judging whether something is a secret.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rpa_vision.app.wiring_plugins import (
    DETECTOR_SHEET_VARIABLE,
    DETECTOR_VARIABLE,
    EMBEDDED,
    ENCODER_VARIABLE,
    OFF,
    OPENCLIP_MODEL_VARIABLE,
    OPENCLIP_WEIGHTS_VARIABLE,
    chosen,
    element_finder,
    element_judge,
)
from rpa_vision.models.perception import RULES, Perception

if TYPE_CHECKING:
    from rpa_vision.adapters.runtime.helper_process import HelperProcess
    from rpa_vision.adapters.storage.data_directory import FileDataDirectory
    from rpa_vision.detection.screen_reader import ScreenReader
    from rpa_vision.detection.second_look import SecondLook
    from rpa_vision.embedding.screen_observer import ScreenObserver
    from rpa_vision.ports.perception import ElementFinder, ElementJudge, ScreenPairer, TextCache, TextRecognizer
    from rpa_vision.ports.runtime import Clock

MODELS_VARIABLE = "RPA_VISION_MODELS"
READER_VARIABLE = "RPA_VISION_READER"
SECOND_READER_VARIABLE = "RPA_VISION_SECOND_READER"
PAIRER_VARIABLE = "RPA_VISION_PAIRER"
TEXT_CACHE_VARIABLE = "RPA_VISION_TEXT_CACHE"

_DECIDING: Final = (
    MODELS_VARIABLE,
    READER_VARIABLE,
    DETECTOR_VARIABLE,
    DETECTOR_SHEET_VARIABLE,
    ENCODER_VARIABLE,
    OPENCLIP_MODEL_VARIABLE,
    OPENCLIP_WEIGHTS_VARIABLE,
)
"""The settings that decide what is read of a screen."""
INK: Final = "ink"
PPOCR: Final = "ppocr"
Environment = Mapping[str, str]


def text_recognizer(environment: Environment = os.environ, *, threads: int = 2) -> TextRecognizer:
    """The reader of every line: our own, unless a setting names another. Lines come from screens, one after the other:
    the memory that these need is held on to."""
    from rpa_vision.adapters.runtime.kept_memory import keep_memory

    keep_memory()
    return chosen(_READERS, environment, READER_VARIABLE, INK)(environment, threads)


def eyes(clock: Clock, *, cache: TextCache | None = None, threads: int = 2) -> tuple[ScreenReader, Perception]:
    """What understands a screen, timed by stage, and who that is. The finder has a thread less."""
    from rpa_vision.detection.screen_reader import ScreenReader
    from rpa_vision.detection.text_detector import TextDetector
    from rpa_vision.detection.ui_detector import UIDetector

    recognizer = text_recognizer(threads=threads)
    finder, judge = element_finder(threads=max(1, threads - 1)), element_judge()
    text_detector = TextDetector.over(recognizer, cache)
    detector = UIDetector(text_detector, finder=finder, judge=judge)
    beside = min(threads, os.cpu_count() or 1) > 1
    reader = ScreenReader(text_detector, detector, clock=clock, finds_beside=beside)
    return reader, _perception(finder, judge, recognizer)


def perception(environment: Environment = os.environ) -> Perception:
    """Who would look at a screen, as settings say."""
    return _perception(element_finder(environment), element_judge(environment), text_recognizer(environment))


def second_look(environment: Environment = os.environ) -> SecondLook | None:
    """Who reads again what decides something; None where that is switched off."""
    return chosen(_SECOND_READERS, environment, SECOND_READER_VARIABLE, EMBEDDED)(environment)


def screen_pairer(environment: Environment = os.environ) -> ScreenPairer | None:
    """Who tells which thing of a screen is which of another; None where that is switched off."""
    return chosen(_PAIRERS, environment, PAIRER_VARIABLE, EMBEDDED)(environment)


def text_cache(
    data: FileDataDirectory, secrets: Iterable[str] = (), environment: Environment = os.environ
) -> TextCache | None:
    """Where answers are kept for the next process; None: in memory only. No text that holds a secret is kept."""
    return chosen(_CACHES, environment, TEXT_CACHE_VARIABLE, "memory")(data, tuple(secrets))


def reading_helper(root: Path) -> AbstractContextManager[HelperProcess | None]:
    """A second reader for learning from this data directory, on another core; None where there is only one."""
    from rpa_vision.adapters.runtime.helper_process import HelperProcess

    if (os.cpu_count() or 1) < 2:
        return nullcontext()
    return HelperProcess("rpa_vision.app.reading_helper", str(root))


def reading_ahead(root: Path) -> AbstractContextManager[HelperProcess | None]:
    """Who reads a session while it is recorded, in time nobody else wants; None where there is only one core."""
    from rpa_vision.adapters.runtime.helper_process import HelperProcess

    if (os.cpu_count() or 1) < 2:
        return nullcontext()
    return HelperProcess("rpa_vision.app.reading_ahead", str(root), stands_back=True)


def session_observer() -> ScreenObserver:
    """An observer for the screens of whole sessions, in a process that does nothing else and has another one beside it
    that reads too: each works in one thread. What it reads is kept beside the pictures."""
    import cv2

    from rpa_vision.adapters.perception.reader_identity import reader_identity
    from rpa_vision.app import wiring

    cv2.setNumThreads(1)
    observer = wiring.screen_observer(threads=1)
    observer.read_by = reader_identity(os.environ, _DECIDING)
    return observer


def _perception(finder: ElementFinder | None, judge: ElementJudge | None, reader: TextRecognizer) -> Perception:
    detector = finder.name if finder is not None else RULES
    return Perception(detector=detector, judge=judge.name if judge is not None else None, reader=reader.name)


def _given(environment: Environment, name: str, kind: str = "reader") -> Path | None:
    folder = environment.get(MODELS_VARIABLE)
    return Path(folder) / kind / name if folder else None


def _ink(environment: Environment, threads: int) -> TextRecognizer:
    from rpa_vision.adapters.perception.ink_reader import InkTextReader

    given = _given(environment, "ink.json")
    return InkTextReader(given, threads=threads) if given else InkTextReader.shipped(threads=threads)


def _ppocr(environment: Environment, threads: int) -> TextRecognizer:
    from rpa_vision.adapters.perception.onnx_reader import OnnxTextRecognizer

    given = _given(environment, "latin.json")
    return OnnxTextRecognizer(given, threads=threads) if given else OnnxTextRecognizer.shipped(threads=threads)


def _second(environment: Environment) -> SecondLook:
    from rpa_vision.adapters.perception.onnx_reader import OnnxTextRecognizer
    from rpa_vision.detection.reading_cache import CachedTextRecognizer
    from rpa_vision.detection.second_look import SecondLook

    given = _given(environment, "second.json")
    reader = OnnxTextRecognizer(given) if given else OnnxTextRecognizer.second()
    return SecondLook(CachedTextRecognizer(reader))


def _pairer(environment: Environment) -> ScreenPairer:
    from rpa_vision.adapters.perception.pairing_net import PairingNet

    given = _given(environment, "pairs.json", "pairing")
    return PairingNet(given) if given and given.parent.exists() else PairingNet.shipped()


def _nobody(environment: Environment) -> None:
    return None


def _in_memory(data: FileDataDirectory, secrets: tuple[str, ...]) -> None:
    return None


def _on_disk(data: FileDataDirectory, secrets: tuple[str, ...]) -> TextCache:
    from rpa_vision.adapters.perception.disk_text_cache import DiskTextCache
    from rpa_vision.detection.reading_cache import DiscreetCache

    return DiscreetCache(DiskTextCache(data.paths.text_cache), secrets)


_READERS: Final[dict[str, Callable[[Environment, int], TextRecognizer]]] = {INK: _ink, PPOCR: _ppocr}
_SECOND_READERS: Final[dict[str, Callable[[Environment], SecondLook | None]]] = {EMBEDDED: _second, OFF: _nobody}
_PAIRERS: Final[dict[str, Callable[[Environment], ScreenPairer | None]]] = {EMBEDDED: _pairer, OFF: _nobody}
_CACHES: Final[dict[str, Callable[[FileDataDirectory, tuple[str, ...]], TextCache | None]]] = {
    "memory": _in_memory,
    "disk": _on_disk,
}
