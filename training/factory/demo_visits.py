"""Which pages are looked at and in which order, what they say instead of their own words, and which looks are worth it."""

from __future__ import annotations

import itertools
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from factory.demo_packages import DemoPackage
from factory.words import Words

VISITS_EACH, VISITS_OF_A_PAGE = 30, 6
"""Visits of one package, and of one page: a package with few pages sees them again, in other windows."""


@dataclass(frozen=True)
class Visit:
    """One look at a page: the window, the zoom, how far down, and whose words."""

    package: DemoPackage
    page: str
    variation: int

    @property
    def ident(self) -> str:
        page = re.sub(r"[^a-zA-Z0-9]+", "_", self.page.rsplit(".", 1)[0])[-60:]
        return f"demo-{self.package.look}-{page}-{self.variation}"


def worth_it(truth: dict[str, Any], area: float) -> bool:
    """Something to act on, little that cannot be told, and no veil over the page."""
    sure = [one for one in truth["elements"] if one["enabled"] is not None and not one["covered"]]
    unsure = sum(_area(one["box"]) for one in truth["elements"] if one["covered"])
    return (
        len(sure) >= 2
        and len(sure) + len(truth["texts"]) >= 8
        and unsure < 0.3 * area
        and truth["hidden"] <= 0.5 * len(sure) + 4
    )


def phrases(rng: random.Random, lang: str) -> list[str]:
    """Words of all lengths, shortest first."""
    words = Words(rng, lang)
    makers = (words.action, words.noun, words.menu, words.state, words.person)
    said = {maker() for maker in makers for _ in range(40)}
    said |= {words.phrase(low, low + 3) for low in range(2, 40) for _ in range(6)}
    return sorted(said, key=len)


def visits(packages: list[DemoPackage], fetched: Path) -> list[Visit]:
    """Each package in turn, each of its pages in turn: wherever one stops, all looks are about equally there."""
    plans = []
    for package in packages:
        pages = package.found(fetched)
        random.Random(package.name).shuffle(pages)
        rounds = min(VISITS_OF_A_PAGE, -(-VISITS_EACH // max(1, len(pages))))
        plans.append([Visit(package, page, variation) for variation in range(rounds) for page in pages][:VISITS_EACH])
    return [visit for turn in itertools.zip_longest(*plans) for visit in turn if visit]


def _area(box: list[float]) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])
