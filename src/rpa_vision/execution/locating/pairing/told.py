"""What a net that pairs screens says of one box: where it is now, and how sure both ways."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.pairing.features import features
from rpa_vision.execution.locating.pairing.things import KINDS, MOST, Floats, Things, overlap, things_of
from rpa_vision.models.geometry import Box
from rpa_vision.ports.perception import ScreenPairer

_SAME_PLACE = 0.4


@dataclass(frozen=True, slots=True)
class Told:
    """The likeliest place now, and what is said at both."""

    box: Box
    kind: str
    """What it was taken for."""
    share: float
    """How sure it is, of one, that what was there is here."""
    back: float
    """How sure it is, asked the other way round, that what is here was there."""
    next_share: float
    """The share of the next place."""


def tell(pairer: ScreenPairer, then: ObservedScreen, box: Box, now: ObservedScreen) -> Told | None:
    """The likeliest place, even where none is likelier. None where nothing was seen on the screen, or so much that
    some of it would have to be left out: what is left out may be what rivals it."""
    before, numbers = things_of(then, [box])
    after, _ = things_of(now)
    if not len(after) or max(numbers[0], len(after)) >= MOST:
        return None
    shares = _shares(pairer, before, after, numbers[0])
    best = int(shares.argmax())
    at_it = _at(after, best)
    back = _shares(pairer, after, before, best)
    others = shares[~at_it]
    return Told(
        after.box(best),
        KINDS[after.kinds[best]],
        float(shares[at_it].sum()),
        float(back[_at(before, numbers[0])].sum()),
        float(others.max()) if len(others) else 0.0,
    )


def _shares(pairer: ScreenPairer, then: Things, now: Things, number: int) -> Floats:
    """Of one, what each thing now has; what is missing speaks for none of them."""
    about = features(then, now)
    scores = pairer.pair(about.then, about.now, about.within_then, about.within_now, about.across)[number]
    shares = np.exp(scores - scores.max())
    return np.asarray(shares[:-1] / shares.sum(), np.float32)


def _at(things: Things, number: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """The things in one place: what is detected twice is one."""
    place = things.box(number)
    return np.array([overlap(things.box(other), place) >= _SAME_PLACE for other in range(len(things))])
