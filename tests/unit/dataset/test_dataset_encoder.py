"""How well an encoder knows the screens of a dataset again."""

from __future__ import annotations

import pytest
from drawn_dataset import dataset, picture

from rpa_vision.app.dataset_encoder import evaluate_encoder, family_of
from rpa_vision.embedding.encoders import HashedScreenEncoder
from rpa_vision.errors import UsageError
from rpa_vision.testing.moving import NODES


def test_the_same_screen_with_other_words_is_the_nearest() -> None:
    """L4-14: evaluate"""
    truth = {f"{node}_{name}": node for node in NODES for name in ("1", "2", "live")}
    scores = evaluate_encoder(HashedScreenEncoder(), dataset(truth), picture)
    assert (scores.samples, scores.families, scores.asked, scores.known_again) == (9, 3, 9, 1.0)
    assert scores.own > scores.other
    astray = {f"{node}_{name}": name for node in NODES for name in ("1", "2", "live")}
    assert evaluate_encoder(HashedScreenEncoder(), dataset(astray), picture).known_again == 0.0


@pytest.mark.parametrize("families", [{}, {"N1_1": "a", "N1_2": "a"}, {"N1_1": "a", "N2_1": "b"}])
def test_too_little_to_measure_by_is_told(families: dict[str, str]) -> None:
    """L4-14: evaluate"""
    with pytest.raises(UsageError, match="cannot measure an encoder"):
        evaluate_encoder(HashedScreenEncoder(), dataset(families), picture)


def test_a_node_says_which_screen_it_is_before_the_layout_does() -> None:
    """L4-14"""
    (sample,) = dataset({"N1_1": "layout"}).samples
    known = sample.annotations.model_copy(update={"workflow_context": "WF", "node_id": "N1"})
    assert family_of(sample) == "layout"
    assert family_of(sample.model_copy(update={"annotations": known})) == "WF/N1"
