"""On a real desktop: twenty-five things done, a lost run shown the way, a run stopped, its last actions taken back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rpa_vision.adapters.storage.heal_questions import FileHealQuestions
from rpa_vision.app import wiring
from rpa_vision.app.point_out import QuestionDesk
from rpa_vision.demo.replay.__main__ import judged, replay
from rpa_vision.demo.replay.office import WORKFLOW_ID, ReplayOffice, open_office
from rpa_vision.demo.replay.page import DEEDS, Deed

pytestmark = pytest.mark.timeout(300)
NAME, URGENT = DEEDS[0], DEEDS[2]
CHECK = Deed("Vérifier", "button", shows="Identité vérifiée")
PRINT = Deed("Imprimer", "button", shows="Impression lancée")
STRANGE = "Contrôle des droits"


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReplayOffice]:
    with open_office(tmp_path_factory.mktemp("replay")) as opened:
        yield opened


@pytest.fixture
def fresh(office: ReplayOffice, tmp_path: Path) -> ReplayOffice:
    """The same desktop, with nothing learned."""
    folder = tmp_path / "pages"
    folder.mkdir()
    return ReplayOffice(office.env, office.server, folder, tmp_path / "data", office.observer)


def command(office: ReplayOffice, *arguments: object) -> subprocess.Popen[str]:
    """`rpa-vision` in a process of its own, on the office's desktop and data."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RPA_VISION_")}
    return subprocess.Popen(
        [sys.executable, "-m", "rpa_vision", *map(str, arguments), "--data", str(office.data_path), "--json"],
        env=environment | dict(office.env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, err = process.communicate(timeout=120)
    assert out, err
    answer: dict[str, Any] = json.loads(out.splitlines()[-1])
    return answer


def run(office: ReplayOffice, *more: str) -> subprocess.Popen[str]:
    return command(office, "run", WORKFLOW_ID, "--mode", "auto", "--authorise", "a test", *more)


@pytest.mark.soak
def test_twenty_five_actions_are_done_at_the_first_try(fresh: ReplayOffice, capsys: pytest.CaptureFixture[str]) -> None:
    """PF: 25/25, no second try; the page itself says so"""
    made = replay(fresh)
    assert (made.done, made.second_tries, made.wrong) == (len(DEEDS), 0, ()), made.report.reason
    assert ended(command(fresh, "heal", "proposals"))["proposals"] == [], "nothing changed, so nothing is proposed"
    clicks = made.click_ms
    with capsys.disabled():
        sys.stdout.write(f" {len(DEEDS)} actions, {sum(clicks) / len(clicks):.0f} ms a visual click ")


@pytest.mark.soak
def test_a_heal_is_proposed_and_kept_after_as_many_runs_as_the_policy_says(fresh: ReplayOffice) -> None:
    """EX-5, EX-9: « Imprimer » is « Print » one morning"""
    with fresh.page() as seen:
        fresh.learn(seen, (PRINT,))
    policy = fresh.data_path / "config" / "auto_heal_policy.json"
    policy.parent.mkdir(exist_ok=True)
    policy.write_text('{"heal_verified_runs_to_keep": 2}', encoding="utf-8")
    levels, versions = [], []
    for _ in range(3):
        with fresh.page(Imprimer="Print"):
            report = ended(run(fresh))
        assert report["status"] == "success", report["reason"]
        levels.append(report["steps"][0]["healing_level"])
        versions.append(wiring.data_directory(fresh.data_path).workflows.load(WORKFLOW_ID).version)
    assert (levels[0] > 0, levels[1] > 0, levels[2], versions) == (True, True, 0, [1, 2, 2])
    (proposal,) = ended(command(fresh, "heal", "proposals", "--decided"))["proposals"]
    assert (proposal["status"], proposal["decided_by"], proposal["verified_runs"]) == ("kept", "system", 2)
    assert [(change["kind"], change["after"]) for change in proposal["changes"]] == [("label", "Print")]


def test_a_lost_run_is_shown_the_way_from_another_terminal_and_knows_it_the_next_time(
    fresh: ReplayOffice, wait: Any
) -> None:
    """EX-8"""
    with fresh.page() as seen:
        fresh.learn(seen, (NAME, CHECK))
    desk = QuestionDesk(FileHealQuestions(wiring.data_directory(fresh.data_path).files), wiring.clock())
    with fresh.page(Vérifier=STRANGE):
        process = run(fresh, "--ask", "--ask-timeout", "100")
        wait.until(lambda: process.poll() is not None or desk.waiting().items, timeout_s=100.0)
        assert process.poll() is None, process.communicate()
        (question,) = desk.waiting().items
        number = next(one.number for one in question.candidates if one.label == STRANGE)
        answer = command(fresh, "heal", "answer", question.question_id, "--number", str(number), "--keep")
        assert ended(answer)["number"] == number
        report = ended(process)
    assert (report["status"], report["steps"][1]["strategy"]) == ("success", "shown_by_person"), report["reason"]
    assert fresh.server.truth["did"] == ["Vérifier"]
    (proposal,) = ended(command(fresh, "heal", "proposals", "--decided"))["proposals"]
    assert (proposal["status"], proposal["source"], proposal["after"]["aliases"]) == ("kept", "person", [STRANGE])
    with fresh.page(Vérifier=STRANGE):
        again = ended(run(fresh))
    assert (again["status"], again["steps"][1]["healing_level"]) == ("success", 0), again["reason"]


def test_a_run_is_stopped_from_another_terminal_between_two_inputs(
    fresh: ReplayOffice, wait: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """L4-13, EX-10: the kill switch, measured"""
    with fresh.page() as seen:
        fresh.learn(seen)
        process = run(fresh)
        wait.until(lambda: process.poll() is not None or "Urgent" in fresh.server.truth["ticked"], timeout_s=100.0)
        stopped = ended(command(fresh, "stop", "--reason", "enough"))
        truth_then = dict(fresh.server.truth)
        report = ended(process)
        made = judged_done(fresh)
    assert report["status"] in ("halted", "failed"), report
    assert stopped["ended"] == [report["run_id"]]
    assert stopped["waited_s"] < 10.0
    assert fresh.server.truth == truth_then, "nothing was done once it was said to have ended"
    assert made < len(DEEDS)
    with capsys.disabled():
        sys.stdout.write(f" over {stopped['waited_s']:.2f} s after the switch ")


def judged_done(office: ReplayOffice) -> int:
    values = office.server.truth["values"]
    return sum(values.get(deed.label) == deed.text for deed in DEEDS if deed.text) + len(office.server.truth["did"])


@pytest.mark.soak
def test_the_last_actions_of_a_run_are_taken_back(fresh: ReplayOffice, wait: Any) -> None:
    """L4-13: text and toggle, and what cannot be is told"""
    with fresh.page() as seen:
        fresh.learn(seen, (NAME, URGENT))
        assert ended(run(fresh))["status"] == "success"
        assert fresh.server.truth["values"]["Nom"] == NAME.text
        undone = ended(command(fresh, "undo", "--steps", "2"))
        assert [one["done"] for one in undone["undone"]] == [True, True], undone
        wait.until(lambda: fresh.server.truth["values"]["Nom"] == "" and not fresh.server.truth["ticked"])
    with fresh.page() as seen:
        fresh.learn(seen, (CHECK,))
        assert ended(run(fresh))["status"] == "success"
        (told,) = ended(command(fresh, "undo"))["undone"]
        assert (told["done"], "no click takes back" in told["message"]) == (False, True)


def test_what_the_page_tells_is_what_counts() -> None:
    """The judge of the replay can say no."""
    truth = {"values": {"Nom": "Lefevre"}, "did": ["Vérifier", "Vérifier"], "ticked": ["Urgent"]}
    made = judged(None, truth)  # type: ignore[arg-type]
    assert (made.done, len(made.wrong)) == (1, 2)
