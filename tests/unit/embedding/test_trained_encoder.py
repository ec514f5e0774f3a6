"""The default encoder: a shipped net for pictures, hashed words, a space named by its weights."""

from __future__ import annotations

import json
import shutil
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
import pytest
from embedding_screens import SteppingClock, invoice_list, login

from rpa_vision.adapters.perception.onnx_pictures import OnnxPictureEncoder
from rpa_vision.app.wiring_plugins import ENCODER_VARIABLE, screen_encoder
from rpa_vision.embedding.encoders import TRAINED_SPACE, HashedScreenEncoder, TrainedScreenEncoder
from rpa_vision.embedding.fusion_engine import METHODS, FusionEngine
from rpa_vision.embedding.similarity import CALIBRATIONS, cosine_similarity, similarity
from rpa_vision.embedding.spaces import SpaceMismatchError
from rpa_vision.embedding.state_embedder import StateEmbedder
from rpa_vision.errors import ImageError, ModelMissingError

SHIPPED = Path(str(resources.files("rpa_vision") / "resources" / "encoder"))


@pytest.fixture(scope="module")
def trained() -> TrainedScreenEncoder:
    return TrainedScreenEncoder(OnnxPictureEncoder.shipped())


def test_it_is_the_default_and_the_one_without_weights_can_be_chosen() -> None:
    """L3-5"""
    assert screen_encoder({}).space.id.startswith(TRAINED_SPACE)
    assert isinstance(screen_encoder({ENCODER_VARIABLE: "hashed"}), HashedScreenEncoder)


def test_its_space_is_named_by_its_weights_and_calibrated_with_them(trained: TrainedScreenEncoder) -> None:
    """L3-3, L4-10: other weights are another space, and one nobody has measured is never matched in."""
    weights = json.loads((SHIPPED / "screens.json").read_text(encoding="utf-8"))["sha256"]
    assert trained.space.id == f"{TRAINED_SPACE}_{weights[:8]}"
    for method in METHODS:
        assert FusionEngine(method).space(trained.space).id in CALIBRATIONS


def test_vectors_of_the_earlier_default_are_never_compared_with_its_own(trained: TrainedScreenEncoder) -> None:
    """L3-3"""
    spaces = [FusionEngine().space(one.space).id for one in (trained, HashedScreenEncoder())]
    vector = np.ones(512)
    with pytest.raises(SpaceMismatchError):
        similarity(vector, spaces[0], vector, spaces[1])


def test_the_same_pixels_give_the_same_bits(trained: TrainedScreenEncoder) -> None:
    """P003-7"""
    pixels = invoice_list(1).pixels
    first = trained.encode_image(pixels)
    again = TrainedScreenEncoder(OnnxPictureEncoder.shipped()).encode_image(pixels.copy())
    assert np.array_equal(first, again)
    assert np.isclose(np.linalg.norm(first), 1.0, atol=1e-6)


def test_a_screen_is_nearer_to_itself_in_another_theme_and_scale_than_to_another(
    trained: TrainedScreenEncoder,
) -> None:
    """L3-5"""
    listed, other = invoice_list(1).pixels, login(1).pixels
    height, width = listed.shape[:2]
    scaled = np.asarray(cv2.resize(listed, (width * 3 // 2, height * 3 // 2), interpolation=cv2.INTER_CUBIC), np.uint8)
    mine = trained.encode_image(listed)
    stranger = cosine_similarity(mine, trained.encode_image(other))
    for changed in (255 - listed, scaled):
        assert cosine_similarity(mine, trained.encode_image(changed)) > max(0.8, stranger + 0.2)


def test_nothing_to_see_and_nothing_said_are_blank(trained: TrainedScreenEncoder) -> None:
    empty = trained.encode_image(np.full((90, 120, 3), 200, np.uint8))
    assert np.array_equal(empty, trained.encode_text([]))
    assert np.isclose(np.linalg.norm(empty), 1.0, atol=1e-6)


@pytest.mark.parametrize("size", [(1, 1), (3, 700), (2160, 3840)])
def test_a_picture_of_any_size_has_a_fingerprint(trained: TrainedScreenEncoder, size: tuple[int, int]) -> None:
    """L1-5"""
    vector = trained.encode_image(np.random.default_rng(1).integers(0, 255, (*size, 3), np.uint8))
    assert vector.shape == (512,)
    assert np.isfinite(vector).all()


def test_what_is_no_picture_is_refused(trained: TrainedScreenEncoder) -> None:
    with pytest.raises(ImageError):
        trained.encode_image(np.zeros((10, 10), np.uint8))


def test_it_fits_into_the_fusion_of_the_house(trained: TrainedScreenEncoder) -> None:
    """L3-1"""
    sketch = invoice_list(1)
    embedded = StateEmbedder(trained, FusionEngine(), SteppingClock()).embed(sketch.state(), sketch.pixels)
    assert embedded.space_id.startswith(trained.space.id)
    assert embedded.vector.shape == (512,)


def test_damaged_weights_are_an_error_that_says_so(tmp_path: Path) -> None:
    """DX: a model that is not the one described is never used."""
    shutil.copytree(SHIPPED, tmp_path / "encoder")
    model = tmp_path / "encoder" / "screens.onnx"
    model.write_bytes(model.read_bytes()[:-1] + b"x")
    with pytest.raises(ModelMissingError, match="damaged"):
        OnnxPictureEncoder(tmp_path / "encoder" / "screens.json")
    with pytest.raises(ModelMissingError, match="missing"):
        OnnxPictureEncoder(tmp_path / "screens.json")
