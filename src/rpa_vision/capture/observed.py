"""An input event together with what was seen before it: what the stages of the recorder hand to each other."""

from __future__ import annotations

from dataclasses import dataclass

from rpa_vision.models.frame import Frame
from rpa_vision.models.input import InputEvent, InputKind
from rpa_vision.models.window import WindowContext

EDITING_KEYS = frozenset(
    {"BACKSPACE", "DELETE", "INSERT", "SPACE", "HOME", "END", "PAGE_UP", "PAGE_DOWN", "LEFT", "RIGHT", "UP", "DOWN"}
    | {"CAPS_LOCK", "NUM_LOCK"}
)
"""Named keys that stay in the field that is typed into."""

_MAKES_A_CHORD = frozenset({"CTRL", "ALT", "SUPER"})


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """An event, and the last frame before it. With a `secret_ref` it says *that* a key was pressed, not which."""

    event: InputEvent
    before: Frame | None = None
    secret_ref: str | None = None

    @property
    def window(self) -> WindowContext | None:
        """The active window before the event could change it."""
        if self.before is not None and self.before.window is not None:
            return self.before.window
        return self.event.window


def writes_text(event: InputEvent) -> bool:
    """Whether a key press puts, or helps to put, a character on the screen. Asked to keep secrets: doubt is a yes.

    Windows knows two ways that look like chords: CTRL+ALT is its AltGr, and ALT with digits gives a character's number.
    """
    if event.kind is not InputKind.KEY_PRESS:
        return False
    chord = event.modifiers & _MAKES_A_CHORD
    if printable(event.char) is not None:
        return "SUPER" not in chord and (chord != {"CTRL"} or "ALTGR" in event.modifiers)
    single = event.key is not None and len(event.key) == 1
    return single and (not chord or (chord == {"ALT"} and event.key is not None and event.key.isdigit()))


def is_dead_key(event: InputEvent) -> bool:
    """Whether a key press only prepares the next one: an accent that waits for its letter."""
    return (
        event.key is not None
        and len(event.key) == 1
        and printable(event.char) is None
        and not event.modifiers & _MAKES_A_CHORD
    )


def printable(char: str | None) -> str | None:
    """The character, where it is one a person can see or the space."""
    return char if char and char.isprintable() else None
