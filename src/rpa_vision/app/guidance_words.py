"""What the overlay says, in French and in English."""

from __future__ import annotations

from collections.abc import Mapping

from rpa_vision.app.licence import OFFER_ALL, OFFER_EACH
from rpa_vision.models.action import Action
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
        "show_me": "Let me show you",
        "not_now": "Not now",
    },
    "fr": {
        "do_it": "Fais-le",
        "confirm": "Oui, c'est ça",
        "not_this": "Pas ça",
        "show_me": "Je te montre",
        "not_now": "Pas maintenant",
    },
}
_WORDS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "acting": "RPA Vision is acting: {name}. Stop: {key}",
        "paused": "Paused while you work. Stop: {key}",
        "stopped": "Stopped",
        "step": "{name}: step {step} of {of}",
        "learning": "I know this task a little and am still learning it: just go on",
        "next": "Next: {sentence}",
        "not_found": "Next: {sentence}. I do not see where",
        "hint": "Keyboard: Ctrl+Alt+{keys}",
        "ask": "May I do this? {sentence}",
        "yours": "Your turn: {sentence}",
        "unsure": "I was not sure enough and did nothing. Your turn: {sentence}",
        "did_not_work": "That did not have the effect I expected: please look at the screen. The step was: {sentence}",
        "show": "Do this step yourself: click on the right place. I watch, and propose to find it there from now on",
    },
    "fr": {
        "acting": "RPA Vision agit : {name}. Arrêt : {key}",
        "paused": "En pause pendant que vous travaillez. Arrêt : {key}",
        "stopped": "Arrêté",
        "step": "{name} : étape {step} sur {of}",
        "learning": "Je connais un peu ce travail et je l'apprends encore : continuez simplement",
        "next": "Ensuite : {sentence}",
        "not_found": "Ensuite : {sentence}. Je ne vois pas où",
        "hint": "Au clavier : Ctrl+Alt+{keys}",
        "ask": "Puis-je le faire ? {sentence}",
        "yours": "À vous : {sentence}",
        "unsure": "Je n'étais pas assez sûr et je n'ai rien fait. À vous : {sentence}",
        "did_not_work": "L'effet attendu n'est pas venu : regardez l'écran. L'étape était : {sentence}",
        "show": "Faites cette étape vous-même : cliquez au bon endroit. Je regarde, et proposerai de le trouver là",
    },
}


_OFFERS_FR = {OFFER_EACH: "Dois-je le faire, en demandant avant chaque étape ?", OFFER_ALL: "Dois-je le faire ?"}


def say(language: Language, what: str, **values: object) -> str:
    """One of our sentences."""
    return _WORDS[language][what].format(**values)


def offered(language: Language, offer: str) -> str:
    """What a run offers in assist mode."""
    return _OFFERS_FR.get(offer, offer) if language == "fr" else offer


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
    is_found: bool = True,
) -> Suggestion:
    """The bubble for the next step of a workflow that is being done by hand; its target is put in by the guide."""
    words = say(language, "next" if is_found else "not_found", sentence=sentence)
    text = words if strength == "strong" else say(language, "learning")
    return Suggestion(
        title=say(language, "step", name=name, step=step, of=of),
        text=text,
        strength=strength,
        choices=choices(language, answers),
        hint=hint(language, answers),
    )


def filled(action: Action, values: Mapping[str, str]) -> Action:
    """The action with the values that are known put into its words; the others keep their names."""

    def fill(template: str) -> str:
        for name, value in values.items():
            template = template.replace(f"${{{name}}}", value.replace("$", "$$"))
        return template

    target = action.target
    if target is not None:
        rows = tuple(fill(row) for row in target.row_contains)
        label = fill(target.label) if target.label is not None else None
        target = target.model_copy(update={"label": label, "row_contains": rows})
    text = action.parameters.text
    parameters = action.parameters.model_copy(update={"text": fill(text)}) if text is not None else action.parameters
    return action.model_copy(update={"target": target, "parameters": parameters})
