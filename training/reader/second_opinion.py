"""Measure what a second look is worth: how often it stops what was right, and how often it stops what was wrong.

    python training/reader/second_opinion.py DESCRIPTION --screens DIRECTORY… [--most 600] [--out FILE.json]

Every line of held-out screens is taken for one that decides. Read right by the first reader, it must not be refused; read
wrong, it should not be agreed to: there `wanted` is what was read, the worst case, in which a slip looks like the target.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from cutting import is_as_drawn
from evaluate import load_screens
from scores import squeezed

from rpa_vision.adapters.perception.ink_reader import InkTextReader
from rpa_vision.adapters.perception.onnx_reader import OnnxTextRecognizer
from rpa_vision.detection.careful_reader import CarefulReader
from rpa_vision.detection.second_look import SecondLook
from rpa_vision.ports.perception import TextRecognizer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("description", type=Path)
    parser.add_argument("--screens", type=Path, nargs="+", required=True)
    parser.add_argument("--most", type=int, default=600)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    second = SecondLook(OnnxTextRecognizer.second(threads=1))
    ink = json.loads(arguments.description.read_text(encoding="utf-8")).get("input") == "ink"
    first: TextRecognizer = (
        InkTextReader(arguments.description, threads=1)
        if ink
        else CarefulReader(OnnxTextRecognizer(arguments.description, threads=1))
    )
    screens = load_screens(arguments.screens, 10_000)
    lines = [
        (screen, box, text)
        for screen in screens
        for box, text in screen.boxes
        if text and is_as_drawn(screen.image, box, screen.words)
    ]
    found: dict[str, Counter[str]] = {"right": Counter(), "wrong": Counter()}
    for screen, box, text in lines[:: -(-len(lines) // arguments.most)]:
        answer = first.read([screen.image[box.y1 : box.y2, box.x1 : box.x2]])[0]
        if answer.text:
            verdict = second.confirm(screen.image, box, answer, wanted=answer.text).verdict
            found["right" if squeezed(answer.text) == squeezed(text) else "wrong"][verdict] += 1
    report = {kind: dict(counts) for kind, counts in found.items()}
    print(json.dumps(report))
    if arguments.out:
        arguments.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
