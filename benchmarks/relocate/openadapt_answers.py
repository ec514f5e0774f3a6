"""Ask openadapt-flow's resolver about the pairs; runs in an environment of its own (`pip install openadapt-flow`).

    PEER/bin/python benchmarks/relocate/openadapt_answers.py PAIRS --out answers.jsonl [--sample N --seed S]
    python benchmarks/relocate/score.py PAIRS --answers openadapt-flow=answers.jsonl

The target is compiled from the picture before as its compiler does it for a click in the middle of the box (crop,
label, landmarks), and resolved on the picture after, by pixels alone: rungs by DOM or model have nothing to go by here.
A refusal is `"point": null`. What is answered already is not asked again.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path
from typing import Any

from openadapt_flow import vision  # type: ignore[import-not-found]
from openadapt_flow.compiler import compile as compiler  # type: ignore[import-not-found]
from openadapt_flow.ir import Anchor  # type: ignore[import-not-found]
from openadapt_flow.runtime import resolver  # type: ignore[import-not-found]
from openadapt_flow.vision.imgops import decode_bgr  # type: ignore[import-not-found]


def answer(folder: Path, pair: dict[str, Any], lines: dict[str, Any]) -> list[int] | None:
    """Where it would click, or None."""
    before, after = (folder / pair["from"]).read_bytes(), (folder / pair["in"]).read_bytes()
    x1, y1, x2, y2 = pair["box"]
    click = ((x1 + x2) // 2, (y1 + y2) // 2)
    if pair["from"] not in lines:
        lines.clear()
        lines[pair["from"]] = vision.ocr(before)
    region = compiler._discriminative_crop_region(decode_bgr(before), click)
    label = compiler._best_crop_text(vision.ocr(before, region=region), click_y=click[1])
    anchor = Anchor(
        template="t.png",
        region=region,
        click_point=click,
        ocr_text=label,
        landmarks=compiler._landmarks_for(lines[pair["from"]], region, click),
    )
    try:
        found = resolver.resolve(anchor, after, vision, template_png=compiler._crop_png(before, region))
    except (resolver.AmbiguousOcrMatchError, resolver.ContradictoryOcrEvidenceError):
        return None
    return None if found is None else [int(value) for value in found[0].point]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("pairs", type=Path)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--sample", type=int, help="only so many pairs, drawn with --seed: each takes ten seconds")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--minutes", type=float, help="begin no pair after so long")
    given = options.parse_args()
    known = {json.loads(line)["id"] for line in given.out.read_text().splitlines()} if given.out.exists() else set()
    began, lines = time.monotonic(), dict[str, Any]()
    pairs = [json.loads(line) for line in (given.pairs / "pairs.jsonl").read_text(encoding="utf-8").splitlines()]
    if given.sample is not None:
        drawn = random.Random(given.seed).sample(range(len(pairs)), min(given.sample, len(pairs)))
        pairs = [pairs[number] for number in sorted(drawn)]
    with given.out.open("a", encoding="utf-8") as out:
        for pair in pairs:
            if pair["id"] in known:
                continue
            if given.minutes is not None and time.monotonic() - began > 60 * given.minutes:
                break
            point = answer(given.pairs, pair, lines)
            out.write(json.dumps({"id": pair["id"], "point": point}) + "\n")
            out.flush()


if __name__ == "__main__":
    main()
