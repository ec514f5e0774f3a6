"""Before each step the robot asks whether the workflow still has its level; where nobody can tell, it does not act."""

from __future__ import annotations

from typing import Any

from office import Diary, Office, show_three

from rpa_vision.app.kept_level import LevelKeptSupervisor, lost_level
from rpa_vision.app.run_tools import RunRequest
from rpa_vision.errors import StorageError
from rpa_vision.testing.supervisors import OpenSupervisor


class Unreadable:
    """Implements what is asked of `LearningManager`, on a disk that cannot be read."""

    def maturity(self, workflow_id: str) -> Any:
        raise StorageError("maturity.sqlite: cannot be used (disk I/O error)")


def test_a_level_that_cannot_be_read_lets_nothing_more_be_done(office: Office) -> None:
    """L4-12, EX-7: somebody may have taken it back a moment ago."""
    office.keep(show_three(office.book))
    request, diary = RunRequest(office.learn().workflow, {}, "auto"), Diary()
    lost = lost_level(request, Unreadable())  # type: ignore[arg-type]
    permission = LevelKeptSupervisor(OpenSupervisor(), lost, diary.append).permit_step("WF", "E1")
    assert not permission.allowed
    assert "level cannot be read" in permission.reason
    assert "disk I/O error" in permission.reason
    assert [kind for kind, _ in diary.entries] == ["step_blocked"]
