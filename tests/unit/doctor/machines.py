"""Machines that are not there."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from rpa_vision.app.doctor import ALL_PROGRAMS, EXTENSIONS
from rpa_vision.models.machine import DataFacts, DisplayFacts, MachineFacts, ModelFacts, PackageFacts

GOOD_DISPLAY = DisplayFacts(
    ":0", resolution=(1920, 1080), extensions=frozenset(EXTENSIONS), is_locked=False, is_wayland=False
)
NO_DISPLAY = DisplayFacts(problem="there is no display: DISPLAY is not set")

GOOD_MACHINE = MachineFacts(
    platform="linux",
    system="Linux 6.1",
    display=GOOD_DISPLAY,
    programs=frozenset(ALL_PROGRAMS),
    french_fonts=("DejaVu Sans",),
    models=(ModelFacts("reader-1"),),
    packages=(PackageFacts("numpy", "1.26", "2.1.0"),),
    python=(3, 11, 2),
    data=DataFacts(Path("data"), "absent", free_bytes=20_000_000_000),
    cores=4,
    memory_bytes=8_000_000_000,
    now=datetime(2026, 6, 1, tzinfo=UTC),
)
