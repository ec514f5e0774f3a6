"""The words of the run report besides what the run itself says, in French and in English."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from rpa_vision.app.french_terms import ERROR_KINDS, KIND_NAMES, STRATEGIES, TIMINGS
from rpa_vision.models.guidance import Language

_ENGLISH: Final = {
    **{code: words[0] for code, words in (STRATEGIES | TIMINGS).items()},
}
FRENCH: Final = {
    "success": "réussie", "halted": "suspendue", "failed": "échec", "blocked": "bloquée", "verified": "vérifiée",
    "healed": "réparée", "auto": "auto", "assist": "assisté", "shadow": "ombre",
    "version {n}": "version {n}", "mode {mode}": "mode {mode}",
    "This workflow may not run alone yet. A person authorised this one run: “{why}”.":
        "Ce processus n'a pas encore le droit de tourner seul. Une personne a autorisé cette exécution : « {why} ».",
    "Run inside {run}, to get out of an error.": "Lancée dans {run}, pour sortir d'une erreur.",
    "Values": "Valeurs", "read on the way": "lu en chemin", "Steps": "Étapes",
    "What was done": "Ce qui a été fait", "Found by": "Trouvé par", "Score": "Score", "Time": "Temps",
    "Outcome": "Issue", "1 step": "1 étape", "all {n} steps": "les {n} étapes", "healed: {n}": "réparées : {n}",
    "not verified: {n}": "non vérifiées : {n}",
    "Interrupted by « {label} » ({kind}); way out:": "Interrompue par « {label} » ({kind}) ; issue :",
    "it worked": "cela a marché", "it did not work": "cela n'a pas marché", "run {run}": "exécution {run}",
    "Read": "Lu", "from {where}": "dans {where}", "Target": "Cible", "by": "par",
    "score {n}": "score {n}", "healing level {n}": "niveau de réparation {n}", "Because": "Car", "it": "elle",
    "; ": " ; ", ": ": " : ", "Runner-up": "Second", "Expected": "Attendu", "Observed": "Constaté",
    "Not taken; nearest": "Non retenu ; le plus proche",
    "Before, what came nearest in orange": "Avant, le plus proche en orange",
    "Before": "Avant", "Before, the target in red": "Avant, la cible en rouge",
    "the runner-up in orange": "le second en orange",
    "After": "Après", "screen before step {n}": "écran avant l'étape {n}",
    "screen after step {n}": "écran après l'étape {n}",
    "secret, not shown": "secret, non montré",
    **ERROR_KINDS, **{code: words[1] for code, words in (STRATEGIES | TIMINGS).items()},
}  # fmt: skip
"""English is the key, so that a word that is missing here is still a word."""


def word(language: Language, text: str, /, **values: object) -> str:
    """A text in a language; what is between braces is filled in."""
    said = (FRENCH if language == "fr" else _ENGLISH).get(text, text)
    return said.format(**values) if values else said


def kind_word(language: Language, kind: str) -> str:
    """A kind of element as people call it."""
    return KIND_NAMES.get(kind, kind) if language == "fr" else kind.replace("_", " ")


def moment_word(moment: datetime, language: Language) -> str:
    """A time as people of that language write it."""
    return f"{moment:%d/%m/%Y %H:%M:%S}" if language == "fr" else f"{moment:%Y-%m-%d %H:%M:%S}"
