"""The screens of a dataset, looked over as a whole: which are alike, which is like a picture, and a map of them all.

Offline work, so it goes by the auxiliary head (`embedding.heads`), whose space is not the one runs match in. Each
vector is kept under the screen's name and its space: looking again costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import numpy as np

from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.embedding.heads import BATCH, TwoHeads
from rpa_vision.embedding.screen_observer import in_window
from rpa_vision.embedding.similarity import calibration_of, cosine_similarity
from rpa_vision.embedding.spaces import unit
from rpa_vision.errors import DocumentError, UnknownIdError
from rpa_vision.imaging.codec import decode
from rpa_vision.models.dataset import DatasetExport, DatasetSample
from rpa_vision.models.frame import Pixels
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.ports.perception import Vector
from rpa_vision.ports.storage import DataDirectory

OnProgress = Callable[[str, int, int], None]
ONE_SCREEN: Final = 0.95
"""How sure: here no words help to tell screens of one frame apart, so more is asked than of a match."""


@dataclass(frozen=True, slots=True)
class Group:
    """Screens that are one screen with other words; the most typical one stands for them."""

    typical: str
    samples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Alike:
    """A sample, and how like it is to what was asked for."""

    sample_id: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Overview:
    """All samples: alike ones together, and where each lies on a flat map."""

    groups: tuple[Group, ...]
    places: dict[str, tuple[float, float]]
    embedded: int
    """How many had to be fingerprinted now."""


class DatasetScreens:
    """The samples of one version of a dataset by their auxiliary fingerprints."""

    def __init__(
        self,
        data: DataDirectory,
        heads: TwoHeads,
        new_index: Callable[[str, EmbeddingSpace], FAISSManager],
        on_progress: OnProgress = lambda what, done, total: None,
    ) -> None:
        self._data = data
        self._heads = heads
        self._space = heads.spaces[1]
        self._index = new_index("dataset", self._space)
        self._on_progress = on_progress
        self._vectors: dict[str, Vector] = {}
        self._embedded = 0

    def take_in(self, dataset: DatasetExport, picture: Callable[[str], bytes]) -> None:
        """Know every sample; those that nobody fingerprinted yet are, some at a time."""
        for start in range(0, len(dataset.samples), BATCH):
            part = dataset.samples[start : start + BATCH]
            known = {one.sample_id: vector for one in part if (vector := self._kept(one)) is not None}
            missing = [one for one in part if one.sample_id not in known]
            known |= dict(self._fingerprinted(missing, picture))
            for one in part:
                self._vectors[one.sample_id] = known[one.sample_id]
                self._index.add_embedding(known[one.sample_id], {"sample_id": one.sample_id})
            self._on_progress("looking", len(self._vectors), len(dataset.samples))

    def overview(self) -> Overview:
        """Which samples are alike, and the map."""
        return Overview(tuple(grouped(self._vectors, self._space)), flat_map(self._vectors), self._embedded)

    def like(self, state: ScreenState, pixels: Pixels, k: int = 5) -> list[Alike]:
        """The samples that are most like a screen, the nearest first."""
        vector = self._heads.embed(*in_window(state, pixels)).auxiliary
        found = self._index.search_similar(vector, k, space_id=self._space.id)
        return [Alike(str(one.metadata["sample_id"]), one.similarity) for one in found]

    def _kept(self, sample: DatasetSample) -> Vector | None:
        with suppress(UnknownIdError, DocumentError):  # a damaged one is computed again
            return self._data.vectors.load(self._place(sample), dimensions=self._space.dimensions or 0)
        return None

    def _fingerprinted(
        self, samples: Sequence[DatasetSample], picture: Callable[[str], bytes]
    ) -> Iterator[tuple[str, Vector]]:
        screens = [
            in_window(
                self._data.screen_states.load(one.screen_state_id), decode(picture(one.screenshot_path))[:, :, :3]
            )
            for one in samples
        ]
        for sample, both in zip(samples, self._heads.embed_batch(screens), strict=True):
            self._data.vectors.save(self._place(sample), both.auxiliary)
            self._embedded += 1
            yield sample.sample_id, both.auxiliary

    def _place(self, sample: DatasetSample) -> str:
        return f"embeddings/states/{self._space.id}/{sample.screen_state_id}.npy"


def grouped(vectors: dict[str, Vector], space: EmbeddingSpace) -> list[Group]:
    """Put screens together that look like one, the largest group first."""
    calibration = calibration_of(space.id)
    sums: list[np.ndarray] = []
    members: list[list[str]] = []
    for name, vector in vectors.items():
        alike = [calibration.confidence(cosine_similarity(total, vector)) for total in sums]
        best = int(np.argmax(alike)) if alike else -1
        if best < 0 or alike[best] < ONE_SCREEN:
            sums.append(vector.astype(np.float64))
            members.append([name])
        else:
            sums[best] += vector
            members[best].append(name)
    groups = [
        Group(max(names, key=lambda name: cosine_similarity(total, vectors[name])), tuple(names))
        for total, names in zip(sums, members, strict=True)
    ]
    return sorted(groups, key=lambda group: (-len(group.samples), group.typical))


def flat_map(vectors: dict[str, Vector]) -> dict[str, tuple[float, float]]:
    """Each vector as a point of the plane in which they differ the most."""
    if not vectors:
        return {}
    rows = np.stack([unit(vector) for vector in vectors.values()]).astype(np.float64)
    centred = rows - rows.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    points = np.zeros((len(rows), 2))
    points[:, : min(2, len(axes))] = centred @ axes[:2].T
    return {name: (round(float(x), 4), round(float(y), 4)) for name, (x, y) in zip(vectors, points, strict=True)}
