"""The facts of the machine the tests run on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rpa_vision.adapters.desktop.virtual import VirtualDesktop
from rpa_vision.adapters.machine import LocalMachine


def doctor(*arguments: object, **environment: str) -> tuple[int, dict[str, dict[str, str]]]:
    kept = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    ended = subprocess.run(
        [sys.executable, "-m", "rpa_vision", "doctor", "--json", *map(str, arguments)],
        env=kept | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    body = json.loads(ended.stdout)
    assert body["ok"] == (ended.returncode == 0), ended.stderr
    return ended.returncode, {check.pop("name"): check for check in body["checks"]}


def test_a_virtual_desktop_passes_every_check_of_a_display(virtual_desktop: VirtualDesktop, tmp_path: Path) -> None:
    code, checks = doctor("--data", tmp_path / "data", DISPLAY=virtual_desktop.display)
    assert code == 0
    for name in ("display", "extensions", "input", "screen_lock", "models", "data_directory", "python", "packages"):
        assert checks[name]["status"] == "ok", checks[name]
    assert not (tmp_path / "data").exists()


def test_a_missing_model_fails(tmp_path: Path) -> None:
    code, checks = doctor("--data", tmp_path / "data", RPA_VISION_MODELS=str(tmp_path))
    assert code == 2
    assert checks["models"]["status"] == "fail"
    assert "make models" in checks["models"]["remedy"]


def test_people_get_a_table_with_remedies(tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").write_bytes(b"")
    ended = subprocess.run(
        [sys.executable, "-m", "rpa_vision", "doctor", "--data", str(tmp_path)],
        env=os.environ | {"COLUMNS": "400"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 2
    assert "holiday.jpg" in ended.stdout
    assert "do: Choose another directory with --data" in ended.stdout


def test_whose_a_data_directory_is_is_told_without_touching_it(tmp_path: Path) -> None:
    machine = LocalMachine()
    assert machine.data_directory(tmp_path / "a" / "b").state == "absent"
    assert machine.data_directory(tmp_path).state == "empty"
    (tmp_path / "holiday.jpg").write_bytes(b"")
    assert machine.data_directory(tmp_path).state == "foreign"
    assert machine.data_directory(tmp_path).free_bytes > 0
    below_a_file = machine.data_directory(tmp_path / "holiday.jpg" / "data")
    assert not below_a_file.is_writable or below_a_file.problem
    assert [path.name for path in tmp_path.iterdir()] == ["holiday.jpg"]


def test_the_packages_we_depend_on_are_those_the_package_names() -> None:
    packages = {package.name: package for package in LocalMachine().packages()}
    assert packages["numpy"].wanted
    assert packages["numpy"].found
    assert "pytest" not in packages


def test_programs_are_found_by_name() -> None:
    assert LocalMachine().installed(["sh", "no-such-program"]) == {"sh"}


def test_the_machine_can_be_measured() -> None:
    machine = LocalMachine()
    assert machine.cores >= 1
    memory = machine.free_memory_bytes()
    if memory is None:
        pytest.skip("this system does not tell its memory")
    assert memory > 0
