"""A file is replaced as a whole or not at all; a file of lines loses at most a line that was being written."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from rpa_vision.adapters.storage.atomic import AppendFile, is_temporary, make_durable, write_atomically
from rpa_vision.errors import StorageError

# The kernel refuses to let a file grow past this many bytes: what a full disk does, for real, in a process of its own.
SMALL_DISK = """
import resource, sys
from pathlib import Path
from rpa_vision.adapters.storage.atomic import AppendFile, write_atomically
from rpa_vision.errors import StorageError
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
root = Path(sys.argv[1])
"""


def on_a_small_disk(root: Path, code: str) -> str:
    program = SMALL_DISK + textwrap.dedent(code)
    done = subprocess.run([sys.executable, "-c", program, str(root)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_file_is_made_with_its_folders_and_replaced_whole(tmp_path: Path):
    path = tmp_path / "a" / "b" / "c.json"
    for content in (b"old" * 1000, b"new", b""):
        write_atomically(path, content)
        assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


def test_a_full_disk_is_a_storage_error_and_the_old_file_stays(tmp_path: Path):
    """issue 2: full disk"""
    (tmp_path / "it.json").write_bytes(b"old")
    told = on_a_small_disk(
        tmp_path,
        """
        try:
            write_atomically(root / "it.json", b"x" * 5000)
        except StorageError as error:
            print(error, error.remedy)
        """,
    )
    assert "it.json" in told
    assert "disk is full" in told
    assert "Free disk space" in told
    assert (tmp_path / "it.json").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["it.json"]


def test_lines_go_on_after_a_disk_was_full(tmp_path: Path):
    """issue 2: full disk, nothing lost"""
    told = on_a_small_disk(
        tmp_path,
        """
        file = AppendFile(root / "lines")
        file.append(b"first")
        try:
            file.append(b"x" * 5000)
        except StorageError as error:
            print(error)
        """,
    )
    assert "disk is full" in told
    with AppendFile(tmp_path / "lines") as file:
        file.append(b"last")
    lines = (tmp_path / "lines").read_bytes().split(b"\n")
    assert lines[0] == b"first"
    assert lines[-2:] == [b"last", b""]


def test_a_file_that_cannot_be_replaced_leaves_nothing_behind(tmp_path: Path):
    (tmp_path / "it.json").mkdir()
    with pytest.raises(StorageError, match=r"it\.json"):
        write_atomically(tmp_path / "it.json", b"x")
    assert [path.name for path in tmp_path.iterdir()] == ["it.json"]


def test_a_folder_that_cannot_be_made_is_a_storage_error(tmp_path: Path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageError):
        write_atomically(tmp_path / "file" / "it.json", b"x")
    with pytest.raises(StorageError):
        AppendFile(tmp_path / "file" / "lines")


def test_what_a_killed_writer_leaves_is_known_as_such():
    assert is_temporary(".it.json.k3x.tmp")
    assert not is_temporary("it.json")
    assert not is_temporary("notes.tmp")


def test_a_reader_never_sees_half_of_what_many_writers_write(tmp_path: Path):
    path = tmp_path / "it"
    contents = {bytes([letter]) * 50_000 for letter in b"abcd"}
    write_atomically(path, b"a" * 50_000)
    done = threading.Event()
    seen: set[bytes] = set()

    def read() -> None:
        while not done.is_set():
            seen.add(path.read_bytes())

    def write(content: bytes) -> None:
        for _ in range(20):
            write_atomically(path, content, durable=False)

    reader = threading.Thread(target=read)
    writers = [threading.Thread(target=write, args=(content,)) for content in contents]
    for thread in (reader, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    reader.join()
    assert seen <= contents
    assert [each.name for each in tmp_path.iterdir()] == ["it"]
    make_durable([path, tmp_path / "gone"])


def test_a_line_after_a_torn_one_is_whole(tmp_path: Path):
    path = tmp_path / "lines"
    path.write_bytes(b"one\ntw")
    with AppendFile(path) as file:
        file.append(b"three")
        file.append(b"four")
        assert file.tail(5) == b"four\n"
        assert file.size() == len(b"one\ntw\nthree\nfour\n")
    assert path.read_bytes() == b"one\ntw\nthree\nfour\n"


def test_a_new_file_of_lines_is_not_begun_where_one_is(tmp_path: Path):
    (tmp_path / "lines").write_bytes(b"one\n")
    with pytest.raises(StorageError, match="exists"):
        AppendFile(tmp_path / "lines", new=True)
    assert (tmp_path / "lines").read_bytes() == b"one\n"
