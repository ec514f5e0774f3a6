"""Which of the demonstrated screens are the same screen: the nodes of the graph to be.

The screens before the same step of each case are one group by construction, and so are those on which ways part or
rounds begin; groups that look the same and say the same are one node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.embedding.similarity import calibrate, cosine_similarity
from rpa_vision.graph.vocabulary import Words, contains, stable_texts
from rpa_vision.models.wording import title_words
from rpa_vision.ports.perception import Vector

_SAME_LOOK = 0.85
_SAME_WORDS = 0.8
_MOSTLY_SHOWN = 0.85
SAME_TITLE = 0.75


@dataclass(slots=True)
class ScreenGroup:
    """Screens that are one screen, and what they share."""

    screens: list[ObservedScreen] = field(default_factory=list)
    values: list[Mapping[str, str]] = field(default_factory=list)
    stable: tuple[str, ...] = ()
    prototype: Vector = field(default_factory=lambda: np.zeros(0, np.float32))
    words: list[Words] = field(default_factory=list)
    """What each of the screens says."""

    def refresh(self) -> None:
        """Work out again what the screens share."""
        self.words.extend(Words.in_front(screen) for screen in self.screens[len(self.words) :])
        self.stable = stable_texts(self.screens, self.values, self.words)
        mean = np.mean([screen.vector for screen in self.screens], axis=0)
        self.prototype = (mean / max(float(np.linalg.norm(mean)), 1e-12)).astype(np.float32)

    @property
    def title_words(self) -> frozenset[str]:
        """The words all window titles share: what varies (the invoice, the file) names no screen."""
        return frozenset.intersection(*(title_words(screen.state.window.title) for screen in self.screens))

    @property
    def apps(self) -> set[str]:
        return {screen.state.window.app_name for screen in self.screens}


Column = Sequence[tuple[ObservedScreen, Mapping[str, str]]]
"""Screens that are one screen by construction, each with the values of its case."""


def group_screens(columns: Sequence[Column], space_id: str) -> tuple[list[ScreenGroup], list[int]]:
    """The distinct screens, and for each column which of them it is."""
    groups: list[ScreenGroup] = []
    assignment: list[int] = []
    for column in columns:
        fresh = ScreenGroup(screens=[screen for screen, _ in column], values=[values for _, values in column])
        fresh.refresh()
        same = next((i for i, group in enumerate(groups) if _same_screen(group, fresh, space_id)), None)
        if same is None:
            groups.append(fresh)
            assignment.append(len(groups) - 1)
        else:
            groups[same].screens.extend(fresh.screens)
            groups[same].values.extend(fresh.values)
            groups[same].words.extend(fresh.words)
            groups[same].refresh()
            assignment.append(same)
    return groups, assignment


def _same_screen(known: ScreenGroup, fresh: ScreenGroup, space_id: str) -> bool:
    if any(one is other for one in known.screens for other in fresh.screens):
        return True  # where one repetition ends and the next begins is one and the same screen
    if known.apps != fresh.apps or not _same_title(known, fresh):
        return False
    look = calibrate(cosine_similarity(known.prototype, fresh.prototype), space_id)
    if look < _SAME_LOOK:
        return False
    if _word_overlap(known.stable, fresh.stable) >= _SAME_WORDS:
        return True
    # One screen of a few that was seen too early leaves little that all of them share; most of them still show it.
    of_known, of_fresh = _shown(known.stable, fresh.words), _shown(fresh.stable, known.words)
    if of_known >= _MOSTLY_SHOWN and of_fresh >= _MOSTLY_SHOWN:
        return True
    # A list that fills slowly was seen half empty more than once: what is missing then stood there at other times.
    return (of_known >= _MOSTLY_SHOWN and _ever_shown(fresh.stable, known.words) >= _MOSTLY_SHOWN) or (
        of_fresh >= _MOSTLY_SHOWN and _ever_shown(known.stable, fresh.words) >= _MOSTLY_SHOWN
    )


def _same_title(known: ScreenGroup, fresh: ScreenGroup) -> bool:
    """Whether what the titles of each group share is the same, or both groups have had the same title."""
    if shared(known.title_words, fresh.title_words) >= SAME_TITLE:
        return True
    titles, others = ({title_words(one.state.window.title) for one in group.screens} for group in (known, fresh))
    return any(shared(title, other) >= SAME_TITLE for title in titles for other in others)


def shared(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of words that two sets have in common."""
    return len(one & other) / len(one | other) if one | other else 1.0


def _shown(texts: Sequence[str], screens: Sequence[Words]) -> float:
    """How much of some texts the screens show, on average."""
    if not texts:
        return 0.0
    return sum(words.hold(text) for words in screens for text in texts) / (len(texts) * len(screens))


def _ever_shown(texts: Sequence[str], screens: Sequence[Words]) -> float:
    """How much of some texts at least one of the screens shows."""
    return sum(any(words.hold(text) for words in screens) for text in texts) / len(texts) if texts else 0.0


def _word_overlap(one: Sequence[str], other: Sequence[str]) -> float:
    """Shared words over all words."""
    if not one and not other:
        return 1.0
    shared = sum(contains(other, text) for text in one)
    union = len(one) + len(other) - shared
    return shared / union if union else 1.0
