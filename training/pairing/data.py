"""Pairs of screens to learn from: any two pictures of a family, with what each element became."""

from __future__ import annotations

import json
import pickle
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.pairing.features import Features, features
from rpa_vision.execution.locating.pairing.things import Things, things_of
from rpa_vision.imaging.codec import decode
from rpa_vision.models.geometry import Box

OTHER_DATA = frozenset(("content", "compound"))
"""Drifts after which rows hold something else: which of them a row was cannot be said."""
_SAME, _MOSTLY_IN, _FEWEST_PX = 0.4, 0.7, 7
_LOST, _BLANK, _EXTRA = 0.06, 0.03, 2
ASKED, BEHIND = 0.12, 0.05
"""How many lessons are of a dialog's button, and of the page that a dialog keeps from being used."""


@dataclass(frozen=True)
class Screen:
    """The things of a picture; the first `seen` of them were detected, the others are boxes nobody detected."""

    things: Things
    seen: int
    number: Mapping[str, int]
    """Which thing each element is."""
    boxes: Mapping[str, list[int]]
    facts: Mapping[str, Any]


@dataclass(frozen=True)
class Lesson:
    """Two screens, and for some things of the first which things of the second they are; none of them where it is
    gone."""

    told: Features
    queries: list[int]
    answers: list[npt.NDArray[np.bool_]]
    weights: list[float]


def prepare(folder: Path, out: Path) -> int:
    """Write the things of every picture that was read, family by family."""
    out.mkdir(parents=True, exist_ok=True)
    made = 0
    for line in (folder / "families.jsonl").read_text(encoding="utf-8").splitlines():
        family = json.loads(line)
        kept = out / f"{family['name']}.pkl"
        if kept.exists():
            continue
        try:
            groups = [[_screen(folder, one) for one in family[group]] for group in ("screens", "asked")]
        except FileNotFoundError:
            continue  # not read yet
        kept.write_bytes(pickle.dumps({"kit": family["kit"], "about": family["about"], "groups": groups}))
        made += 1
    return made


def _screen(folder: Path, one: dict[str, Any]) -> Screen:
    state, _ = pickle.loads((folder / "states" / f"{Path(one['file']).stem}.pkl").read_bytes())
    screen = ObservedScreen(decode((folder / one["file"]).read_bytes()), state, np.zeros(0, np.float32))
    boxes = {rid: box for rid, box in one["boxes"].items() if min(box[2] - box[0], box[3] - box[1]) >= _FEWEST_PX}
    seen = len(things_of(screen)[0])
    things, numbers = things_of(screen, [Box(*box) for box in boxes.values()])
    facts = {key: value for key, value in one.items() if key != "boxes"}
    return Screen(things, seen, dict(zip(boxes, numbers, strict=True)), boxes, facts)


def lesson(family: dict[str, Any], rng: random.Random) -> Lesson | None:
    """Two pictures of a family, drawn by lot."""
    screens, asked = family["groups"]
    drawn = rng.random()
    if len(asked) > 1 and drawn < ASKED:
        return _asked(asked, rng)
    if screens and asked and drawn > 1 - BEHIND:
        return _behind(screens[0], rng.choice(asked), rng)
    if len(screens) < 2:
        return None
    before = screens[0] if rng.random() < 0.5 else rng.choice(screens)
    after = rng.choice([one for one in screens if one is not before])
    if rng.random() < 0.3:
        before, after = after, before
    return _lesson(before, after, _truth(family["about"], before, after), rng)


def _asked(screens: Sequence[Screen], rng: random.Random) -> Lesson | None:
    before, after = screens[0], rng.choice(screens[1:])
    rid = before.facts["rid"]
    there = after.boxes.get(after.facts["rid"]) if after.facts["drift"] == "asked" else None
    return _lesson(before, after, {rid: (there, 1.0)}, rng)


def _behind(page: Screen, asking: Screen, rng: random.Random) -> Lesson | None:
    """A dialog came up over the page: nothing of the page is to be taken, veiled or not."""
    return _lesson(page, asking, dict.fromkeys(page.boxes, (None, 0.5)), rng)


def _truth(
    about: Mapping[str, Mapping[str, Any]], before: Screen, after: Screen
) -> dict[str, tuple[list[int] | None, float]]:
    """Where each element is later, None where it is not to be taken; and how much it counts."""
    drifts = {one.facts["drift"] for one in (before, after)}
    data_changes = len(OTHER_DATA & {one.facts["drift"] for one in (before, after)}) == 1
    rows = Counter((one["row"], one["type"], one["text"]) for one in about.values())
    made: dict[str, tuple[list[int] | None, float]] = {}
    for rid in before.boxes:
        known = about.get(rid)
        if known is None:
            continue
        own = (known["row"], known["type"], known["text"])
        if data_changes and (known["in_row"] or known["in_list"] or known["type"] in ("cell", "table_row")):
            continue
        if "sorted" in drifts and (known["in_row"] or known["in_list"]) and rows[own] > 1:
            continue
        if "swapped" in drifts and known["type"] in ("label", "heading"):
            continue
        there = _of(after).get(rid)
        counts = 1.0 if known["type"] not in ("label", "heading", "cell", "table", "table_row") else 0.25
        if there is not None and _was_made_another(rid, before, after):
            there, counts = None, 4.0
        elif there is None or _is_what_drifted(rid, before, after):
            counts *= 3.0
        made[rid] = (there, counts)
    return {_renamed(before, rid): one for rid, one in made.items()}


def _of(screen: Screen) -> dict[str, list[int]]:
    """The boxes by what each element goes by: two that changed their captions are each other."""
    facts = screen.facts
    if facts["drift"] != "swapped":
        return dict(screen.boxes)
    return {_renamed(screen, rid): box for rid, box in screen.boxes.items()}


def _renamed(screen: Screen, rid: str) -> str:
    facts = screen.facts
    if facts["drift"] != "swapped":
        return rid
    return {facts["rid"]: facts["with"], facts["with"]: facts["rid"]}.get(rid, rid)


def _was_made_another(rid: str, before: Screen, after: Screen) -> bool:
    if after.facts["drift"] == "disabled" and after.facts["rid"] == rid:
        return True
    return any(one.facts["drift"] == "look_alike" and one.facts["rid"] == rid for one in (before, after))


def _is_what_drifted(rid: str, before: Screen, after: Screen) -> bool:
    return any(rid in (one.facts.get("rid"), one.facts.get("with")) for one in (before, after))


def _lesson(
    before: Screen, after: Screen, truth: Mapping[str, tuple[list[int] | None, float]], rng: random.Random
) -> Lesson | None:
    numbers = {rid: before.number[rid] for rid in truth if rid in before.number}
    unseen = [rid for rid, number in numbers.items() if number >= before.seen]
    unseen = rng.sample(unseen, min(_EXTRA, len(unseen)))
    asked = {number for rid, number in numbers.items() if number < before.seen or rid in unseen}
    kept_then = [one for one in range(before.seen) if one in asked or rng.random() >= _LOST]
    kept_then += sorted(number for number in asked if number >= before.seen)
    kept_now = [one for one in range(after.seen) if rng.random() >= _LOST / 3]
    if len(kept_then) < 4 or len(kept_now) < 4:
        return None
    then, now = _part(before.things, kept_then, rng), _part(after.things, kept_now, rng)
    place = {number: index for index, number in enumerate(kept_then)}
    queries, answers, weights = [], [], []
    for rid, number in numbers.items():
        if number not in place:
            continue
        box, counts = truth[rid]
        answer = np.zeros(len(kept_now) + 1, bool)
        if box is None:
            answer[-1] = True
        else:
            answer[:-1] = _in(box, now.boxes)
            answer[-1] = not answer.any()  # nobody detected it: whatever is taken for it would be wrong
        queries.append(place[number])
        answers.append(answer)
        weights.append(counts)
    return Lesson(features(then, now), queries, answers, weights) if queries else None


def _part(things: Things, kept: list[int], rng: random.Random) -> Things:
    """Some of the things, a few of them with nothing read."""
    blank = {one for one in kept if rng.random() < _BLANK}
    return replace(
        things,
        boxes=things.boxes[kept],
        kinds=things.kinds[kept],
        texts=tuple("" if one in blank else things.texts[one] for one in kept),
        said=tuple("" if one in blank else things.said[one] for one in kept),
        enabled=things.enabled[kept],
        looks=things.looks[kept],
        paint=things.paint[kept],
    )


def _in(box: list[int], boxes: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    """Which things are it: those that cover the same, else those that lie in it."""
    x1, y1, x2, y2 = box
    wide = np.clip(np.minimum(boxes[:, 2], x2) - np.maximum(boxes[:, 0], x1), 0, None)
    high = np.clip(np.minimum(boxes[:, 3], y2) - np.maximum(boxes[:, 1], y1), 0, None)
    shared, area = wide * high, (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    same = shared / (area + (x2 - x1) * (y2 - y1) - shared + 1e-6) >= _SAME
    if same.any():
        return np.asarray(same)
    x, y = boxes[:, [0, 2]].mean(1), boxes[:, [1, 3]].mean(1)
    inside = (x >= x1) & (x <= x2) & (y >= y1) & (y <= y2)
    return np.asarray(inside & (shared / (area + 1e-6) >= _MOSTLY_IN))
