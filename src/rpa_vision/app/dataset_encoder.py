"""An encoder of screens beside a dataset: which screens are one, and how well they are known again.

Screens of one node, or of one layout where no node is known, are one screen with other words. An encoder is as good as
the nearest other screen is one of them. Fingerprints of another encoder lie in another space, so one that is put to use
takes what was learned along (`app.migrate`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import numpy as np

from rpa_vision.errors import UsageError
from rpa_vision.imaging.codec import decode
from rpa_vision.models.dataset import DatasetExport, DatasetSample
from rpa_vision.ports.perception import ScreenEncoder


def family_of(sample: DatasetSample) -> str:
    """Which screen it is, whatever it says."""
    told = sample.annotations
    if told.node_id is not None:
        return f"{told.workflow_context}/{told.node_id}"
    return told.layout_signature or sample.sample_id


def app_of(sample: DatasetSample) -> str:
    """What it can be taken for another screen of."""
    return sample.annotations.workflow_context or sample.session_id or "screens"


@dataclass(frozen=True, slots=True)
class EncoderScores:
    """How well an encoder knows the screens of a dataset again."""

    encoder: str
    samples: int
    families: int
    asked: int
    """Samples that have another one of their family."""
    known_again: float
    """The share of these whose nearest other sample is of their family."""
    own: float
    """Median likeness of a sample to the nearest of its own family."""
    other: float
    """Median likeness of a sample to the nearest of the others."""

    def lines(self) -> list[str]:
        """For people."""
        return [
            f"{self.encoder} on {self.samples} screens of {self.families} kinds: {self.known_again:.3f} of "
            f"{self.asked} known again; likeness to their own {self.own:.3f}, to others {self.other:.3f}"
        ]


def evaluate_encoder(
    encoder: ScreenEncoder,
    dataset: DatasetExport,
    picture: Callable[[str], bytes],
    *,
    split: str = "held_out",
    on_progress: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> EncoderScores:
    """Measure an encoder of pictures on one part: every screen is looked for among all others."""
    samples = [one for one in dataset.samples if one.split == split]
    families = [family_of(one) for one in samples]
    shared = Counter(families)
    if len(shared) < 2 or max(shared.values()) < 2:
        raise UsageError(
            f"{dataset.dataset_id} cannot measure an encoder by what is {split.replace('_', ' ')}: "
            f"{len(samples)} screens of {len(shared)} families",
            remedy="Export more sessions: two different screens, one of them seen twice, are the least.",
        )
    vectors = []
    for number, sample in enumerate(samples, start=1):
        on_progress("looking", number, len(samples))
        vectors.append(encoder.encode_image(decode(picture(sample.screenshot_path))[:, :, :3]))
    alike = np.stack(vectors) @ np.stack(vectors).T
    np.fill_diagonal(alike, -np.inf)
    same = np.array([[one == other for other in families] for one in families])
    np.fill_diagonal(same, val=False)
    asked = [index for index, family in enumerate(families) if shared[family] > 1]
    own = [float(alike[index][same[index]].max()) for index in asked]
    other = [float(alike[index][~same[index]].max()) for index in asked]
    return EncoderScores(
        encoder=encoder.space.id,
        samples=len(samples),
        families=len(shared),
        asked=len(asked),
        known_again=round(sum(near > far for near, far in zip(own, other, strict=True)) / len(asked), 4),
        own=round(median(own), 4),
        other=round(median(other), 4),
    )
