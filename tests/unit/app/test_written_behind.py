"""What is written behind the robot's back is there before it acts again."""

from __future__ import annotations

import threading

import pytest
from office import NEW, SEND, Office, show_three

from rpa_vision.adapters.storage.undo_logs import FileUndoLogs
from rpa_vision.app.run import RunRequest, run_workflow
from rpa_vision.app.written_behind import WrittenBehind
from rpa_vision.errors import StorageError
from rpa_vision.models.geometry import Box
from rpa_vision.testing.scripted_desktop import Deed


def test_it_is_done_in_order_and_waited_for() -> None:
    """PF: the next screen is not waited for twice"""
    done, go_on = list[int](), threading.Event()

    def first() -> None:
        go_on.wait()
        done.append(1)

    with WrittenBehind() as behind:
        behind.add(first)
        behind.add(lambda: done.append(2))
        assert not done
        go_on.set()
        behind.finish()
        assert done == [1, 2]
        behind.add(lambda: done.append(3))
    assert done == [1, 2, 3]


def test_what_could_not_be_written_is_told_once() -> None:
    """EX-7: and not overlooked"""

    def fail() -> None:
        raise StorageError("the disk is full")

    with WrittenBehind() as behind:
        behind.add(fail)
        with pytest.raises(StorageError, match="full"):
            behind.finish()
        behind.finish()
    with pytest.raises(StorageError, match="full"), WrittenBehind() as behind:
        behind.add(fail)


class _SlowLogs(FileUndoLogs):
    """On a disk that takes its time."""

    def keep_picture(self, run_id: str, name: str, png: bytes) -> str:
        threading.Event().wait(0.3)
        return super().keep_picture(run_id, name, png)


def test_everything_of_a_step_is_on_the_disk_before_the_next_input(office: Office) -> None:
    """L4-13: killed at any input, a run has left behind all that it did before"""
    office.keep(show_three(office.book))
    workflow, store = office.learn().workflow, _SlowLogs(office.data.files)
    desktop = office.desktop()
    follow, seen = desktop._script, list[tuple[set[str], int]]()
    assert callable(follow)

    def script(screen: str, deed: Deed) -> str | None:
        if deed.verb == "click" and Box(*SEND).contains(deed.at or (0, 0)):
            log = store.latest()
            pictures = next(office.data.paths.root.glob("runs/*/pictures"))
            seen.append(({path.name for path in pictures.iterdir()}, len(log.entries) if log is not None else 0))
        return follow(screen, deed)

    desktop._script = script
    request = RunRequest(workflow, {"nom": NEW}, "auto", "a test", screen_timeout_s=1.0)
    report, _ = run_workflow(request, office.tools(desktop, undo=store))
    assert report.status == "success", report.reason
    ((pictures, undoable),) = seen
    assert undoable == 1
    assert {"step_01_before.jpg", "step_01_after.jpg"} <= pictures
    assert [step.index for step in report.steps] == [0, 1, 2]
