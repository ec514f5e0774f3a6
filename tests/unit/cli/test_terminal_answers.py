"""What is typed into the terminal of a run that asks."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.adapters.storage.heal_questions import FileHealQuestions
from rpa_vision.app.point_out import QuestionDesk
from rpa_vision.cli.heal_questions import TerminalVoice, parsed
from rpa_vision.cli.terminal_lines import TerminalLines
from rpa_vision.models.heal_question import HealQuestion, QuestionCandidate

CLOCK = SystemClock()


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("2", {"number": 2, "keep": False}),
        ("2 keep", {"number": 2, "keep": True}),
        ("640,360", {"point": (640, 360), "keep": False}),
        ("640, 360 keep", {"point": (640, 360), "keep": True}),
        ("none", {"none": True}),
        ("0", {"none": True}),
        ("yes", {"yes": True}),
        ("perhaps", {"none": False}),
    ],
)
def test_an_answer_is_typed_in_a_word(said: str, answer: dict[str, Any]) -> None:
    """EX-8"""
    assert parsed(said) == answer


def test_a_slip_is_told_and_the_next_line_counts(tmp_path: Path, wait: Any) -> None:
    """EX-8: the run's own terminal"""
    data = FileDataDirectory(tmp_path / "data", clock=CLOCK)
    desk = QuestionDesk(FileHealQuestions(data.files), CLOCK)
    now = CLOCK.now()
    question = HealQuestion(
        question_id="question_1",
        run_id="run_1",
        workflow_id="WF",
        workflow_name="Factures",
        edge_id="E1",
        step="click on « Valider »",
        why="« Valider » is not on the screen",
        asked_at=now,
        expires_at=now + timedelta(minutes=5),
        screen_size=(800, 600),
        candidates=(QuestionCandidate(number=1, label="Approuver", type="button", bbox=(1, 2, 3, 4), score=0.5),),
    )
    desk.store.ask(question, None)
    lines: Queue[str] = Queue()

    def typed() -> Iterator[str]:
        while True:
            yield lines.get()

    said: list[str] = []
    TerminalVoice(desk, "anne", said.append, TerminalLines(typed())).ask(question)
    assert any("1. button « Approuver »" in line for line in said)
    for line in ("perhaps\n", "900,900\n", "7\n", "\n", "1 keep\n"):
        lines.put(line)
    answer: Any = wait.until(lambda: desk.store.answer_of("question_1"))
    assert (answer.number, answer.keep, answer.who) == (1, True, "anne")
    told = " ".join(said)
    for words in ("one answer is expected", "not on a screen of 800 x 600", "no candidate 7"):
        assert words in told


def test_a_line_answers_whoever_has_asked_and_nobody_else(wait: Any) -> None:
    """EX-8, L4-12: one reader for the questions of steps and of lost runs"""
    typed, overheard, answered = Queue[str](), Queue[str](), Queue[str]()

    def lines() -> Iterator[str]:
        while (line := typed.get()) != "end":
            yield line

    terminal = TerminalLines(lines())
    terminal.listen(overheard.put)
    typed.put("2 keep\n")
    assert overheard.get(timeout=5.0) == "2 keep\n"
    asking = threading.Thread(target=lambda: answered.put(terminal.read()))
    asking.start()
    wait.until(lambda: typed.put("y\n") or not answered.empty(), what="the answer")
    assert answered.get() == "y\n"
    typed.put("none\n")
    wait.until(lambda: overheard.get(timeout=5.0) == "none\n", what="the other to hear again")
    typed.put("end")
    assert (terminal.read(), terminal.read()) == ("", "")


ASKS = """
import select
from rpa_vision.cli.terminal_lines import TerminalLines
print("ready", flush=True)
select.select([0], [], [], 30)
print("heard", repr(TerminalLines().read()), flush=True)
"""


def test_what_was_typed_before_anybody_asked_is_no_answer(wait: Any) -> None:
    """L4-12: a person who leans on the keyboard agrees to nothing"""
    ours, theirs = os.openpty()
    asks = subprocess.Popen([sys.executable, "-c", ASKS], stdin=theirs, stdout=subprocess.PIPE, text=True)
    heard: list[str] = []
    with asks, os.fdopen(ours, "wb", buffering=0) as keyboard:
        os.close(theirs)
        assert asks.stdout is not None
        said = asks.stdout
        assert said.readline() == "ready\n"
        keyboard.write(b"y\n")
        reader = threading.Thread(target=lambda: heard.append(said.readline()))
        reader.start()
        wait.until(lambda: keyboard.write(b"n\n") and heard, timeout_s=30.0, what="an answer")
        reader.join()
    assert heard == ["heard 'n\\n'\n"]
