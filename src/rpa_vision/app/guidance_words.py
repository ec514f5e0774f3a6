"""What the overlay says, in French and in English."""

from __future__ import annotations

from collections.abc import Mapping

from rpa_vision.models.guidance import Answer, Choice, Language, Strength, Suggestion

KEY_MODIFIERS = frozenset({"CTRL", "ALT"})
"""Held while a number answers the bubble."""
_NUMBERS = (("1", "&"), ("2", "É"), ("3", '"'), ("4", "'"), ("5", "("))
"""The keys of the upper row, on most keyboards and on French ones."""

_LABELS: Mapping[Language, Mapping[Answer, str]] = {
    "en": {
        "do_it": "Do it",
        "confirm": "Yes, that is it",
        "not_this": "Not this",
        "show_me": "I show you",
        "not_now": "Not now",
    },
    "fr": {
        "do_it": "Fais-le",
        "confirm": "Oui, c'est ça",
        "not_this": "Pas ça",
        "show_me": "Je montre",
        "not_now": "Pas maintenant",
    },
}
_WORDS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "acting": "RPA Vision is acting: {name}. Stop: {key}",
        "paused": "Paused while you work. Stop: {key}",
        "stopped": "Stopped",
        "step": "{name}: step {step} of {of}",
        "learning": "I am learning this task",
        "next": "Next: {sentence}",
        "hint": "Keyboard: Ctrl+Alt+{keys}",
        "ask": "May I do this? {sentence}",
        "offer": "{offer}",
        "show": "Click on the right target",
    },
    "fr": {
        "acting": "RPA Vision agit : {name}. Arrêt : {key}",
        "paused": "En pause pendant que vous travaillez. Arrêt : {key}",
        "stopped": "Arrêté",
        "step": "{name} : étape {step} sur {of}",
        "learning": "J'apprends ce travail",
        "next": "Ensuite : {sentence}",
        "hint": "Au clavier : Ctrl+Alt+{keys}",
        "ask": "Puis-je le faire ? {sentence}",
        "offer": "{offer}",
        "show": "Cliquez sur la bonne cible",
    },
}


def say(language: Language, what: str, **values: object) -> str:
    """One of our sentences."""
    return _WORDS[language][what].format(**values)


def choices(language: Language, answers: tuple[Answer, ...]) -> tuple[Choice, ...]:
    """Buttons, each with its number on the keyboard."""
    return tuple(
        Choice(answer, f"{number + 1} {_LABELS[language][answer]}", _NUMBERS[number])
        for number, answer in enumerate(answers)
    )


def hint(language: Language, answers: tuple[Answer, ...]) -> str:
    """How the bubble is answered with the keyboard."""
    return say(language, "hint", keys=f"1–{len(answers)}" if len(answers) > 1 else "1")


def progress_suggestion(
    language: Language,
    *,
    name: str,
    step: int,
    of: int,
    sentence: str,
    strength: Strength,
    answers: tuple[Answer, ...],
) -> Suggestion:
    """The bubble for the next step of a workflow that is being done by hand; its target is put in by the guide."""
    text = say(language, "next", sentence=sentence) if strength == "strong" else say(language, "learning")
    return Suggestion(
        title=say(language, "step", name=name, step=step, of=of),
        text=text,
        strength=strength,
        choices=choices(language, answers),
        hint=hint(language, answers),
    )
