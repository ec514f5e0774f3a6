"""A dataset in parts and in numbers: what is held out, what there is, and the same in the format of COCO."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence

from rpa_vision.models.dataset import DatasetExport, DatasetSample, DatasetStatistics
from rpa_vision.models.document import JsonObject
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import ELEMENT_TYPES


def split_by_session(samples: Sequence[DatasetSample], seed: int, share: float) -> list[DatasetSample]:
    """Whole sessions on one side, about that share of all samples held out, the same for the same ids and seed."""
    counts = Counter(sample.session_id or sample.screen_state_id for sample in samples)
    order = sorted(counts, key=lambda name: hashlib.sha256(f"{seed}:{name}".encode()).digest())
    held: set[str] = set()
    wanted = share * len(samples)
    for name in order[: len(order) - 1 if len(order) > 1 else 0]:
        if share > 0 and (not held or sum(counts[one] for one in held) + counts[name] / 2 <= wanted):
            held.add(name)
    return [
        sample.model_copy(
            update={"split": "held_out" if (sample.session_id or sample.screen_state_id) in held else "train"}
        )
        for sample in samples
    ]


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
