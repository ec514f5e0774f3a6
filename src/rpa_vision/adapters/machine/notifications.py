"""A few words on the person's desktop, by the program the desktop has for that. Where it has none, nothing happens."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

_PROGRAM = "notify-send"
_TIMEOUT_S = 5.0


@dataclass(frozen=True, slots=True)
class DesktopNotifications:
    """Tells by `notify-send`. `environment` says which desktop, and where programs are looked for."""

    environment: Mapping[str, str]

    @property
    def program(self) -> str | None:
        """What would be asked, or None."""
        return shutil.which(_PROGRAM, path=self.environment.get("PATH"))

    def tell(self, title: str, text: str, *, urgent: bool = False) -> bool:
        """Show it; says whether somebody took it. What fails here fails quietly: it only helps."""
        program = self.program
        if program is None or not (self.environment.get("DISPLAY") or self.environment.get("WAYLAND_DISPLAY")):
            return False
        level = "critical" if urgent else "normal"
        command = [program, "--app-name=rpa-vision", f"--urgency={level}", "--", title, text]
        try:
            done = subprocess.run(
                command,
                env=dict(self.environment),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_TIMEOUT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
        return done.returncode == 0
