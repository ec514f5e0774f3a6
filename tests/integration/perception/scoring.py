"""How well text was read: every piece of truth against what was read at its place, spaces ignored."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from rpa_vision.models.screen_state import TextLine

Truth = Sequence[tuple[str, tuple[float, float, float, float]]]


def squeezed(text: str) -> str:
    plain = unicodedata.normalize("NFC", text).replace("’", "'").replace("‘", "'").replace("…", "...")
    return "".join(plain.split())


def pairs(truth: Truth, lines: Sequence[TextLine]) -> list[tuple[str, str]]:
    """Truth and reading of every group of texts and lines that touch, left to right."""
    groups: list[tuple[list[int], list[int]]] = []
    owner: dict[int, int] = {}
    for index, (_, box) in enumerate(truth):
        touching = [number for number, line in enumerate(lines) if _touch(box, line.bbox)]
        merged = sorted({owner[number] for number in touching if number in owner})
        target = merged[0] if merged else len(groups)
        if not merged:
            groups.append(([], []))
        for other in merged[1:]:
            groups[target][0].extend(groups[other][0])
            groups[target][1].extend(groups[other][1])
            for number in groups[other][1]:
                owner[number] = target
            groups[other] = ([], [])
        groups[target][0].append(index)
        for number in touching:
            if number not in owner:
                owner[number] = target
                groups[target][1].append(number)
    return [
        (
            squeezed("".join(truth[i][0] for i in sorted(texts, key=lambda i: truth[i][1][0]))),
            squeezed("".join(lines[n].text for n in sorted(read, key=lambda n: lines[n].bbox[0]))),
        )
        for texts, read in groups
        if texts
    ]


def accents(results: Sequence[tuple[str, str]]) -> tuple[int, int]:
    """How many accented characters were read right, of how many."""
    right = total = 0
    for true, read in results:
        wrong = {op.src_pos for op in Levenshtein.editops(true, read) if op.tag != "insert"}
        for position, char in enumerate(true):
            if char.isalpha() and not char.isascii():
                total += 1
                right += position not in wrong
    return right, total


def _touch(a: tuple[float, float, float, float], b: tuple[int, int, int, int]) -> bool:
    middle = (a[1] + a[3]) / 2
    if not b[1] < middle < b[3]:
        return False
    return min(a[2], b[2]) - max(a[0], b[0]) > 0.3 * min(a[2] - a[0], b[2] - b[0])
