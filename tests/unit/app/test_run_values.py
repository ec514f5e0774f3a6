"""What the clock tells a run: the day it is where the run is done, written as it was shown."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from rpa_vision.app.run_values import checked_values
from rpa_vision.errors import ParameterError
from rpa_vision.models.variables import Variable, VariableSource
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.testing.screens import MOMENT

HALF_PAST_ONE = datetime(2026, 11, 17, 1, 30, tzinfo=UTC)


@pytest.fixture(params=["XXX8", "XXX-2"])
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Eight hours behind UTC, or two ahead of it."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


def dated(*examples: str) -> Workflow:
    day = Variable(
        type="datetime", source=VariableSource(method="system_time"), required=False, example_values=examples
    )
    return Workflow(
        workflow_id="WF_day",
        name="Day",
        created_at=MOMENT,
        updated_at=MOMENT,
        variables={"jour": day},
        entry_nodes=(),
        end_nodes=(),
        nodes=(),
        edges=(),
    )


def test_the_day_of_a_run_is_the_one_on_the_wall(place: str) -> None:
    """L4-3: system_time"""
    wanted = {"XXX8": "16/11/2026", "XXX-2": "17/11/2026"}[place]
    assert checked_values(dated("02/03/2026"), {}, HALF_PAST_ONE) == {"jour": wanted}


def test_the_day_is_written_as_it_was_shown() -> None:
    """L4-3"""
    noon = datetime(2026, 11, 6, 12, tzinfo=UTC)
    assert checked_values(dated("2 mars 2026", "3 mars 2026"), {}, noon) == {"jour": "6 novembre 2026"}
    assert checked_values(dated("6/3/2026"), {}, noon) == {"jour": "6/11/2026"}
    assert checked_values(dated(), {}, noon) == {"jour": "2026-11-06"}


def test_a_form_that_nobody_knows_is_asked_for() -> None:
    """L4-3, UX-1: never typed in another form"""
    noon = datetime(2026, 11, 6, 12, tzinfo=UTC)
    mixed = dated("2 mars 2026", "02/03/2026")
    with pytest.raises(ParameterError, match="'jour' is the day of the run") as told:
        checked_values(mixed, {}, noon)
    assert "--param jour=" in str(told.value.remedy)
    assert checked_values(mixed, {"jour": "6 nov. 2026"}, noon) == {"jour": "6 nov. 2026"}
