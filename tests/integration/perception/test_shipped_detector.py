"""The element detector that ships: what it finds on real pictures, and that nothing odd breaks it."""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
import onnxruntime as ort
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rpa_vision.adapters.perception.element_net import ElementNet
from rpa_vision.adapters.perception.onnx_elements import OnnxElementFinder
from rpa_vision.errors import ModelMissingError
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import ELEMENT_TYPES

SHIPPED = Path(str(resources.files("rpa_vision") / "resources" / "detector"))


@pytest.fixture(scope="module")
def finder() -> OnnxElementFinder:
    return OnnxElementFinder.shipped()


@pytest.fixture(scope="module")
def form() -> np.ndarray:
    """A plain form: three labelled fields, two filled buttons, a ticked box."""
    picture = np.full((480, 640, 3), 255, np.uint8)
    for row, label in enumerate(("Name", "Address", "City")):
        y = 60 + 70 * row
        cv2.putText(picture, label, (40, y + 24), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (60, 60, 60), 1, cv2.LINE_AA)
        cv2.rectangle(picture, (160, y), (520, y + 36), (190, 190, 190), 1)
    for x, label in ((160, "Save"), (290, "Cancel")):
        cv2.rectangle(picture, (x, 320), (x + 110, 356), (200, 110, 20), -1)
        cv2.putText(picture, label, (x + 28, 343), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
    return picture


def test_the_net_is_the_one_described_and_small():
    """L2-1: it ships, and needs no download."""
    about = json.loads((SHIPPED / "elements.json").read_text(encoding="utf-8"))
    model = (SHIPPED / "elements.zip").read_bytes()
    assert hashlib.sha256(model).hexdigest() == about["sha256"]
    assert len(model) < 3_000_000
    assert about["training"]["steps"] > 0
    assert set(about["interactive"]) | set(about["containers"]) <= set(ELEMENT_TYPES)


def test_in_whole_numbers_the_net_says_what_it_says_in_fractions(form):
    """L2-1: the half that is asked takes half the time, and sees the same."""
    with zipfile.ZipFile(SHIPPED / "elements.zip") as parts:
        near, far, whole = (
            ort.InferenceSession(parts.read(name), providers=["CPUExecutionProvider"])
            for name in ("near.onnx", "far.onnx", "far-int8.onnx")
        )
    picture = form[..., ::-1].transpose(2, 0, 1)[None].astype(np.float32) / 255
    seen = near.run(None, {"picture": picture})[0]
    told, counted = (half.run(None, {"near": seen})[0][0, 0] for half in (far, whole))
    somewhere = told > -2
    assert somewhere.sum() >= 5
    assert np.abs(told - counted)[somewhere].mean() < 0.25


def test_fields_and_buttons_of_a_form_are_found_where_they_are(finder, form):
    """L2-1"""
    found = finder.find(form)
    fields = [Box(160, 60 + 70 * row, 521, 97 + 70 * row) for row in range(3)]
    buttons = [Box(160, 320, 271, 357), Box(290, 320, 401, 357)]
    for wanted, kind in [(box, "text_input") for box in fields] + [(box, "button") for box in buttons]:
        best = max(found, key=lambda element: element.box.overlap(wanted))
        assert best.box.overlap(wanted) > 0.6, (wanted, best)
        assert best.kind == kind, (wanted, best)


def test_answers_are_sorted_within_the_picture_and_always_the_same(finder, form):
    """L2-2"""
    first, again = finder.find(form), finder.find(form.copy())
    assert first == again
    assert [element.confidence for element in first] == sorted((e.confidence for e in first), reverse=True)
    for element in first:
        assert 0.0 <= element.confidence <= 1.0
        assert element.kind in ELEMENT_TYPES
        assert Box(0, 0, 640, 480).encloses(element.box)


@pytest.mark.parametrize("size", [(1, 1), (2, 700), (7, 7), (33, 31), (40, 2600)])
def test_odd_sizes_give_an_answer(finder, size):
    """L2-2: never a crash."""
    rng = np.random.default_rng(4)
    for picture in (np.zeros((*size, 3), np.uint8), rng.integers(0, 255, (*size, 3), np.uint8)):
        for element in finder.find(picture):
            assert Box(0, 0, size[1], size[0]).encloses(element.box)


def test_an_empty_screen_has_nothing_to_act_on(finder):
    """L2-2"""
    assert not [element for element in finder.find(np.full((600, 800, 3), 240, np.uint8)) if element.confidence > 0.5]


@given(
    sides=st.tuples(st.integers(40, 700), st.integers(40, 420)),
    changes=st.lists(
        st.tuples(
            st.integers(0, 690), st.integers(0, 410), st.integers(1, 200), st.integers(1, 60), st.integers(0, 255)
        ),
        min_size=1,
        max_size=4,
    ),
)
@settings(max_examples=25, deadline=None)
def test_a_screen_that_is_followed_is_seen_as_at_a_first_look(finder, sides, changes):
    """L2-7: what changed is looked at alone, and every answer is that of a whole look, to the last bit."""
    following = finder.following()
    picture = np.random.default_rng(7).integers(0, 255, (sides[1], sides[0], 3), np.uint8)
    picture = cv2.GaussianBlur(picture, (9, 9), 0)
    assert following.find(picture) == finder.find(picture)
    for x, y, wide, high, grey in changes:
        picture[y : y + high, x : x + wide] = grey
        assert following.find(picture) == finder.find(picture)


def test_a_look_that_did_not_go_on_is_forgotten(finder, form):
    """L2-7: what was only begun never answers for the next picture"""
    following = finder.following()
    following.find(form)
    other = form.copy()
    other[320:357, 160:271] = 255
    following.begin(other)
    assert following.find(form) == finder.find(form)
    look = following.begin(other)
    assert look.found() == []
    look.go_on()
    assert look.found() == finder.find(other)


class CountingNet(ElementNet):
    """Tells how many pixels its near part looked at."""

    looked_at = 0

    def near(self, picture):
        self.looked_at += picture.shape[0] * picture.shape[1]
        return super().near(picture)


def test_little_is_looked_at_where_little_changed():
    """L1-3"""
    net = CountingNet((SHIPPED / "elements.zip").read_bytes(), cell_px=8, margin=1, threads=1, what="net")
    following, picture = net.following(), np.full((1080, 1920, 3), 240, np.uint8)
    following.begin(picture)()
    first = net.looked_at
    following.begin(picture.copy())()
    assert net.looked_at == first
    picture[500:516, 800:860] = 20
    following.begin(picture)()
    assert net.looked_at - first < 0.01 * first


def test_the_name_tells_the_version(finder):
    about = json.loads((SHIPPED / "elements.json").read_text(encoding="utf-8"))
    assert finder.name == f"elements-{about['sha256'][:8]}"


@pytest.mark.parametrize("damage", ["no model", "other model", "no description", "half a description"])
def test_a_missing_or_damaged_net_says_what_to_do(tmp_path, damage):
    """L2-7"""
    copy = Path(shutil.copytree(SHIPPED, tmp_path / "detector"))
    if damage == "no model":
        (copy / "elements.zip").unlink()
    elif damage == "other model":
        (copy / "elements.zip").write_bytes(b"not a net")
    elif damage == "no description":
        (copy / "elements.json").unlink()
    else:
        (copy / "elements.json").write_text('{"file": "elements.zip"}', encoding="utf-8")
    with pytest.raises(ModelMissingError) as told:
        OnnxElementFinder(copy / "elements.json")
    assert told.value.remedy
