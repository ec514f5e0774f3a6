"""Screens that interrupt: an error, an expired session, a notice; and the way people took out of them.

They are recognised by what they say where one looks first (a dialog, a heading, the title), in French and English, and
by a field for a password where the task has none. « Information » and « Rappel » tell of an interruption in a dialog
only: pages are called so too. Steps on them are no steps of the task: they are taken out of the goes before tasks are
sought, and kept as ways out. What interrupts most goes, or goes with certain values, is part of the task (`shown`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from rpa_vision.embedding.salience import front_of, group_texts
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.wording import folded
from rpa_vision.models.workflow_standing import ErrorType

_WORDS: dict[ErrorType, tuple[str, ...]] = {
    "authentication": (
        r"session (a |has |is )?(expiree?|expired|terminee)",
        r"(expired?|expiree?)\b.*\bsession",
        r"reconnecter|reconnexion|(log|sign) ?in again",
        r"deconnectee?s?\b|logged out",
        r"acces (refuse|interdit)|access denied|unauthori[sz]ed",
    ),
    "timeout": (r"delai (d'attente )?depasse|temps ecoule|trop de temps", r"timed? ?out"),
    "network": (
        r"(connexion|connection)( au serveur)? (perdue|impossible|interrompue|lost|failed|refused)",
        r"hors ligne|offline|erreur reseau|network error",
        r"(serveur|server|service) (indisponible|injoignable|unavailable|unreachable)",
    ),
    "business_logic": (
        r"(validation|enregistrement|operation|saisie|envoi) (impossible|refusee?|incorrecte?|invalide)",
        r"(donnees?|champs?|data|fields?) (manquante?s?|obligatoires?|missing|required)",
        r"(montant|date|numero|amount|number|value) (incorrecte?|invalide|invalid)",
        r"already exists|^page (introuvable|not found)",
    ),
    "generic": (
        r"\b(erreurs?|errors?|echec|failed|failure|impossible de)\b",
        r"\b(avertissement|warning|oups|oops)\b",
        r"mise a jour disponible|update available",
    ),
}
"""What applications say when something is wrong, folded; the more telling kinds first."""
_WORDS_OF_DIALOGS: dict[ErrorType, tuple[str, ...]] = {
    "business_logic": (r"introuvables?\b|not found",),
    "generic": (r"\battention\b", r"^(information|notification|rappel|reminder|notice)s?\b"),
}
"""What interrupts in a dialog, and may be the name of any page (« Informations complémentaires »)."""
_ON_PAGES = {kind: re.compile("|".join(words)) for kind, words in _WORDS.items()}
_IN_DIALOGS = {kind: re.compile("|".join((*words, *_WORDS_OF_DIALOGS.get(kind, ())))) for kind, words in _WORDS.items()}
_NAMING = frozenset({"heading", "dialog"})
StepKey = tuple[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Detour:
    """Steps on screens that interrupted, and what was done before and after them."""

    error_type: ErrorType
    steps: tuple[DemoStep, ...]
    before: DemoStep | None
    after: DemoStep | None


def interruption(state: ScreenState) -> ErrorType | None:
    """What kind of trouble a screen tells of, if it does."""
    told = [folded(text) for text in naming_texts(state)]
    return next((kind for kind, words in _words_for(state).items() if any(map(words.search, told))), None)


def telling_texts(state: ScreenState) -> list[str]:
    """Those of the texts one looks at first by which applications say that something is wrong."""
    words = _words_for(state).values()
    return [text for text in naming_texts(state) if any(one.search(folded(text)) for one in words)]


def is_dialog(state: ScreenState) -> bool:
    """Whether a dialog has to be answered first."""
    return front_of(state.ui_elements) is not None


def _words_for(state: ScreenState) -> dict[ErrorType, re.Pattern[str]]:
    return _IN_DIALOGS if is_dialog(state) else _ON_PAGES


def naming_texts(state: ScreenState) -> list[str]:
    """What one looks at first: the dialog in front, otherwise headings and the title of the window."""
    front = front_of(state.ui_elements)
    if front is not None:
        inside = [line.text for line in state.perception.text_lines if front.contains(Box.of(line.bbox).center)]
        return inside or list(group_texts(state.perception, state.ui_elements).front)
    headings = [element.label for element in state.ui_elements if element.type in _NAMING and element.label]
    return [*headings, state.window.title]


def take_out(
    steps: Sequence[DemoStep], meant: Collection[StepKey] = frozenset()
) -> tuple[list[DemoStep], list[Detour]]:
    """The steps without those on interrupting screens, and these; steps that are `meant` interrupt nothing."""
    usual: list[DemoStep] = []
    detours: list[Detour] = []
    index = 0
    while index < len(steps):
        kind = interruption(steps[index].before.state)
        if kind is None or not steps[index].was_seen or key_of(steps[index]) in meant:
            usual.append(steps[index])
            index += 1
            continue
        end = index + 1
        while end < len(steps) and _still_out(steps[end], steps[end - 1]):
            end += 1
        before = usual[-1] if usual and usual[-1].session_id == steps[index].session_id else None
        if before is not None:
            usual[-1] = _without_what_followed(before)
        after = steps[end] if end < len(steps) and steps[end].session_id == steps[index].session_id else None
        detours.append(Detour(kind, tuple(steps[index:end]), before, after))
        index = end
    return usual, detours


def key_of(step: DemoStep) -> StepKey:
    """Which recorded step it is, whatever else is told of it."""
    return (step.session_id, step.events)


def _without_what_followed(step: DemoStep) -> DemoStep:
    """A step whose effect nobody saw, because something came between."""
    brought = step.settled.state.window if step.kind == "mouse_click" and step.settled is not None else step.window
    return replace(step, after=None, settled=None, window=brought)


def _still_out(step: DemoStep, previous: DemoStep) -> bool:
    """Whether a step is still on the way out: more of the same, or logging in again. A secret is followed by the step
    that sends it off."""
    if step.session_id != previous.session_id:
        return False
    if step.secret_ref is not None or previous.secret_ref is not None:
        return True
    return is_login(step.before) or interruption(step.before.state) is not None


def is_login(screen: ObservedScreen) -> bool:
    """Whether a screen asks for a password."""
    return any(element.type == "password_input" for element in screen.state.ui_elements)
