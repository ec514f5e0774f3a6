"""Issue of episodes: 100,000 events in under a minute, and cost that grows with the log, not with its square."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from rpa_vision.capture.event_log import session_of_log
from rpa_vision.capture.segmentation import segment
from rpa_vision.graph.episodes.oracle import RoutineOracle
from rpa_vision.testing.event_logs import LogPlan, generate_log
from rpa_vision.testing.segmentation_scores import score

AIM_S = 60.0


@pytest.mark.parametrize("executions", [75, 375, 1500])
def test_a_noisy_day_is_segmented_within_its_time(benchmark: BenchmarkFixture, executions: int) -> None:
    """L0-4: five routines, 20 % noise, interruptions; the largest has 100,000 events."""
    day = generate_log(1, LogPlan(routines=5, executions=executions, noise=0.2, interleaved=0.1))
    session = session_of_log(day.rows, session_id="day", name="day", file="day.csv")
    found = benchmark.pedantic(segment, args=(session, RoutineOracle()), rounds=1, iterations=1)
    scores = score(day.cases, day.routines, found.segment_of, found.routine_of)
    benchmark.extra_info |= {
        "events": len(day.rows),
        "aim_s": AIM_S,
        "boundary_precision": round(scores.boundary_precision, 3),
        "boundary_recall": round(scores.boundary_recall, 3),
    }


def test_many_kinds_of_events_do_not_make_it_slow(benchmark: BenchmarkFixture) -> None:
    """L0-4: fifty routines and hundreds of kinds of noise in 100,000 events."""
    day = generate_log(2, LogPlan(routines=50, executions=150, noise=0.2, strange_kinds=400))
    session = session_of_log(day.rows, session_id="day", name="day", file="day.csv")
    benchmark.pedantic(segment, args=(session, RoutineOracle()), rounds=1, iterations=1)
    benchmark.extra_info |= {"events": len(day.rows), "aim_s": AIM_S}
