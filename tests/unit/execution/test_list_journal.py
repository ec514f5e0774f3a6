"""A run over a list that does not show what is done: what it did is remembered, and not done again unasked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from list_office import DONE, TO_DO, Invoice, ListOffice, click_on, go, invoices, rounds, validating
from pydantic import JsonValue

from rpa_vision.adapters.audit.jsonl_audit import JsonlAudit
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.adapters.storage.batches import FileBatchJournal
from rpa_vision.adapters.vectors.faiss_index import FaissIndex
from rpa_vision.app.list_journal import ListJournal
from rpa_vision.app.run import run_workflow
from rpa_vision.app.run_tools import RunHooks, RunRequest, RunTools
from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.execution.run_outcome import DoneRow, ExecutedStep, Progress, Rounds
from rpa_vision.models.execution import RunReport
from rpa_vision.models.variables import Variable, VariableSource
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.testing.screens import CountingIds
from rpa_vision.testing.supervisors import OpenSupervisor


class Killed(BaseException):
    """The process is gone: nothing is tidied up."""


class Desk:
    """An office whose runs are made as the command line makes them, over one data directory."""

    def __init__(self, root: Path, office: ListOffice, workflow: Workflow) -> None:
        self.office = office
        self.data = FileDataDirectory(root, clock=office.clock)
        self.data.claim()
        self.ids = CountingIds()
        self.workflow = workflow
        for node in workflow.nodes:
            prototype = node.screen_template.embedding_prototype
            assert prototype is not None
            self.data.vectors.save(prototype.vector_id, office.book[node.label].vector)

    def run(self, killed_after: int | None = None, workflow: Workflow | None = None, **asked: Any) -> RunReport:
        """From the list as it stands; the process is killed once so many steps are done."""
        office, count = self.office, 0

        def on_step(step: ExecutedStep) -> None:
            nonlocal count
            count += 1
            if count == killed_after:
                raise Killed

        office.desktop.show(office.show_list())
        tools = RunTools(
            data=self.data,
            observer=office.book.observer,
            desktop=office.desktop,
            audit=JsonlAudit(self.data.paths.audit, office.clock),
            clock=office.clock,
            ids=self.ids,
            new_index=lambda workflow_id, space: FAISSManager(FaissIndex, workflow_id=workflow_id, space=space),
            supervisor=lambda run_id: OpenSupervisor(),
            lists=lambda made: FileBatchJournal(self.data.files, f"{made.workflow_id}.lists"),
        )
        audit = asked.pop("audit", None)
        if audit is not None:
            tools = replace(tools, audit=audit(self.data.paths.audit, office.clock))
        parameters = asked.pop("parameters", {})
        request = RunRequest(workflow or self.workflow, parameters, "auto", "a test", **asked)
        return run_workflow(request, tools, RunHooks(on_step=on_step))[0]


@pytest.fixture
def office() -> ListOffice:
    return ListOffice(invoices("1,00", "2,00", "3,00", "4,00"))


def desk(root: Path, office: ListOffice, **loop: Any) -> Desk:
    return Desk(root, office, validating(loop=rounds(**({"rule": None, "last_edge": "E2"} | loop)), office=office))


def numbers(office: ListOffice) -> list[str]:
    return [one.number for one in office.rows]


def test_a_run_that_was_killed_is_not_begun_again_unasked(tmp_path: Path, office: ListOffice) -> None:
    """L4-5, EX-7: after the second row"""
    made = desk(tmp_path, office)
    with pytest.raises(Killed):
        made.run(killed_after=5)
    assert office.validated == numbers(office)[:2]
    again = made.run()
    assert (again.status, office.validated) == ("blocked", numbers(office)[:2])
    assert "did 2 rows of the list at E1" in again.reason
    assert "left « FAC-2026-00003 » half done, perhaps" in again.reason
    assert "--rest" in again.reason
    assert "--again" in again.reason


def test_the_rest_of_a_list_is_done_where_a_person_wants_that(tmp_path: Path, office: ListOffice) -> None:
    """L4-5, EX-7: also if that run is broken off too"""
    made = desk(tmp_path, office)
    with pytest.raises(Killed):
        made.run(killed_after=2)
    with pytest.raises(Killed):
        made.run(killed_after=2, rest=True)
    assert office.validated == numbers(office)[:2]
    last = made.run(rest=True)
    assert last.status == "success", last.reason
    assert "2 rows done" in last.reason
    assert office.validated == numbers(office)
    assert made.run().status == "success", "the list was done with: a new run is a new run"


def test_all_rows_are_done_again_where_a_person_wants_that(tmp_path: Path, office: ListOffice) -> None:
    """L4-5"""
    made = desk(tmp_path, office)
    with pytest.raises(Killed):
        made.run(killed_after=2)
    assert made.run(again=True).status == "success"
    assert office.validated == [numbers(office)[0], *numbers(office)]


def test_a_run_that_halts_in_the_middle_of_a_list_is_not_begun_again_unasked(
    tmp_path: Path, office: ListOffice
) -> None:
    """L4-5, EX-7: its third row cannot be read"""
    made = desk(tmp_path, office)
    office.rows[2].number = "FAC-2026-0OO03"
    assert made.run().status == "halted"
    assert office.validated == numbers(office)[:2]
    assert made.run().status == "blocked"
    assert office.validated == numbers(office)[:2]


def test_a_run_that_did_nothing_yet_is_begun_again(tmp_path: Path, office: ListOffice) -> None:
    """L4-5: opening a row changes nothing"""
    made = desk(tmp_path, office)
    real = office._detail
    office._detail = lambda one: office._draw("detail", [], "Facture")  # type: ignore[method-assign]
    assert made.run().status != "success"
    office._detail = real  # type: ignore[method-assign]
    assert made.run().status == "success"
    assert office.validated == numbers(office)


@pytest.mark.parametrize("killed_after", [2, 3])
def test_a_list_that_shows_what_is_done_needs_no_memory(tmp_path: Path, office: ListOffice, killed_after: int) -> None:
    """L4-5: by its filter"""
    made = desk(tmp_path, office, rule=f"statut == '{TO_DO}'")
    with pytest.raises(Killed):
        made.run(killed_after=killed_after)
    assert made.run().status == "success"
    assert office.validated == numbers(office)


def test_rows_that_are_only_looked_at_may_be_looked_at_again(tmp_path: Path, office: ListOffice) -> None:
    """L4-5"""
    back = go("E2", "detail", "list", click_on("Retour", "link"))
    made = Desk(tmp_path, office, validating(back, loop=rounds(rule=None, last_edge="E2"), office=office))
    with pytest.raises(Killed):
        made.run(killed_after=3)
    assert made.run().status == "success"


def test_what_was_done_is_on_the_disk_before_the_next_row_begins(tmp_path: Path, office: ListOffice) -> None:
    """L4-5: a process that is killed leaves it behind"""
    made = desk(tmp_path, office)
    kept: list[tuple[str, list[str]]] = []
    real = office._on_detail

    def watched(at: tuple[int, int], one: Invoice) -> str | None:
        lines = FileBatchJournal(made.data.files, f"{made.workflow.workflow_id}.lists").entries()
        kept.append((one.number, [f"{entry.event} {entry.row_key}" for entry in lines]))
        return real(at, one)

    office._on_detail = watched  # type: ignore[method-assign]
    assert made.run().status == "success"
    number, lines = kept[1]
    assert number == "FAC-2026-00002"
    first, second = (f'["FAC-2026-0000{n}"]' for n in (1, 2))
    assert lines == ["begins +", f"begins {first}", f"ended {first}", f"begins {second}"]
    assert all(one.status == DONE for one in office.rows)


def test_another_list_is_not_the_one_that_was_broken_off(tmp_path: Path, office: ListOffice) -> None:
    """L4-5: what the steps before the loop are given leads to another list"""
    office.book.draw("home", [("link", "navigation", "Cardiologie", (300, 300, 420, 340))], title="Accueil")
    made = validating(loop=rounds(rule=None, last_edge="E2"), office=office, more_nodes={"home": "home"})
    service = Variable(type="string", source=VariableSource(method="parameter"))
    workflow = made.model_copy(
        update={
            "edges": (go("E0", "home", "list", click_on("${service}", "link")), *made.edges),
            "entry_nodes": ("home",),
            "variables": {**made.variables, "service": service},
        }
    )
    data = FileDataDirectory(tmp_path, clock=office.clock)

    def journal(run_id: str, **values: str) -> ListJournal:
        return ListJournal(FileBatchJournal(data.files, "lists"), workflow, run_id, values, office.clock)

    begun = Progress(rounds={"E1": Rounds(current=DoneRow(("FAC-2026-00001",), ()))})
    journal("run_1", service="Cardiologie").hear("round_begins", "E1", begun)
    assert journal("run_2", service="Cardiologie").refusal(rest=False) is not None
    assert journal("run_2", service="Cardiologie", other="x").refusal(rest=False) is not None
    assert journal("run_2", service="Radiologie").refusal(rest=False) is None
    assert journal("run_2", service="Cardiologie").refusal(rest=True) is None


@pytest.mark.parametrize(("asked", "why"), [({}, "since this one was asked for"), ({"rest": True}, "nothing is left")])
def test_two_runs_that_are_asked_for_in_the_same_moment_do_no_row_twice(
    tmp_path: Path, office: ListOffice, asked: dict[str, Any], why: str
) -> None:
    """L4-5, EX-7: both find the list as it was"""
    made = desk(tmp_path, office)
    if asked:
        with pytest.raises(Killed):
            made.run(killed_after=5)
    first: list[RunReport] = []

    class Overtaken(JsonlAudit):
        def append(self, kind: str, record: dict[str, JsonValue]) -> None:
            super().append(kind, record)
            if kind == "run_requested":
                first.append(made.run(**asked))

    second = made.run(audit=Overtaken, **asked)
    assert (first[0].status, second.status) == ("success", "blocked")
    assert why in second.reason
    assert sorted(set(office.validated)) == sorted(office.validated)


def test_a_run_that_is_about_to_begin_a_list_has_it(tmp_path: Path, office: ListOffice) -> None:
    """L4-5: no row is begun yet; one that died before it began has nothing"""
    made = desk(tmp_path, office)

    def lists(run_id: str) -> ListJournal:
        return ListJournal(FileBatchJournal(made.data.files, "lists"), made.workflow, run_id, {}, office.clock)

    one, other = lists("run_1"), lists("run_2")
    going = {"run_1", "run_2"}
    assert [each.check(going, rest=False, again=False) for each in (one, other)] == [None, None]
    assert one.take(lambda: going, Progress(), rest=False, again=False) is None
    told = "run_1 is in the middle of this list: wait until it has ended"
    assert other.take(lambda: going, Progress(), rest=False, again=False) == told
    assert other.take(lambda: going, Progress(), rest=False, again=True) == told
    assert lists("run_3").check(going, rest=False, again=False) == told
    assert lists("run_3").check({"run_3"}, rest=False, again=False) is None
