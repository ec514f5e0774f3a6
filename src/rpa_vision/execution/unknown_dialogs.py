"""Something in the way that nobody was shown: a dialog with news, a notice of maintenance.

It may be sent away only if that can do no harm. A dialog that asks something, speaks of trouble, of money or of what is
about to happen, or holds a field to fill in is left to a person. One control must do nothing but close it, and nothing
beside it may be a choice that would be turned down by closing; an « OK » counts only where there is nothing else, on a
dialog that merely tells how things are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rpa_vision.embedding.salience import FIELD_TYPES, front_of
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.dialog_questions import Question, question_of
from rpa_vision.execution.grave_words import is_grave
from rpa_vision.execution.harm import is_dangerous
from rpa_vision.graph.dialog_words import message_in_front
from rpa_vision.graph.vocabulary import contains, in_reading_order, letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.wording import folded
from rpa_vision.models.workflow_graph import Workflow

_CLOSING_ROLES = ("close", "close_button")
_CLOSING = frozenset({"fermer", "close", "×", "x", "plus tard", "dismiss", "later", "not now", "pas maintenant",
                      "non merci", "no thanks", "masquer", "hide"})  # fmt: skip
_ACKNOWLEDGING_ROLES = ("ok_button",)
_ACKNOWLEDGING = frozenset(("ok", "d'accord", "compris", "j'ai compris", "got it", "understood", "bien compris"))
_A_CHOICE = re.compile(
    r"enregistr|sauv|save|remplac|replac|gard|keep|restaur|restor|recuper|recover|ecras|overwrit|supprim|delet|envoy|"
    r"send|submit|soume|valid|confirm|accept|approuv|approv|payer|\bpay\b|contin|poursuiv|proceed|ignor|pass|skip|"
    r"oui|\byes\b|non\b|\bno\b|annul|cancel|reessay|retry|quitt|quit|exit"
)
"""Labels of controls beside which even to close is an answer, folded."""
_PRESSED = re.compile(
    r"\b(?:cliqu(?:e[rz]|ons|ant|iez|erez|eriez)|(?<!s')appu(?:ie|ies|yez|yer|yons|yant|yiez|ierez|ieriez)|presse[rz]|"
    r"en pressant|touche[rz]|en touchant|tape[rz]|en tapant|tapote[rz]|selectionne[rz]|en selectionnant|"
    r"choisi(?:r|ssez)|en choisissant|press|pressing|click|clicking|tap|tapping|hit|hitting)\b"
    r"|\b(?:presses|clicks|taps|hits) (?:on|the|this|here)\b"
    r"|\b(?:presse|touche|tape|selectionne|choisis) (?:ici|la|le|les|ce|cet|cette|sur)\b|\bavez choisi\b"
    r"|\b(?:once|when|whenever|if|une fois|apres avoir|lorsque?|quand|si) .{0,40}(?:press|click|cliqu|appuy|choisi)"
)
"""A message that says to press something says that something comes of it, folded. What tells of a thing as pressed or
chosen does not: the stem alone is in « aucune ligne sélectionnée », and in « pression » and « tapis »."""
_PRESS = re.compile(r"\bcliques?\b")
"""« Clique ici »: only its accent tells « cliqué », so this is not asked of what is folded."""
_CONTROLS = ("button", "link", "icon")


@dataclass(frozen=True, slots=True)
class UnknownDialog:
    """A dialog no screen of the workflow has, and the control that sends it away."""

    box: Box
    says: str
    closer: UIElement


def unknown_dialog(screen: ObservedScreen, workflow: Workflow) -> UnknownDialog | str | None:
    """The dialog in front, where it may be sent away; why it may not; None where there is none, or one we know."""
    elements = screen.state.ui_elements
    box = front_of(elements)
    if box is None:
        return None
    lines = [line for line in screen.state.perception.text_lines if box.contains(Box.of(line.bbox).center)]
    texts = [line.text for line in in_reading_order(lines)]
    known = _known_by_name(texts, workflow)
    message = message_in_front(screen.state) or []
    if not texts or any(question.objection(message, texts) is None for question in known):
        return None
    inside = [one for one in elements if one.type != "dialog" and box.contains(one.center)]
    controls = [one for one in inside if one.type in _CONTROLS]
    spoken = [text for text in texts if not any(folded(text) == folded(one.label) for one in controls)]
    says = " ".join(spoken)
    name = f"« {spoken[0] if spoken else texts[0]} »"
    if known:
        return f"{name} is not the dialog of that name that was shown: a person has to answer it"
    if "?" in says or is_grave(says, but_out_of_reach=True):
        return f"{name} asks or warns of something: a person has to answer it"
    if any(one.type in FIELD_TYPES or one.type in ("checkbox", "radio", "toggle") for one in inside):
        return f"{name} wants something filled in: a person has to answer it"
    closers = [one for one in controls if _closes(one)]
    buttons = [one for one in controls if one.type == "button"]
    if not closers and len(buttons) == 1 and _acknowledges(buttons[0]) and not is_grave(says):
        closers = buttons
    if len(closers) != 1:
        return f"{name} has {'no control that only closes it' if not closers else 'several controls that close it'}"
    if _tells_what_it_does(closers[0], says):
        return f"{name} says what « {closers[0].label} » does: a person has to answer it"
    choice = next((one for one in controls if one is not closers[0] and _A_CHOICE.search(_said(one))), None)
    if choice is not None:
        return f"{name}: to close it is an answer too, beside « {choice.label} »: a person has to answer it"
    if is_dangerous(closers[0]):
        return f"{name}: « {closers[0].label} » may do harm"
    return UnknownDialog(box, says, closers[0])


def going_on_may_matter(screen: ObservedScreen, control: UIElement) -> str | None:
    """Why « Continuer » is more than to have seen it: nothing lies in front, so that it leads further; or the dialog
    asks, warns, or offers something else to choose. None where the dialog merely tells."""
    elements = screen.state.ui_elements
    box, name = front_of(elements), f"« {control.label} »"
    if box is None or not box.contains(control.center):
        return f"{name} is on no dialog: it leads further, and a person has to say so"
    lines = [line.text for line in screen.state.perception.text_lines if box.contains(Box.of(line.bbox).center)]
    says = " ".join(text for text in lines if folded(text) != folded(control.label))
    if "?" in says or is_grave(says, but_out_of_reach=True):
        return f"{name} answers « {says} »: a person has to answer it"
    beside = [one for one in elements if one.type in _CONTROLS and box.contains(one.center) and one is not control]
    choice = next((one for one in beside if _A_CHOICE.search(_said(one))), None)
    return None if choice is None else f"{name} stands beside « {choice.label} »: a person has to choose"


def _known_by_name(texts: list[str], workflow: Workflow) -> list[Question]:
    """What the dialogs of the workflow ask that say any of this, were it only what their buttons say."""
    own = dialog_texts(workflow)
    return [
        question_of(node, own[node.node_id])
        for node in workflow.nodes
        if any(contains(texts, text) for text in own.get(node.node_id, ()))
    ]


def dialog_texts(workflow: Workflow) -> dict[str, tuple[str, ...]]:
    """For every screen with a dialog, what only screens with a dialog say."""
    asking = [node for node in workflow.nodes if node.metadata.get("has_dialog") is True]
    plain = {
        letters(text)
        for node in workflow.nodes
        if node.metadata.get("has_dialog") is not True
        for text in (*node.screen_template.stable_texts, *node.screen_template.occasional_texts)
    }
    return {
        node.node_id: tuple(text for text in node.screen_template.stable_texts if letters(text) not in plain)
        for node in asking
    }


def _closes(element: UIElement) -> bool:
    return any(map(element.plays, _CLOSING_ROLES)) or _said(element) in _CLOSING


def _acknowledges(element: UIElement) -> bool:
    return any(map(element.plays, _ACKNOWLEDGING_ROLES)) or _said(element) in _ACKNOWLEDGING


def _tells_what_it_does(closer: UIElement, says: str) -> bool:
    """Whether the message speaks of the control, or of pressing one: then to press it is more than to have read it."""
    said, own = folded(says), _said(closer)
    if _PRESSED.search(said) is not None or _PRESS.search(says.casefold()) is not None:
        return True
    return own.isalpha() and re.search(rf"\b{own}\b", said) is not None


def _said(element: UIElement) -> str:
    return folded(element.label).replace("’", "'").strip(" .!")
