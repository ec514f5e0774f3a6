"""From an input event to what is written of it: guard, then gestures, then pairing. No threads, no clock.

What comes out may be kept: secrets are neither in the events nor, as far as typing drew them, in the pictures.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import overload

from rpa_vision.capture.frame_ring import FrameRing
from rpa_vision.capture.gestures import GestureMachine, GestureSettings
from rpa_vision.capture.observed import Observed
from rpa_vision.capture.pairing import Aftermath, Paired, Pairing, PairingSettings
from rpa_vision.capture.typing_guard import TypingGuard
from rpa_vision.models.frame import Frame
from rpa_vision.models.input import MODIFIER_NAMES, InputEvent, InputKind
from rpa_vision.ports.perception import SecretFieldClassifier

_NEEDS_A_PICTURE = frozenset({InputKind.BUTTON_PRESS, InputKind.SCROLL, InputKind.KEY_PRESS})


@dataclass(frozen=True, slots=True)
class PipelineSettings:
    """How input is understood."""

    hearing_lag_s: float = 0.05
    """An event may be heard so much later than it happened; until then nobody may say it did not."""
    gestures: GestureSettings = field(default_factory=GestureSettings)
    pairing: PairingSettings = field(default_factory=PairingSettings)


class CapturePipeline:
    """What the recorder's worker does, without its thread."""

    def __init__(
        self, secrets: SecretFieldClassifier, ring: FrameRing, settings: PipelineSettings | None = None
    ) -> None:
        settings = settings or PipelineSettings()
        self._ring = ring
        self._lag_s = settings.hearing_lag_s
        self._guard = TypingGuard(secrets, ring.before)
        self._gestures = GestureMachine(settings.gestures)
        self._pairing = Pairing(self._latest, settings.pairing, was_behind=ring.was_behind)

    @property
    def waiting(self) -> bool:
        """Whether `tick` may have something to give later."""
        return self._guard.waiting or self._gestures.waiting or self._pairing.waiting

    @property
    def undecided_secrets(self) -> int:
        """How often a text was taken for a secret because nobody could tell."""
        return self._guard.failures

    def see(self, event: InputEvent) -> Observed:
        """Put to an event the frame before it. Cheap, and done when it is heard: later the frame may be forgotten."""
        if event.kind in _NEEDS_A_PICTURE and event.key not in MODIFIER_NAMES:
            return Observed(event, self._ring.before(event.at_s))
        if event.window is None and (latest := self._ring.latest()) is not None:
            event = replace(event, window=latest.window)  # a move belongs to a window too
        return Observed(event)

    def take(self, seen: Observed) -> list[Paired | Aftermath]:
        """Take what was heard next."""
        return self._covered(self._understand(self._guard.feed(seen)))

    def tick(self, now_s: float) -> list[Paired | Aftermath]:
        """Let time pass: only when everything that was heard has been taken."""
        heard_until_s = now_s - self._lag_s
        out = self._understand(self._guard.flush(heard_until_s))
        for gesture in self._gestures.flush(heard_until_s):
            out += self._pairing.feed(gesture)
        return self._covered(out + self._pairing.flush(now_s))

    def finish_input(self, now_s: float) -> list[Paired | Aftermath]:
        """Nothing more is heard; the screen is still watched."""
        out = self._understand(self._guard.finish(now_s))
        for gesture in self._gestures.finish():
            out += self._pairing.feed(gesture)
        return self._covered(out)

    def finish(self) -> list[Paired | Aftermath]:
        """Nothing more is seen either."""
        return self._covered(self._pairing.finish())

    def _latest(self) -> Frame | None:
        """The screen as it is; but while typing waits for its answer, as it was before, for it may show a secret."""
        since_s = self._guard.waiting_since_s
        return self._ring.latest() if since_s is None else self._ring.before(since_s)

    def _covered(self, items: list[Paired | Aftermath]) -> list[Paired | Aftermath]:
        """What is written, its pictures without the secrets that are readable in them."""
        return [
            replace(item, after=self._cover(item.after))
            if isinstance(item, Aftermath)
            else replace(item, before=self._cover(item.before), after=self._cover(item.after))
            for item in items
        ]

    @overload
    def _cover(self, frame: Frame) -> Frame: ...
    @overload
    def _cover(self, frame: Frame | None) -> Frame | None: ...
    def _cover(self, frame: Frame | None) -> Frame | None:
        return self._guard.drawn_over(frame) if frame is not None else None

    def _understand(self, inputs: Iterable[Observed]) -> list[Paired | Aftermath]:
        out: list[Paired | Aftermath] = []
        for seen in inputs:
            for gesture in self._gestures.feed(seen):
                out += self._pairing.feed(gesture)
        return out
