"""What was read, kept on the disk: bounded, shared, and never in the way."""

from __future__ import annotations

import sqlite3
import subprocess
import sys

import pytest

from rpa_vision.adapters.perception.disk_text_cache import DiskTextCache
from rpa_vision.ports.perception import ReadText


@pytest.fixture
def path(tmp_path):
    return tmp_path / "cache" / "texts.db"


def key(number: int) -> bytes:
    return number.to_bytes(16, "big")


def test_what_was_read_is_known_to_the_next_process(path):
    """L2-6"""
    cache = DiskTextCache(path)
    cache.put(key(1), ReadText("Échéance", 0.97))
    cache.close()
    again = DiskTextCache(path)
    assert again.get(key(1)) == ReadText("Échéance", 0.97)
    assert again.get(key(2)) is None
    again.close()


def test_an_answer_is_known_at_once_before_it_is_written(path):
    cache = DiskTextCache(path)
    cache.put(key(1), ReadText("tout de suite", 1.0))
    assert cache.get(key(1)) == ReadText("tout de suite", 1.0)
    cache.close()


def test_the_file_is_bounded_and_the_oldest_go_first(path):
    cache = DiskTextCache(path, capacity=50)
    for number in range(120):
        cache.put(key(number), ReadText(str(number), 1.0))
        assert cache.flush()
    assert len(cache) == 50
    cache.close()
    again = DiskTextCache(path, capacity=50)
    assert again.get(key(0)) is None
    assert again.get(key(119)) == ReadText("119", 1.0)
    again.close()


@pytest.mark.parametrize(
    "content", [b"no database at all, but text " * 40, b"SQLite format 3\0" + b"\xff" * 5000], ids=["text", "torn"]
)
def test_a_file_that_is_none_of_ours_is_left_alone_with_one_warning(path, content):
    path.parent.mkdir()
    path.write_bytes(content)
    told: list[str] = []
    cache = DiskTextCache(path, warn=told.append)
    cache.put(key(1), ReadText("dans la mémoire", 1.0))
    assert cache.get(key(1)) == ReadText("dans la mémoire", 1.0)
    assert cache.get(key(2)) is None
    cache.close()
    assert len(told) == 1
    assert str(path) in told[0]
    assert path.read_bytes() == content


def test_the_database_of_another_program_is_left_alone(path):
    path.parent.mkdir()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE answers (question TEXT)")
    other.close()
    told: list[str] = []
    DiskTextCache(path, warn=told.append).close()
    assert "another program" in told[0]


def test_a_file_torn_while_in_use_costs_a_warning_and_no_answer(path):
    cache = DiskTextCache(path)
    for number in range(400):
        cache.put(key(number), ReadText("x" * 50, 1.0))
    cache.close()
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    path.write_bytes(bytes(data))
    told: list[str] = []
    torn = DiskTextCache(path, warn=told.append)
    for number in range(400):
        assert torn.get(key(number)) in (None, ReadText("x" * 50, 1.0))
    torn.put(key(1000), ReadText("weiter", 1.0))
    torn.flush()
    assert torn.get(key(1000)) == ReadText("weiter", 1.0)
    torn.close()
    assert len(told) == 1


def test_whoever_holds_the_file_does_not_hold_up_the_reading(path):
    cache = DiskTextCache(path)
    cache.put(key(1), ReadText("eins", 1.0))
    assert cache.flush()
    cache.close()
    other = sqlite3.connect(path)
    other.execute("BEGIN EXCLUSIVE")
    cache = DiskTextCache(path)
    cache.put(key(2), ReadText("deux", 1.0))
    assert cache.get(key(1)) == ReadText("eins", 1.0)  # a reader never waits for a writer
    assert cache.get(key(2)) == ReadText("deux", 1.0)
    cache.close()
    other.rollback()
    other.close()


def test_a_process_that_dies_leaves_a_usable_file(path):
    script = (
        "import os, sys; from pathlib import Path\n"
        "from rpa_vision.adapters.perception.disk_text_cache import DiskTextCache\n"
        "from rpa_vision.ports.perception import ReadText\n"
        "cache = DiskTextCache(Path(sys.argv[1]))\n"
        "[cache.put(n.to_bytes(16, 'big'), ReadText(str(n), 1.0)) for n in range(3000)]\n"
        "cache.flush(); [cache.put(n.to_bytes(16, 'big'), ReadText(str(n), 1.0)) for n in range(3000, 6000)]\n"
        "os._exit(9)\n"
    )
    assert subprocess.run([sys.executable, "-c", script, str(path)], check=False).returncode == 9
    told: list[str] = []
    cache = DiskTextCache(path, warn=told.append)
    assert not told
    assert cache.get(key(2999)) == ReadText("2999", 1.0)
    cache.close()
