"""Keeps what a person types in memory until it is known whether it is a secret (L0-7).

The focus moves by a click, a key such as Tab or Enter, or with the window; from there on a *focus episode* lasts. The
first character of an episode is held back, with all that follows it, until the screen shows what came of it or a
moment has passed; then the question is asked once and the answer holds for the episode. From a secret only this goes
on: a key was pressed, and it belongs to `secret_1`. Where the question cannot be answered the answer is yes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rpa_vision.capture.observed import EDITING_KEYS, Observed, is_dead_key, writes_text
from rpa_vision.imaging.diff import changed_boxes
from rpa_vision.imaging.settle import CARET_PX
from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.input import MODIFIER_NAMES, InputEvent, InputKind
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.perception import SecretFieldClassifier

DECIDE_WITHIN_S = 0.4
ENOUGH_KEYS = 3
"""So many characters drawn show a password's look; fewer wait for more, as long as there is time."""
PAUSE_S = 2.0

_EDITING_CHORDS = frozenset("ACVXYZ")


class TypingGuard:
    """Input goes in as it was heard and comes out, in order, without the secrets.

    `screen` gives the last frame before a moment: what was on the screen then, however late we come to ask.
    """

    def __init__(
        self,
        secrets: SecretFieldClassifier,
        screen: Callable[[float], Frame | None],
        *,
        decide_within_s: float = DECIDE_WITHIN_S,
    ) -> None:
        self._secrets = secrets
        self._screen = screen
        self._decide_within_s = decide_within_s
        self._held: list[Observed] = []
        self._clicked: Point | None = None
        self._decided = False
        self._secret_ref: str | None = None
        self._window: WindowContext | None = None
        self._typed: InputEvent | None = None
        self._named = 0
        self._failures = 0

    @property
    def waiting(self) -> bool:
        """Whether something is held back."""
        return bool(self._held)

    @property
    def failures(self) -> int:
        """How often the question of secrecy could not be answered, and yes was assumed."""
        return self._failures

    def feed(self, seen: Observed) -> list[Observed]:
        """Take the next input and give what may go on."""
        event = seen.event
        if event.kind is InputKind.KEY_RELEASE or event.key in MODIFIER_NAMES or is_dead_key(event):
            return []  # nobody needs it, and it may name a key of a secret
        out: list[Observed] = []
        if self._moves_focus(seen):
            out = self._decide(event.at_s)
            self._clicked = event.pos if event.kind is InputKind.BUTTON_PRESS else self._click_into(seen)
            self._decided, self._secret_ref, self._typed = False, None, None
        elif self._may_have_moved_focus(seen):
            out = self._decide(event.at_s)
            self._decided = self._secret_ref is not None
        self._window = seen.window or self._window
        if writes_text(event):
            self._typed = event
        if self._held or (writes_text(event) and not self._decided):
            self._held.append(seen)
            return out + self.flush(event.at_s)
        return [*out, self._passed(seen)]

    def flush(self, now_s: float) -> list[Observed]:
        """Decide, if the screen shows enough or it is time."""
        if not self._held:
            return []
        late = now_s - self._held[0].event.at_s >= self._decide_within_s
        return self._decide(now_s) if late or self._shows_enough(now_s) else []

    def finish(self, now_s: float) -> list[Observed]:
        """Decide now: nothing more comes."""
        return self._decide(now_s)

    def _moves_focus(self, seen: Observed) -> bool:
        event = seen.event
        if event.kind is InputKind.BUTTON_PRESS or _is_other_application(self._window, seen.window):
            return True
        if event.kind is not InputKind.KEY_PRESS or writes_text(event):
            return False
        if event.key is None:
            return False
        if "CTRL" in event.modifiers and len(event.key) == 1:
            return event.key not in _EDITING_CHORDS
        return event.key not in EDITING_KEYS

    def _click_into(self, seen: Observed) -> Point | None:
        """Where the last click was, if it is what brought up the window that is now typed into."""
        window = seen.window
        if not writes_text(seen.event) or self._typed is not None or self._clicked is None or window is None:
            return None
        inside = window.geometry is None or Box.of(window.geometry).contains(self._clicked)
        return self._clicked if inside else None

    def _may_have_moved_focus(self, seen: Observed) -> bool:
        """The page may move the focus by itself, or by ALT and a digit; then a clear field is asked about again.

        What was a secret stays one: that errs on the right side.
        """
        last = self._typed
        if last is None or not writes_text(seen.event):
            return False
        paused = seen.event.at_s - last.at_s > PAUSE_S
        after_chord = "ALT" in last.modifiers and "ALT" not in seen.event.modifiers
        other_title = self._window is not None and seen.window is not None and self._window.title != seen.window.title
        return paused or after_chord or other_title

    def _shows_enough(self, now_s: float) -> bool:
        """Whether the screen was looked at after enough keys, and shows more than another caret."""
        keys = [seen for seen in self._held if writes_text(seen.event)]
        before, after = self._held[0].before, self._screen(now_s)
        if len(keys) < ENOUGH_KEYS or before is None or after is None:
            return False
        if after.began_s <= keys[ENOUGH_KEYS - 1].event.at_s:
            return False
        width, height = CARET_PX
        return any(box.width > width or box.height > height for box in changed_boxes(before.pixels, after.pixels))

    def _decide(self, now_s: float) -> list[Observed]:
        if not self._held:
            return []
        held, self._held = self._held, []
        if self._ask(held[0], self._screen(now_s)):
            self._named += 1
            self._secret_ref = f"secret_{self._named}"
        self._decided = True
        return [self._passed(seen) for seen in held]

    def _ask(self, first: Observed, after: Frame | None) -> bool:
        if first.before is None:
            self._failures += 1
            return True
        if after is not None and after.ended_s <= first.event.at_s:
            after = None
        try:
            return self._secrets.is_secret(first.before, self._clicked, after)
        except Exception:  # whatever went wrong, a secret must not get out, nor a message that might quote it
            self._failures += 1
            return True

    def _passed(self, seen: Observed) -> Observed:
        if self._secret_ref is None or not writes_text(seen.event):
            return seen
        bare = replace(seen.event, key=None, char=None, modifiers=frozenset())
        return Observed(bare, seen.before, self._secret_ref)


def _is_other_application(known: WindowContext | None, now: WindowContext | None) -> bool:
    return known is not None and now is not None and (known.app_name, known.pid) != (now.app_name, now.pid)
