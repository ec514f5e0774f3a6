"""A second look where the first cannot be right, and slips of the eye put right.

A small reader drops a digit now and then, and is sure of itself when it does. But digits stand apart, so they can be
counted: where the picture shows more marks than the text has characters, the line is read again from a slightly
different cut. The narrow space in « 1 050,78 € » is too narrow for a reader to see, but not for a ruler.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import cv2
import numpy as np

from rpa_vision.models.frame import Pixels
from rpa_vision.ports.perception import ReadText, TextRecognizer

UNSURE = 0.86
_AMOUNT = re.compile(r"(?<![\d.,-])(\d{4,9})(?=[.,]\d{2}(?!\d))")
_WIDER_PX = 1.2
_TWINS = frozenset("cosuvwxzîïôûç")
"""Small letters that differ from the capital in size only."""
_ONE_TWICE = re.compile("[éèê](?=ë)|(?<=ë)[éèê]|[îi](?=ï)|[ùû](?=ü)")
"""One letter read as two: pairs that no French or English word has (Maéëlle)."""


class CarefulReader:
    """A reader that counts, looks twice and tidies up. Still: the same pixels, the same answer."""

    def __init__(self, reader: TextRecognizer) -> None:
        self._reader = reader

    @property
    def name(self) -> str:
        return f"{self._reader.name}+careful1"

    def read(self, lines: Sequence[Pixels]) -> list[ReadText]:
        answers = list(self._reader.read(lines))
        counted = [_is_numeric(answer.text) for answer in answers]
        marks = [glyph_runs(line) if counts else [] for line, counts in zip(lines, counted, strict=True)]
        doubtful = [i for i, answer in enumerate(answers) if answer.text and _is_doubtful(answer, len(marks[i]))]
        for cut in (_looser, _tighter):
            if not doubtful:
                break
            again = self._reader.read([cut(lines[i]) for i in doubtful])
            for i, second in zip(doubtful, again, strict=True):
                answers[i] = _better(answers[i], second, len(marks[i]))
            doubtful = [i for i in doubtful if _is_doubtful(answers[i], len(marks[i]))]
        return [
            ReadText(spaced_amount(tidy(answer.text), mark), answer.confidence)
            for answer, mark in zip(answers, marks, strict=True)
        ]


def tidy(text: str) -> str:
    """Undo slips that cannot be text: letters of the wrong case inside a word, one accented letter read as two."""
    return " ".join(_even_case(_ONE_TWICE.sub("", word)) for word in text.split())


def spaced_amount(text: str, runs: Sequence[tuple[int, int]]) -> str:
    """Put the spaces between thousands back where the marks stand further apart. Unclear: left as it was read."""
    found = _AMOUNT.search(text)
    if found is None:
        return text
    centres = _centres(runs)
    if len(centres) != _size(text):
        return text
    digits = found.group(1)
    before = _size(text[: found.start()])
    steps = np.diff(centres[before : before + len(digits)])
    usual = float(np.median(steps))
    pieces = [digits[0]]
    for position in range(1, len(digits)):
        thousands = (len(digits) - position) % 3 == 0
        wide = steps[position - 1] >= usual + max(_WIDER_PX, 0.13 * usual)
        pieces.append((" " if thousands and wide else "") + digits[position])
    return text[: found.start()] + "".join(pieces) + text[found.end() :]


def glyph_runs(picture: Pixels) -> list[tuple[int, int]]:
    """Every separate column of ink: first pixel, one past the last."""
    grey = picture[:, :, :3].astype(np.int16).sum(axis=2)
    off = np.abs(grey - np.median(grey))
    if not off.size or off.max() < 60:
        return []
    inked = (off > 0.3 * off.max()).any(axis=0)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], inked.astype(np.int8), [0]))))
    return [(int(start), int(end)) for start, end in zip(edges[::2], edges[1::2], strict=True)]


def _centres(runs: Sequence[tuple[int, int]]) -> list[float]:
    """The middle of each mark; digits that touch are taken for as many as fit."""
    usual = float(np.median([end - start for start, end in runs])) if runs else 1.0
    centres = []
    for start, end in runs:
        parts = max(1, round((end - start) / (usual + 1))) if end - start > 1.6 * usual else 1
        width = (end - start) / parts
        centres += [start + width * (part + 0.5) for part in range(parts)]
    return centres


def _is_numeric(text: str) -> bool:
    """An amount, a date, a code: every character counts."""
    return sum(char.isdigit() for char in text) >= max(3, 0.5 * _size(text))


def _is_doubtful(answer: ReadText, marks: int) -> bool:
    return answer.confidence < UNSURE or marks > _size(answer.text)


def _better(first: ReadText, second: ReadText, marks: int) -> ReadText:
    if not second.text:
        return first
    if marks and (_size(first.text) == marks) != (_size(second.text) == marks):
        return second if _size(second.text) == marks else first
    return second if second.confidence > first.confidence else first


def _looser(line: Pixels) -> Pixels:
    padded: Pixels = cv2.copyMakeBorder(line, 2, 2, 2, 2, cv2.BORDER_REPLICATE)  # type: ignore[assignment]
    return padded


def _tighter(line: Pixels) -> Pixels:
    return line[1:-1] if line.shape[0] >= 12 else line


def _even_case(word: str) -> str:
    """Letters that look alike in both cases follow the others: CsV is CSV, LUcas is Lucas, csV is csv."""
    letters = [char for char in word if char.isalpha()]
    if len(letters) < 3:
        return word
    if letters[-1].isupper() and letters[-1].lower() in _TWINS and "".join(letters[:-1]).islower():
        return word.lower()
    if not letters[0].isupper():
        return word
    small = [char for char in letters if char.islower()]
    if len(small) == 1 and letters[-1] != small[0] and small[0] in _TWINS:
        return word.upper()
    rest = word[2:]
    if len(rest) >= 3 and rest.isalpha() and rest.islower() and word[1].isupper() and word[1].lower() in _TWINS:
        return word[0] + word[1].lower() + rest
    return word


def _size(text: str) -> int:
    return len("".join(text.split()))
