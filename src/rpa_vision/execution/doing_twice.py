"""What may be done twice: steps after which everything is as it was after the first time.

Looking, moving about, and typing over what stands in a field. A control is known to change nothing by what it says,
never by its kind alone: moving words and no others; or any words but those of a deed, where it searches, leads back, or
is a tab or a link of a navigation and led to another screen. What a list holds (« ${number} ») is opened, where the
demonstrations show that it led elsewhere, and what is said beside the number names no deed (« Relancer ${number} »). A
dialog changes nothing yet if it always asked whether to do what the control is called.
"""

from __future__ import annotations

import re
from typing import Final

from rpa_vision.execution.asked_first import asks_first, literal
from rpa_vision.execution.harm import MAY_DO_HARM, said_harm
from rpa_vision.execution.run_outcome import ExecutedStep
from rpa_vision.execution.strategies.lexicon import is_due, names_a_deed
from rpa_vision.execution.target_resolver import Resolved
from rpa_vision.graph.dialog_words import DIALOG_SAYS
from rpa_vision.models.action import Action
from rpa_vision.models.ui_element import FIELD_TYPES
from rpa_vision.models.wording import folded
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge

_LEADING_TYPES: Final = frozenset({"link", "tab", "menu_item", "cell", "table_row", "list_item"})
_LEADING_ROLES: Final = frozenset({"search", "back"})
_EFFECTIVE_ROLES: Final = frozenset({"validate", "submit", "delete_action", "primary_action", "ok_button"})
_MOVING_TYPES: Final = ("mouse_click", "key_press", "scroll", "wait", "window_switch")

_SEARCH_WORDS: Final = frozenset(
    {"rechercher", "recherche", "chercher", "trouver", "filtrer", "search", "find", "filter", "ouvrir"}
)
_MOVING_WORDS: Final = _SEARCH_WORDS | frozenset(
    [
        "afficher",
        "voir",
        "consulter",
        "retour",
        "revenir",
        "precedent",
        "precedente",
        "suivant",
        "suivante",
        "fermer",
        "open",
        "show",
        "view",
        "back",
        "next",
        "previous",
        "close",
        "detail",
        "details",
        "fiche",
        "liste",
        "list",
        "page",
        "plus",
        "more",
        "tout",
        "all",
        "suite",
    ]
)
"""Words of controls that show something and change nothing, folded."""
_STEPPING_WORDS: Final = frozenset(
    ["retour", "revenir", "precedent", "precedente", "suivant", "suivante", "fermer", "back", "next", "previous",
     "close", "plus", "more", "suite", "continue", "continuer", "load", "charger"]
)  # fmt: skip
"""The ones that lead on from wherever one is. To continue or to load may do more than move, so they are not above."""
_IDLE_WORDS: Final = frozenset(
    ["le", "la", "les", "l", "the", "au", "aux", "a", "to", "de", "du", "des", "d", "of", "en", "in"]
)
_NO_DEEDS: Final = frozenset(
    [
        "dossier",
        "courrier",
        "calendrier",
        "fichier",
        "cahier",
        "panier",
        "papier",
        "atelier",
        "chantier",
        "particulier",
        "premier",
        "dernier",
        "janvier",
        "fevrier",
        "hiver",
        "avoir",
        "loisir",
        "avenir",
        "lettre",
        "folder",
        "number",
        "customer",
        "user",
        "letter",
        "paper",
        "member",
        "partner",
        "supplier",
        "center",
        "super",
        "other",
        "under",
        "over",
        "summer",
        "winter",
        "september",
        "october",
        "november",
        "december",
        "order",
        "transfer",
        "offer",
        "voucher",
        "printer",
        "server",
        "provider",
        "manager",
        "worker",
        "owner",
        "buyer",
        "seller",
        "driver",
        "quartier",
        "courtier",
        "portier",
        "metier",
    ]
)
"""Words that end like French verbs and are none."""
_VERB_ENDS: Final = "ir|ettre|endre|ondre|uire|crire|clure|soudre"
"""How French verbs end, but for those in -er, which many nouns do too."""
_A_DEED: Final = re.compile(
    rf"[a-z]{{2,}}(?:er|{_VERB_ENDS})$"
    "|(?:pay|paie|send|submit|buy|delet|remov|cancel|sav|approv|confirm|accept|reject|deny|refund|transfer|publish|sign"
    "|creat|add|updat|edit|chang|execut|print|archiv|valid|envo|transm|rembours|supprim|suppress|annul|refus|rejet"
    "|virement|commande|merg|post|book|ship|releas|checkout|dispatch|reboot|restart|restor|reset|vote|subscri|unsubscri"
    "|duplic|purg|lock|unlock|block|launch|lanc|run|start|stop|clos|clotur|encaiss|lettr|relanc|transfert|remise|paye|paid"
    "|mise|mark|appl|order|reopen|undo|regist|enrol|assign|resign|renew|generat|sync|import|upload|log|connect|deconnex"
    "|reinit|desabonn|abonn|resili|fusion|publi)[a-z]*$"
)
"""Words of deeds, folded. French ones are known by how their verbs end. No such list is complete: it is asked only
where the role of a link says already that it leads about."""
_FRENCH_VERB: Final = re.compile(rf"[a-z]{{2,}}(?:(?<!i)er|(?:f|l|v|bl|d|r|t)ier|{_VERB_ENDS})")
_ENGLISH_DEEDS: Final = frozenset(
    [
        "pay",
        "send",
        "submit",
        "buy",
        "delete",
        "remove",
        "cancel",
        "save",
        "approve",
        "confirm",
        "accept",
        "reject",
        "deny",
        "refund",
        "publish",
        "sign",
        "create",
        "add",
        "update",
        "edit",
        "change",
        "execute",
        "archive",
        "validate",
        "merge",
        "release",
        "dispatch",
        "restart",
        "reset",
        "lock",
        "unlock",
        "block",
        "launch",
        "start",
        "stop",
        "mark",
        "apply",
        "reopen",
        "undo",
        "register",
        "assign",
        "generate",
        "renew",
        "ship",
        "erase",
        "clear",
        "settle",
        "post",
    ]
)
"""Without those that name a thing as often: an order, a transfer, an import, a booking, a run, a log."""
_ENTER: Final = frozenset({"ENTER"})
_MOVING_KEYS: Final = frozenset(
    {"ESCAPE", "TAB", "SHIFT", "UP", "DOWN", "LEFT", "RIGHT", "HOME", "END", "PAGE_UP", "PAGE_DOWN"}
)

_STEPPING_KEYS: Final = _MOVING_KEYS - {"SHIFT", "HOME", "END"}


def is_harmless(
    edge: WorkflowEdge, workflow: Workflow, resolution: object = None, earlier: ExecutedStep | None = None
) -> bool:
    """Whether doing the step twice does what doing it once does. `earlier` is the step before it: where it typed into a
    search field, Enter searches."""
    action = edge.action
    if action is None or asks_before(edge, workflow):
        return True
    if action.type == "key_press":
        keys = frozenset(action.keys or ())
        return keys <= _MOVING_KEYS or (keys == _ENTER and earlier is not None and _typed_a_search(earlier))
    return _harmless(action, resolution, leads_elsewhere=edge.from_node != edge.to_node)


def only_moves(edge: WorkflowEdge, workflow: Workflow) -> bool:
    """Whether nothing is missing where the step was left out."""
    return (edge.action is None or edge.action.type in _MOVING_TYPES) and is_harmless(edge, workflow)


def goes_further(edge: WorkflowEdge, resolution: object = None) -> bool:
    """Whether a second time leads on from where the first one led, on the same screen: the next page of a list, the
    field after the next. It changes nothing, and yet it is not done again where nobody knows whether it was done."""
    return edge.action is not None and edge.from_node == edge.to_node and _goes_further(edge.action, resolution)


def _goes_further(action: Action, resolution: object = None) -> bool:
    match action.type:
        case "compound":
            return any(map(_goes_further, action.steps or ()))
        case "scroll":
            return True
        case "key_press":
            return bool(frozenset(action.keys or ()) & _STEPPING_KEYS)
        case "mouse_click":
            # What was clicked may say something else by now than what was recorded.
            clicked = resolution.best.element if isinstance(resolution, Resolved) else None
            labels = [one.label for one in (action.target, clicked) if one is not None]
            return any(_words_of(label) & _STEPPING_WORDS for label in labels)
        case _:
            return False


def _harmless(action: Action, resolution: object, *, leads_elsewhere: bool) -> bool:
    match action.type:
        case "extract" | "wait" | "scroll" | "window_switch":
            return True
        case "text_input":
            return action.parameters.replace_existing
        case "clipboard":
            return action.parameters.clipboard_operation != "paste" or action.parameters.replace_existing
        case "compound":
            return all(_harmless(part, None, leads_elsewhere=leads_elsewhere) for part in action.steps or ())
        case "mouse_click":
            return _click_is_harmless(action, resolution, leads_elsewhere=leads_elsewhere)
        case _:
            return False


def _click_is_harmless(action: Action, resolution: object, *, leads_elsewhere: bool) -> bool:
    element = resolution.best.element if isinstance(resolution, Resolved) else action.target
    if element is None or action.target is None or {element.role, action.target.role} & _EFFECTIVE_ROLES:
        return False
    words = _words_of(element.label)
    if element.type in FIELD_TYPES or (words and words <= _MOVING_WORDS):
        return True
    said = literal(action.target.label)
    if _begins_with_a_deed(said):
        return False
    if not said or "${" in (action.target.label or ""):  # what a list holds, not what a control says
        return element.role in _LEADING_ROLES or (leads_elsewhere and element.type in _LEADING_TYPES)
    if any(map(_is_deed, words)) or _names_a_deed(element.label or ""):
        return False
    leads = element.type == "tab" or (element.type == "link" and element.role == "navigation")
    return element.role in _LEADING_ROLES or (leads and leads_elsewhere)


def _typed_a_search(step: ExecutedStep) -> bool:
    action, resolution = step.edge.action, step.outcome.resolution
    if action is None or action.type != "text_input":
        return False
    element = resolution.best.element if isinstance(resolution, Resolved) else action.target
    return element is not None and (element.role == "search" or bool(_words_of(element.label) & _SEARCH_WORDS))


def _words_of(label: str | None) -> set[str]:
    """The words that count. « À valider » says how something is, not what is done."""
    said = re.sub(r"^a [a-z]+", "", folded(label or "").strip())
    return set(re.findall("[a-z0-9]+", said)) - _IDLE_WORDS


def _is_deed(word: str) -> bool:
    return word not in _NO_DEEDS and word not in _MOVING_WORDS and _A_DEED.match(word) is not None


def _begins_with_a_deed(said: str) -> bool:
    """Whether what is said beside a value is a verb: « Relancer FAC-12 ». « Commande 12 », « Order 12 » are things."""
    first = re.match("[a-z]+", folded(said).strip())
    if first is None or first[0] in _NO_DEEDS or first[0] in _MOVING_WORDS:
        return False
    return first[0] in _ENGLISH_DEEDS or _FRENCH_VERB.fullmatch(first[0]) is not None


def _names_a_deed(label: str) -> bool:
    """« À valider » says how something is."""
    return not is_due(label) and (names_a_deed(label) or said_harm("button", "", label) >= MAY_DO_HARM)


def asks_before(edge: WorkflowEdge, workflow: Workflow) -> bool:
    """Whether a dialog came up, in every demonstration, that asked whether the deed is to be done: nothing is done
    before it is answered. Where one showed no dialog or no question, nothing says that one always comes first."""
    before, after = workflow.get_node(edge.from_node), workflow.get_node(edge.to_node)
    if before is None or after is None or before.metadata.get("has_dialog") is not False:
        return False
    said, target = after.metadata.get(DIALOG_SAYS), edge.action.target if edge.action is not None else None
    if target is None or not isinstance(said, list | tuple) or not said:
        return False
    return all(asks_first(str(one), target.label) for one in said)
