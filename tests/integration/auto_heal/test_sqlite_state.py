"""The supervisor's memory on disk."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from pathlib import Path

import pytest

from rpa_vision.adapters.auto_heal import SqliteState
from rpa_vision.errors import StorageError, SupervisorStateDamagedError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "system" / "auto_heal.db"


def put(path: Path, key: str, value: object) -> None:
    state = SqliteState(path)
    with state.transaction() as records:
        records.put(key, {"value": value})
    state.close()


def get(path: Path, key: str) -> object:
    with SqliteState(path).transaction() as records:
        record = records.get(key)
    return None if record is None else record["value"]


def test_what_was_put_is_there_for_everybody(path: Path):
    put(path, "a", "é → ü")
    assert get(path, "a") == "é → ü"
    with SqliteState(path).transaction() as records:
        records.put("b", {})
        records.delete("a")
        assert records.keys() == ["b"]
        assert records.get("a") is None


def test_a_transaction_that_fails_leaves_what_was_there_before(path: Path):
    put(path, "a", 1)
    state = SqliteState(path)

    def fail_halfway() -> None:
        with state.transaction() as records:
            records.put("a", {"value": 2})
            raise KeyError

    with pytest.raises(KeyError):
        fail_halfway()
    with state.transaction() as records:
        assert records.get("a") == {"value": 1}


def test_transactions_of_several_threads_wait_for_each_other(path: Path):
    state = SqliteState(path)
    put(path, "n", 0)

    def add() -> None:
        for _ in range(20):
            with state.transaction() as records:
                record = records.get("n")
                assert record is not None
                records.put("n", {"value": record["value"] + 1})

    threads = [threading.Thread(target=add) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert get(path, "n") == 60


def test_a_transaction_inside_a_transaction_is_refused_rather_than_waited_for(path: Path):
    state = SqliteState(path)
    with state.transaction(), pytest.raises(StorageError), state.transaction():
        pass


def test_a_process_that_holds_it_too_long_is_an_error_that_says_so(path: Path):
    put(path, "a", 1)
    with (
        SqliteState(path).transaction(),
        pytest.raises(StorageError, match="another process"),
        SqliteState(path, busy_timeout_s=0.01).transaction(),
    ):
        pass


@pytest.mark.parametrize("damage", [b"this is not a database, and never was one" * 50, b"\0" * 8192])
def test_a_damaged_file_is_moved_aside_and_never_deleted(path: Path, damage: bytes):
    path.parent.mkdir(parents=True)
    path.write_bytes(damage)
    state = SqliteState(path)
    with pytest.raises(SupervisorStateDamagedError, match="damaged-1") as caught, state.transaction():
        pass
    assert caught.value.remedy
    assert path.with_name("auto_heal.db.damaged-1").read_bytes() == damage
    with state.transaction() as records:
        records.put("a", {"value": 1})
    assert get(path, "a") == 1


def test_a_file_damaged_in_the_middle_is_found_out(path: Path):
    state = SqliteState(path)
    with state.transaction() as records:
        for number in range(200):
            records.put(f"key{number}", {"value": "x" * 500})
    state.close()
    content = bytearray(path.read_bytes())
    content[4096:40960] = os.urandom(36864)
    path.write_bytes(content)
    with pytest.raises(SupervisorStateDamagedError), SqliteState(path).transaction():
        pass
    assert path.with_name("auto_heal.db.damaged-1").exists()


def test_of_two_that_find_the_damage_one_moves_it_and_the_other_goes_on(path: Path):
    put(path, "a", 1)
    slow = SqliteState(path)
    with slow.transaction():
        pass
    content = path.read_bytes()
    path.write_bytes(b"\0" * len(content))
    path.with_name("auto_heal.db-wal").unlink(missing_ok=True)
    path.with_name("auto_heal.db-shm").unlink(missing_ok=True)
    with pytest.raises(SupervisorStateDamagedError), SqliteState(path).transaction():
        pass
    put(path, "new", 1)
    for _ in range(2):
        try:
            with slow.transaction() as records:
                records.keys()
            break
        except StorageError:
            continue
    assert get(path, "new") == 1
    assert not path.with_name("auto_heal.db.damaged-2").exists()


def test_a_file_of_a_newer_version_is_left_alone(path: Path):
    put(path, "a", 1)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StorageError, match="newer"), SqliteState(path).transaction():
        pass
    assert path.exists()


def test_it_is_readable_by_its_owner_only_and_forced_to_the_disk(path: Path):
    put(path, "a", 1)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    state = SqliteState(path)
    with state.transaction() as records:
        connection = records._connection
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert connection.execute("PRAGMA synchronous").fetchone()[0] == 2


def test_many_that_make_it_at_the_same_time_all_succeed(path: Path):
    """The first of several processes sets it up; the others wait."""
    children = []
    for number in range(6):
        child = os.fork()
        if child == 0:
            try:
                put(path, f"key{number}", number)
            except BaseException:
                os._exit(1)
            os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 6
    with SqliteState(path).transaction() as records:
        assert len(records.keys()) == 6


def test_a_connection_does_not_survive_a_fork(path: Path):
    state = SqliteState(path)
    with state.transaction() as records:
        records.put("n", {"value": 1})
    child = os.fork()
    if child == 0:
        with state.transaction() as records:
            records.put("n", {"value": 2})
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    with state.transaction() as records:
        assert records.get("n") == {"value": 2}
