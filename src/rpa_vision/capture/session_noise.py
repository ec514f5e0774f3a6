"""What each event of a session is good for, seen together with its neighbours (L0-5).

One gesture alone shows little (`noise.py`). Together with what follows it shows more: text that was deleted again, an
application that was only glanced at, a click after which nothing had changed. What a log calls a thing tells its role:
« Valider » validates, « Rechercher » searches. What an earlier segmentation said of noise is not asked: it may have
known less.
"""

from __future__ import annotations

from collections.abc import Sequence

from rpa_vision.capture.event_log import words_of_action
from rpa_vision.capture.noise import Judgement
from rpa_vision.models.raw_session import Event, RecordedSession, SemanticRole

_SILENT_MODIFIERS = frozenset({"SHIFT", "ALTGR"})
_ROLE_WORDS: dict[SemanticRole, frozenset[str]] = {
    "validation": frozenset(
        {"submit", "save", "send", "ok", "confirm", "validate", "approve", "apply", "finish", "done", "valider",
         "confirmer", "enregistrer", "envoyer", "terminer", "soumettre", "approuver"}
    ),
    "search": frozenset({"search", "find", "filter", "lookup", "rechercher", "recherche", "chercher", "filtrer"}),
    "correction": frozenset({"undo", "delete", "clear", "annuler", "effacer", "supprimer"}),
    "navigation": frozenset(
        {"open", "go", "goto", "navigate", "switch", "back", "next", "previous", "close", "tab", "menu", "link",
         "scroll", "wait", "ouvrir", "retour", "suivant", "precedent", "fermer", "focus", "activate"}
    ),
    "input": frozenset(
        {"type", "edit", "insert", "input", "enter", "paste", "fill", "set", "write", "field", "checkbox", "select",
         "copy", "cell", "saisir"}
    ),
}  # fmt: skip
_QUICK_S = 5.0


def judge_events(session: RecordedSession) -> list[Judgement]:
    """Noise or not, and the role, of every event."""
    events = session.events
    known: dict[tuple[str, str, str], Judgement] = {}  # logs say the same few things again and again
    judged = [_alone(event, known) for event in events]
    for index in deleted_again(events):
        judged[index] = Judgement(True, "correction", 0.9)
    for index in glances(events):
        judged[index] = Judgement(True, "navigation", 0.8)
    for index, event in enumerate(events):
        if _missed(event, events[index + 1] if index + 1 < len(events) else None):
            judged[index] = Judgement(True, None, 0.7)
    return judged


def deleted_again(events: Sequence[Event]) -> set[int]:
    """Characters that were typed and deleted, and the keys that deleted them; fields filled and emptied again."""
    gone: set[int] = set()
    typed: list[int] = []
    filled: dict[tuple[str, str], int] = {}
    for index, event in enumerate(events):
        plain = event.type == "key_press" and not set(event.modifiers) - _SILENT_MODIFIERS
        if plain and event.key == "BACKSPACE":
            if typed:
                gone |= {typed.pop(), index}
        elif plain and event.char and event.char.isprintable():
            typed.append(index)
        elif event.type != "mouse_move":
            typed = []  # the caret may be elsewhere now
        if event.type == "text_input" and event.logged is not None:
            field = (event.window.app_name, event.logged.target)
            if event.text:
                filled[field] = index
            elif field in filled:
                gone |= {filled.pop(field), index}
    return gone


def glances(events: Sequence[Event]) -> set[int]:
    """Changes of the window that led back at once, with nothing done in between."""
    found: set[int] = set()
    switches = [index for index, event in enumerate(events) if _is_switch(event)]
    for position, index in enumerate(switches[:-1]):
        back = switches[position + 1]
        if index == 0 or any(event.type != "mouse_move" for event in events[index + 1 : back]):
            continue
        home = events[index - 1].window.app_name
        if home and events[back].window.app_name == home != events[index].window.app_name:
            found |= {index, back}
    return found


def _is_switch(event: Event) -> bool:
    if event.logged is not None:
        return event.type == "window_change" and not event.logged.target and not event.logged.url
    return event.type == "window_change"


def _missed(event: Event, following: Event | None) -> bool:
    """A click after which the screen was the same, followed at once by another: it went beside its target."""
    if event.type != "mouse_click" or event.screenshot_id is None or event.screenshot_after_id != event.screenshot_id:
        return False
    return (
        following is not None
        and following.type == "mouse_click"
        and following.screenshot_id == event.screenshot_id
        and following.t - event.t <= _QUICK_S
    )


def _alone(event: Event, known: dict[tuple[str, str, str], Judgement]) -> Judgement:
    if event.type == "mouse_move":
        return Judgement(True, None, event.confidence if event.confidence is not None else 0.9)
    if event.logged is not None:
        key = (event.type, event.logged.action, event.logged.target)
        if key not in known:
            known[key] = _by_words(event)
        return known[key]
    if event.semantic_role is not None:
        return Judgement(False, event.semantic_role, event.confidence)
    if event.type == "text_input" or event.secret_ref is not None:
        return Judgement(False, "input", 0.9)
    if event.type in ("mouse_scroll", "window_change"):
        return Judgement(False, "navigation", 0.7)
    return Judgement(False)


def _by_words(event: Event) -> Judgement:
    assert event.logged is not None
    said = [*words_of_action(event.logged.target), *words_of_action(event.logged.action)]
    action = words_of_action(event.logged.action)
    if event.type == "text_input":
        is_search = any(word in _ROLE_WORDS["search"] for word in said)
        return Judgement(False, "search" if is_search else "input", 0.8)
    for role, words in _ROLE_WORDS.items():
        if any(word in words for word in said):
            return Judgement(False, role, 0.7 if any(word in words for word in action) else 0.6)
    return Judgement(False, "input" if event.type == "key_press" else None, 0.5)
