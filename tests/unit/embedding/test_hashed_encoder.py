"""The embedded encoder: deterministic, tolerant of themes and content, never without a direction."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import numpy as np
import pytest
from embedding_screens import invoice_list, login

from rpa_vision.embedding.encoders import SPACE_ID, HashedScreenEncoder, fold_words
from rpa_vision.embedding.similarity import cosine_similarity
from rpa_vision.errors import ImageError

_FINGERPRINT = """
import hashlib
import numpy as np
from rpa_vision.embedding.encoders import HashedScreenEncoder
from rpa_vision.embedding.fusion_engine import FusionEngine
columns = np.arange(300)[None, :, None]
rows = np.arange(200)[:, None, None]
picture = ((columns // 7 * 37 + rows // 5 * 91) % 251 * np.ones((1, 1, 3))).astype(np.uint8)
encoder = HashedScreenEncoder()
image, text = encoder.encode_image(picture), encoder.encode_text(["Valider la facture", "Échéance", "F-2025-0012"])
both = FusionEngine("concat_projection").fuse(image, text, text, image)
print(hashlib.sha256(image.tobytes() + text.tobytes() + both.tobytes()).hexdigest())
"""
_FINGERPRINT_SHA256 = "ed45aaf9a5225435f84420d5439fc35d5ebd50d9c28fcd64352752638868cf48"


def test_the_space_is_named_and_has_512_dimensions(encoder: HashedScreenEncoder) -> None:
    """L3-3"""
    assert (encoder.space.id, encoder.space.dimensions, encoder.space.normalization) == (SPACE_ID, 512, "l2")


@pytest.mark.parametrize("seed", ["0", "1"])
def test_every_process_gives_the_same_bits_and_they_never_change(seed: str) -> None:
    """L3-3: a change of these bits is a new space, with a new id."""
    done = subprocess.run(
        [sys.executable, "-c", _FINGERPRINT], capture_output=True, text=True, check=True,
        env={"PYTHONHASHSEED": seed, "OPENBLAS_NUM_THREADS": str(1 + int(seed)), "PATH": ""},
    )  # fmt: skip
    assert done.stdout.strip() == _FINGERPRINT_SHA256


@pytest.mark.parametrize("value", [0, 128, 255])
def test_an_empty_picture_is_the_blank_vector(encoder: HashedScreenEncoder, value: int) -> None:
    vector = encoder.encode_image(np.full((100, 100, 3), value, np.uint8))
    assert np.isclose(np.linalg.norm(vector), 1.0, atol=1e-6)
    assert np.array_equal(vector, encoder.encode_text([]))


@pytest.mark.parametrize("texts", [[], [""], ["  ", "\n"], ["—", "…"]])
def test_no_words_are_the_blank_vector(encoder: HashedScreenEncoder, texts: list[str]) -> None:
    assert np.array_equal(encoder.encode_text(texts), encoder.encode_text([]))


def test_an_inverted_theme_looks_the_same(encoder: HashedScreenEncoder) -> None:
    picture = invoice_list(1).pixels
    inverted = np.asarray(255 - picture, np.uint8)
    assert cosine_similarity(encoder.encode_image(picture), encoder.encode_image(inverted)) > 0.99


def test_the_fourth_channel_of_a_frame_means_nothing(encoder: HashedScreenEncoder) -> None:
    picture = invoice_list(1).pixels
    frame = np.dstack([picture, np.full(picture.shape[:2], 77, np.uint8)])
    assert np.array_equal(encoder.encode_image(picture), encoder.encode_image(frame))


def test_a_scaled_screen_looks_the_same(encoder: HashedScreenEncoder) -> None:
    picture = invoice_list(1).pixels
    doubled = np.repeat(np.repeat(picture, 2, axis=0), 2, axis=1)
    assert cosine_similarity(encoder.encode_image(picture), encoder.encode_image(doubled)) > 0.95


def test_a_shift_of_a_few_pixels_hardly_matters(encoder: HashedScreenEncoder) -> None:
    picture = invoice_list(1).pixels
    moved = np.roll(picture, (4, 6), axis=(0, 1))
    first = encoder.encode_image(picture)
    assert cosine_similarity(first, encoder.encode_image(moved)) > 0.85
    assert cosine_similarity(first, encoder.encode_image(login(1).pixels)) < 0.4


@pytest.mark.parametrize("shape", [(10, 10), (10, 10, 1), (0, 10, 3), (10, 10, 5)])
def test_what_is_no_picture_is_refused(encoder: HashedScreenEncoder, shape: tuple[int, ...]) -> None:
    with pytest.raises(ImageError):
        encoder.encode_image(np.zeros(shape, np.uint8))
    with pytest.raises(ImageError):
        encoder.encode_image(np.zeros((10, 10, 3), np.float32))  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [(1, 1), (3, 400), (400, 3), (89, 161)])
def test_a_picture_of_any_size_has_a_fingerprint(encoder: HashedScreenEncoder, size: tuple[int, int]) -> None:
    dots = np.zeros((*size, 3), np.uint8)
    dots[::2, ::2] = 255
    assert np.isclose(np.linalg.norm(encoder.encode_image(dots)), 1.0, atol=1e-6)


def test_accents_case_and_digits_are_folded(encoder: HashedScreenEncoder) -> None:
    assert fold_words("Œuvre n°42, ÉCHÉANCE le 03/05/2025") == ["oeuvre", "n", "0", "echeance", "le", "0", "0", "0"]
    first, second = encoder.encode_text(["Échéance 2024"]), encoder.encode_text(["ECHEANCE 2025"])
    assert np.array_equal(first, second)


def test_a_misread_letter_leaves_a_text_near(encoder: HashedScreenEncoder) -> None:
    right, misread = encoder.encode_text(["Enregistrer"]), encoder.encode_text(["Enregistnr"])
    other = encoder.encode_text(["Supprimer"])
    assert cosine_similarity(right, misread) > cosine_similarity(right, other) + 0.08


def test_saying_a_word_more_often_changes_nothing(encoder: HashedScreenEncoder) -> None:
    assert np.array_equal(encoder.encode_text(["Payée", "Statut"]), encoder.encode_text(["Payée"] * 9 + ["Statut"]))


def test_labels_outweigh_numbers_and_sentences(encoder: HashedScreenEncoder) -> None:
    labels = ["Patient", "Montant", "Statut"]
    plain = encoder.encode_text(labels)
    with_content = encoder.encode_text(
        [*labels, "12 345,67", "03/05/2025", "le patient a appele hier pour une copie de son dossier"]
    )
    assert cosine_similarity(plain, with_content) > 0.85


def test_hashing_never_meets_pythons_own_hash() -> None:
    from rpa_vision.embedding.hashing import place_and_sign

    digest = hashlib.blake2b(b"word:valider", digest_size=8).digest()
    number = int.from_bytes(digest, "big")
    assert place_and_sign("word:valider", 512) == ((number >> 1) % 512, 1 if number & 1 else -1)
