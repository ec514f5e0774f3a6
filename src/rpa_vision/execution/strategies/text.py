"""By what it says. « Valider » is not « Valider tout », and an invoice number is only itself.

A more tolerant attempt also takes other words that mean the same (« Approuver »), a word badly read, and a value
written otherwise (2 mars 2026 for 02/03/2026), and for a link that only leads somewhere another name in its very place,
made of words that stood around it. Words that are not the very ones need more than themselves: they count only where
the target must be.
"""

from __future__ import annotations

import re

from rapidfuzz import fuzz

from rpa_vision.execution.strategies import constellation
from rpa_vision.execution.strategies.evidence import Evidence, Search, Verdicts
from rpa_vision.execution.strategies.lexicon import is_due, names_a_deed, same_meaning
from rpa_vision.execution.strategies.role import related
from rpa_vision.graph.vocabulary import are_opposite, letters, misread_as, same_words
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.wording import folded, squeezed
from rpa_vision.models.written_values import as_date, as_number

NAME = "som_text_match"
_SEEN_AS_LINKS = ("link", "label", "menu_item")
"""What a link is taken for where colours do not tell."""
_LEADS_SOMEWHERE = (None, "navigation", "back", "unknown")
_ACTING = ("button", "menu_item", "icon")
_SAYS_WHERE = frozenset(
    ["tout", "toute", "tous", "toutes", "all", "list", "liste", "page", "aller", "go", "voir", "view", "afficher",
     "show", "retour", "back", "to", "a", "au", "aux", "la", "le", "les", "l", "the", "de", "du", "des", "d", "of"]
)  # fmt: skip
"""Words that say no more than that one is led somewhere, folded."""
SYNONYM_SCORE = 0.86
MISREAD_SCORE = 0.82
REWRITTEN_SCORE = 0.95
REPLACED_SCORE = 0.84
_AT_PLACE = 0.6
_SAME_BEGINNING = 5
_WORD = 3
_CUT = ("…", "...")
_ARROWS = {"←": -1, "‹": -1, "<": -1, "⟵": -1, "→": 1, "›": 1, ">": 1, "⟶": 1}
_SHORTCUT = re.compile(r"(?:(?:ctrl|alt|shift|maj|cmd)\+)+\S+|f\d{1,2}")
_GROWN_TOGETHER = re.compile(r"^[A-Z0-9][A-ZÀ-Þ][a-zß-ÿ]{2}")
"""A capital or a digit before a word that begins with a capital."""


def judge(search: Search) -> Verdicts | None:
    """Score every element with words by how near they are to the label; None when the target has no label."""
    if not search.label:
        return None
    wanted = folded(search.label)
    known = search.sky.known if search.sky is not None else frozenset()
    other_names = {squeezed(alias) for alias in _other_names(search)}
    verdicts: dict[str, Evidence] = {}
    for element in search.elements:
        said = folded(element.label)
        if not said:
            continue
        score = _likeness(said, wanted, exact=search.label_is_exact)
        if score >= search.profile.min_ratio:
            verdicts[element.element_id] = Evidence(score, f"says « {element.label} »")
        elif squeezed(said) in other_names:
            verdicts[element.element_id] = Evidence(1.0, f"says « {element.label} », its other name")
        elif search.profile.expand_roles and (other := _otherwise(element.label, search, known)) is not None:
            verdicts[element.element_id] = other
        elif search.profile.expand_roles and _took_its_place(element, search, known):
            reason = f"says « {element.label} » in the very place of « {search.label} »"
            verdicts[element.element_id] = Evidence(REPLACED_SCORE, reason, needs_place=True)
    return verdicts


def _other_names(search: Search) -> tuple[str, ...]:
    """What else it is called; nothing, while something says its own name that did not stand beside it before."""
    target, own = search.target, letters(search.label or "")
    if search.label_is_exact or not target.aliases:
        return ()
    stood_beside = any(constellation.says_so(one, own, target) for one in target.landmarks)
    says_itself = any(
        same_words(one.label, search.label or "") and (target.type is None or related(one.type, target.type))
        for one in search.elements
        if one.metadata.get("behind_dialog") is not True
    )
    return () if says_itself and not stood_beside else target.aliases


def _likeness(said: str, wanted: str, *, exact: bool) -> float:
    if squeezed(said) == squeezed(wanted):
        return 1.0
    if exact or not same_words(said, wanted):
        return 0.0
    return float(fuzz.ratio(said, wanted)) / 100.0


def _otherwise(said: str, search: Search, known: frozenset[str]) -> Evidence | None:
    """The same in other words, badly read, or written in another way."""
    wanted = search.label or ""
    if _same_value(said, wanted):
        return Evidence(REWRITTEN_SCORE, f"says « {said} », which is « {wanted} » written otherwise")
    if search.label_is_exact or letters(said) in known or are_opposite(said, wanted):  # what stood beside it is not it
        return None
    plain, plainly_wanted = _without_icon(said), _without_icon(wanted)
    if squeezed(folded(plain)) == squeezed(folded(plainly_wanted)):
        return Evidence(MISREAD_SCORE, f"says « {said} » beside an icon", needs_place=True)
    if _same_in_another_order(said, wanted):
        return Evidence(REWRITTEN_SCORE, f"says « {said} », « {wanted} » in another order", needs_place=True)
    if same_meaning(said, wanted):
        return Evidence(SYNONYM_SCORE, f"says « {said} », which means « {wanted} »", needs_place=True)
    if letters(plain) not in known and same_meaning(plain, plainly_wanted):
        return Evidence(MISREAD_SCORE, f"says « {said} » beside an icon, which means « {wanted} »", needs_place=True)
    if _cut_short(said, wanted):
        return Evidence(MISREAD_SCORE, f"says « {said} », as « {wanted} » cut off elsewhere", needs_place=True)
    if misread_as(said, wanted):
        return Evidence(MISREAD_SCORE, f"says « {said} », perhaps « {wanted} » badly read", needs_place=True)
    return None


def _took_its_place(element: UIElement, search: Search, known: frozenset[str]) -> bool:
    """A link to somewhere that is called otherwise: its words are gone from the screen, and exactly where it must be
    stand new ones that name no deed, but something the recorded screen spoke of. No list knows all deeds."""
    sky, target = search.sky, search.target
    kinds = _SEEN_AS_LINKS if search.on_its_screen else ("link",)
    if target.type != "link" or target.role not in _LEADS_SOMEWHERE or element.type not in kinds:
        return False
    if (
        sky is None
        or not (sky.is_sure or search.on_its_screen)
        or search.label_is_exact
        or search.rows
        or names_a_deed(search.label or "")
    ):
        return False
    if letters(element.label) in known or names_a_deed(element.label) or any(map(str.isdigit, element.label)):
        return False
    if not _spoken_of(element.label, search):
        return False
    if _points_elsewhere(element.label, search.label or ""):
        return False
    if _words(element.label) & _words(search.label or ""):
        return False  # a part of it, or more than it: something was read together, or taken out
    if letters(element.label)[:_SAME_BEGINNING] == letters(search.label or "")[:_SAME_BEGINNING]:
        return False  # the same, when words are not told apart: « BrouillonsAvis » and « Brouillons toutAvis »
    wanted = squeezed(search.label or "")
    if any(squeezed(one.text) == wanted for one in search.screen.state.perception.text_lines):
        return False
    reach = constellation.reach_of(search)
    return constellation.nearness(Box.of(element.bbox), sky.expected, reach) >= _AT_PLACE


def _spoken_of(said: str, search: Search) -> bool:
    """Whether a name holds nothing but what the recorded screen spoke of, its controls that do something left out."""
    there = [one.label for one in search.target.landmarks if one.type not in _ACTING]
    known = {_singular(word) for label in there for word in _plain_words(label)}
    new = _plain_words(said) - _SAYS_WHERE
    return bool(new) and all(_singular(word) in known for word in new)


def _plain_words(text: str) -> set[str]:
    return set(re.findall("[a-z0-9]+", folded(text)))


def _singular(word: str) -> str:
    return word.rstrip("sx")


def _words(text: str) -> set[str]:
    """Its words; the arrow before « ← Retour » is none."""
    words = folded(text).split()
    return set(words[1:] if words and words[0] in _ARROWS else words)


def _points_elsewhere(said: str, wanted: str) -> bool:
    """« → Suivante » is not « ← Précédente », whatever they are called."""
    one, other = (_ARROWS.get(text.split()[0]) if text.split() else None for text in (said, wanted))
    return None not in (one, other) and one != other


def _without_icon(text: str) -> str:
    """The words without a lone sign before them: that is how an icon is read, apart (« 2. Outils ») or grown together
    with the first word (« QAccueil »). « À valider » is a state, not the deed beside an icon."""
    first, _, rest = text.strip().partition(" ")
    if is_due(text):
        return text.strip()
    if rest and sum(map(str.isalnum, first)) <= 1:
        return rest
    return first[1:] + text.strip()[len(first) :] if _GROWN_TOGETHER.match(first) else text.strip()


def _cut_short(said: str, wanted: str) -> bool:
    """Both are cut off for want of room, and one goes on where the other ends: « Mari… » and « Marie T… »."""
    if not all(text.rstrip().endswith(_CUT) for text in (said, wanted)):
        return False
    one, other = (folded(text.rstrip().rstrip("….")) for text in (said, wanted))
    return min(len(one), len(other)) >= _WORD and (one.startswith(other) or other.startswith(one))


def _same_in_another_order(said: str, wanted: str) -> bool:
    """The same words, but for where the shortcut stands: what is in one line is put together from left to right or by
    its height, and a pixel decides (« Suivant Ctrl+N », « Ctrl+N Suivant »). Other words mean something else in another
    order: « Copier A vers B »."""
    (one, keys), (other, others) = _without_shortcut(said), _without_shortcut(wanted)
    return len(keys) == 1 and keys == others and one == other and any(len(w) >= _WORD and w.isalpha() for w in one)


def _without_shortcut(label: str) -> tuple[list[str], list[str]]:
    """The words, and those among them that name keys."""
    words = folded(label).split()
    keys = [word for word in words if _SHORTCUT.fullmatch(word)]
    return [word for word in words if word not in keys], keys


def _same_value(said: str, wanted: str) -> bool:
    """One date, or one amount with its decimals; a bare number may be anything."""
    if not any(char.isdigit() for char in wanted) or not any(char.isdigit() for char in said):
        return False
    day = as_date(wanted)
    if day is not None:
        return as_date(said) == day
    number = as_number(wanted)
    if number is None or not any(sign in wanted for sign in ",.€$£"):
        return False
    return as_number(said) == number
