"""Measure what a likeness is worth in the space of an encoder, on families it was trained on, never on held-out ones.

Three anchors carry the line. At .85 (a match) stands what at most one pair in 200 of two pages of one application
reaches, and all but one in 20 of the same screen, whichever is more; at .70 (another screen) what at most one in 20 of
the former and all but one in 100 of the latter reach; at .95 the middle of the same screen. Everything else lies
straight between. `--install` writes `embedding/trained_space.py`.

    .venv/bin/python training/encoder/calibrate.py FAMILIES --model resources/encoder/screens.json [--install]
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))
sys.path.insert(0, str(Path(__file__).parent))

from evaluate import Screen, load

from rpa_vision.adapters.perception.onnx_pictures import OnnxPictureEncoder
from rpa_vision.app.wiring import clock
from rpa_vision.embedding.encoders import TrainedScreenEncoder
from rpa_vision.embedding.fusion_engine import METHODS, FusionEngine
from rpa_vision.embedding.state_embedder import StateEmbedder

ROOT = Path(__file__).parents[2]
MODULE = ROOT / "src" / "rpa_vision" / "embedding" / "trained_space.py"
MATCHES, CHANGED, SURE = 0.85, 0.70, 0.95
OTHERS_THAT_MATCH, OTHERS_ABOVE_CHANGED = 0.005, 0.05
SAME_THAT_MISS, SAME_BELOW_CHANGED = 0.05, 0.01
LEAST_STEP = 0.02


def likenesses(screens: list[Screen], fusion: FusionEngine) -> tuple[np.ndarray, np.ndarray]:
    """Of the same screen in other variations, and of two pages of one application."""
    vectors = [
        fusion.fuse(*(one.parts[name] for name in ("image", "text", "title", "ui"))).astype(np.float64)
        for one in screens
    ]
    same, others = [], []
    for (one, first), (two, second) in itertools.combinations(zip(screens, vectors, strict=True), 2):
        if one.about["app"] != two.about["app"]:
            continue
        (same if one.about["family"] == two.about["family"] else others).append(float(first @ second))
    return np.array(same), np.array(others)


def points(same: np.ndarray, others: np.ndarray) -> tuple[tuple[float, float], ...]:
    """The rising line."""
    changed = max(np.quantile(others, 1 - OTHERS_ABOVE_CHANGED), np.quantile(same, SAME_BELOW_CHANGED))
    match = max(np.quantile(others, 1 - OTHERS_THAT_MATCH), np.quantile(same, SAME_THAT_MISS), changed + LEAST_STEP)
    sure = min(0.99, max(float(np.median(same)), match + LEAST_STEP))
    low = max(0.05, float(np.median(others)))
    line = (
        (0.0, 0.0),
        (min(low, changed - LEAST_STEP), 0.35),
        (changed, CHANGED),
        (match, MATCHES),
        (sure, SURE),
        (1.0, 1.0),
    )
    return tuple((round(float(cosine), 3), confidence) for cosine, confidence in line)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--model", type=Path, required=True)
    options.add_argument("--install", action="store_true")
    given = options.parse_args()
    cv2.setNumThreads(1)
    encoder = TrainedScreenEncoder(OnnxPictureEncoder(given.model))
    dimensions = encoder.space.dimensions or 1
    screens = load(given.folder, StateEmbedder(encoder, FusionEngine(dimensions=dimensions), clock()))
    made, told = {}, {}
    for method in METHODS:
        same, others = likenesses(screens, FusionEngine(method, dimensions=dimensions))
        made[method] = points(same, others)
        told[method] = {
            "same": np.quantile(same, (0.05, 0.25, 0.5)).round(3).tolist(),
            "others": np.quantile(others, (0.5, 0.95, 0.99)).round(3).tolist(),
            "pairs": [len(same), len(others)],
            "points": made[method],
        }
    print(json.dumps(told, indent=1))
    if given.install:
        MODULE.write_text(module(encoder.space.version, made), encoding="utf-8")


def module(version: str, made: dict[str, tuple[tuple[float, float], ...]]) -> str:
    """The generated module."""
    lines = [
        '"""Which weights the default encoder was calibrated with, and what a likeness is worth in its spaces.',
        "",
        "Written by `training/encoder/calibrate.py` (`make model-encoder`); weights and calibration change together.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Final",
        "",
        f'WEIGHTS: Final = "{version}"',
    ]
    for method, line in made.items():
        text = ", ".join(f"({cosine}, {confidence})" for cosine, confidence in line)
        lines.append(f"{method.upper()}: Final = ({text})")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
