"""OpenCLIP behind the encoder's port, with a tiny model of random weights.

The tests that load a model need the extra: `make openclip` installs it into a virtualenv of its own and runs them.
"""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import numpy as np
import pytest

from rpa_vision.adapters.perception.openclip_encoder import OpenClipEncoder
from rpa_vision.errors import ImageError, PluginError
from rpa_vision.models.ids import checked_id
from rpa_vision.ports.perception import ScreenEncoder

IS_INSTALLED = importlib.util.find_spec("open_clip") is not None
with_openclip = pytest.mark.skipif(not IS_INSTALLED, reason="needs the extra openclip: make openclip")

TINY = {
    "embed_dim": 32,
    "vision_cfg": {"image_size": 32, "layers": 1, "width": 32, "patch_size": 16, "head_width": 16},
    "text_cfg": {"context_length": 16, "vocab_size": 49408, "width": 32, "heads": 2, "layers": 1},
}


@pytest.mark.skipif(IS_INSTALLED, reason="is about a machine without the extra")
def test_without_the_extra_the_error_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(PluginError, match="OpenCLIP is not installed") as raised:
        OpenClipEncoder(tmp_path / "weights.pt")
    assert "rpa-vision[openclip]" in raised.value.remedy


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The name of a tiny model and a file of random weights for it."""
    import open_clip
    import torch
    from safetensors.torch import save_file

    folder = tmp_path_factory.mktemp("openclip")
    (folder / "tiny-screen.json").write_text(json.dumps(TINY), encoding="utf-8")
    open_clip.add_model_config(folder)
    torch.manual_seed(7)
    model = open_clip.create_model("tiny-screen")
    state = {name: value.clone().contiguous() for name, value in model.state_dict().items()}
    save_file(state, folder / "tiny.safetensors")
    torch.save(state, folder / "tiny.pt")
    return "tiny-screen", folder / "tiny.safetensors"


def picture(seed: int, height: int = 90, width: int = 160) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)


@with_openclip
def test_vectors_have_length_one_and_lie_in_a_space_that_says_what_made_them(tiny: tuple[str, Path]) -> None:
    """L3-3 L3-5 P003-4"""
    encoder: ScreenEncoder = OpenClipEncoder(tiny[1], model_name=tiny[0], device="cpu")
    assert encoder.space.dimensions == 32
    assert re.fullmatch(r"openclip_tiny_screen_[0-9a-f]{8}_squeeze_v1", checked_id(encoder.space.id))
    for vector in (encoder.encode_image(picture(1)), encoder.encode_text(["Valider", "Annuler"])):
        assert vector.dtype == np.float32
        assert vector.shape == (32,)
        assert float(vector @ vector) == pytest.approx(1.0, abs=1e-5)


@with_openclip
def test_the_same_picture_gives_the_same_vector_and_another_one_another(tiny: tuple[str, Path]) -> None:
    first, second = (OpenClipEncoder(tiny[1], model_name=tiny[0], device="cpu") for _ in range(2))
    assert first.space == second.space
    assert np.array_equal(first.encode_image(picture(1)), second.encode_image(picture(1)))
    assert float(first.encode_image(picture(1)) @ first.encode_image(picture(2))) < 0.999


@with_openclip
def test_pictures_in_batches_get_the_vectors_they_get_alone(tiny: tuple[str, Path]) -> None:
    """L3-5"""
    encoder = OpenClipEncoder(tiny[1], model_name=tiny[0], device="cpu", batch=4)
    pictures = [picture(seed, 40 + seed, 200 - seed) for seed in range(11)]
    together = encoder.encode_images(pictures)
    alone = [encoder.encode_image(image) for image in pictures]
    assert np.allclose(together, alone, atol=1e-5)
    assert encoder.encode_images([]) == []


@with_openclip
def test_words_do_not_depend_on_what_was_asked_before_and_nothing_is_the_blank_vector(tiny: tuple[str, Path]) -> None:
    encoder = OpenClipEncoder(tiny[1], model_name=tiny[0], device="cpu")
    fresh = encoder.encode_text(["Valider", "Mot de passe oublié ?", "x" * 5000])
    encoder.encode_text(["Annuler", "Valider"])
    assert np.allclose(
        fresh, encoder.encode_text(["Valider", "Mot de passe oublié ?", "x" * 5000, "Valider"]), atol=1e-6
    )
    for nothing in ([], [""], ["  ", "\n"]):
        assert np.allclose(encoder.encode_text(nothing), 1 / np.sqrt(32))


@with_openclip
def test_the_sides_of_a_wide_screen_count(tiny: tuple[str, Path]) -> None:
    """CLIP's own preparation cuts through the middle."""
    encoder = OpenClipEncoder(tiny[1], model_name=tiny[0], device="cpu")
    image = np.full((100, 400, 3), 255, np.uint8)
    changed = image.copy()
    changed[:, :60] = 0
    assert not np.allclose(encoder.encode_image(image), encoder.encode_image(changed), atol=1e-3)


@with_openclip
def test_half_precision_is_another_space_and_nearly_the_same_vectors(tiny: tuple[str, Path]) -> None:
    """L3-5: FP16 where supported"""
    full = OpenClipEncoder(tiny[1], model_name=tiny[0], device="cpu")
    half = OpenClipEncoder(tiny[1], model_name=tiny[0], device="cpu", precision="fp16")
    assert half.space.id == f"{full.space.id}_fp16"
    assert float(full.encode_image(picture(3)) @ half.encode_image(picture(3))) > 0.99


@with_openclip
def test_weights_of_another_file_are_another_space(tiny: tuple[str, Path]) -> None:
    """L3-3: also when the same numbers are written differently: nobody has compared them"""
    other = OpenClipEncoder(tiny[1].with_name("tiny.pt"), model_name=tiny[0], device="cpu")
    assert other.space.id != OpenClipEncoder(tiny[1], model_name=tiny[0], device="cpu").space.id


@with_openclip
def test_what_cannot_be_loaded_is_named(tiny: tuple[str, Path], tmp_path: Path) -> None:
    broken = tmp_path / "broken.safetensors"
    broken.write_bytes(b"not tensors")
    for weights, name, said in (
        (None, tiny[0], "no weights are named"),
        (tmp_path / "missing.pt", tiny[0], "cannot be read"),
        (broken, tiny[0], "cannot load"),
        (tiny[1], "ViT-B-32", "cannot load"),
        (tiny[1], "no-such-model", "has no model 'no-such-model'"),
        (tiny[1], "hf-hub:somebody/model", "has no model"),
        (tiny[1], "local-dir:/tmp", "has no model"),
        (tiny[1], "roberta-ViT-B-32", "needs a download"),
    ):
        with pytest.raises(PluginError, match=said) as raised:
            OpenClipEncoder(weights, model_name=name, device="cpu")
        assert raised.value.remedy


@with_openclip
def test_a_file_of_weights_runs_no_code(tiny: tuple[str, Path], tmp_path: Path) -> None:
    import torch

    mark = tmp_path / "it-ran"

    class Runs:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return (Path.touch, (mark,))  # type: ignore[return-value]

    evil = tmp_path / "evil.pt"
    torch.save({"state_dict": Runs()}, evil)
    with pytest.raises(PluginError, match="cannot load"):
        OpenClipEncoder(evil, model_name=tiny[0], device="cpu")
    assert not mark.exists()


@with_openclip
def test_what_is_no_picture_is_refused(tiny: tuple[str, Path]) -> None:
    encoder = OpenClipEncoder(tiny[1], model_name=tiny[0], device="cpu")
    for wrong in (np.zeros((5, 5), np.uint8), np.zeros((0, 5, 3), np.uint8), np.zeros((5, 5, 3), np.float32)):
        with pytest.raises(ImageError):
            encoder.encode_image(wrong)
    assert encoder.encode_image(np.zeros((1, 1, 4), np.uint8)).shape == (32,)
