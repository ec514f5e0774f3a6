"""Screens and their fingerprints: what is near what, and what the document tells."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from embedding_screens import Sketch, SteppingClock, confirmation, invoice_detail, invoice_list, login

from rpa_vision.embedding.encoders import HashedScreenEncoder
from rpa_vision.embedding.fusion_engine import FusionEngine
from rpa_vision.embedding.salience import group_texts
from rpa_vision.embedding.similarity import MATCH_CONFIDENCE, calibrate, similarity
from rpa_vision.embedding.spaces import InvalidVectorError
from rpa_vision.embedding.state_embedder import EmbeddedState, StateEmbedder
from rpa_vision.models.screen_state import PerceptionLevel
from rpa_vision.models.state_embedding import StateEmbedding

Screen = Callable[..., Sketch]
SCREENS: tuple[Screen, ...] = (invoice_list, invoice_detail, confirmation, login)


def _embed(embedder: StateEmbedder, sketch: Sketch) -> EmbeddedState:
    return embedder.embed(sketch.state(), sketch.pixels)


def _confidence(first: EmbeddedState, second: EmbeddedState) -> float:
    return calibrate(similarity(first.vector, first.space_id, second.vector, second.space_id), first.space_id)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("screen", SCREENS)
def test_the_same_screen_with_other_content_is_certain(embedder: StateEmbedder, screen: Screen, dark: bool) -> None:
    """L4-9"""
    first, second = (_embed(embedder, screen(seed, dark=dark)) for seed in (1, 2))
    assert _confidence(first, second) >= 0.90


@pytest.mark.parametrize("screen", SCREENS)
def test_the_same_screen_in_the_other_theme_is_a_match(embedder: StateEmbedder, screen: Screen) -> None:
    """L4-9"""
    assert _confidence(_embed(embedder, screen(1)), _embed(embedder, screen(2, dark=True))) >= MATCH_CONFIDENCE


@pytest.mark.parametrize("dark", [False, True])
def test_different_screens_of_an_application_are_not_confused(embedder: StateEmbedder, dark: bool) -> None:
    """L4-9, L4-10"""
    embedded = [_embed(embedder, screen(1, dark=dark)) for screen in SCREENS]
    for index, first in enumerate(embedded):
        for second in embedded[index + 1 :]:
            assert _confidence(first, second) < 0.70


def test_the_document_tells_how_the_vector_was_made(embedder: StateEmbedder) -> None:
    """L3-1, L3-3, L3-4"""
    made = _embed(embedder, invoice_list(1))
    document = made.document
    assert {name: part.weight for name, part in document.components.items()} == {
        "image": 0.5, "text": 0.3, "title": 0.1, "ui": 0.1,
    }  # fmt: skip
    assert document.space == embedder.space
    assert document.space.id == "rpav_hashed_v1.weighted_v1.ui_v1"
    assert document.vector_id == "embeddings/states/emb_screen_1.npy"
    assert document.computation_time_ms == pytest.approx(10.0)
    assert document.primary is not None
    assert document.primary.space == document.space
    assert made.vector.shape == (512,)
    assert StateEmbedding.from_json(document.to_json()) == document


def test_a_window_title_counts_without_its_numbers(embedder: StateEmbedder) -> None:
    titles = [Sketch(title) for title in ("Facture F-2025-0012 - Cabinet", "Facture F-2024-9876 - Cabinet")]
    first, second = (_embed(embedder, sketch) for sketch in titles)
    assert np.array_equal(first.parts["title"], second.parts["title"])


def test_an_empty_screen_has_a_fingerprint(embedder: StateEmbedder) -> None:
    """P003-4"""
    vector = _embed(embedder, Sketch("")).vector
    assert np.isclose(np.linalg.norm(vector), 1.0, atol=1e-6)


def test_an_encoder_and_a_fusion_of_different_dimensions_are_refused(encoder: HashedScreenEncoder) -> None:
    with pytest.raises(InvalidVectorError, match="512"):
        StateEmbedder(encoder, FusionEngine(dimensions=256), SteppingClock())


def test_rows_and_values_are_content_and_headers_are_labels() -> None:
    sketch = invoice_list(1)
    groups = group_texts(sketch.state().perception, sketch.elements)
    assert {"Numero", "Patient", "Montant", "Factures", "Rechercher", "Aide"} <= set(groups.labels)
    assert len(groups.content) == 14 * 5
    detail = invoice_detail(1)
    labels = group_texts(detail.state().perception, detail.elements)
    assert "Patient" in labels.labels
    assert len(labels.content) == 6


def test_what_a_dialog_says_is_in_front() -> None:
    sketch = confirmation(1)
    groups = group_texts(sketch.state().perception, sketch.elements)
    assert {"Valider la facture ?", "Confirmer", "Annuler"} <= set(groups.front)


def test_texts_without_places_are_labels() -> None:
    perception = PerceptionLevel(detected_text=("Valider", "42"), text_detection_method="seed", confidence_avg=0.9)
    assert group_texts(perception, ()).labels == ("Valider", "42")
