"""A desktop that shows and hears what the test says: eyes and ears only, no threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from capture_inputs import picture

from rpa_vision.models.frame import Frame
from rpa_vision.models.input import InputEvent, ScreenInfo


class StubDesktop:
    """Implements as much of `ports.desktop.Desktop` as a recorder uses; eyes and ears are itself."""

    def __init__(self, first: Frame | None) -> None:
        self._first = first
        self.show: Callable[[Frame], None] = lambda frame: None
        self.hear: Callable[[InputEvent], None] = lambda event: None
        self.open = 0

    @property
    def eyes(self) -> StubDesktop:
        return self

    @property
    def ears(self) -> StubDesktop:
        return self

    def info(self) -> ScreenInfo:
        return ScreenInfo("linux", (96, 64), 1.0, ((0, 0, 96, 64),))

    @contextmanager
    def watch(self, on_frame: Callable[[Frame], None], *, max_fps: float = 30.0) -> Iterator[None]:
        self.show = on_frame
        self.open += 1
        if self._first is not None:
            on_frame(self._first)
        yield
        self.open -= 1

    @contextmanager
    def listen(
        self, on_event: Callable[[InputEvent], None], on_lost: Callable[[Exception], None] | None = None
    ) -> Iterator[None]:
        self.hear = on_event
        self.open += 1
        yield
        self.open -= 1

    def paint(self, shade: int, at_s: float) -> None:
        self.show(picture(shade, at_s))
