"""Score an encoder of screens and the layout signature on families of looks that nothing was trained on.

- *R@1*: each variation asks, among one reference of every screen, which is nearest; right when it is its own. Also
  among the screens of its kit only, and among the five pages of its application.
- *layout*: how often a variation has the very hash of its reference, how often one of its small hashes, how often it is
  told to be of the same layout, how often it gets the reference's signature when all are known; and how often two
  different screens are taken for one.
- *worth*: what the calibrated likeness says of the same screen and of other screens (.85 is a match).

    .venv/bin/python training/encoder/evaluate.py FAMILIES [--encoder hashed] [--write]

Needs what `read_families.py` kept; pictures and words are the product's own, nothing is taken from the page.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))

from rpa_vision.adapters.runtime.clock import SystemClock
from rpa_vision.app.wiring_plugins import ENCODER_VARIABLE, screen_encoder
from rpa_vision.detection.layout_likeness import KnownLayouts, compare_layouts, layout_similarity, shares_hash
from rpa_vision.detection.layout_signature import layout_signature
from rpa_vision.embedding.fusion_engine import FusionEngine
from rpa_vision.embedding.similarity import CALIBRATIONS
from rpa_vision.embedding.state_embedder import StateEmbedder
from rpa_vision.models.screen_state import LayoutSignature, ScreenState

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "docs" / "models" / "encoder.json"
PARTS = ("fused", "image", "text", "ui")


class CpuClock(SystemClock):
    """Counts the work of this process, so that a busy machine does not show in the figures."""

    def monotonic(self) -> float:
        return time.process_time()


@dataclass(frozen=True, slots=True, eq=False)
class Screen:
    """A screen of a family as the product saw it."""

    about: dict[str, Any]
    layout: LayoutSignature
    parts: dict[str, NDArray[np.float32]]
    took_ms: float


def load(folder: Path, embedder: StateEmbedder) -> list[Screen]:
    """Every screen that was read."""
    screens = []
    for path in sorted(folder.glob("*.state.json")):
        about = json.loads(Path(str(path).replace(".state.json", ".json")).read_text(encoding="utf-8"))
        state = ScreenState.model_validate_json(path.read_text(encoding="utf-8"))
        pixels = cv2.imread(str(path).replace(".state.json", ".png"))
        embedded = embedder.embed(state, pixels)
        parts = {"fused": embedded.vector, **embedded.parts}
        layout = layout_signature(state.ui_elements)
        screens.append(Screen(about, layout, parts, embedded.document.computation_time_ms or 0.0))
    whole = {one.about["family"] for one in screens if one.about["change"] == "none"}
    return [one for one in screens if one.about["family"] in whole]


def recall(screens: list[Screen], part: str) -> dict[str, Any]:
    """R@1 by change: among all, among those of the kit, among those of the application."""
    references = [one for one in screens if one.about["change"] == "none"]
    queries = [one for one in screens if one.about["change"] != "none"]
    gallery = np.stack([one.parts[part] for one in references]).astype(np.float64)
    near = np.stack([one.parts[part] for one in queries]).astype(np.float64) @ gallery.T
    told: dict[str, Any] = {}
    for among in ("all", "kit", "app"):
        right: dict[str, list[bool]] = defaultdict(list)
        for query, likeness in zip(queries, near, strict=True):
            meant = [among == "all" or one.about[among] == query.about[among] for one in references]
            best = int(np.argmax(np.where(meant, likeness, -2.0)))
            is_right = references[best].about["family"] == query.about["family"]
            right["together"].append(is_right)
            right[query.about["change"]].append(is_right)
        told[among] = {change: _share(values) for change, values in sorted(right.items())}
    return told


def worth(screens: list[Screen], space_id: str) -> dict[str, Any]:
    """Shares of pairs by what the calibrated likeness makes of them; empty where a space has no calibration."""
    if space_id not in CALIBRATIONS:
        return {}
    references = {one.about["family"]: one for one in screens if one.about["change"] == "none"}
    same: dict[str, list[float]] = defaultdict(list)
    app, others = [], []
    for one in screens:
        for family, reference in references.items():
            if one.about["change"] == "none" and family <= one.about["family"]:
                continue
            confidence = CALIBRATIONS[space_id].confidence(float(one.parts["fused"] @ reference.parts["fused"]))
            if family == one.about["family"]:
                same[one.about["change"]].append(confidence)
            elif one.about["app"] == reference.about["app"]:
                app.append(confidence)
            else:
                others.append(confidence)
    kinds = {f"same screen, {change}": values for change, values in sorted(same.items())}
    kinds |= {"same screen": list(itertools.chain(*same.values())), "other page of the app": app, "other app": others}
    return {
        kind: {
            "pairs": len(values), "match": _share(value >= 0.85 for value in values),
            "changed": _share(value < 0.70 for value in values), "median": round(float(np.median(values)), 3),
        }
        for kind, values in kinds.items() if values
    }  # fmt: skip


def layouts(screens: list[Screen]) -> dict[str, Any]:
    """How often the signature stays, and how often two screens share one."""
    references = [one for one in screens if one.about["change"] == "none"]
    own = {one.about["family"]: one.layout for one in references}
    told: dict[str, Any] = {}
    names, told_by = KnownLayouts(own.values()), ("hash", "one_hash", "same_layout", "known")
    same: dict[str, dict[str, list[bool]]] = {name: defaultdict(list) for name in told_by}
    for one in screens:
        if one.about["change"] == "none":
            continue
        mine = own[one.about["family"]]
        found = {
            "hash": one.layout.hash == mine.hash,
            "one_hash": shares_hash(one.layout, mine),
            "same_layout": compare_layouts(one.layout, mine).same,
            "known": names.known_as(one.layout) is mine,
        }
        for name, is_same in found.items():
            same[name]["together"].append(is_same)
            same[name][one.about["change"]].append(is_same)
    for name, by_change in same.items():
        told[name] = {"same": {change: _share(values) for change, values in sorted(by_change.items())}}
    pairs = list(itertools.combinations(references, 2))
    in_app = [one.about["app"] == two.about["app"] for one, two in pairs]
    alike = np.array([layout_similarity(one.layout, two.layout) for one, two in pairs])
    equal = [one.layout.hash == two.layout.hash for one, two in pairs]
    taken = [compare_layouts(one.layout, two.layout).same for one, two in pairs]
    shared = [shares_hash(one.layout, two.layout) for one, two in pairs]
    for name, found_same in (("hash", equal), ("one_hash", shared), ("same_layout", taken)):
        told[name]["collisions"] = _share(found_same)
        told[name]["collisions_in_app"] = _share(itertools.compress(found_same, in_app))
    told["known"]["collisions"] = _share(
        KnownLayouts(two.layout for two in references if two is not one).known_as(one.layout) is not None
        for one in references
    )
    told["similarity_of_1_in_200"] = round(float(np.quantile(alike, 0.995)), 3)
    return told


def _share(values: Iterable[bool]) -> float:
    listed = list(values)
    return round(sum(listed) / len(listed), 5) if listed else 0.0


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folders", type=Path, nargs="+", help="screens without variations only make it harder")
    options.add_argument("--encoder", default="", help="as RPA_VISION_ENCODER names it")
    options.add_argument(
        "--write", action="store_true", help="into docs/models/encoder.json, under the encoder's space"
    )
    given = options.parse_args()
    cv2.setNumThreads(1)
    encoder = screen_encoder({ENCODER_VARIABLE: given.encoder})
    embedder = StateEmbedder(encoder, FusionEngine(dimensions=encoder.space.dimensions or 1), CpuClock())
    screens = [one for folder in given.folders for one in load(folder, embedder)]
    told = {
        "screens": len({one.about["family"] for one in screens if one.about["change"] != "none"}),
        "references": sum(one.about["change"] == "none" for one in screens),
        "variations": sum(one.about["change"] != "none" for one in screens),
        "kits": sorted({one.about["kit"] for one in screens}),
        "recall_at_1": {part: recall(screens, part) for part in PARTS},
        "worth": worth(screens, embedder.space.id),
        "embedding_cpu_ms": {
            name: round(float(np.percentile([one.took_ms for one in screens], at)), 1)
            for name, at in (("median", 50), ("p95", 95))
        },
    }
    signature = layouts(screens)
    print(json.dumps({encoder.space.id: told, "layout_signature": signature}, indent=1))
    if given.write:
        report = json.loads(REPORT.read_text(encoding="utf-8")) if REPORT.exists() else {}
        report.setdefault("scores", {})[encoder.space.id] = told
        report.setdefault("layout_signature", {})[layout_signature(()).method] = signature
        REPORT.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
