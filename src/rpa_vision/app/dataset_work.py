"""What is done with a dataset: people review its labels, a detector is trained on it, measured, and put to use."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, Protocol

from rpa_vision.app.dataset import Reviewed, reviewed
from rpa_vision.app.dataset_encoder import app_of, family_of
from rpa_vision.errors import DocumentError, UsageError
from rpa_vision.imaging.codec import decode
from rpa_vision.models.dataset import DatasetExport, DatasetSample, LabelReview
from rpa_vision.models.document import JsonObject
from rpa_vision.models.geometry import Box
from rpa_vision.ports.perception import ElementFinder, FoundElement

MATCH_OVERLAP: Final = 0.5
_MOST_TOLD: Final = 5
_TEXTS: Final = frozenset({"label", "heading", "cell"})
_SAME_KIND: Final = {"password_input": "text_input"}


class Trainer(Protocol):
    """Trains models further."""

    def train(
        self,
        what: str,
        screens: Path,
        out: Path,
        *,
        steps: int,
        seed: int,
        base: Path | None,
        tell: Callable[[str], None],
    ) -> Path:
        """Train the `detector` or the `encoder` on a folder of screens with their truth; the new one's description."""


def to_review(dataset: DatasetExport, reviews: Iterable[LabelReview]) -> list[JsonObject]:
    """The labels nobody has spoken of yet, the least sure first."""
    said = reviewed(reviews)
    waiting: list[JsonObject] = []
    for sample in dataset.samples:
        known = said.get(sample.screen_state_id, Reviewed())
        if known.whole is not None:
            continue
        for element in sample.annotations.ui_elements:
            if element.element_id not in known.elements:
                waiting.append(
                    {
                        "screen_state_id": sample.screen_state_id,
                        "element_id": element.element_id,
                        "type": element.type,
                        "role": element.role,
                        "label": element.label,
                        "bbox": list(element.bbox),
                        "confidence": element.confidence,
                        "image": sample.screenshot_path,
                    }
                )
    return sorted(waiting, key=lambda one: (one["confidence"], one["screen_state_id"], one["element_id"]))


def read_answers(lines: Iterable[str], dataset: DatasetExport, *, reviewer: str, now: datetime) -> list[LabelReview]:
    """What people answered, one object per line; one bad line and nothing is taken."""
    known = {
        sample.screen_state_id: {element.element_id for element in sample.annotations.ui_elements}
        for sample in dataset.samples
    }
    found: list[LabelReview] = []
    wrong: list[str] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            review = LabelReview.from_json(_answer(line), where=f"line {number}")
            _check_known(review, known, number)
        except DocumentError as error:
            wrong.append(str(error))
            continue
        found.append(review.model_copy(update={"reviewer": review.reviewer or reviewer, "at": review.at or now}))
    if wrong:
        more = f"; and {len(wrong) - _MOST_TOLD} more" if len(wrong) > _MOST_TOLD else ""
        raise DocumentError(
            f"answers: {'; '.join(wrong[:_MOST_TOLD])}{more}",
            remedy='Write one object per line: {"screen_state_id", "element_id", "verdict", ...}; docs/datasets.md.',
        )
    return found


def _answer(line: str) -> JsonObject:
    """A line as a review. What the list of labels says besides is left out, so that it can be answered line by line."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"not valid JSON ({error}): {line[:60]!r}") from error
    if not isinstance(value, dict):
        raise DocumentError(f"a JSON object was expected: {line[:60]!r}")
    kept = {key: one for key, one in value.items() if key not in ("image", "confidence")}
    if kept.get("verdict") in ("accept", "reject"):
        kept = {key: one for key, one in kept.items() if key not in ("type", "role", "label", "bbox")}
    return kept


def _check_known(review: LabelReview, known: dict[str, set[str]], number: int) -> None:
    if review.screen_state_id not in known:
        raise DocumentError(f"line {number}: there is no screen {review.screen_state_id!r} in the dataset")
    if review.element_id is not None and review.element_id not in known[review.screen_state_id]:
        raise DocumentError(f"line {number}: the screen has no element {review.element_id!r}")


def training_screens(dataset: DatasetExport, picture: Callable[[str], bytes], split: str) -> dict[str, bytes]:
    """One part of a dataset as the training scripts read it: NAME.json and NAME.png of each screen."""
    files: dict[str, bytes] = {}
    for sample in (one for one in dataset.samples if one.split == split):
        name = f"web-{sample.sample_id}"  # the scripts balance families of toolkits by this word
        files[f"{name}.png"] = picture(sample.screenshot_path)
        files[f"{name}.json"] = json.dumps(_truth(sample, name), ensure_ascii=False).encode()
    return files


def _truth(sample: DatasetSample, name: str) -> JsonObject:
    return {
        "version": 1,
        "id": name,
        "toolkit": "web",
        "kit": "own",
        "app": app_of(sample),
        "family": family_of(sample),
        "width": sample.width,
        "height": sample.height,
        "elements": [
            {
                "box": list(element.bbox),
                "type": element.type,
                "text": element.label,
                "checked": element.state.checked if element.state is not None else None,
                "selected": element.state.selected if element.state is not None else None,
                "focused": element.state.focused if element.state is not None else None,
                "enabled": element.state.enabled if element.state is not None else None,
                "covered": bool(element.metadata.get("behind_dialog")),
            }
            for element in sample.annotations.ui_elements
        ],
        "texts": [
            {"box": list(element.bbox), "text": element.label}
            for element in sample.annotations.ui_elements
            if element.type in _TEXTS and element.label
        ],
    }


@dataclass(frozen=True, slots=True)
class DetectorScores:
    """How well a detector finds what a dataset holds."""

    detector: str
    samples: int
    elements: int
    found: int
    precision: float
    recall: float
    f1: float
    type_accuracy: float
    by_type: dict[str, JsonObject]

    def lines(self) -> list[str]:
        """For people."""
        told = (
            f"{self.detector} on {self.samples} screens: F1 {self.f1:.3f} (precision {self.precision:.3f}, "
            f"recall {self.recall:.3f}), called right {self.type_accuracy:.3f}"
        )
        kinds = self.by_type.items()
        return [told, *(f"  {kind:<14} {one['elements']:>5}  recall {one['recall']:.3f}" for kind, one in kinds)]


def evaluate(
    finder: ElementFinder,
    dataset: DatasetExport,
    picture: Callable[[str], bytes],
    *,
    kinds: frozenset[str],
    split: str = "held_out",
    on_progress: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> DetectorScores:
    """Measure a detector on one part: boxes that overlap by half, one to one, and whether they are called right.

    Only kinds that the detector knows count; what it calls by a kind that is not in the dataset is not held against it.
    """
    samples = [one for one in dataset.samples if one.split == split]
    if not samples:
        raise UsageError(
            f"{dataset.dataset_id} has no samples that are {split.replace('_', ' ')}",
            remedy="Export it from two sessions or more, with --held-out above 0.",
        )
    matched = right = found = true = 0
    wanted_of: Counter[str] = Counter()
    found_of: Counter[str] = Counter()
    for number, sample in enumerate(samples, start=1):
        on_progress("looking", number, len(samples))
        truth = [
            (Box.of(one.bbox), _SAME_KIND.get(one.type, one.type))
            for one in sample.annotations.ui_elements
            if _SAME_KIND.get(one.type, one.type) in kinds
        ]
        given = [one for one in finder.find(decode(picture(sample.screenshot_path))[:, :, :3]) if one.kind in kinds]
        pairs = _pairs(given, [box for box, _ in truth])
        matched += len(pairs)
        right += sum(given[one].kind == truth[other][1] for one, other in pairs)
        found += len(given)
        true += len(truth)
        wanted_of.update(kind for _, kind in truth)
        found_of.update(truth[other][1] for _, other in pairs)
    precision, recall = matched / found if found else 0.0, matched / true if true else 0.0
    return DetectorScores(
        detector=finder.name,
        samples=len(samples),
        elements=true,
        found=found,
        precision=round(precision, 4),
        recall=round(recall, 4),
        f1=round(2 * matched / (found + true), 4) if found + true else 0.0,
        type_accuracy=round(right / matched, 4) if matched else 0.0,
        by_type={
            kind: {"elements": count, "recall": round(found_of[kind] / count, 4)}
            for kind, count in sorted(wanted_of.items())
        },
    )


def _pairs(given: Sequence[FoundElement], truth: Sequence[Box]) -> list[tuple[int, int]]:
    """One to one, the greatest overlaps first."""
    overlaps = [
        (overlap, one, other)
        for one, found in enumerate(given)
        for other, box in enumerate(truth)
        if (overlap := _overlap(found.box, box)) >= MATCH_OVERLAP
    ]
    pairs: list[tuple[int, int]] = []
    used: set[int] = set()
    taken: set[int] = set()
    for _, one, other in sorted(overlaps, key=lambda entry: (-entry[0], entry[1], entry[2])):
        if one not in used and other not in taken:
            used.add(one)
            taken.add(other)
            pairs.append((one, other))
    return pairs


def _overlap(one: Box, other: Box) -> float:
    width = min(one.x2, other.x2) - max(one.x1, other.x1)
    height = min(one.y2, other.y2) - max(one.y1, other.y1)
    if width <= 0 or height <= 0:
        return 0.0
    shared = width * height
    return shared / (one.area + other.area - shared)
