"""Two vectors of an element: its outlines and its words."""

from __future__ import annotations

import cv2
import numpy as np

from rpa_vision.embedding.element_embedder import IMAGE_SPACE, TEXT_SPACE, ElementEmbedder
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement

EMBEDDER = ElementEmbedder()


def element(label: str, bbox: tuple[int, int, int, int], name: str = "el_1") -> UIElement:
    return UIElement(
        element_id=name, type="button", role="r", bbox=bbox, center=Box.of(bbox).center, label=label, confidence=0.9
    )


def drawn(scale: int = 1, *, inverted: bool = False) -> Pixels:
    """A cross and a ring side by side, each 40 wide."""
    pixels = np.full((60 * scale, 120 * scale, 3), 240, np.uint8)
    cv2.line(pixels, (12 * scale, 12 * scale), (48 * scale, 48 * scale), (60, 40, 40), 4 * scale)
    cv2.line(pixels, (48 * scale, 12 * scale), (12 * scale, 48 * scale), (60, 40, 40), 4 * scale)
    cv2.circle(pixels, (90 * scale, 30 * scale), 16 * scale, (60, 40, 40), 4 * scale)
    return 255 - pixels if inverted else pixels


def cross(scale: int = 1) -> UIElement:
    return element("Fermer", (10 * scale, 10 * scale, 50 * scale, 50 * scale))


def ring(scale: int = 1) -> UIElement:
    return element("Rond", (70 * scale, 10 * scale, 110 * scale, 50 * scale), "el_2")


def test_a_look_stays_in_another_theme_and_size_and_differs_from_another_look():
    """L2-3"""
    here, other = EMBEDDER.image(drawn(), cross()), EMBEDDER.image(drawn(), ring())
    assert here is not None
    assert other is not None
    for variant in (EMBEDDER.image(drawn(inverted=True), cross()), EMBEDDER.image(drawn(2), cross(2))):
        assert variant is not None
        assert float(here @ variant) > 0.8
    assert float(here @ other) < 0.5


def test_words_stay_whatever_the_case_and_differ_from_other_words():
    """L2-3, L2-6"""
    said = {label: EMBEDDER.text(element(label, (0, 0, 9, 9))) for label in ("Créer", "CREER", "Supprimer")}
    assert np.array_equal(said["Créer"], said["CREER"])
    assert float(said["Créer"] @ said["Supprimer"]) < 0.3


def test_nothing_seen_and_nothing_said_have_no_vector():
    """L2-3"""
    blank = np.full((60, 120, 3), 240, np.uint8)
    made = EMBEDDER.embed([element("", (10, 10, 50, 50)), element("—", (10, 10, 12, 50), "el_2")], blank, name="screen")
    assert made.vectors == {}
    assert all(one.embeddings is not None and one.embeddings.image is None for one in made.elements)


def test_elements_name_their_vectors_and_spaces_as_the_design_does():
    """L2-3"""
    made = EMBEDDER.embed([cross(), ring()], drawn(), name="state_7")
    first = made.elements[0].embeddings
    assert first is not None
    assert first.image is not None
    assert first.text is not None
    assert first.image.vector_id == "embeddings/elements/state_7/el_1_img.npy"
    assert first.text.vector_id == "embeddings/elements/state_7/el_1_txt.npy"
    assert (first.image.space_id, first.text.space_id) == (IMAGE_SPACE.id, TEXT_SPACE.id)
    assert IMAGE_SPACE.id != TEXT_SPACE.id, "a look and a word are never compared"
    assert len(made.vectors) == 4
    for vector in made.vectors.values():
        assert vector.shape == (first.image.dimensions,)
        assert vector.dtype == np.float32
        assert abs(float(np.linalg.norm(vector)) - 1.0) < 1e-5
    again = EMBEDDER.embed([cross(), ring()], drawn(), name="state_7")
    assert all(np.array_equal(made.vectors[name], again.vectors[name]) for name in made.vectors)
    assert UIElement.from_json(made.elements[0].to_json()) == made.elements[0]
