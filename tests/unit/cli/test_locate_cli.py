"""`rpa-vision locate`: found, refused or told what is wrong, one picture pair or many."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from command_line import rpa_vision

from rpa_vision.app.locate import Locator, locate_lines
from rpa_vision.execution.locating.located import Located

NAMES = ("Patients", "Factures", "Agenda", "Praticien", "Montant", "Motif")


def page(button: str, *, at: tuple[int, int] = (420, 120), dark: bool = False, scale: float = 1.0) -> np.ndarray:
    image = np.full((420, 760, 3), 250, np.uint8)
    for index, name in enumerate(NAMES):
        where = (40, 80 + 50 * index)
        cv2.putText(image, name, where, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (30, 30, 30), 1, cv2.LINE_AA)
    x, y = at
    cv2.rectangle(image, (x, y), (x + 200, y + 40), (168, 90, 30), -1)
    cv2.putText(image, button, (x + 20, y + 27), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255, 255, 255), 1, cv2.LINE_AA)
    image = 255 - image if dark else image
    return image if scale == 1.0 else cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    made = {
        "old": page("Valider"),
        "moved": page("Valider", at=(460, 200)),
        "dark": page("Valider", dark=True),
        "large": page("Valider", scale=1.5),
        "sibling": page("Valider tout"),
    }
    for name, image in made.items():
        cv2.imwrite(str(folder / f"{name}.png"), image)
    return folder


BOX = [420, 120, 621, 161]


@pytest.fixture(scope="module")
def told(pictures: Path) -> list[dict]:
    """All questions in one go, for models are loaded once."""
    questions = [{"from": f"{pictures}/old.png", "box": BOX, "in": f"{pictures}/{name}.png"}
                 for name in ("old", "moved", "dark", "large", "sibling", "absent")]  # fmt: skip
    lines = [json.dumps(one) for one in questions]
    lines[2:2] = ["no json", json.dumps({"from": "x"}), "", json.dumps({**questions[0], "box": [900, 900, 950, 950]})]
    batch = pictures / "questions.jsonl"
    batch.write_text("\n".join(lines), encoding="utf-8")
    done = rpa_vision("locate", "--batch", str(batch), "--json")
    assert done.code == 1
    return [json.loads(line) for line in done.out.splitlines()]


@pytest.mark.parametrize(("number", "centre"), [(0, (520, 140)), (1, (560, 220)), (5, (520, 140)), (6, (780, 210))])
def test_what_is_still_there_is_found(told: list[dict], number: int, centre: tuple[int, int]) -> None:
    """UX-1, EX-4: as it was, moved, light on dark, larger"""
    answer = told[number]
    assert answer["status"] == "resolved", answer
    assert abs(answer["point"][0] - centre[0]) <= 40
    assert abs(answer["point"][1] - centre[1]) <= 12
    assert answer["box"][0] <= answer["point"][0] <= answer["box"][2]
    assert answer["score"] >= 0.72
    assert answer["strategy"]
    assert "Valider" in answer["why"]


def test_a_look_alike_is_refused(told: list[dict]) -> None:
    """EX-7"""
    assert told[7]["status"] == "not_found"
    assert told[7]["box"] is None
    assert told[7]["point"] is None


def test_absurd_lines_stop_no_other(pictures: Path) -> None:
    """UX-1: nested beyond reason, half a character in a path, a picture one pixel wide, a box of many things"""
    cv2.imwrite(str(pictures / "line.png"), np.full((400, 1, 3), 250, np.uint8))
    plain = {"from": f"{pictures}/old.png", "box": BOX, "in": f"{pictures}/old.png"}
    moved = f"{pictures}/moved.png"
    lines = [
        "[" * 100_000, json.dumps({**plain, "from": "\ud800.png"}), json.dumps({**plain, "in": f"{pictures}/line.png"}),
        json.dumps({**plain, "box": [-50, -50, 10**30, 10**30]}),
        json.dumps({**plain, "box": [0, 0, 760, 420], "in": moved}), json.dumps(plain),
    ]  # fmt: skip
    batch = pictures / "absurd.jsonl"
    batch.write_text("\n".join(lines), encoding="utf-8")
    done = rpa_vision("locate", "--batch", str(batch), "--json")
    told = [json.loads(line) for line in done.out.splitlines()]
    assert [one.get("status", "error") for one in told] == ["error"] * 4 + ["not_found", "resolved"], told


def test_a_byte_that_is_no_text_costs_its_own_line(pictures: Path) -> None:
    """UX-1: from standard input, too"""
    plain = json.dumps({"from": f"{pictures}/old.png", "box": BOX, "in": f"{pictures}/old.png"}).encode()
    done = subprocess.run(
        [sys.executable, "-m", "rpa_vision", "locate", "--batch", "-", "--json"],
        input=b'{"from": "caf\xe9.png"}\n' + plain + b"\n", capture_output=True, timeout=280, check=False,
    )  # fmt: skip
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["line"], one.get("status", "error")) for one in told] == [(1, "error"), (2, "resolved")]
    assert done.returncode == 1


class Broken(Locator):
    def __init__(self) -> None:
        """It needs nothing to break."""

    def locate(self, before: Path, box: Sequence[int], after: Path) -> Located:
        raise ZeroDivisionError("a bug")


def test_every_answer_names_the_line_it_answers() -> None:
    """UX-1: an empty line asks nothing, and counts; errors say theirs too"""
    line = json.dumps({"from": "a.png", "box": BOX, "in": "b.png"})
    told = list(locate_lines(Broken(), ["", line, "  \n", "no question", line]))
    assert [one["line"] for one in told] == [2, 4, 5]


def test_an_error_of_a_batch_is_told_with_its_line(tmp_path: Path) -> None:
    """UX-1: on stderr as well, once, by locate and compare"""
    batch = tmp_path / "batch.jsonl"
    batch.write_text('\n{"from": "x"}\n', encoding="utf-8")
    for command in ("locate", "compare"):
        done = rpa_vision(command, "--batch", str(batch), "--json")
        assert json.loads(done.out)["line"] == 2
        assert done.err.count("error: line 2: ") == done.err.count("line 2") == 1, done.err


def test_a_fault_of_ours_is_an_answer_to_its_line_and_stops_no_other() -> None:
    """EX-6: a strategy that breaks is no end of a batch"""
    line = json.dumps({"from": "a.png", "box": BOX, "in": "b.png"})
    told = list(locate_lines(Broken(), [line, "no question", line]))
    assert [one["error"]["code"] for one in told] == ["unexpected", "usage", "unexpected"]
    assert told[0]["error"]["message"] == "unexpected ZeroDivisionError"
    assert told[0]["error"]["remedy"]


def test_what_is_wrong_with_one_line_stops_no_other(told: list[dict]) -> None:
    """UX-1"""
    assert len(told) == 9
    for number, code in ((2, "usage"), (3, "usage"), (4, "usage"), (8, "image")):
        assert told[number]["error"]["code"].startswith(code), told[number]
        assert told[number]["error"]["remedy"]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--from", "a.png"],
        ["--from", "a.png", "--box", "1,2,3", "--in", "b.png"],
        ["--batch", "-", "--from", "a.png"],
    ],
)
def test_wrong_use_says_what_to_do(arguments: list[str]) -> None:
    """UX-1"""
    done = rpa_vision("locate", *arguments, "--json")
    assert done.code == 2
    assert json.loads(done.out)["error"]["remedy"]


@pytest.mark.parametrize(
    ("box", "fault", "remedy"),
    [
        ("10,10,5000,5000", "lies for the most part outside of a picture of 760x420", "within 0,0,760,420"),
        ("4000,4000,5000,5000", "lies beside a picture of 760x420", "within 0,0,760,420"),
        ("-5,100,60,140", "reaches outside of a picture of 760x420", "within 0,0,760,420"),
        ("700,100,761,140", "reaches outside of a picture of 760x420", "within 0,0,760,420"),
        ("50,50,40,90", "is empty: its corners are not in order", "within 0,0,760,420"),
        ("10,10,12,90", "is smaller than 4 pixels in a picture of 760x420", "at least 4 pixels wide and high"),
        ("-1,10,2,90", "reaches outside of a picture of 760x420", "within 0,0,760,420"),
    ],
)
def test_a_box_that_is_refused_is_told_what_is_wrong_with_it(pictures: Path, box: str, fault: str, remedy: str) -> None:
    """UX-1: and what to give instead"""
    given = ("--from", pictures / "old.png", f"--box={box}", "--in", pictures / "old.png")
    ended = rpa_vision("locate", *given, "--json")
    error = ended.json["error"]
    assert (ended.code, fault in error["message"]) == (2, True), error
    assert remedy in error["remedy"]


def test_one_question_says_by_its_exit_code_whether_it_was_found(pictures: Path) -> None:
    """UX-1"""
    given = ["--from", f"{pictures}/old.png", "--box", ",".join(map(str, BOX)), "--in"]
    assert rpa_vision("locate", *given, f"{pictures}/moved.png").code == 0
    refused = rpa_vision("locate", *given, f"{pictures}/sibling.png")
    assert refused.code == 1
    assert refused.out.startswith("not_found: ")
