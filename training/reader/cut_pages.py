"""Cut drawn pages, or screens of the data factory, into a file of lines.

    python training/reader/cut_pages.py --pages PAGES… --out FILE.npz [--split train|held_out] [--seed 1]

A page's JSON is either a list of words with boxes, or a screen of the factory (`texts`: lines with boxes). Of the factory's
lines, words are placed by the share of the line they take; only boxes that hold whole lines are kept.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

import cv2
from cutting import Word, lines_of
from shards import Line, save


def words_of(truth: object) -> list[Word]:
    """The words of a page; a factory's line is one word that may hold spaces, a place it is not sure of a cut one."""
    if isinstance(truth, dict):
        lines = [text for text in truth["texts"] if text["text"].strip()]
        known = [Word(line["text"], *line["box"], bool(line.get("covered"))) for line in lines]
        return known + [Word("?", *place["box"], cut=True) for place in truth.get("unsure", ())]
    assert isinstance(truth, list)
    return [Word(text, x1, y1, x2, y2, bool(cut)) for text, x1, y1, x2, y2, cut in truth]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--pages", type=Path, nargs="+", required=True, help="directories of PNG and JSON files")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--split", default="train", help="of the factory's screens, those of this split only")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from-number", type=int, default=0)
    parser.add_argument("--count", type=int, default=100_000)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    lines: list[Line] = []
    paths = sorted(path for folder in arguments.pages for path in folder.rglob("*.json"))
    for path in paths[arguments.from_number : arguments.from_number + arguments.count]:
        truth = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(truth, dict) and ("texts" not in truth or truth["split"] != arguments.split):
            continue
        image = cv2.imread(str(path.with_suffix(".png")))
        if image is not None:
            # the factory leaves out lines that are partly hidden: a box without truth is not one without text
            lines += lines_of(
                image, words_of(truth), path.stem, chance, empty_share=0 if isinstance(truth, dict) else 0.25
            )
    save(arguments.out, lines)
    print(f"{arguments.out.name}: {len(lines)} lines, {sum(not line.text for line in lines)} empty", flush=True)


if __name__ == "__main__":
    main()
