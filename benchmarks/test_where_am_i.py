"""Issue 5: p95 below 20 ms at 500,000 states in 1,000 workflows, in a workflow's own index and over all of them."""

from __future__ import annotations

import time

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from rpa_vision.adapters.vectors.faiss_index import FaissIndex
from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.embedding.whereabouts import Whereabouts
from rpa_vision.models.state_embedding import EmbeddingSpace

P95_LIMIT_S = 0.020
WORKFLOWS, STATES, DIMENSIONS, KINDS = 1_000, 500, 512, 400
NOISE = 0.35
SPACE = EmbeddingSpace(id="bench_v1", dimensions=DIMENSIONS)
QUERIES = 400

pytestmark = pytest.mark.timeout(3600)  # half a million vectors take a while to be put in


def _states(number: int, kinds: np.ndarray) -> np.ndarray:
    """Screens of one workflow: of some 400 kinds that applications have in common, each a little different."""
    dice = np.random.default_rng(number)
    rows = kinds[dice.integers(0, len(kinds), STATES)] + NOISE * dice.standard_normal((STATES, DIMENSIONS))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def kinds() -> np.ndarray:
    return np.random.default_rng(0).standard_normal((KINDS, DIMENSIONS)).astype(np.float32)


def _live(states: np.ndarray, dice: np.random.Generator) -> np.ndarray:
    """A state seen again: nearly the same."""
    seen = states + 0.2 / np.sqrt(DIMENSIONS) * dice.standard_normal(DIMENSIONS)
    return np.asarray(seen / np.linalg.norm(seen), np.float32)


def test_where_am_i_over_half_a_million_states(benchmark: BenchmarkFixture, kinds: np.ndarray) -> None:
    """L3-2: the global index, hints only; recall is that of the very state that is seen again."""
    whereabouts = Whereabouts(FaissIndex, SPACE)
    for number in range(WORKFLOWS):
        states = _states(number, kinds)
        whereabouts.put(f"WF_{number}", [(f"N{n}", row) for n, row in enumerate(states)], space_id=SPACE.id)
    assert len(whereabouts) == WORKFLOWS * STATES
    dice = np.random.default_rng(99)
    taken: list[float] = []
    worked: list[float] = []
    """Of the processor alone: what others do on the machine does not count."""
    exact = again = 0
    for _ in range(QUERIES):
        number, node = int(dice.integers(WORKFLOWS)), int(dice.integers(STATES))
        state = _states(number, kinds)[node]
        for query, is_same in ((state, True), (_live(state, dice), False)):
            began, busy = time.perf_counter(), time.thread_time()
            best = whereabouts.hints(query, space_id=SPACE.id)[0]
            worked.append(time.thread_time() - busy)
            taken.append(time.perf_counter() - began)
            right = (best.workflow_id, best.node_id) == (f"WF_{number}", f"N{node}")
            exact += right and is_same
            again += right and not is_same
    p95, busy_p95 = (float(np.percentile(times, 95)) for times in (taken, worked))
    benchmark.extra_info |= {"aim_p95_s": P95_LIMIT_S, "p95_s": p95, "busy_p95_s": busy_p95}
    print(f"\nall: p95 {p95 * 1e3:.2f} ms ({busy_p95 * 1e3:.2f} ms of the processor), ", end="")
    print(f"own best match {exact}/{QUERIES}, seen again {again}/{QUERIES}")
    assert exact == QUERIES
    benchmark(whereabouts.hints, state, space_id=SPACE.id)


def test_a_workflows_own_index_among_a_thousand(benchmark: BenchmarkFixture, kinds: np.ndarray) -> None:
    """L3-2: one index per workflow; nothing of the others is ever found in it."""
    managers = []
    for number in range(WORKFLOWS):
        manager = FAISSManager(FaissIndex, workflow_id=f"WF_{number}", space=SPACE)
        manager.add_batch(
            list(_states(number, kinds)), [{"workflow_id": f"WF_{number}", "n": n} for n in range(STATES)]
        )
        managers.append(manager)
    dice = np.random.default_rng(99)
    taken: list[float] = []
    for _ in range(QUERIES):
        number, other = int(dice.integers(WORKFLOWS)), int(dice.integers(WORKFLOWS))
        query = _states(other, kinds)[int(dice.integers(STATES))]
        began = time.perf_counter()
        found = managers[number].search_similar(query, space_id=SPACE.id)
        taken.append(time.perf_counter() - began)
        assert {one.metadata["workflow_id"] for one in found} == {f"WF_{number}"}
    p95 = float(np.percentile(taken, 95))
    benchmark.extra_info |= {"aim_p95_s": P95_LIMIT_S, "p95_s": p95}
    print(f"\nown: p95 {p95 * 1e3:.2f} ms")
    benchmark(managers[0].search_similar, query)
