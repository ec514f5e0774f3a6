"""Real pixels, real readers: a slip of the first reader that would lead to the wrong row is caught by the second."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from rpa_vision.adapters.perception.ink_reader import InkTextReader
from rpa_vision.adapters.perception.onnx_reader import OnnxTextRecognizer
from rpa_vision.detection.reading_cache import CachedTextRecognizer
from rpa_vision.detection.screen_reader import ScreenReader
from rpa_vision.detection.second_look import SecondLook
from rpa_vision.embedding.encoders import HashedScreenEncoder
from rpa_vision.embedding.fusion_engine import FusionEngine
from rpa_vision.embedding.screen_observer import ObservedScreen, ScreenObserver
from rpa_vision.embedding.state_embedder import StateEmbedder
from rpa_vision.execution.decisive_texts import reread
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.target_resolver import Resolved, TargetResolver
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.perception import ReadText, TextRecognizer
from rpa_vision.testing.manual_clock import ManualClock

WHEN = datetime(2026, 8, 14, 14, 31, tzinfo=UTC)


class Slipping:
    """The shipped reader, but for one text that it takes for another."""

    is_calibrated = True

    def __init__(self, reader: TextRecognizer, true: str, taken_for: str) -> None:
        self._reader, self._true, self._taken_for = reader, true, taken_for
        self.name = "slipping"

    def read(self, lines):
        answers = self._reader.read(lines)
        return [ReadText(one.text.replace(self._true, self._taken_for), one.confidence) for one in answers]


@pytest.fixture(scope="module")
def ink() -> InkTextReader:
    return InkTextReader.shipped()


@pytest.fixture(scope="module")
def second() -> SecondLook:
    return SecondLook(CachedTextRecognizer(OnnxTextRecognizer.second()))


def observed(reader: TextRecognizer, image) -> ObservedScreen:
    embedder = StateEmbedder(HashedScreenEncoder(), FusionEngine(), ManualClock())
    observer = ScreenObserver(ScreenReader.over(reader, clock=ManualClock()), embedder)
    return observer.observe(image, window=WindowContext(title="Factures"), screen_state_id="screen", timestamp=WHEN)


def test_the_wrong_row_is_refused_and_the_right_one_is_not(pages, ink, second):
    """EX-7: a wrong click is worse than no click."""
    image = pages["list_light"].image
    numbers = [text for text, _ in pages["list_light"].texts if text.startswith("FAC-")]
    there, absent = numbers[4], "FAC-2026-99998"
    target, values = TargetSpec(type="link", label="${number}"), {"number": absent}

    fooled = observed(Slipping(ink, there, absent), image)
    wrong = TargetResolver().resolve(target, fooled, values, HealingProfile.at_level(0))
    assert isinstance(wrong, Resolved), "without a second look the slip would be clicked"
    found = reread(second, target, wrong.best.element, fooled, values)
    assert found.objection is not None
    assert there in found.objection.replace(" ", "")

    seen, values = observed(ink, image), {"number": there}
    right = TargetResolver().resolve(target, seen, values, HealingProfile.at_level(0))
    assert isinstance(right, Resolved)
    agreed = reread(second, target, right.best.element, seen, values)
    assert [check.verdict for check in agreed.checks] == ["agree"]
    assert agreed.confidence(right.best.score) >= right.best.score


@pytest.mark.parametrize("name", ["detail_dark", "dialog_light", "login_light", "settings_english"])
def test_no_label_of_these_screens_is_refused(pages, ink, second, name):
    """EX-7: a second look that cries wolf would be switched off."""
    screen = observed(ink, pages[name].image)
    named = [one for one in screen.state.ui_elements if one.label and one.type in ("button", "link", "text_input")]
    assert named
    for element in named[:12]:
        checks = reread(second, TargetSpec(label=element.label), element, screen, {}).checks
        assert all(check.verdict != "differ" for check in checks), checks
