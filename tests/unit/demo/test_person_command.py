"""The person as a process: how it says that it cannot do what it was asked."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from rpa_vision.demo.person.tasks.mousepad_notes import note_file_name


def person(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rpa_vision.demo.person", *arguments],
        env={**os.environ, "DISPLAY": ":no"},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("juggle",),
        ("clinic_login",),
        ("clinic_validate", "--url", "http://127.0.0.1:1"),
        ("mousepad_notes",),
        ("mousepad_notes", "--note", "no separator"),
        ("clinic_login", "--url", "http://127.0.0.1:1", "--speed", "50"),
    ],
)
def test_wrong_use_is_exit_2(arguments: tuple[str, ...]) -> None:
    """Before anything is touched."""
    assert person(*arguments).returncode == 2


def test_no_display_is_one_line_and_exit_2() -> None:
    """No trace of Python."""
    ended = person("clinic_login", "--url", "http://127.0.0.1:1")
    assert ended.returncode == 2
    assert ended.stderr.startswith("no display")
    assert len(ended.stderr.splitlines()) == 1


def test_file_names_of_notes_are_plain() -> None:
    """Accents, ligatures and blanks go."""
    assert note_file_name("Élodie LEFÈVRE") == "elodie-lefevre.txt"
    assert note_file_name("Noël LECŒUR / 2") == "noel-lecoeur-2.txt"
