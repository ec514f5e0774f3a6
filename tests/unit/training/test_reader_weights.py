"""The reader's weights can be taken back out of the file that ships, so that training can go on from it."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np
import onnxruntime

from rpa_vision.imaging.line_picture import as_ink

READER = Path(__file__).parents[3] / "training" / "reader"
sys.path.insert(0, str(READER))

from weights import KEPT, SHIPPED, folded, kept  # noqa: E402

ANSWERS = 2


def convolved(x: np.ndarray, weight: np.ndarray, bias: np.ndarray, stride: tuple[int, int]) -> np.ndarray:
    """A convolution as the net does it, written out: channels × rows × columns."""
    tall, wide = weight.shape[2:]
    pads = (0, 0) if tall == 4 else (tall // 2, tall // 2)  # the layer that folds the height away has no margin
    x = np.pad(x, ((0, 0), pads, (wide // 2, wide // 2)))
    seen = np.lib.stride_tricks.sliding_window_view(x, (tall, wide), axis=(1, 2))[:, :: stride[0], :: stride[1]]
    return np.asarray(np.einsum("irckl,oikl->orc", seen, weight, optimize=True) + bias[:, None, None])


def best_classes(ink: np.ndarray) -> np.ndarray:
    """What the weights alone answer, without the 8-bit steps between the layers."""
    *layers, head = folded()
    strides = [(2, 2), (2, 2), (1, 1), (2, 1), (1, 1)]
    x = ink[None]
    for at, (weight, bias) in enumerate(layers):
        change = convolved(x, weight, bias, strides[at] if at < len(strides) else (1, 1))
        residual = at in (5, 7, 8, 9, 10, 11)  # one before the height is folded away, five along the line
        x = np.maximum(x + change if residual else change, 0)
    scores = convolved(x, *head, (1, 1))[:, 0]
    classes = len(scores) // ANSWERS
    steps = scores.reshape(ANSWERS, classes, -1).transpose(1, 2, 0).reshape(classes, -1)
    return np.asarray(steps.argmax(axis=0))


def test_the_weights_taken_out_of_the_shipped_file_answer_as_it_does():
    """L2-6: a session that has only what is committed can go on training."""
    picture = np.full((22, 200), 245, np.uint8)
    cv2.putText(picture, "Total 1284,50", (4, 16), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20,), 1, cv2.LINE_AA)
    ink = as_ink(picture)
    ink = np.pad(ink, ((0, 0), (0, -ink.shape[1] % 16)))
    session = onnxruntime.InferenceSession(str(SHIPPED))
    (shipped,) = session.run(["best"], {"ink": ink[None, None]})
    assert (best_classes(ink) == shipped[0]).mean() > 0.97


def test_weights_that_are_kept_are_those_of_the_shipped_file():
    """L2-6: otherwise training would go on from another reader than the one that was measured."""
    arrays = kept()
    assert KEPT.exists() == (arrays is not None)
    for name, array in (arrays or {}).items():
        assert np.isfinite(array).all(), name
