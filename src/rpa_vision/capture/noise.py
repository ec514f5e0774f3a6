"""What an event is good for, as far as the event alone tells (L0-5).

Missed clicks, pointless switches and text that was deleted again show only in what follows: learning, which has the
whole session, judges those. Here nothing is claimed that one gesture does not show.
"""

from __future__ import annotations

from dataclasses import dataclass

from rpa_vision.capture.gestures import Gesture
from rpa_vision.models.raw_session import SemanticRole

_NAVIGATION_KEYS = frozenset({"TAB", "HOME", "END", "PAGE_UP", "PAGE_DOWN", "LEFT", "RIGHT", "UP", "DOWN"})
_CORRECTION_KEYS = frozenset({"BACKSPACE", "DELETE"})
_SEARCH_CHORDS = frozenset({("CTRL", "F"), ("CTRL", "K")})


@dataclass(frozen=True, slots=True)
class Judgement:
    """Noise or not, the role where it is plain, and how sure that is."""

    noise_flag: bool
    semantic_role: SemanticRole | None = None
    confidence: float | None = None


def judge(gesture: Gesture) -> Judgement:
    """Say what the gesture is by itself."""
    if gesture.type == "mouse_move":
        # Where the pointer rests it may be hovering over something on purpose.
        return Judgement(True, None, 0.7 if gesture.at_rest else 0.95)
    if gesture.type == "mouse_scroll":
        return Judgement(False, "navigation", 0.8)
    if gesture.type == "key_press":
        return _judge_key(gesture)
    return Judgement(False)


def _judge_key(gesture: Gesture) -> Judgement:
    if gesture.secret_ref is not None:
        return Judgement(False, "input", 0.9)
    chord = tuple(name for name in gesture.modifiers if name in ("CTRL", "ALT", "SUPER"))
    if (*chord, gesture.key) in _SEARCH_CHORDS:
        return Judgement(False, "search", 0.7)
    if chord:
        return Judgement(False, "navigation", 0.6) if gesture.key == "TAB" else Judgement(False)
    if gesture.key == "ENTER":
        return Judgement(False, "validation", 0.6)
    if gesture.key in _CORRECTION_KEYS:
        return Judgement(False, "correction", 0.7)
    if gesture.key in _NAVIGATION_KEYS:
        return Judgement(False, "navigation", 0.7)
    return Judgement(False, "input", 0.9) if gesture.char is not None else Judgement(False)
