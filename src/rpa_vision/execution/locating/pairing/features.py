"""What a net is told of the things of two screens: each by itself, any two of one screen, and any two across."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from rpa_vision.execution.locating.pairing.things import KINDS, LOOK, PAINT, Floats, Things
from rpa_vision.execution.strategies.lexicon import meaning_of
from rpa_vision.models.wording import folded

_TRIGRAMS, _WORDS = 64, 512
_ANCHORS = 8
_FEWEST_LETTERS = 2
_FLUSH = 0.3
_FAR = 60.0
"""In lines of text: farther apart is as far."""

OF_EACH = len(KINDS) + 12 + PAINT + LOOK + _TRIGRAMS
OF_TWO, OF_A_PAIR = 11, 22 + PAINT


@dataclass(frozen=True)
class Features:
    """All that is told of two screens: `n` things then, `m` things now."""

    then: Floats
    now: Floats
    within_then: Floats
    within_now: Floats
    across: Floats


def features(then: Things, now: Things) -> Features:
    """What is told of two screens."""
    return Features(_each(then), _each(now), _within(then), _within(now), _across(then, now))


def _bend(values: npt.NDArray[np.floating]) -> Floats:
    """Near differences count, far ones hardly more than near ones."""
    bent = np.sign(values) * np.log1p(np.abs(np.clip(values, -_FAR, _FAR)))
    return np.asarray(bent, np.float32)


def _each(things: Things) -> Floats:
    boxes, line, (width, height) = things.boxes, things.line_px, things.size
    kind = np.eye(len(KINDS), dtype=np.float32)[things.kinds]
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    across, down = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    count = {said: things.said.count(said) for said in set(things.said)}
    place = np.stack(
        [
            x / width, y / height, _bend(boxes[:, 0] / line), _bend((width - boxes[:, 2]) / line),
            _bend(boxes[:, 1] / line), _bend((height - boxes[:, 3]) / line), np.log1p(across / line),
            np.log1p(down / line), np.array([len(one) > 0 for one in things.said], np.float32),
            np.log1p(np.array([len(one) for one in things.said], np.float32)),
            np.log1p(np.array([count[one] if one else 0 for one in things.said], np.float32)), things.enabled,
        ],
        axis=1,
    )  # fmt: skip
    return np.concatenate([kind, place, things.paint, things.looks, _trigrams(things.texts)], axis=1).astype(np.float32)


def _trigrams(texts: tuple[str, ...]) -> Floats:
    made = np.zeros((len(texts), _TRIGRAMS), np.float32)
    for number, text in enumerate(texts):
        said = f" {folded(text)[:80]} "
        for start in range(len(said) - 2 if len(said) > 2 else 0):
            made[number, crc32(said[start : start + 3].encode()) % _TRIGRAMS] += 1
    return np.asarray(made / (np.linalg.norm(made, axis=1, keepdims=True) + 1e-6), np.float32)


def _within(things: Things) -> Floats:
    """How any two things of a screen lie to each other, in lines of text."""
    boxes = things.boxes / things.line_px
    left, top, right, bottom = (boxes[:, edge] for edge in range(4))

    def gap(of: npt.NDArray[np.floating]) -> Floats:
        return np.asarray(of[None, :] - of[:, None], np.float32)

    shared_x = np.minimum(right[:, None], right[None]) - np.maximum(left[:, None], left[None])
    shared_y = np.minimum(bottom[:, None], bottom[None]) - np.maximum(top[:, None], top[None])
    wide, high = right - left, bottom - top
    in_x = shared_x / (np.minimum(wide[:, None], wide[None]) + 1e-3)
    in_y = shared_y / (np.minimum(high[:, None], high[None]) + 1e-3)
    holds = (shared_x >= wide[None] - 0.2) & (shared_y >= high[None] - 0.2)
    x, y = (left + right) / 2, (top + bottom) / 2
    return np.stack(
        [
            _bend(gap(x)), _bend(gap(y)), _bend(gap(left)), _bend(gap(right)), _bend(gap(top)),
            np.clip(in_x, -1, 1), np.clip(in_y, -1, 1), holds, holds.T, np.abs(gap(left)) < _FLUSH,
            things.kinds[:, None] == things.kinds[None],
        ],
        axis=-1,
    ).astype(np.float32)  # fmt: skip


def _across(then: Things, now: Things) -> Floats:
    """How alike any two things of the two screens are, and how well the one lies where the other lay."""
    said_then, said_now = np.array(then.said, object), np.array(now.said, object)
    has = (said_then != "")[:, None] & (said_now != "")[None]
    same = (said_then[:, None] == said_now[None]) & has
    ratio = cdist(then.said, now.said, scorer=Levenshtein.normalized_similarity, dtype=np.float32) * has
    words_then, words_now = _bags(then.texts), _bags(now.texts)
    common = words_then @ words_now.T
    means_then, means_now = (np.array([meaning_of(text) for text in one.texts], np.int64) for one in (then, now))
    means = (means_then[:, None] == means_now[None]) & (means_then >= 0)[:, None]
    either = (said_then != "")[:, None] != (said_now != "")[None]
    size_then, size_now = (
        np.stack([one.boxes[:, 2] - one.boxes[:, 0], one.boxes[:, 3] - one.boxes[:, 1]], 1) / one.line_px
        for one in (then, now)
    )
    grown = np.log((size_now[None] + 0.2) / (size_then[:, None] + 0.2))
    count_then, count_now = (np.array([one.said.count(text) for text in one.said], np.float32) for one in (then, now))
    alike = then.looks @ now.looks.T
    shares_then, shares_now = (_shares(one) for one in (then, now))
    return np.concatenate(
        [
            np.stack(
                [
                    same, ratio, common / (words_then.sum(1)[:, None] + 1e-6), common / (words_now.sum(1)[None] + 1e-6),
                    means, either, ~has & ~either, then.kinds[:, None] == now.kinds[None], alike,
                    np.clip(grown[..., 0], -2, 2), np.clip(grown[..., 1], -2, 2),
                    same * (count_then[:, None] == 1) * (count_now[None] == 1),
                    np.clip(np.log1p(count_then)[:, None] - np.log1p(count_now)[None], -2, 2) * same,
                    (then.enabled[:, None] - now.enabled[None]),
                ],
                axis=-1,
            ),
            np.clip(now.paint[None] - then.paint[:, None], -2, 2),
            np.clip(4 * (shares_now[None] - shares_then[:, None]), -2, 2),
            _residuals(then, now, same),
        ],
        axis=-1,
    ).astype(np.float32)  # fmt: skip


def _shares(things: Things) -> Floats:
    width, height = things.size
    return np.stack([things.boxes[:, [0, 2]].mean(1) / width, things.boxes[:, [1, 3]].mean(1) / height], 1)


def _bags(texts: tuple[str, ...]) -> Floats:
    made = np.zeros((len(texts), _WORDS), np.float32)
    for number, text in enumerate(texts):
        for word in folded(text).split():
            made[number, crc32(word.encode()) % _WORDS] = 1
    return made


def _residuals(then: Things, now: Things, same: npt.NDArray[np.bool_]) -> Floats:
    """By how much a thing misses the place that each of the nearest lines both screens say once gives it: across, down
    and both, at best and in the middle of these lines; in lines of text."""
    long = np.array([len(one) >= _FEWEST_LETTERS for one in then.said])
    alone = same & (same.sum(1) == 1)[:, None] & (same.sum(0) == 1)[None] & long[:, None]
    first, second = np.nonzero(alone)
    missing = np.full((len(then), len(now), 6), np.log1p(_FAR) / 2, np.float32)
    if not len(first):
        return missing
    old, new = then.boxes / then.line_px, now.boxes / now.line_px

    def points(boxes: Floats) -> Floats:
        """The left edge and the middle, across; the middle, down."""
        return np.stack([boxes[:, 0], boxes[:, [0, 2]].mean(1), boxes[:, [1, 3]].mean(1)], 1)

    at, to = points(old), points(new)
    from_anchor = at[:, None] - at[first][None]  # n, a, 3
    reach = np.abs(from_anchor[..., 0]) * 0.5 + np.abs(from_anchor[..., 2])
    reach[first, np.arange(len(first))] = _FAR * 10  # nothing says where it is itself
    nearest = np.argsort(reach, axis=1, kind="stable")[:, :_ANCHORS]
    given = np.take_along_axis(from_anchor, nearest[..., None], axis=1)  # n, k, 3
    anchors = to[second][nearest]  # n, k, 3
    off = to[None, :, None] - anchors[:, None] - given[:, None]  # n, m, k, 3
    x, y = np.minimum(np.abs(off[..., 0]), np.abs(off[..., 1])), np.abs(off[..., 2])
    both = np.maximum(x, y)
    made = np.stack([part(one, axis=2) for one in (x, y, both) for part in (np.min, np.median)], -1)
    return _bend(made)
