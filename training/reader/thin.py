"""Thin out the lines a reader already knows, so that training time is spent on those it does not.

    python training/reader/thin.py --shards FROM --out TO --reader DESCRIPTION [--keep 0.25] [--sure 0.85]

Of lines read right and surely, a share is kept; so is every line read wrong or doubtfully. Lines read more than half
wrong are dropped where the truth itself may be wrong (a word that a page or screen hides): `--distrust` names those sources.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from rapidfuzz.distance import Levenshtein
from scores import squeezed
from shards import Line, load, save

from rpa_vision.adapters.perception.ink_reader import InkTextReader

AT_ONCE = 512


def thinned(
    lines: list[Line], reader: InkTextReader, chance: random.Random, *, keep: float, sure: float, distrust: bool
) -> list[Line]:
    """The lines worth learning."""
    kept = []
    for start in range(0, len(lines), AT_ONCE):
        some = lines[start : start + AT_ONCE]
        for line, answer in zip(some, reader.read([one.picture for one in some]), strict=True):
            true, read = squeezed(line.text), squeezed(answer.text)
            known = true == read and (answer.confidence >= sure or not true)
            hopeless = distrust and len(true) >= 3 and Levenshtein.distance(true, read) > 0.5 * len(true)
            if not hopeless and (not known or chance.random() < keep):
                kept.append(line)
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--shards", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--reader", type=Path, required=True)
    parser.add_argument("--keep", type=float, default=0.25)
    parser.add_argument("--sure", type=float, default=0.85)
    parser.add_argument("--distrust", nargs="*", default=["web", "factory"])
    parser.add_argument("--first", nargs="*", default=[], help="sources to begin with")
    arguments = parser.parse_args()
    reader = InkTextReader(arguments.reader, threads=1)
    arguments.out.mkdir(parents=True, exist_ok=True)
    paths = sorted(
        arguments.shards.glob("*.npz"), key=lambda path: (path.name.split("-")[0] not in arguments.first, path.name)
    )
    for path in paths:
        if not (arguments.out / path.name).exists():
            lines, distrust = load(path), path.name.split("-")[0] in arguments.distrust
            chance = random.Random(path.name)
            made = thinned(lines, reader, chance, keep=arguments.keep, sure=arguments.sure, distrust=distrust)
            save(arguments.out / path.name, made)
            print(f"{path.name}: {len(made)} of {len(lines)}", flush=True)


if __name__ == "__main__":
    main()
