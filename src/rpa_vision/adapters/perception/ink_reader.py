"""The shipped reader, trained by us on rendered screens: one line of ink in, French or English characters out.

A line is padded with paper to a width that depends on that line alone, and only lines of one width share a batch: so
what is read never depends on what else was on the screen, and a cached answer is the answer. Batches are shared out to
threads of one core each, which costs less than splitting every single product of matrices. Lines that are
not sure are read again, a little wider: letters that fell between two places of the net then mostly do not. Where the
two readings differ, three more are made and the readings vote, each with its confidence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rpa_vision.adapters.perception.ink_context import told_by_neighbours
from rpa_vision.adapters.perception.shipped_model import load_model, open_model
from rpa_vision.errors import ModelMissingError
from rpa_vision.imaging.line_picture import HEIGHT_PX, Ink, as_ink, grey_line
from rpa_vision.models.frame import Pixels
from rpa_vision.ports.perception import ReadText

BATCH_COLUMNS = 2048
"""Columns of ink in a batch: more do not make it faster, and the threads wait for each other longer."""

HALF = 0.9
"""The same letter again, one blank later, and one of the two nowhere likelier than this: not « ll » but one letter
between two places."""
LOST = 0.5
"""A letter that is likelier than this within three steps is there, though the blank is likelier at each of them."""
LEAST = 0.15
"""How likely a character must be that is taken because one must be there."""
DOUBTFUL, WIDER = 0.97, 1.12
"""Lines read with less confidence are read again, that much wider."""
OTHER_LOOKS = ((0, 1.25), (0, 0.9), (1, 1.05))
"""How a line is looked at when two readings differ: rows left out above and below, and how much wider."""
LEAST_ROWS = 12
"""Lower lines are not trimmed."""


class InkTextReader:
    """Reads lines with the net described by a JSON file beside it."""

    def __init__(self, description: Path, *, threads: int = 2) -> None:
        about, model = load_model(description, "text reader", needs=("characters",))
        if about.get("input") != "ink" or int(about.get("height_px", 0)) != HEIGHT_PX:
            raise ModelMissingError(f"the text reader {description} was made for another input than ink")
        self._characters: list[str] = about["characters"]
        self._name = f"{about['name']}-{about['sha256'][:8]}"
        confidence = about.get("confidence", {})
        self._offset, self._slope = float(confidence.get("offset", 0.0)), float(confidence.get("slope", -1.0))
        self._session = open_model(model, 1, "text reader")
        self._threads = max(1, threads)
        self._pool = ThreadPoolExecutor(self._threads, "reader") if self._threads > 1 else None

    @classmethod
    def shipped(cls, *, threads: int = 2) -> InkTextReader:
        """The reader that comes with the package."""
        return cls(Path(str(resources.files("rpa_vision") / "resources" / "reader" / "ink.json")), threads=threads)

    @property
    def name(self) -> str:
        return self._name

    @property
    def is_calibrated(self) -> Literal[True]:
        return True

    def read(self, lines: Sequence[Pixels]) -> list[ReadText]:
        greys = [grey_line(line) for line in lines]
        answers = self._read_all([as_ink(grey) for grey in greys])
        doubtful = [index for index, answer in enumerate(answers) if answer.text and answer.confidence < DOUBTFUL]
        again = self._read_all([as_ink(greys[index], WIDER) for index in doubtful])
        readings = {index: [answers[index], answer] for index, answer in zip(doubtful, again, strict=True)}
        split = [index for index, (first, second) in readings.items() if _plain(first) != _plain(second)]
        looks = [(index, look) for index in split for look in OTHER_LOOKS]
        more = self._read_all([as_ink(_trimmed(greys[index], rows), wider) for index, (rows, wider) in looks])
        for (index, _), answer in zip(looks, more, strict=True):
            readings[index].append(answer)
        for index, several in readings.items():
            answers[index] = _elected(several)
        return answers

    def _read_all(self, inks: Sequence[Ink]) -> list[ReadText]:
        answers = [ReadText("", 0.0)] * len(inks)
        groups = _groups(inks)
        few = sum(len(group) * width for group, width in groups) <= BATCH_COLUMNS
        if self._pool is None or few:  # a few lines are sooner read than handed over
            done = [self._read_group(inks, group, width) for group, width in groups]
        else:
            done = list(self._pool.map(lambda job: self._read_group(inks, *job), groups))
        for (group, _), texts in zip(groups, done, strict=True):
            for index, text in zip(group, texts, strict=True):
                answers[index] = text
        return answers

    def _read_group(self, inks: Sequence[Ink], group: Sequence[int], width: int) -> list[ReadText]:
        batch = np.zeros((len(group), 1, HEIGHT_PX, width), np.float32)
        for row, index in zip(batch, group, strict=True):
            row[0, :, : inks[index].shape[1]] = inks[index]
        answers = self._session.run(["best", "likely", "near", "around"], {"ink": batch})
        return [self._decode(*line) for line in zip(*answers, strict=True)]

    def _decode(
        self,
        best: NDArray[np.int32],
        likely: NDArray[np.float32],
        near: NDArray[np.int32],
        around: NDArray[np.float32],
    ) -> ReadText:
        """Best character at each step, repeats merged, blanks dropped; one letter seen half here, half there is one."""
        chances = np.maximum(likely, 1e-6)
        lost = np.flatnonzero((best[:-2] == 0) & (best[1:-1] == 0) & (best[2:] == 0) & (around[1:-1] > LOST)) + 1
        for step in lost[around[lost] >= np.maximum(around[lost - 1], around[lost + 1])].tolist():
            if best[step - 1] == 0:  # not given to the step before already
                best[step] = near[step]
                chances[step - 1 : step + 2] = min(1.0, float(around[step])), 1.0, 1.0
        self._complete_ends(best, chances, near, around)
        steps = np.flatnonzero((best != 0) & np.concatenate(([True], best[1:] != best[:-1])))
        again = np.flatnonzero((best[2:] == best[:-2]) & (best[2:] != 0) & (best[1:-1] == 0)) + 2
        halves = again[np.minimum(_peaks(best, likely, again), _peaks(best, likely, again - 2)) < HALF]
        if halves.size:
            steps = np.setdiff1d(steps, halves, assume_unique=True)
            chances[halves - 2] = np.minimum(1.0, chances[halves - 2] + chances[halves])
            chances[halves] = 1.0
        characters = [self._characters[index] for index in best[steps].tolist()]
        text = " ".join(told_by_neighbours(characters, _peaks(best, likely, steps).tolist()).split())
        if not text:
            return ReadText("", 0.0)
        return ReadText(text, self._confidence(-float(np.log(chances).sum())))

    def _complete_ends(
        self,
        best: NDArray[np.int32],
        chances: NDArray[np.float32],
        near: NDArray[np.int32],
        around: NDArray[np.float32],
    ) -> None:
        """Lines begin and end with ink: beyond a space that was read at an end a character was lost, so it is taken."""
        read = np.flatnonzero(best)
        if not read.size:
            return
        first, last = int(read[0]), int(read[-1])
        ends = ((first, 0, first - 1), (last, last + 2, len(best)))
        for space, start, end in ends:
            if self._characters[best[space]] == " " and end > start:
                step = start + int(around[start:end].argmax())
                if around[step] > LEAST and self._characters[near[step]] != " ":
                    best[step], chances[step] = near[step], min(1.0, float(around[step]))

    def _confidence(self, doubt: float) -> float:
        """How often a line read with that much doubt is right, as measured when the reader was made."""
        return 1 / (1 + math.exp(-(self._offset + self._slope * math.log(doubt + 1e-4))))


def _plain(answer: ReadText) -> str:
    return answer.text.replace(" ", "")


def _trimmed(grey: Pixels, rows: int) -> Pixels:
    return grey[rows:-rows] if rows and len(grey) > LEAST_ROWS else grey


def _elected(readings: Sequence[ReadText]) -> ReadText:
    """The reading with most confidence, that of readings which differ by spaces alone together. Where others have other
    digits, it is as sure as its share of the votes."""
    votes: dict[str, float] = {}
    for answer in readings:
        votes[_plain(answer)] = votes.get(_plain(answer), 0.0) + answer.confidence
    winner = max(votes, key=lambda text: votes[text])
    best = max((answer for answer in readings if _plain(answer) == winner), key=lambda answer: answer.confidence)
    if any(_digits(text) != _digits(winner) for text in votes):
        return ReadText(best.text, best.confidence * votes[winner] / sum(votes.values()))
    return best


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())


def _peaks(best: NDArray[np.int32], likely: NDArray[np.float32], steps: NDArray[np.intp]) -> NDArray[np.float32]:
    """How likely the letters at some steps are where they are likeliest: at the step or at one beside it."""
    before, after = np.maximum(steps - 1, 0), np.minimum(steps + 1, len(best) - 1)
    sides = [np.where(best[side] == best[steps], likely[side], 0) for side in (before, after)]
    return np.maximum(likely[steps], np.maximum(*sides))


def _groups(inks: Sequence[Ink]) -> list[tuple[list[int], int]]:
    """Lines of one padded width, the widest first so that no thread is left with a long one at the end."""
    by_width: dict[int, list[int]] = {}
    for index, ink in enumerate(inks):
        by_width.setdefault(padded_width(ink.shape[1]), []).append(index)
    groups = []
    for width in sorted(by_width, reverse=True):
        size = max(1, BATCH_COLUMNS // width)
        members = by_width[width]
        groups += [(members[start : start + size], width) for start in range(0, len(members), size)]
    return groups


def padded_width(width: int) -> int:
    """Few different widths, so that batches fill: finer steps for short lines."""
    step = 16 if width <= 192 else 32 if width <= 512 else 64
    return -(-(width + 4) // step) * step
