"""A run leaves behind how its last three actions are taken back, and takes no more of them back than it may."""

from __future__ import annotations

from pathlib import Path

from office import NEW, Diary, Office, show_three

from rpa_vision.adapters.storage.undo_logs import FileUndoLogs
from rpa_vision.app.run import RunRequest, run_workflow
from rpa_vision.app.undo import undo_run
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.undo import Undoer
from rpa_vision.testing.screens import CountingIds
from rpa_vision.testing.scripted_desktop import Deed


def test_the_last_actions_of_a_run_are_kept_and_what_cannot_be_undone_says_why(office: Office) -> None:
    """L4-13"""
    office.keep(show_three(office.book))
    learned = office.learn()
    store, desktop = FileUndoLogs(office.data.files), office.desktop()
    request = RunRequest(learned.workflow, {"nom": NEW}, "auto", "a test", screen_timeout_s=1.0)
    report, _ = run_workflow(request, office.tools(desktop, undo=store))
    assert report.status == "success", report.reason
    log = store.latest()
    assert log is not None
    assert (log.run_id, [entry.way for entry in log.entries]) == (report.run_id, ["retype", "none", "go_back"])
    sent, diary = len(desktop.deeds), Diary()
    follow = desktop._script
    assert callable(follow)

    def back(screen: str, deed: Deed) -> str | None:
        return "new_thanks" if screen == "form" and deed.keys == ("ALT", "LEFT") else follow(screen, deed)

    desktop._script = back
    undoer = Undoer(desktop, Sight(desktop.eyes, office.book.observer, office.clock, CountingIds()), office.clock)
    left, undone = undo_run(store, undoer, diary, "anne", steps=3)
    assert [one.done for one in undone] == [True, False], undone
    assert "« Enregistrer » may have done something" in undone[1].message
    assert [deed.keys for deed in desktop.deeds[sent:]] == [("ALT", "LEFT")]
    assert [entry.step_id for entry in left.entries] == [entry.step_id for entry in log.entries[:2]]
    assert [record["refused"] is None for _, record in diary.entries] == [True, False]
    again, refused = undo_run(store, undoer, diary, "anne")
    assert (again.entries, refused[0].done) == (left.entries, False)


def test_a_run_whose_undo_log_cannot_be_written_succeeds(office: Office) -> None:
    """EX-6"""
    office.keep(show_three(office.book))
    learned = office.learn()

    class Full(FileUndoLogs):
        def keep_picture(self, run_id: str, name: str, png: bytes) -> str:
            self._files.write(Path(__file__) / "nowhere", png)
            return name

    request = RunRequest(learned.workflow, {"nom": NEW}, "auto", "a test", screen_timeout_s=1.0)
    tools = office.tools(office.desktop(), undo=Full(office.data.files))
    assert run_workflow(request, tools)[0].status == "success"
