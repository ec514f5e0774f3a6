"""What ships is the mean of the last checkpoints of a training."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from detector.averaged import LAST, last_checkpoints, mean_of


def checkpoint(value: float, counted: int) -> dict[str, np.ndarray]:
    return {
        "weight": np.full((2, 3), value, np.float32),
        "bias": np.array([value, -value], np.float64),
        "batches": np.array(counted, np.int64),
    }


def test_weights_are_averaged_and_counters_are_as_they_were_last() -> None:
    """L2-7"""
    mean = mean_of([checkpoint(1.0, 10), checkpoint(2.0, 20), checkpoint(6.0, 30)])
    assert (mean["weight"] == 3.0).all()
    assert mean["bias"].tolist() == [3.0, -3.0]
    assert mean["weight"].dtype == mean["bias"].dtype == np.float32
    assert (mean["batches"], mean["batches"].dtype) == (30, np.int64)


def test_one_checkpoint_is_its_own_mean() -> None:
    """L2-7: a short trial keeps only one"""
    only = checkpoint(0.1, 7)
    mean = mean_of([only])
    assert (mean["weight"] == only["weight"]).all()


def test_a_number_without_dimensions_stays_an_array() -> None:
    """A learned scale has none, and is stored like every other weight."""
    mean = mean_of([{"scale": np.array(1.0, np.float32)}, {"scale": np.array(2.0, np.float32)}])
    assert isinstance(mean["scale"], np.ndarray)
    assert mean["scale"] == np.float32(1.5)


def test_the_last_are_taken_by_their_steps(tmp_path: Path) -> None:
    """L2-7: whatever the disk lists first, and nothing else that lies there"""
    for step in (9_000, 94_000, 500, 12_000):
        (tmp_path / f"mean-{step:07d}.pt").touch()
    (tmp_path / "latest.pt").touch()
    assert [path.name for path in last_checkpoints(tmp_path, 2)] == ["mean-0012000.pt", "mean-0094000.pt"]
    assert len(last_checkpoints(tmp_path, LAST)) == 4


def test_without_a_checkpoint_it_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="holds no checkpoint"):
        last_checkpoints(tmp_path, LAST)
