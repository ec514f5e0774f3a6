"""A screen that is followed is understood exactly as if it were seen for the first time."""

from __future__ import annotations

import gc
import threading
from datetime import UTC, datetime

import numpy as np
import pytest
from edited_screens import PretendReader, edited, edits, first_screen
from hypothesis import given, settings
from hypothesis import strategies as st

from rpa_vision.detection.candidates import KINDS
from rpa_vision.detection.components import components
from rpa_vision.detection.followed_judge import FollowedJudge
from rpa_vision.detection.screen_reader import ScreenReader
from rpa_vision.detection.text_detector import TextDetector
from rpa_vision.detection.ui_detector import UIDetector
from rpa_vision.errors import ImageError
from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Box
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.perception import FoundElement

WHEN = datetime(2026, 1, 2, tzinfo=UTC)


class SquareFinder:
    """Finds small red squares by their pixels."""

    name = "squares"

    def __init__(self, kind="icon"):
        self.kind = kind

    def find(self, image):
        red = ((image[:, :, 2] > 200) & (image[:, :, 0] < 50)).astype(np.uint8)
        _, stats = components(red)
        small = [(x, y, w, h) for x, y, w, h, _ in stats[1:].tolist() if w <= 30 and h <= 30]
        return sorted(
            (FoundElement(Box(x, y, x + w, y + h), self.kind, 0.9) for x, y, w, h in small), key=lambda each: each.box
        )


class ByFacts:
    """Judges every candidate by itself, by whatever its facts and its look add up to."""

    name = "by_facts"

    def __init__(self):
        self.asked = 0

    def judge(self, facts, looks):
        self.asked += len(facts)
        totals = np.array([int(1000 * (abs(f).sum() + abs(look).sum())) for f, look in zip(facts, looks, strict=True)])
        shares = np.zeros((len(facts), 1 + len(KINDS)), np.float32)
        shares[np.arange(len(facts)), totals % shares.shape[1]] = 1.0
        return shares, (totals % 11 / 10).astype(np.float32)


def with_all_parts(*, beside: bool, kind: str = "icon") -> ScreenReader:
    text = TextDetector(PretendReader())
    return ScreenReader(text, UIDetector(text, finder=SquareFinder(kind), judge=ByFacts()), finds_beside=beside)


def understood(reader: ScreenReader, image) -> dict[str, object]:
    state = reader.read(image, window=WindowContext(title="T"), screen_state_id="s", timestamp=WHEN, screenshot_id="p")
    return state.model_dump(exclude={"metadata"})


@given(seed=st.integers(0, 50), changes=edits())
@settings(max_examples=20)
def test_following_gives_what_a_first_look_gives(seed, changes):
    """L1-3 L2-2"""
    image, following = first_screen(seed), ScreenReader.over(PretendReader())
    for change in (None, *changes):
        image = image if change is None else edited(image, change)
        assert understood(following, image) == understood(ScreenReader.over(PretendReader()), image)


@given(seed=st.integers(0, 50), changes=edits(), beside=st.booleans(), kind=st.sampled_from(["icon", "checkbox"]))
@settings(max_examples=25)
def test_following_with_finder_and_judge_gives_what_a_first_look_gives(seed, changes, beside, kind):
    """L1-3 L2-2: whether the finder looks beside the others or in its turn, and whether what it finds is judged"""
    image, following = first_screen(seed), with_all_parts(beside=beside, kind=kind)
    for change in (None, *changes):
        image = image if change is None else edited(image, change)
        assert understood(following, image) == understood(with_all_parts(beside=not beside, kind=kind), image)


def test_a_judge_is_asked_only_of_what_is_new():
    """PF"""
    judge, looks = ByFacts(), np.zeros((3, 1, 16, 64), np.float32)
    facts = np.arange(30, dtype=np.float32).reshape(3, 10)
    following = FollowedJudge(judge)
    first = following.judge(facts, looks)
    moved = np.concatenate([facts[2:], facts[:1] + 1, facts[:2]])
    again = following.judge(moved, looks[[0, 0, 0, 0]])
    assert judge.asked == 4
    assert (again[0][[0, 2, 3]] == first[0][[2, 0, 1]]).all()
    other = looks.copy()
    other[1] = 0.5
    following.judge(moved[:3], other)
    assert judge.asked == 5


def test_what_a_finder_raises_beside_is_raised_and_the_next_screen_is_read():
    """L1-5: nothing is lost in a thread"""

    class Failing(SquareFinder):
        def find(self, image):
            if image[0, 0, 0] == 7:
                raise ImageError("torn")
            return super().find(image)

    text = TextDetector(PretendReader())
    reader = ScreenReader(text, UIDetector(text, finder=Failing()), finds_beside=True)
    torn = first_screen(1)
    torn[0, 0] = 7
    with pytest.raises(ImageError, match="torn"):
        understood(reader, torn)
    assert understood(reader, first_screen(2)) == understood(
        ScreenReader(text, UIDetector(text, finder=SquareFinder())), first_screen(2)
    )


class SteppingSquares(SquareFinder):
    """Tells in which threads it worked."""

    def __init__(self):
        super().__init__()
        self.steps = []

    def begin(self, image):
        self.image = image
        self._step("begin")
        return self

    def go_on(self):
        self._step("go on")

    def found(self):
        self._step("found")
        return self.find(self.image)

    def _step(self, what):
        self.steps.append((what, threading.current_thread() is threading.main_thread()))


@pytest.mark.parametrize("beside", [True, False])
def test_only_what_takes_long_is_done_by_the_other_thread(beside):
    """PF: the rest needs the interpreter, and would wait for it"""
    finder, text = SteppingSquares(), TextDetector(PretendReader())
    reader = ScreenReader(text, UIDetector(text, finder=finder, judge=ByFacts()), finds_beside=beside)
    assert understood(reader, first_screen(3)) == understood(with_all_parts(beside=not beside), first_screen(3))
    assert finder.steps == [("begin", True), ("go on", not beside), ("found", True)]


def test_objects_are_gone_through_again_once_a_screen_is_understood():
    """PF: also after a screen that could not be"""
    reader, enabled = ScreenReader.over(PretendReader()), []

    class Watching(PretendReader):
        def read(self, lines):
            enabled.append(gc.isenabled())
            return super().read(lines)

    understood(ScreenReader.over(Watching()), first_screen(1))
    assert enabled
    assert not any(enabled)
    assert gc.isenabled()
    with pytest.raises(ImageError):
        understood(reader, np.zeros((4, 4), np.float32))
    assert gc.isenabled()


class CountingFinder(SquareFinder):
    """Tells how many screens are followed with it."""

    def __init__(self):
        super().__init__()
        self.followers = []

    def following(self):
        self.followers.append(SquareFinder())
        return self.followers[-1]


def test_each_screen_is_followed_by_a_finder_of_its_own():
    """L2-7: what one reader remembers of its screen never answers for another's."""
    finder, text = CountingFinder(), TextDetector(PretendReader())
    detector = UIDetector(text, finder=finder)
    for _ in range(2):
        ScreenReader(text, detector)
    assert len(finder.followers) == 2
    assert UIDetector(text, finder=SquareFinder()).following().name == detector.name


def test_what_a_finder_finds_becomes_an_element():
    """L2-7"""
    image = np.full((300, 400, 3), 250, np.uint8)
    image[100:120, 200:220] = (0, 0, 255)
    text = TextDetector(PretendReader())
    plain = UIDetector(text)
    detector = UIDetector(text, finder=SquareFinder())
    assert detector.name == f"{plain.name}+squares"
    wanted = Box(200, 100, 220, 120)
    assert any(Box.of(element.bbox).overlap(wanted) > 0.5 for element in detector.detect_elements(image))


def test_the_unused_byte_of_a_frame_changes_nothing():
    reader = ScreenReader.over(PretendReader())
    pixels = np.dstack([first_screen(1), np.zeros((420, 700), np.uint8)])
    first = reader.read(Frame(pixels, 0.0, 0.0), screen_state_id="a", timestamp=WHEN)
    other = pixels.copy()
    other[:, :, 3] = 255
    again = reader.read(Frame(other, 1.0, 1.0), screen_state_id="b", timestamp=WHEN)
    assert again.metadata["seen_before"] is True
    assert again.ui_elements == first.ui_elements


def test_a_buffer_that_is_drawn_over_is_another_screen():
    """Who grabs the screen may use one buffer again and again."""
    reader, image = ScreenReader.over(PretendReader()), first_screen(1)
    reader.read(image, screen_state_id="a", timestamp=WHEN)
    image[100:200, 100:300] = (90, 20, 200)
    again = reader.read(image, screen_state_id="b", timestamp=WHEN)
    assert again.metadata["seen_before"] is False


def test_a_screen_seen_lately_is_known_when_it_comes_back():
    reader = ScreenReader.over(PretendReader())
    for seed in (1, 2, 3):
        reader.read(first_screen(seed), screen_state_id=f"s{seed}", timestamp=WHEN)
    back = reader.read(first_screen(1), screen_state_id="back", timestamp=WHEN)
    assert back.metadata["seen_before"] is True
    elsewhere = reader.read(first_screen(1), window=WindowContext(title="Other"), screen_state_id="x", timestamp=WHEN)
    assert elsewhere.metadata["seen_before"] is False
