"""Our own reader: the file that ships, what it reads, and that company does not change its answers."""

from __future__ import annotations

import hashlib
import json
import shutil
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from rpa_vision.adapters.perception.ink_reader import InkTextReader
from rpa_vision.adapters.perception.onnx_reader import OnnxTextRecognizer
from rpa_vision.detection.careful_reader import CarefulReader
from rpa_vision.detection.second_look import SecondLook
from rpa_vision.detection.text_detector import TextDetector
from rpa_vision.errors import ModelMissingError

from .scoring import accents, pairs
from .test_reading import THEMES

SHIPPED = Path(str(resources.files("rpa_vision") / "resources" / "reader"))
CARD = Path(__file__).parents[3] / "docs" / "models" / "reader.md"
FRENCH = "àâäçéèêëîïôöùûüÿæœÀÂÄÇÉÈÊËÎÏÔÖÙÛÜŸÆŒ€«»°“”–—"


@pytest.fixture(scope="module")
def ink() -> InkTextReader:
    return InkTextReader.shipped()


@pytest.fixture(scope="module")
def results(pages, ink):
    detector = TextDetector.over(ink)
    return {name: pairs(pages[name].texts, detector.read(pages[name].image)) for name in THEMES}


@pytest.fixture
def copy(tmp_path) -> Path:
    return Path(shutil.copytree(SHIPPED, tmp_path / "reader"))


def test_the_model_is_the_one_described_and_small():
    about = json.loads((SHIPPED / "ink.json").read_text(encoding="utf-8"))
    model = (SHIPPED / "ink.onnx").read_bytes()
    assert hashlib.sha256(model).hexdigest() == about["sha256"]
    assert len(model) < 1_500_000
    assert set(FRENCH) <= set(about["characters"])
    assert about["sha256"] in CARD.read_text(encoding="utf-8")


def test_at_least_98_percent_of_all_texts_are_exact(results):
    """L2-6"""
    everything = [pair for some in results.values() for pair in some]
    wrong = [pair for pair in everything if pair[0] != pair[1]]
    assert len(everything) > 1000
    assert len(wrong) <= 0.02 * len(everything), wrong


def test_at_least_99_percent_of_all_accents_are_right(results):
    """L2-6"""
    right, total = accents([pair for some in results.values() for pair in some])
    assert total > 500
    assert right >= 0.99 * total


def test_what_windows_are_called_is_read_on_shaded_paper(pages, ink):
    """L2-6"""
    bars = pages["title_bars"]
    read = pairs(bars.texts, TextDetector.over(ink).read(bars.image))
    wrong = [pair for pair in read if pair[0] != pair[1]]
    assert len(read) == 100
    assert len(wrong) <= 0.15 * len(read), wrong  # the published reader: 9, ours before paper was made even: 18


def test_numbers_lose_no_digit(results):
    """L2-6"""
    numbers = [pair for some in results.values() for pair in some if any(char.isdigit() for char in pair[0])]
    lost = [(true, read) for true, read in numbers if _digits(true) != _digits(read)]
    assert len(numbers) > 500
    assert len(lost) <= 0.002 * len(numbers), lost


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())


def test_what_is_read_does_not_depend_on_what_is_read_with_it(ink, pages):
    """L2-6"""
    image = pages["list_light"].image
    boxes = TextDetector(ink).find(image)[:60]
    lines = [image[box.y1 : box.y2, box.x1 : box.x2] for box in boxes]
    together = ink.read(lines)
    alone = [ink.read([line])[0] for line in lines]
    assert [answer.text for answer in alone] == [answer.text for answer in together]
    assert [answer.confidence for answer in alone] == pytest.approx(
        [answer.confidence for answer in together], abs=1e-3
    )
    assert InkTextReader.shipped(threads=1).read(lines) == together


@pytest.mark.parametrize(
    ("steps", "read"),
    [
        ("a99 _99 t99 _99 t87 t99 _99 e99", "atte"),
        ("a99 _99 t99 t79 _99 t99 _99 e99", "atte"),
        ("a99 _99 t70 _60 t60 _99 e99", "ate"),
    ],
    ids=["second sure one step later", "first sure one step earlier", "neither sure"],
)
def test_a_letter_that_is_sure_somewhere_is_a_letter_of_its_own(ink, steps, read):
    """L2-6: « attente » lost a letter where the net saw both."""
    classes = {character: index for index, character in enumerate(ink._characters)}
    best = np.array([0 if step[0] == "_" else classes[step[0]] for step in steps.split()], np.int32)
    likely = np.array([int(step[1:]) / 100 for step in steps.split()], np.float32)
    assert ink._decode(best, likely, best.copy(), np.zeros_like(likely)).text == read


def test_nothing_and_pictures_of_nothing_are_fine(ink):
    """L2-6"""
    assert ink.read([]) == []
    blank = [np.full(shape, 200, np.uint8) for shape in ((0, 10, 3), (1, 1, 3), (20, 300, 3), (400, 3, 3))]
    assert [answer.text for answer in ink.read(blank)] == [""] * 4
    noise = np.random.default_rng(1).integers(0, 256, (24, 500, 3), dtype=np.uint8)
    assert 0 <= ink.read([noise])[0].confidence <= 1


def test_rules_of_thumb_are_kept_for_readers_that_need_them(ink):
    assert CarefulReader(ink).name not in TextDetector.over(ink).method
    assert "careful" in TextDetector.over(OnnxTextRecognizer.shipped()).method


def test_a_damaged_model_is_refused(copy):
    model = bytearray((copy / "ink.onnx").read_bytes())
    model[1000] ^= 0xFF
    (copy / "ink.onnx").write_bytes(bytes(model))
    with pytest.raises(ModelMissingError, match="checksum"):
        InkTextReader(copy / "ink.json")


def test_a_reader_made_for_other_pictures_is_refused(copy):
    with pytest.raises(ModelMissingError, match="another input"):
        InkTextReader(copy / "latin.json")


def test_a_second_reader_confirms_what_decides_something(ink, pages):
    """L2-6"""
    image, look = pages["dialog_light"].image, SecondLook(OnnxTextRecognizer.second())
    boxes = TextDetector(ink).find(image)
    first = ink.read([image[box.y1 : box.y2, box.x1 : box.x2] for box in boxes])
    wanted = [(box, read) for box, read in zip(boxes, first, strict=True) if read.text in ("Confirmer", "Annuler")]
    assert len(wanted) >= 2
    checks = [look.confirm(image, box, read) for box, read in wanted]
    assert all(check.verdict == "agree" for check in checks)
    assert all(check.confidence > check.first.confidence for check in checks)


def test_the_second_reader_is_the_stronger_one_that_ships():
    assert OnnxTextRecognizer.second().name.startswith("ppocrv6-small")
