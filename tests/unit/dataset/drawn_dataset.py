"""A dataset over drawn screens, each said to be of a family."""

from __future__ import annotations

from datetime import UTC, datetime

from rpa_vision.app.dataset_parts import statistics_of
from rpa_vision.imaging.codec import encode_png
from rpa_vision.models.dataset import DatasetExport, DatasetSample, ExportCriteria, SampleAnnotations
from rpa_vision.testing.moving import old_book


def dataset(families: dict[str, str]) -> DatasetExport:
    """All of it held out."""
    samples = tuple(
        DatasetSample(
            sample_id=name,
            screen_state_id=name,
            screenshot_path=f"{name}.png",
            annotations=SampleAnnotations(ui_elements=(), layout_signature=family),
            validation_status="unconfirmed",
            split="held_out",
        )
        for name, family in families.items()
    )
    criteria = ExportCriteria(min_learning_state="OBSERVATION", min_confidence=0.5, user_validated=False)
    return DatasetExport(
        dataset_id="ds", version="1", created_at=datetime(2026, 1, 5, tzinfo=UTC), source_workflows=(),
        export_criteria=criteria, samples=samples, statistics=statistics_of(samples, {}),
    )  # fmt: skip


def picture(path: str) -> bytes:
    """The picture of a sample."""
    return encode_png(old_book().pixels[path.removesuffix(".png")])
