"""Whether what was expected was shown, perhaps in other words: « Facture 12 approuvée » for « … validée ».

What is accepted so is said to be: whoever reads that a step is verified has to know that the words were others.
"""

from __future__ import annotations

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.strategies.lexicon import same_gist
from rpa_vision.graph.vocabulary import same_words, words_of


def in_other_words(text: str, before: ObservedScreen, now: ObservedScreen) -> str | None:
    """A text that came up since and says the same of the same deed."""
    old = words_of(before.state)
    return next(
        (
            line
            for line in words_of(now.state)
            if same_gist(line, text) and not any(same_words(line, other) for other in old)
        ),
        None,
    )


def told_otherwise(said: str, expected: str) -> str:
    """What was accepted, for what."""
    return f"seen in other words: « {said} » for « {expected} »"
