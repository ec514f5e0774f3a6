"""What rows of a file have left of lists on the screen: read once, asked row by row."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rpa_vision.app.list_journal import ListJournal
from rpa_vision.app.run_values import checked_values
from rpa_vision.errors import ParameterError
from rpa_vision.models.batch import RowEntry
from rpa_vision.models.queue import QueuedRun
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.batches import BatchJournal

if TYPE_CHECKING:
    from rpa_vision.app.office import Office


@dataclass(frozen=True, slots=True)
class LeftOfList:
    """Whether something is left of the list of a row, or a later run has done it to its end."""

    list_key: str | None = None
    is_left: bool = False
    is_done_since: bool = False


NO_LIST: Final = LeftOfList()


@dataclass(frozen=True, slots=True)
class ListsOfRows:
    """The lists of one workflow, as they stand now."""

    office: Office
    workflow: Workflow
    journal: BatchJournal

    @classmethod
    def of(cls, office: Office, workflow_id: str) -> ListsOfRows:
        """Read them."""
        workflow = office.data.workflows.load(workflow_id)
        journal = office.lists(workflow)
        return cls(office, workflow, _AsRead(journal, journal.entries()))

    def left_by(self, item: QueuedRun) -> LeftOfList:
        """What a row has left that was in the queue."""
        return self.left_with(item.asked.parameters, item.run_id)

    def left_with(self, parameters: Mapping[str, str], run_id: str = "") -> LeftOfList:
        """What is left of the list that a row with those values goes over."""
        clock = self.office.clock
        try:
            values = checked_values(self.workflow, parameters, clock.now())
        except ParameterError:  # the workflow is another one now: the run will say so
            return NO_LIST
        lists = ListJournal(self.journal, self.workflow, run_id, values, clock)
        if lists.list_key is None:
            return NO_LIST
        is_left = lists.refusal(rest=False) is not None
        return LeftOfList(lists.list_key, is_left, not is_left and bool(run_id) and lists.is_done_since(run_id))


@dataclass(frozen=True, slots=True)
class _AsRead:
    """A journal of which the entries were read already."""

    journal: BatchJournal
    read: list[RowEntry]

    def entries(self) -> list[RowEntry]:
        return self.read

    def append(self, entry: RowEntry) -> None:
        self.journal.append(entry)

    def alone(self) -> AbstractContextManager[None]:
        return self.journal.alone()
