"""Debian's Chromium, set up so that nothing of its own gets between a person and the page."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from rpa_vision.demo.program import Program, find_program, program_environment

WM_CLASS = "Chromium"

_QUIET_FLAGS = (
    "--test-type",  # without it an info bar about the flags pushes the page down
    "--no-first-run",
    "--no-default-browser-check",
    "--password-store=basic",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-features=Translate,MediaRouter",
)
# Preferences, because there is no flag: the offer to keep a password would cover the page after each login.
_PREFERENCES = {
    "credentials_enable_service": False,
    "profile": {"password_manager_enabled": False, "password_manager_leak_detection": False},
    "translate": {"enabled": False},
}


def launch_browser(
    url: str,
    *,
    profile_dir: Path,
    display: str | None = None,
    env: Mapping[str, str] | None = None,
    app_window: bool = True,
    position: tuple[int, int] = (0, 0),
    size: tuple[int, int] = (1920, 1080),
    device_scale: float = 1.0,
    lang: str = "fr",
) -> Program:
    """Open the address in a window of its own; `profile_dir` must be fresh or of an earlier demonstration.

    Sizes are in screen pixels, whatever the device scale.
    """
    environment = program_environment(display, env)
    executable = find_program(("chromium", "chromium-browser"), package="chromium", search_path=environment.get("PATH"))
    _write_preferences(profile_dir)
    return Program(
        browser_command(
            executable,
            url,
            profile_dir=profile_dir,
            app_window=app_window,
            position=position,
            size=size,
            device_scale=device_scale,
            lang=lang,
            is_root=os.geteuid() == 0,
        ),
        env=environment,
    )


def browser_command(
    executable: str,
    url: str,
    *,
    profile_dir: Path,
    app_window: bool,
    position: tuple[int, int],
    size: tuple[int, int],
    device_scale: float,
    lang: str,
    is_root: bool,
) -> list[str]:
    """The command line; Chromium counts window sizes in its own scaled pixels, so they are divided here."""
    command = [executable, *_QUIET_FLAGS]
    if is_root:
        command.append("--no-sandbox")  # Chromium refuses to start as root otherwise
    command += [
        f"--user-data-dir={profile_dir}",
        f"--window-position={_scaled(position, device_scale)}",
        f"--window-size={_scaled(size, device_scale)}",
        f"--force-device-scale-factor={device_scale:g}",
        f"--lang={lang}",
    ]
    return [*command, f"--app={url}" if app_window else url]


def _scaled(pair: tuple[int, int], device_scale: float) -> str:
    return ",".join(str(round(value / device_scale)) for value in pair)


def _write_preferences(profile_dir: Path) -> None:
    preferences = profile_dir / "Default" / "Preferences"
    if not preferences.exists():
        preferences.parent.mkdir(parents=True, exist_ok=True)
        preferences.write_text(json.dumps(_PREFERENCES))
