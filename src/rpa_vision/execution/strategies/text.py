"""By what it says. « Valider » is not « Valider tout », and an invoice number is only itself."""

from __future__ import annotations

from rapidfuzz import fuzz

from rpa_vision.execution.strategies.evidence import Evidence, Search, Verdicts
from rpa_vision.graph.vocabulary import same_words
from rpa_vision.models.wording import folded, squeezed

NAME = "som_text_match"


def judge(search: Search) -> Verdicts | None:
    """Score every element with words by how near they are to the label; None when the target has no label."""
    if not search.label:
        return None
    wanted = folded(search.label)
    verdicts: dict[str, Evidence] = {}
    for element in search.screen.state.ui_elements:
        said = folded(element.label)
        if not said:
            continue
        score = _likeness(said, wanted, exact=search.label_is_exact)
        if score >= search.profile.min_ratio:
            verdicts[element.element_id] = Evidence(score, f"says « {element.label} »")
    return verdicts


def _likeness(said: str, wanted: str, *, exact: bool) -> float:
    if squeezed(said) == squeezed(wanted):
        return 1.0
    if exact or not same_words(said, wanted):
        return 0.0
    return float(fuzz.ratio(said, wanted)) / 100.0
