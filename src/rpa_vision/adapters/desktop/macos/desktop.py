"""The macOS desktop, put together; its clipboard and windows, which are small."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rpa_vision.adapters.desktop.macos.api import MacApi, Runner
from rpa_vision.adapters.desktop.macos.ears import MacEars
from rpa_vision.adapters.desktop.macos.eyes import MacEyes
from rpa_vision.adapters.desktop.macos.hands import MacHands
from rpa_vision.adapters.desktop.macos.screen import MacScreen
from rpa_vision.errors import DesktopError, EnvironmentMissingError, UsageError
from rpa_vision.models.window import WindowContext, only_fit
from rpa_vision.ports.runtime import Clock

_TRIES = 20
_PAUSE_S = 0.05


class MacDesktop:
    """Everything of the desktop of the logged-in person. Each part says which permission it lacks when it is used."""

    def __init__(self, api: MacApi, clock: Clock, run: Runner) -> None:
        self._api = api
        screen = MacScreen(api)
        self.eyes = MacEyes(api, screen, clock)
        self.ears = MacEars(api, screen, clock)
        self.hands = MacHands(api, screen, clock)
        self.clipboard = MacClipboard(run)
        self.windows = MacWindows(api, screen, clock)

    def is_locked(self) -> bool | None:
        return self._api.is_locked()

    def close(self) -> None:
        self.ears.close()


class MacClipboard:
    """Text only, by pbcopy and pbpaste; a picture or files on the clipboard do not survive being borrowed."""

    def __init__(self, run: Runner) -> None:
        self._run = run

    def read(self) -> str | None:
        # pbpaste prints nothing both for no text and for an empty one; nobody copies an empty text.
        return self._call(["pbpaste", "-Prefer", "txt"], b"").decode("utf-8", "replace") or None

    def write(self, text: str) -> None:
        self._call(["pbcopy"], text.encode("utf-8"))

    @contextmanager
    def borrowed(self) -> Iterator[None]:
        before = self.read()
        try:
            yield
        finally:
            self.write(before or "")

    def _call(self, command: list[str], given: bytes) -> bytes:
        try:
            code, output = self._run(command, given)
        except OSError as error:
            raise DesktopError(f"{command[0]} cannot be run: {error}") from error
        if code != 0:
            raise DesktopError(f"{command[0]} ended with {code}", remedy="Log in on the Mac's own screen.")
        return output


class MacWindows:
    """Ordinary windows, front to back."""

    def __init__(self, api: MacApi, screen: MacScreen, clock: Clock) -> None:
        self._api = api
        self._screen = screen
        self._clock = clock

    def all(self) -> list[WindowContext]:
        return [self._screen.context(window) for window in self._api.windows() if window.layer == 0 and window.title]

    def activate(self, *, app_name: str | None = None, title_contains: str | None = None) -> WindowContext | None:
        if app_name is None and title_contains is None:
            raise UsageError("no window was named", remedy="Give app_name, title_contains or both.")
        open_ones = self.all()
        meant = only_fit(open_ones, app_name, title_contains)
        if meant is None:
            return None
        self._bring_to_front(open_ones[meant])
        return open_ones[meant]

    def _bring_to_front(self, window: WindowContext) -> None:
        if not self._api.may_control():
            raise EnvironmentMissingError("macOS does not let us move windows", remedy=GRANT_CONTROL)
        for attempt in range(_TRIES):
            if attempt:
                self._clock.sleep(_PAUSE_S)
            front = self._screen.front_window()
            if front is not None and (front.pid, front.title) == (window.pid, window.title):
                return
            if attempt == 0:
                self._api.raise_window(window.pid or 0, window.title)
        raise DesktopError(f"macOS did not bring {window.title!r} to the front", remedy="Bring the window up by hand.")


GRANT_CONTROL = (
    "Allow the program that runs rpa-vision (Terminal, or python) under System Settings > Privacy & Security > "
    "Accessibility, then start it again."
)
