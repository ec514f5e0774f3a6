"""Something in the way that nobody was shown: a dialog with news, a notice of maintenance.

It may be sent away only if that can do no harm. A dialog that asks something, speaks of an error or of something that
cannot be undone, or holds a field to fill in is left to a person. One control must do nothing but close it; an « OK »
counts as such only where there is nothing else to choose.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rpa_vision.embedding.salience import FIELD_TYPES, front_of
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.refusals import is_dangerous
from rpa_vision.graph.vocabulary import contains, in_reading_order, letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.wording import folded
from rpa_vision.models.workflow_graph import Workflow

_CLOSING_ROLES = ("close", "close_button")
_CLOSING = frozenset({"fermer", "close", "×", "x", "plus tard", "ignorer", "dismiss", "later", "not now", "skip",
                      "pas maintenant", "non merci", "no thanks", "masquer", "hide", "passer"})  # fmt: skip
_ACKNOWLEDGING_ROLES = ("ok_button",)
_ACKNOWLEDGING = frozenset(
    ("ok", "d'accord", "compris", "j'ai compris", "continuer", "continue", "got it", "understood", "bien compris")
)
_GRAVE = re.compile(
    r"supprim|delet|definitiv|irreversib|permanent|overwrit|ecras|remov|perdu|\blos[et]\b|discard|effac|annul|cancel|"
    r"erreur|error|echec|fail|refus|denied|incorrect|invalid|impossible|expir|bloqu|block|obligatoire|required|"
    r"patient(er|ez)|en cours|chargement|loading|please wait|in progress|"
    r"confirm|payer|\bpay\b|paiement|envoy|\bsend\b|accept|autoris|allow|permission"
)
"""Words of something that must not be waved through, or that goes away when it is done, folded."""
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
    if not texts or _is_known(texts, workflow):
        return None
    inside = [one for one in elements if one.type != "dialog" and box.contains(one.center)]
    controls = [one for one in inside if one.type in _CONTROLS]
    spoken = [text for text in texts if not any(folded(text) == folded(one.label) for one in controls)]
    says = " ".join(spoken)
    name = f"« {spoken[0] if spoken else texts[0]} »"
    if "?" in says or _GRAVE.search(folded(says)) is not None:
        return f"{name} asks or warns of something: a person has to answer it"
    if any(one.type in FIELD_TYPES or one.type in ("checkbox", "radio", "toggle") for one in inside):
        return f"{name} wants something filled in: a person has to answer it"
    closers = [one for one in controls if _closes(one)]
    buttons = [one for one in controls if one.type == "button"]
    if not closers and len(buttons) == 1 and _acknowledges(buttons[0]):
        closers = buttons
    if len(closers) != 1:
        return f"{name} has {'no control that only closes it' if not closers else 'several controls that close it'}"
    if is_dangerous(closers[0]):
        return f"{name}: « {closers[0].label} » may do harm"
    return UnknownDialog(box, says, closers[0])


def _is_known(texts: list[str], workflow: Workflow) -> bool:
    """Whether a screen of the workflow that has a dialog says any of this."""
    return any(contains(texts, text) for own in dialog_texts(workflow).values() for text in own)


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


def _said(element: UIElement) -> str:
    return folded(element.label).replace("’", "'").strip(" .!")
