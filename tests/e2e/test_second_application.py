"""Nothing is web-only: notes written and saved in Mousepad, a program nobody here wrote."""

from __future__ import annotations

from pathlib import Path

from script_view import CommandLine, person

from rpa_vision.adapters.desktop.virtual import VirtualDesktop
from rpa_vision.demo.mousepad import launch_mousepad
from rpa_vision.demo.person.tasks.mousepad_notes import note_file_name

SHOWN = {"LEFÈVRE Élodie": "Élodie LEFÈVRE", "GARÇON Noël": "Noël GARÇON", "MÜLLER Zoé": "Zoé MÜLLER"}
ALONE = {"bérard": "Anaïs BÉRARD", "châtelain": "François CHÂTELAIN"}


def test_notes_shown_three_times_are_then_written_alone(
    command_line: CommandLine, desktop: VirtualDesktop, tmp_path: Path
) -> None:
    """L0-2, L4-2, L4-3, EX-1"""
    folder = tmp_path / "notes"
    folder.mkdir()
    with launch_mousepad(folder=folder, home=tmp_path / "home", env=desktop.env):
        with command_line.recording("Notes"):
            notes = [f"{patient}=Compte rendu : {name}" for patient, name in SHOWN.items()]
            person(desktop.env, "mousepad_notes", "--seed", "3", *(w for note in notes for w in ("--note", note)))
        code, learned, problems = command_line.run("learn", "--name", "Notes")
        assert code == 0, problems
        assert learned["repetitions"] == 3
        by_example = {tuple(variable["examples"]): variable["name"] for variable in learned["variables"]}
        name = by_example[tuple(SHOWN.values())]
        file_name = by_example[tuple(note_file_name(patient) for patient in SHOWN)]

        for patient, person_name in ALONE.items():
            code, ran, problems = command_line.run(
                "run", learned["workflow_id"], "--mode", "auto", "--authorise", "test of a second application",
                "--param", f"{name}={person_name}", "--param", f"{file_name}={note_file_name(patient)}",
            )  # fmt: skip
            assert code == 0, (ran["reason"], problems)
            assert all(step["verified"] for step in ran["steps"])
    written = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    assert written == {note_file_name(p): f"Compte rendu : {n}" for p, n in (SHOWN | ALONE).items()}
