"""A dataset in parts and in numbers: what is held out, what there is, and the same in the format of COCO."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from rpa_vision.models.dataset import DatasetExport, DatasetSample, DatasetStatistics
from rpa_vision.models.document import JsonObject
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import ELEMENT_TYPES

_TRIED: Final = 200
"""Of so many sessions every choice is looked at."""
_NEAR: Final = 0.05
"""So far from what was asked for, the share that is held out needs no words."""


def split_by_session(samples: Sequence[DatasetSample], seed: int, share: float) -> list[DatasetSample]:
    """Whole sessions on one side, as near to that share of all samples held out as they allow, the same for the same
    ids and seed. Neither side is empty, unless there is one session only or nothing is to be held out."""
    counts = Counter(map(_session, samples))
    order = sorted(counts, key=lambda name: hashlib.sha256(f"{seed}:{name}".encode()).digest())
    held = _nearest([counts[name] for name in order], share * len(samples)) if share > 0 else set[int]()
    names = {order[index] for index in held}
    return [
        sample.model_copy(update={"split": "held_out" if _session(sample) in names else "train"}) for sample in samples
    ]


def _session(sample: DatasetSample) -> str:
    return sample.session_id or sample.screen_state_id


def _nearest(sizes: Sequence[int], wanted: float) -> set[int]:
    """Which of these make up what is nearest to that, some of them but not all; rather the first ones. Of very many,
    the first are taken as they fit."""
    chosen: set[int] = set()
    few = max(0, len(sizes) - _TRIED)
    for index, size in enumerate(sizes[:few]):
        if size <= wanted:
            chosen.add(index)
            wanted -= size
    reached = [1]  # bit n: so many can be made up of the sizes so far
    for size in sizes[few:]:
        reached.append(reached[-1] | reached[-1] << size)
    sums = (n for n in range(0 if chosen else 1, sum(sizes[few:])) if reached[-1] >> n & 1)
    left = min(sums, key=lambda n: (abs(n - wanted), n), default=0)
    for index in reversed(range(few, len(sizes))):
        if not reached[index - few] >> left & 1:
            chosen.add(index)
            left -= sizes[index]
    return chosen


def share_told(samples: Sequence[DatasetSample], share: float) -> str | None:
    """What to say of the share that came out where it is not what was asked for."""
    held = sum(sample.split == "held_out" for sample in samples)
    got = held / len(samples) if samples else 0.0
    if share <= 0 or abs(got - share) <= _NEAR:
        return None
    if len(set(map(_session, samples))) == 1:
        return "all screens are of one session, so that none could be held out; a model cannot be measured on them"
    return f"{got:.0%} are held out, not {share:.0%}: sessions are not cut, and no set of them comes nearer"


def statistics_of(samples: Sequence[DatasetSample], left_out: Mapping[str, int]) -> DatasetStatistics:
    """The dataset in numbers."""
    elements = [element for sample in samples for element in sample.annotations.ui_elements]
    kinds = Counter(element.type for element in elements)
    return DatasetStatistics(
        total_samples=len(samples),
        unique_layouts=len({sample.annotations.layout_signature for sample in samples} - {None}),
        unique_workflows=len({sample.annotations.workflow_context for sample in samples} - {None}),
        annotation_quality=round(sum(one.confidence for one in elements) / len(elements), 4) if elements else None,
        elements=len(elements),
        elements_by_type=dict(sorted(kinds.items())),
        confirmed_samples=sum(sample.validation_status == "user_confirmed" for sample in samples),
        held_out_samples=sum(sample.split == "held_out" for sample in samples),
        sessions=len({sample.session_id for sample in samples} - {None}),
        left_out=dict(sorted(left_out.items())),
    )


def coco_of(dataset: DatasetExport, split: str) -> JsonObject:
    """One part of a dataset as COCO: images, boxes as x, y, width, height, and our element types as categories."""
    numbers = {kind: number for number, kind in enumerate(ELEMENT_TYPES, start=1)}
    images: list[JsonObject] = []
    annotations: list[JsonObject] = []
    for sample in (one for one in dataset.samples if one.split == split):
        image = {
            "id": len(images) + 1,
            "file_name": f"images/{sample.screenshot_path.rpartition('/')[2]}",
            "width": sample.width,
            "height": sample.height,
        }
        images.append(image)
        for element in sample.annotations.ui_elements:
            box = Box.of(element.bbox)
            annotations.append(
                {
                    "id": len(annotations) + 1,
                    "image_id": image["id"],
                    "category_id": numbers[element.type],
                    "bbox": [box.x1, box.y1, box.width, box.height],
                    "area": box.area,
                    "iscrowd": 0,
                    "attributes": {"role": element.role, "label": element.label, "confidence": element.confidence},
                }
            )
    return {
        "info": {
            "description": dataset.dataset_id,
            "version": dataset.version,
            "date_created": dataset.created_at.isoformat(),
        },
        "images": images,
        "annotations": annotations,
        "categories": [{"id": number, "name": kind} for kind, number in numbers.items()],
    }
