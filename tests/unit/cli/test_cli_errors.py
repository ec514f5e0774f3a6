"""Whatever goes wrong: one line of cause, one of remedy, an exit code for scripts, and nothing lost (UX-1)."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
import typer
from command_line import GOOD_VALUE, NAME, WORKFLOW_ID, contents, make_data, rpa_vision, small_workflow

from rpa_vision.cli.main import run_command_line
from rpa_vision.errors import StorageError


@pytest.fixture
def data(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    make_data(root)
    return root


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        (("--again", "--rest"), "--again and --rest exclude each other"),
        (("--each", "rows.csv", "--from-here"), "exclude each other"),
        (("--each", "rows.csv", "--authorise", "all of them"), "authorised for one run"),
        (("--each", "none.csv"), "there is no such file"),
        (("--each", "rows.csv"), "no column is called 'identifier'; there are: 'number'"),
        (("--each", "bad.csv"), "line 3: variable 'identifier'"),
    ],
)
def test_what_is_wrong_with_rows_is_told_before_anything_is_run(
    data: Path, tmp_path: Path, options: tuple[str, ...], cause: str
) -> None:
    """L4-5"""
    (tmp_path / "rows.csv").write_text(f"number\n{GOOD_VALUE}\n", encoding="utf-8")
    (tmp_path / "bad.csv").write_text(f"identifier\n{GOOD_VALUE}\nnot an id\n", encoding="utf-8")
    paths = [str(tmp_path / one) if one.endswith(".csv") else one for one in options]
    ended = rpa_vision("run", WORKFLOW_ID, "--data", data, *paths)
    assert ended.code == 2
    assert cause in ended.cause


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "screen.png"
    cv2.imwrite(str(path), np.full((200, 300, 3), 255, np.uint8))
    return path


def test_an_unknown_workflow_is_named_and_the_way_to_the_known_ones_told(data: Path) -> None:
    ended = rpa_vision("run", "WF_validatoin", "--data", data)
    assert ended.code == 2
    assert "WF_validatoin" in ended.cause
    assert WORKFLOW_ID in ended.remedy


def test_the_remedy_for_an_unknown_workflow_is_a_command_that_works(data: Path) -> None:
    assert "`rpa-vision workflows`" in rpa_vision("workflows", "show", "nothing", "--data", data).remedy
    listed = rpa_vision("workflows", "--data", data)
    assert (listed.code, NAME in listed.out) == (0, True)


@pytest.mark.parametrize(
    ("parameters", "cause"),
    [
        ((), "variable 'identifier' is missing"),
        (("--param", "identifier=not an id"), "identifier"),
        (("--param", f"number={GOOD_VALUE}"), "has no variable 'number'"),
        (("--param", f"identifier={GOOD_VALUE}", "--param", f"identifier={GOOD_VALUE}"), "given twice"),
        (("--param", GOOD_VALUE), "not of the form NAME=VALUE"),
    ],
    ids=["missing", "wrong", "unknown", "duplicate", "malformed"],
)
def test_a_variable_that_does_not_fit_stops_the_run_before_it_begins(
    data: Path, parameters: tuple[str, ...], cause: str
) -> None:
    """L4-3"""
    before = contents(data)
    ended = rpa_vision("run", WORKFLOW_ID, *parameters, "--mode", "auto", "--data", data)
    assert ended.code == 2
    assert cause in ended.cause
    assert contents(data) == before


def test_an_empty_reason_is_no_authorisation(data: Path) -> None:
    """L4-12"""
    ended = rpa_vision("run", WORKFLOW_ID, "--param", f"identifier={GOOD_VALUE}", "--authorise", " ", "--data", data)
    assert (ended.code, ended.cause) == (2, "--authorise needs a reason")


@pytest.mark.parametrize("command", ["run", "record"])
@pytest.mark.parametrize("display", ["", ":987"], ids=["unset", "unreachable"])
def test_without_a_display_nothing_starts_and_the_way_to_one_is_told(data: Path, command: str, display: str) -> None:
    arguments = {
        "run": ("run", NAME, "--param", f"identifier={GOOD_VALUE}"),
        "record": ("record", "--name", NAME),
    }[command]
    before = contents(data)
    ended = rpa_vision(*arguments, "--data", data, DISPLAY=display)
    assert ended.code == 2
    assert "DISPLAY" in ended.cause
    assert "rpa-vision desktop" in ended.remedy
    assert contents(data) == before


def test_a_torn_workflow_is_told_and_takes_no_other_with_it(data: Path) -> None:
    make_data(data).workflows.save(small_workflow("WF_other", "Autre"))
    torn = data / "workflows" / WORKFLOW_ID / "workflow.json"
    torn.write_bytes(torn.read_bytes()[:200])
    before = contents(data)

    shown = rpa_vision("workflows", "show", WORKFLOW_ID, "--data", data)
    assert shown.code == 2
    assert f"workflows/{WORKFLOW_ID}/workflow.json" in shown.cause

    listed = rpa_vision("workflows", "list", "--data", data, "--json")
    assert listed.code == 0
    assert [item["workflow_id"] for item in listed.json["workflows"]] == ["WF_other"]
    assert [item["name"] for item in listed.json["unreadable"]] == [f"workflows/{WORKFLOW_ID}"]
    assert contents(data) == before


@pytest.mark.parametrize(
    "arguments",
    [("sessions", "list"), ("workflows", "list"), ("learn", "--name", "x"), ("record", "--name", "x"), ("run", "x")],
)
def test_a_directory_of_somebody_else_is_left_alone(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    foreign = tmp_path / "photos"
    foreign.mkdir()
    (foreign / "holiday.jpg").write_bytes(b"beach")
    ended = rpa_vision(*arguments, "--data", foreign, DISPLAY="")
    assert ended.code == 2
    assert "holiday.jpg" in ended.cause
    assert "--data" in ended.remedy
    assert contents(foreign) == {"holiday.jpg": b"beach"}


def test_a_missing_model_is_told_with_the_way_to_get_it_back(tmp_path: Path, picture: Path) -> None:
    ended = rpa_vision("detect", picture, RPA_VISION_MODELS=str(tmp_path / "nowhere"))
    assert ended.code == 2
    assert "reader is missing" in ended.cause
    assert "make models" in ended.remedy


def test_a_full_disk_loses_nothing_that_was_there(tmp_path: Path, picture: Path) -> None:
    out = tmp_path / "seen.png"
    out.write_bytes(b"the drawing of yesterday")
    ended = rpa_vision("detect", picture, "--overlay", out, max_file_bytes=64)
    assert ended.code == 2
    assert "disk is full" in ended.cause
    assert "Free disk space" in ended.remedy
    assert contents(tmp_path) == {"screen.png": picture.read_bytes(), "seen.png": b"the drawing of yesterday"}


@pytest.mark.parametrize("content", [b"", b"hello", b"\x89PNG\r\n\x1a\n cut short"], ids=["empty", "text", "cut short"])
def test_a_file_that_is_no_picture_is_refused(tmp_path: Path, content: bytes) -> None:
    wrong = tmp_path / "wrong.png"
    wrong.write_bytes(content)
    ended = rpa_vision("detect", wrong)
    assert ended.code == 2
    assert str(wrong) in ended.cause


def test_a_wrong_picture_does_not_keep_the_others_from_being_seen(tmp_path: Path, picture: Path) -> None:
    ended = rpa_vision("detect", tmp_path / "missing.png", picture, "--json")
    first, second = map(json.loads, ended.out.splitlines())
    assert ended.code == 1
    assert first["error"]["code"] == "image.invalid"
    assert second["image"] == str(picture)
    assert "there is no such file" in ended.cause


def test_an_overlay_in_a_folder_that_is_not_there_is_refused_before_anything_is_done(picture: Path) -> None:
    """UX-1"""
    before = contents(picture.parent)
    ended = rpa_vision("detect", picture, "--overlay", picture.parent / "mistyped" / "out.png")
    assert (ended.code, ended.out) == (2, "")
    assert "there is no folder" in ended.cause
    assert contents(picture.parent) == before


def test_a_torn_picture_is_told_with_what_helps(tmp_path: Path, picture: Path) -> None:
    """UX-1"""
    torn = tmp_path / "torn.png"
    torn.write_bytes(picture.read_bytes()[:-20])
    ended = rpa_vision("detect", torn)
    assert (ended.code, "cut short" in ended.cause) == (2, True)
    assert "again" in ended.remedy


def test_an_overlay_never_replaces_the_picture_it_was_made_from(picture: Path) -> None:
    before = picture.read_bytes()
    ended = rpa_vision("detect", picture, "--overlay", picture)
    assert (ended.code, picture.read_bytes()) == (2, before)
    assert "would replace" in ended.cause


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (("record", "--nmae", "x"), "--nmae"),
        (("nothing",), "no such command"),
        (("run", "x", "--mode", "maybe"), "'auto', 'assist', 'shadow'"),
        (("run",), "WORKFLOW"),
        (("record", "--name", "x", "--stop-after", "soon"), "--stop-after"),
        (("desktop", "--size", "huge"), "--size"),
        (("workflows", "--json", "list"), "--json stands before"),
    ],
)
def test_wrong_use_is_told_like_every_other_error(arguments: tuple[str, ...], cause: str) -> None:
    ended = rpa_vision(*arguments)
    assert ended.code == 2
    assert cause in ended.cause


def test_with_json_an_error_is_json_too(data: Path) -> None:
    ended = rpa_vision("run", "nothing", "--data", data, "--json")
    assert ended.code == 2
    assert ended.json["error"]["code"] == "id.unknown"
    assert ended.json["error"]["message"] == ended.cause
    assert ended.json["error"]["remedy"] == ended.remedy


def test_a_fault_of_the_program_is_two_lines_and_says_how_to_see_more(capsys: pytest.CaptureFixture[str]) -> None:
    code = run_command_line([], _raising(ZeroDivisionError("first line\nsecond line")))
    error = capsys.readouterr().err.splitlines()
    assert code == 1
    assert error[0] == "error: unexpected ZeroDivisionError: first line second line"
    assert "RPA_VISION_DEBUG=1" in error[1]
    assert len(error) == 2


def test_what_the_system_refuses_is_the_environment_and_no_fault_of_the_program(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = run_command_line([], _raising(OSError(errno.ENOSPC, "No space left on device", "somewhere")))
    error = capsys.readouterr().err
    assert code == 2
    assert error == (
        "error: somewhere: the system refused (No space left on device)\n  do: Free disk space, then try again.\n"
    )


def test_an_error_of_many_lines_is_told_in_one(capsys: pytest.CaptureFixture[str]) -> None:
    code = run_command_line([], _raising(StorageError("it\n  broke", remedy="mend\nit")))
    assert (code, capsys.readouterr().err) == (2, "error: it broke\n  do: mend it\n")


def test_debugging_shows_where_it_happened(data: Path) -> None:
    ended = rpa_vision("run", "nothing", "--data", data, RPA_VISION_DEBUG="1")
    assert ended.code == 2
    assert "Traceback" in ended.err
    assert ended.err.splitlines()[-2].startswith("error: ")


def _raising(error: Exception) -> typer.Typer:
    app = typer.Typer(pretty_exceptions_enable=False)

    @app.command()
    def fail() -> None:
        raise error

    return app
