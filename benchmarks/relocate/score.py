"""Who finds the target again: RPA Vision and its rivals over rendered pairs of screens.

    python benchmarks/relocate/score.py PAIRS [--limit N] [--json] [--answers NAME=FILE]

An answer is *right* when its point lies in the target's box of the DOM, or when it refuses and the target is really
gone, replaced by a look-alike or covered; *wrong* when it points anywhere else; *refused* when the target was there.
Screens are read once and what was understood is kept beside the pictures (`states/`): a second run costs seconds.
"""

from __future__ import annotations

import argparse
import json
import pickle
import platform
import sys
import time
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from relocate.rivals import RIVALS
from rpa_vision.app.wiring import clock, screen_reader
from rpa_vision.app.wiring_reading import screen_pairer
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.finding import find_again
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.imaging.codec import decode
from rpa_vision.models.geometry import Box

OURS = "rpa-vision"
_SLACK_PX = 2
_KEPT = 24


@dataclass
class Scores:
    """Counts by method and drift, and how long our answers took."""

    counts: dict[str, dict[str, Counter[str]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Counter))
    )
    read_ms: list[float] = field(default_factory=list)
    resolve_ms: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    """Where the target was there: why it was not taken."""
    beside: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """What we answered on the very pairs that another was asked about, by its name."""
    claims: list[tuple[float, bool]] = field(default_factory=list)
    """The score of each answer of ours, and whether it was right."""

    def total(self, method: str) -> Counter[str]:
        return sum(self.counts[method].values(), Counter())

    def table(self) -> str:
        """Markdown: right / refused / wrong in per cent, by drift and method."""
        drifts = list(dict.fromkeys(drift for counts in self.counts.values() for drift in counts))
        lines = ["| drift | pairs | " + " | ".join(self.counts) + " |", "|---|---|" + "---|" * len(self.counts)]
        for drift in [*drifts, "all"]:
            cells = []
            for method in self.counts:
                one = self.total(method) if drift == "all" else self.counts[method][drift]
                cells.append(_shares(one))
            first = self.counts[OURS]
            n = self.total(OURS).total() if drift == "all" else first[drift].total()
            lines.append(f"| {drift} | {n} | " + " | ".join(cells) + " |")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        return {
            "counts": {
                method: {drift: dict(one) for drift, one in drifts.items()} for method, drifts in self.counts.items()
            },
            "read_ms": _spread(self.read_ms),
            "resolve_ms": _spread(self.resolve_ms),
            "beside": {name: dict(one) for name, one in self.beside.items()},
            "wrong": self.wrong,
            "refused": self.refused,
            "calibration": _calibration(self.claims),
            "machine": {"processor": platform.processor() or platform.machine(), "python": platform.python_version()},
        }


def score_pairs(
    folder: Path,
    *,
    limit: int | None = None,
    rivals: Mapping[str, Any] = RIVALS,
    only_read: bool = False,
    answers: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> Scores:
    """Ask everybody about every pair of a folder; `only_read` leaves out pairs nobody has read yet. What others have
    answered elsewhere is in `answers`: by name, the point by pair."""
    screens, resolver, scores = _Screens(folder, may_read=not only_read), TargetResolver(), Scores()
    pairer = screen_pairer()
    for pair in _pairs(folder, limit):
        try:
            then, now = screens[pair["from"]], screens[pair["in"]]
        except KeyError:
            continue
        began = time.perf_counter()
        found = find_again(resolver, then, Box(*pair["box"]), now, pairer)
        scores.resolve_ms.append((time.perf_counter() - began) * 1000)
        verdict = _verdict(pair, found.point)
        scores.counts[OURS][pair["drift"]][verdict] += 1
        if found.point is not None:
            scores.claims.append((found.score, verdict == "right"))
        if verdict == "wrong":
            scores.wrong.append(f"{pair['id']}: {found.why}")
        if verdict == "refused":
            scores.refused.append(f"{pair['id']}: {found.why}")
        for name, rival in rivals.items():
            point = rival(then.pixels, pair["box"], now.pixels)
            scores.counts[name][pair["drift"]][_verdict(pair, point)] += 1
        for name, points in answers.items():
            if pair["id"] in points:
                scores.counts[name][pair["drift"]][_verdict(pair, points[pair["id"]])] += 1
                scores.beside[name][verdict] += 1
    scores.read_ms = screens.spent_ms
    return scores


def _pairs(folder: Path, limit: int | None) -> Iterator[dict[str, Any]]:
    with (folder / "pairs.jsonl").open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if limit is not None and number >= limit:
                return
            yield json.loads(line)


def _answers(file: Path) -> dict[str, Any]:
    return {one["id"]: one["point"] for one in map(json.loads, file.read_text(encoding="utf-8").splitlines())}


def _verdict(pair: Mapping[str, Any], point: tuple[int, int] | None) -> str:
    box = pair["box_after"]
    if point is None:
        return "right" if box is None else "refused"
    if box is None:
        return "wrong"
    x1, y1, x2, y2 = box
    inside = x1 - _SLACK_PX <= point[0] <= x2 + _SLACK_PX and y1 - _SLACK_PX <= point[1] <= y2 + _SLACK_PX
    return "right" if inside else "wrong"


class _Screens:
    """Pictures of a folder, understood; what was understood is kept on disk, the last ones in memory."""

    def __init__(self, folder: Path, *, may_read: bool) -> None:
        self._folder, self._may_read = folder, may_read
        self._reader: Any = None
        self._kept: OrderedDict[str, ObservedScreen] = OrderedDict()
        self.spent_ms: list[float] = []

    def __getitem__(self, name: str) -> ObservedScreen:
        if name not in self._kept:
            pixels = decode((self._folder / name).read_bytes())
            state, seconds = self._state(name, pixels)
            self.spent_ms.append(seconds * 1000)
            self._kept[name] = ObservedScreen(pixels, state, np.zeros(0, np.float32))
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return self._kept[name]

    def _state(self, name: str, pixels: Any) -> tuple[Any, float]:
        kept = self._folder / "states" / f"{Path(name).stem}.pkl"
        if kept.exists():
            return pickle.loads(kept.read_bytes())
        if not self._may_read:
            raise KeyError(name)
        now: Callable[[], float] = time.perf_counter
        self._reader = self._reader or screen_reader()
        began = now()
        state = self._reader.read(pixels, screen_state_id="picture", timestamp=clock().now())
        kept.parent.mkdir(exist_ok=True)
        kept.write_bytes(pickle.dumps((state, now() - began)))
        return state, now() - began


def _shares(counts: Counter[str]) -> str:
    n = max(1, counts.total())
    return " / ".join(f"{100 * counts[what] / n:.1f}" for what in ("right", "refused", "wrong"))


def _spread(values: list[float]) -> dict[str, float]:
    if not values:
        return {}
    return {"median": round(float(np.median(values)), 1), "p95": round(float(np.percentile(values, 95)), 1)}


def _calibration(claims: list[tuple[float, bool]]) -> list[dict[str, float]]:
    """How often answers of a score were right, by tenths of the scale."""
    bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for score, right in claims:
        bins[min(9, int(score * 10))].append((score, right))
    return [
        {
            "from": number / 10,
            "answers": len(some),
            "mean_score": round(sum(score for score, _ in some) / len(some), 3),
            "right": round(sum(right for _, right in some) / len(some), 3),
        }
        for number, some in sorted(bins.items())
    ]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("pairs", type=Path)
    options.add_argument("--limit", type=int)
    options.add_argument("--only-read", action="store_true", help="leave out pairs nobody has read yet")
    options.add_argument("--no-rivals", action="store_true")
    options.add_argument("--answers", action="append", default=[], help="NAME=FILE: points another tool has given")
    options.add_argument("--why", action="store_true", help="also say why a target that was there was not taken")
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    rivals = {} if given.no_rivals else RIVALS
    answers = {name: _answers(Path(file)) for name, _, file in (one.partition("=") for one in given.answers)}
    scores = score_pairs(given.pairs, limit=given.limit, rivals=rivals, only_read=given.only_read, answers=answers)
    if given.json:
        print(json.dumps(scores.to_json(), ensure_ascii=False))
        return
    print("right / refused / wrong, in per cent\n")
    print(scores.table())
    for name, ours in scores.beside.items():
        theirs = scores.total(name)
        print(f"\non the {ours.total()} pairs {name} was asked about: {_shares(theirs)}; {OURS}: {_shares(ours)}")
    print(f"\nread a screen {_spread(scores.read_ms)} ms; find the target {_spread(scores.resolve_ms)} ms")
    print("calibration:", _calibration(scores.claims))
    print("\n".join(scores.wrong))
    if given.why:
        print("\n".join(["", "refused:", *scores.refused]))


if __name__ == "__main__":
    main()
