"""Keeps what a person types in memory until it is known whether it is a secret (L0-7).

The focus moves by a click, a key such as Tab or Enter, or with the window; from there on a *focus episode* lasts. The
first character of an episode is held back, with all that follows it, until the screen shows what came of it or a
moment has passed; then the question is asked, and the answer holds for the episode. A person may be faster than
the screen and have gone on by then: what came next waits behind it. From a secret only this goes on: a key was
pressed, and it belongs to `secret_mot_de_passe`. Where the question cannot be answered the answer is yes.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from rpa_vision.capture.curtain import Cover, Curtain
from rpa_vision.capture.observed import EDITING_KEYS, Observed, is_dead_key, printable, writes_text
from rpa_vision.capture.secret_names import SecretNames
from rpa_vision.imaging.diff import changed_boxes
from rpa_vision.imaging.settle import CARET_PX
from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.input import MODIFIER_NAMES, InputEvent, InputKind
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.perception import FieldJudgement, SecretFieldClassifier, SecretFieldJudge

DECIDE_WITHIN_S = 0.4
"""With something drawn, the question waits no longer than this for more of it."""
WAIT_FOR_DRAWING_S = 0.8
"""With nothing drawn, it waits no longer than this: a crash must not lose more than a second."""
ENOUGH_KEYS = 3
"""So many characters drawn show a password's look; fewer wait for more, as long as there is time."""
ASK_AGAIN_S = 0.15
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
        wait_for_drawing_s: float = WAIT_FOR_DRAWING_S,
    ) -> None:
        self._secrets = secrets
        self._screen = screen
        self._decide_within_s = decide_within_s
        self._wait_for_drawing_s = max(decide_within_s, wait_for_drawing_s)
        self._held: deque[tuple[_Episode, Observed]] = deque()
        self._episode = _Episode(None)
        self._window: WindowContext | None = None
        self._typed: InputEvent | None = None
        self._names = SecretNames()
        self._curtain = Curtain(self._hides)
        self._failures = 0

    @property
    def waiting(self) -> bool:
        """Whether something is held back."""
        return bool(self._held)

    @property
    def waiting_since_s(self) -> float | None:
        """When the first thing that is held back happened: no later picture may be kept yet."""
        return self._held[0][1].event.at_s if self._held else None

    @property
    def failures(self) -> int:
        """How often the question of secrecy could not be answered, and yes was assumed."""
        return self._failures

    def drawn_over(self, frame: Frame) -> Frame:
        """The picture as it may be kept: without what secrets left readable on the screen."""
        return self._curtain.drawn_over(frame)

    def feed(self, seen: Observed) -> list[Observed]:
        """Take the next input and give what may go on."""
        event = seen.event
        if event.kind is InputKind.KEY_RELEASE or event.key in MODIFIER_NAMES or is_dead_key(event):
            return []  # nobody needs it, and it may name a key of a secret
        self._consider(event.at_s)
        if self._moves_focus(seen):
            clicked = event.pos if event.kind is InputKind.BUTTON_PRESS else self._click_into(seen)
            self._begin(_Episode(clicked), seen)
            self._consider(event.at_s)
            self._typed = None
        elif self._may_have_moved_focus(seen) and self._episode.secret_ref is None:
            self._begin(_Episode(self._episode.clicked, follows=self._episode), seen)
        self._window = seen.window or self._window
        if writes_text(event):
            self._typed = event
            if not self._episode.decided:
                self._episode.type(seen)
        self._held.append((self._episode, seen))
        return self._released()

    def flush(self, now_s: float) -> list[Observed]:
        """Decide, if the screen shows enough or it is time."""
        self._consider(now_s)
        return self._released()

    def finish(self, now_s: float) -> list[Observed]:
        """Decide now: nothing more comes."""
        self._consider(now_s, at_once=True)
        return self._released()

    def _begin(self, episode: _Episode, seen: Observed) -> None:
        ended, self._episode = self._episode, episode
        ended.ended_s, ended.left = seen.event.at_s, episode.follows is None
        ended.last = seen.before or self._screen(seen.event.at_s)
        if ended.cover is not None:
            ended.cover.close(ended.last)

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
        window, clicked = seen.window, self._episode.clicked
        if not writes_text(seen.event) or self._typed is not None or clicked is None or window is None:
            return None
        inside = window.geometry is None or Box.of(window.geometry).contains(clicked)
        return clicked if inside else None

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

    def _consider(self, now_s: float, *, at_once: bool = False) -> None:
        """Decide each episode as soon as it can be: later the screen shows what came after it, too."""
        for episode in dict.fromkeys(episode for episode, _ in self._held):
            if not episode.waiting or (episode.follows is not None and episode.follows.waiting):
                continue
            # However late we come, the screen is seen as it was when the time was up.
            until_s = episode.keys[0].event.at_s + self._wait_for_drawing_s
            at_s = min(now_s, until_s)
            last_chance = at_once or now_s >= until_s
            if last_chance or self._is_time(episode, at_s):
                self._decide(episode, at_s, last_chance=last_chance)

    def _is_time(self, episode: _Episode, now_s: float) -> bool:
        waited_s = now_s - episode.keys[0].event.at_s
        if now_s < episode.ask_again_s:
            return False
        after = self._screen(now_s)
        if after is None or not episode.shows_more_than_a_caret(after):
            return False
        if waited_s >= self._decide_within_s or episode.ended_s is not None:
            return True
        keys = episode.keys
        return len(keys) >= ENOUGH_KEYS and after.began_s > keys[ENOUGH_KEYS - 1].event.at_s

    def _decide(self, episode: _Episode, now_s: float, *, last_chance: bool) -> None:
        first = episode.keys[0]
        if episode.follows is not None and episode.follows.secret_ref is not None:
            episode.secret_ref, room = episode.follows.secret_ref, None
        else:
            judgement = self._judged(episode, self._screen(now_s))
            if judgement.secrecy == "clear":
                episode.answered(for_good=judgement.firm and not episode.only_spaces)
                return
            if judgement.secrecy == "undecided" and not last_chance:
                episode.ask_again_s = now_s + ASK_AGAIN_S  # what was drawn so far is not the text
                return
            self._failures += judgement.secrecy == "undecided"
            room = judgement.room
            place = room.center if room is not None else episode.clicked
            episode.secret_ref = self._names.name(judgement.label, first.window, place)
        episode.answered()
        episode.cover = self._curtain.open(first.before, first.event.at_s, room)
        if episode.ended_s is not None:
            episode.cover.close(episode.last)

    def _judged(self, episode: _Episode, after: Frame | None) -> FieldJudgement:
        first = episode.keys[0]
        before = episode.before
        if before is None:
            return FieldJudgement("undecided")
        if after is not None and after.ended_s <= first.event.at_s:
            after = None
        try:
            if episode.only_spaces:  # they draw nothing, and may press a button; the next letter is asked about again
                return _as_judgement(self._secrets.is_secret(before, episode.clicked, None))
            if not isinstance(self._secrets, SecretFieldJudge):
                return _as_judgement(self._secrets.is_secret(before, episode.clicked, after))
            ended_s = episode.ended_s if episode.left else None
            late = after is not None and ended_s is not None and after.ended_s > ended_s
            typed = episode.typed_before(after.began_s if after is not None else first.event.at_s)
            return self._secrets.judge(before, episode.clicked, after, typed=typed, late=late)
        except Exception:  # whatever went wrong, a secret must not get out, nor a message that might quote it
            return FieldJudgement("undecided")

    def _hides(self, frame: Frame, box: Box) -> bool:
        try:
            return isinstance(self._secrets, SecretFieldJudge) and self._secrets.hides(frame, box)
        except Exception:  # as above: who cannot tell covers it
            return False

    def _released(self) -> list[Observed]:
        out: list[Observed] = []
        while self._held and not self._held[0][0].waiting:
            episode, seen = self._held.popleft()
            out.append(_without_secret(seen, episode.secret_ref))
        return out


@dataclass(slots=True, eq=False)
class _Episode:
    """The time between two moves of the focus, and what is known of the text typed in it."""

    clicked: Point | None
    before: Frame | None = None
    """The screen before its first character."""
    said: str = ""
    """Characters that were given already, though more of them might show something else."""
    follows: _Episode | None = None
    """The focus may not have moved at all: if that one is a secret, so is this."""
    keys: list[Observed] = field(default_factory=list)
    """Characters that wait for the answer."""
    decided: bool = False
    secret_ref: str | None = None
    ended_s: float | None = None
    last: Frame | None = None
    """The screen just before it ended."""
    left: bool = False
    """Whether it ended because the focus surely moved."""
    ask_again_s: float = 0.0
    cover: Cover | None = None
    _looked_at: Frame | None = None
    _drawn: bool = False

    @property
    def waiting(self) -> bool:
        return bool(self.keys)

    @property
    def only_spaces(self) -> bool:
        return all(seen.event.char == " " for seen in self.keys) and not self.said.strip()

    def type(self, seen: Observed) -> None:
        if not self.keys and not self.said:
            self.before = seen.before
        self.keys.append(seen)

    def answered(self, *, for_good: bool = True) -> None:
        """Nothing waits any more; with an answer for good no text and no picture needs to be remembered."""
        self.said += self.typed_before(math.inf)
        self.decided = for_good
        self.keys.clear()
        self.follows = self._looked_at = None
        if for_good:
            self.said, self.before = "", None

    def typed_before(self, at_s: float) -> str:
        return self.said + "".join(printable(seen.event.char) or "" for seen in self.keys if seen.event.at_s < at_s)

    def shows_more_than_a_caret(self, after: Frame) -> bool:
        """Whether that frame, taken after the first key, shows anything drawn."""
        if self.before is None or after.began_s <= self.keys[0].event.at_s:
            return False
        if self._looked_at is not after:
            width, height = CARET_PX
            boxes = changed_boxes(self.before.pixels, after.pixels)
            self._looked_at, self._drawn = after, any(box.width > width or box.height > height for box in boxes)
        return self._drawn


def _as_judgement(is_secret: bool) -> FieldJudgement:
    return FieldJudgement("secret" if is_secret else "clear")


def _without_secret(seen: Observed, secret_ref: str | None) -> Observed:
    if secret_ref is None or not writes_text(seen.event):
        return seen
    bare = replace(seen.event, key=None, char=None, modifiers=frozenset())
    return Observed(bare, seen.before, secret_ref)


def _is_other_application(known: WindowContext | None, now: WindowContext | None) -> bool:
    return known is not None and now is not None and (known.app_name, known.pid) != (now.app_name, now.pid)
