"""A few screens of each node are kept, so that its fingerprint can be computed again by another encoder.

Which ones: the most typical first, then each time the one that is least like those chosen so far. So a handful covers
what the demonstrations showed, however many there were.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.models.workflow_graph import ScreenSample

MAX_SAMPLES: Final = 4


def samples_of(screens: Sequence[ObservedScreen], place: str, *, most: int = MAX_SAMPLES) -> dict[str, ScreenSample]:
    """The samples of a node by the id of their screen state; their pictures belong at `place`_1.png and so on."""
    chosen = sample_screens(screens, most=most)
    return {
        screen.state.screen_state_id: ScreenSample(image_path=f"{place}_{number}.png", window=screen.state.window)
        for number, screen in enumerate(chosen, start=1)
    }


def sample_screens(screens: Sequence[ObservedScreen], *, most: int = MAX_SAMPLES) -> list[ObservedScreen]:
    """The few screens that stand for all of them. Each screenshot is taken once."""
    different = list({screen.state.screen_state_id: screen for screen in screens}.values())
    if not different:
        return []
    vectors = np.stack([screen.vector for screen in different]).astype(np.float64)
    likeness = vectors @ vectors.T
    chosen = [int(np.argmax(likeness.sum(axis=1)))]
    while len(chosen) < min(most, len(different)):
        nearest = likeness[:, chosen].max(axis=1)
        nearest[chosen] = np.inf
        chosen.append(int(np.argmin(nearest)))
    return [different[index] for index in sorted(chosen)]
