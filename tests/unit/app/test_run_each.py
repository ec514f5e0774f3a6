"""One run for each row of a file: columns are variables, done rows are done, and doubt is told."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from office import AGAIN, SEND, Office, form, show_three, thanks
from openpyxl import Workbook

from rpa_vision.adapters.row_files import LocalRowFiles
from rpa_vision.adapters.storage.batches import FileBatchJournal
from rpa_vision.app.learn import LearnResult
from rpa_vision.app.run import RunRequest, run_workflow
from rpa_vision.app.run_each import RowResult, batch_id, planned_rows, run_each
from rpa_vision.errors import UsageError
from rpa_vision.models.execution import RunReport
from rpa_vision.models.geometry import Box
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.testing.learned import Killed
from rpa_vision.testing.scripted_desktop import Deed, ScriptedDesktop

PEOPLE = ("Berger", "Simon", "Girard")


@pytest.fixture
def workflow(office: Office) -> Workflow:
    office.keep(show_three(office.book))
    learned: LearnResult = office.learn()
    return learned.workflow


def csv_file(folder: Path, text: str, name: str = "patients.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def application(office: Office, kept: list[str], *, deaf_to: str = "") -> ScriptedDesktop:
    """The form for any of the people; one may be refused without a word."""
    for name in PEOPLE:
        office.book.draw(f"typed_{name}", form(name), title="Patients")
        office.book.draw(f"thanks_{name}", thanks(name), title="Merci")

    def follow(screen: str, deed: Deed) -> str | None:
        at, name = deed.at or (0, 0), screen.partition("_")[2]
        if screen == "form" and deed.verb == "type_text":
            return f"typed_{deed.text}"
        if screen.startswith("typed_") and deed.verb == "click" and Box(*SEND).contains(at) and name != deaf_to:
            kept.append(name)
            return f"thanks_{name}"
        return "form" if screen.startswith("thanks_") and deed.verb == "click" and Box(*AGAIN).contains(at) else None

    return ScriptedDesktop(office.book.pixels, start="form", script=follow, clock=office.clock)


def go(office: Office, workflow: Workflow, path: Path, run: Callable[..., Any], **options: Any) -> list[RowResult]:
    rows, _ = planned_rows(workflow, LocalRowFiles().read(path), {}, path.name)
    journal = FileBatchJournal(office.data.files, batch_id(workflow, path.name))
    return list(run_each(RunRequest(workflow, {}, "auto", "a test"), rows, journal, office.clock, run, **options))


def test_each_row_is_run_once_and_not_again(office: Office, workflow: Workflow, tmp_path: Path) -> None:
    """L4-5: for each row of a CSV file"""
    kept: list[str] = []
    tools = office.tools(application(office, kept))
    path = csv_file(tmp_path, "Nom;Remarque\nBerger;x\nSimon;\nGirard;y\n")
    results = go(office, workflow, path, lambda request: run_workflow(request, tools))
    assert [(one.line, one.status) for one in results] == [(2, "success"), (3, "success"), (4, "success")]
    assert kept == list(PEOPLE)
    once_more = go(office, workflow, path, lambda request: run_workflow(request, tools))
    assert [one.status for one in once_more] == ["done_before"] * 3
    assert kept == list(PEOPLE), "nobody was registered twice"


class _Runs:
    """Runs that end as told, and one that the process does not survive."""

    def __init__(self, *endings: str) -> None:
        self._endings = list(endings)
        self.asked: list[str] = []

    def __call__(self, request: RunRequest) -> tuple[RunReport, str]:
        self.asked.append(request.parameters["nom"])
        ending, _, detail = self._endings.pop(0).partition(":")
        if ending == "killed":
            raise Killed
        now = request.workflow.created_at
        report = RunReport(
            run_id=f"run_{len(self.asked)}",
            workflow_id=request.workflow.workflow_id,
            workflow_name="Patients",
            workflow_version=1,
            mode="auto",
            status=ending,  # type: ignore[arg-type]
            reason="why",
            started_at=now,
            ended_at=now,
            duration_s=1.0,
            input_sent=detail != "nothing sent",
        )
        return report, "report.html"


THREE = "nom\nBerger\nSimon\nGirard\n"


def test_a_row_that_was_going_on_when_the_process_died_is_told_and_not_repeated(
    office: Office, workflow: Workflow, tmp_path: Path
) -> None:
    """L4-5, EX-3: kill -9 at any moment"""
    path = csv_file(tmp_path, THREE)
    with pytest.raises(Killed):
        go(office, workflow, path, _Runs("success", "killed"))
    runs = _Runs("success")
    results = go(office, workflow, path, runs)
    assert [one.status for one in results] == ["done_before", "uncertain", "success"]
    assert runs.asked == ["Girard"]
    assert "never ended" in results[1].reason
    again = _Runs("success")
    statuses = [one.status for one in go(office, workflow, path, again, again=True)]
    assert statuses == ["done_before", "success", "done_before"], "what is known to be done stays done"
    assert again.asked == ["Simon"]


def test_another_file_of_that_name_is_another_list(office: Office, workflow: Workflow, tmp_path: Path) -> None:
    """L4-5: equal rows in April are not those of March"""
    path = csv_file(tmp_path, THREE)
    go(office, workflow, path, _Runs("success", "success", "success"), file="/march/patients.csv")
    with pytest.raises(UsageError, match="another file of that name") as refused:
        go(office, workflow, path, _Runs(), file="/april/patients.csv")
    assert "--batch" in refused.value.remedy
    once_more = go(office, workflow, path, _Runs(), file="/march/patients.csv")
    assert [one.status for one in once_more] == ["done_before"] * 3


def test_two_commands_never_run_one_list_at_a_time(office: Office, workflow: Workflow, tmp_path: Path) -> None:
    """L4-5: a schedule that overtakes itself"""
    path = csv_file(tmp_path, THREE)
    journal = FileBatchJournal(office.data.files, batch_id(workflow, path.name))
    with journal.alone(), pytest.raises(UsageError, match="another command is running these rows"):
        go(office, workflow, path, _Runs("success"))
    assert [one.status for one in go(office, workflow, path, _Runs("success", "success", "success"))] == ["success"] * 3


def test_a_row_that_sent_nothing_is_tried_again_and_one_that_may_have_is_not(
    office: Office, workflow: Workflow, tmp_path: Path
) -> None:
    """L4-5, EX-3"""
    path = csv_file(tmp_path, THREE)
    go(office, workflow, path, _Runs("halted:nothing sent", "failed", "success"))
    runs = _Runs("success")
    assert [one.status for one in go(office, workflow, path, runs)] == ["success", "uncertain", "done_before"]
    assert runs.asked == ["Berger"]


def test_a_torn_line_of_the_journal_loses_no_row(office: Office, workflow: Workflow, tmp_path: Path) -> None:
    """L4-5: the disk was full in the middle of a line"""
    path = csv_file(tmp_path, THREE)
    go(office, workflow, path, _Runs("success", "success", "success"))
    journal = office.data.paths.batch(batch_id(workflow, path.name))
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-1]) + lines[-1][:20])
    assert [one.status for one in go(office, workflow, path, _Runs())] == ["done_before", "done_before", "uncertain"]


def test_what_rows_cannot_mend_ends_the_whole(office: Office, workflow: Workflow, tmp_path: Path) -> None:
    """L4-5"""
    four = csv_file(tmp_path, "nom\na\nb\nc\nd\n")
    runs = _Runs("halted:nothing sent", "halted:nothing sent", "halted:nothing sent")
    results = go(office, workflow, four, runs)
    assert [one.status for one in results] == ["halted"] * 3 + ["not_begun"]
    assert results[-1].reason == "3 rows in a row did not complete"
    blocked = csv_file(tmp_path, "nom\na\nb\n", "other.csv")
    assert [one.status for one in go(office, workflow, blocked, _Runs("blocked:nothing sent"))] == [
        "blocked",
        "not_begun",
    ]


def test_two_rows_that_say_the_same_are_two(office: Office, workflow: Workflow, tmp_path: Path) -> None:
    """L4-5"""
    path = csv_file(tmp_path, "nom\nBerger\nBerger\n")
    assert [one.status for one in go(office, workflow, path, _Runs("success", "success"))] == ["success", "success"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is empty; the first row names the columns"),
        ("nom\n", "has no row below the names"),
        ("nom,nom\na,b\n", "the column 'nom' is there twice"),
        ("prenom\nAnne\n", "no column is called 'nom'; there are: 'prenom'"),
        ("nom\na,b\n", "line 2 has 2 cells, the first row has 1"),
        ('nom\n"a\n', "line 2"),
        ("nom,Nom\na,b\n", "is given by the column 'Nom' and by the column 'nom'"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_before_anything_is_run(
    workflow: Workflow, tmp_path: Path, text: str, why: str
) -> None:
    """UX-1"""
    with pytest.raises(UsageError, match=r"patients\.csv") as told:
        planned_rows(workflow, LocalRowFiles().read(csv_file(tmp_path, text)), {}, "patients.csv")
    assert why in str(told.value)


def test_a_workbook_is_read_like_a_csv_file(workflow: Workflow, tmp_path: Path) -> None:
    """L4-5: XLSX"""
    from datetime import date

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["Nom", "Montant", "Le", None], ["Berger", 12.5, date(2026, 3, 2), None], [], ["Simon", 3, None, None]):
        sheet.append(row)
    path = tmp_path / "patients.xlsx"
    book.save(path)
    file = LocalRowFiles().read(path)
    assert file.columns == ("Nom", "Montant", "Le")
    assert [(row.line, tuple(row.cells.values())) for row in file.rows] == [
        (2, ("Berger", "12.5", "2026-03-02")),
        (4, ("Simon", "3", "")),
    ]
    rows, ignored = planned_rows(workflow, file, {}, path.name)
    assert [row.parameters for row in rows] == [{"nom": "Berger"}, {"nom": "Simon"}]
    assert ignored == ("Montant", "Le")


def sheet_with(folder: Path, change: Callable[[bytes], bytes]) -> Path:
    """A workbook whose sheet is not what a program wrote."""
    whole, path = Workbook(), folder / "changed.xlsx"
    assert whole.active is not None
    whole.active.append(["nom"])
    whole.active.append(["Berger"])
    whole.save(folder / "whole.xlsx")
    with ZipFile(folder / "whole.xlsx") as source, ZipFile(path, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            target.writestr(name, change(content) if "sheet1" in name else content)
    return path


def test_a_torn_sheet_is_an_error_in_words(tmp_path: Path) -> None:
    """L4-5"""
    with pytest.raises(UsageError, match="cannot be read to its end"):
        LocalRowFiles().read(sheet_with(tmp_path, lambda sheet: sheet[: len(sheet) // 2]))


def test_a_cell_that_could_not_be_computed_is_not_typed_anywhere(tmp_path: Path) -> None:
    """L4-5"""
    wrong = b'<c r="A2" t="e"><f>1/0</f><v>#DIV/0!</v></c>'
    with pytest.raises(UsageError, match="row 2 has a cell that says #DIV/0!"):
        LocalRowFiles().read(sheet_with(tmp_path, lambda sheet: re.sub(rb'<c r="A2"[^>]*>.*?</c>', wrong, sheet)))


@pytest.mark.parametrize("name", ["not.xlsx", "missing.csv", "folder.csv"])
def test_what_is_no_table_is_an_error_in_words(tmp_path: Path, name: str) -> None:
    """UX-1"""
    (tmp_path / "not.xlsx").write_bytes(b"PK\x03\x04 nothing")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(UsageError):
        LocalRowFiles().read(tmp_path / name)
