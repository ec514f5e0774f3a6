"""Pictures a person names: read within bounds, written whole."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rpa_vision.adapters.storage.image_files import LocalImageFiles
from rpa_vision.app.detect import overlay_paths
from rpa_vision.errors import ImageError, StorageError, UsageError

FILES = LocalImageFiles()


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "seen.png"
    LocalImageFiles().write(path, b"picture")
    assert LocalImageFiles().read(path) == b"picture"
    assert [file.name for file in path.parent.iterdir()] == ["seen.png"]


def test_a_missing_file_a_folder_and_a_pipe_are_told_apart(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, problem in (("none.png", "no such file"), (".", "folder"), ("pipe", "not a file")):
        with pytest.raises(ImageError, match=problem):
            LocalImageFiles().read(tmp_path / name)


def test_a_name_that_no_disk_takes_is_no_traceback(tmp_path: Path) -> None:
    for name in ("a\0b.png", "x" * 5000):
        with pytest.raises(ImageError) as caught:
            LocalImageFiles().read(tmp_path / name)
        assert caught.value.remedy


def test_a_file_too_large_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    path.write_bytes(bytes(11))
    assert LocalImageFiles(max_bytes=11).read(path) == bytes(11)
    with pytest.raises(ImageError, match="larger than"):
        LocalImageFiles(max_bytes=10).read(path)


def test_a_refused_write_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    for place in (tmp_path / "file" / "below.png", tmp_path / "folder"):
        with pytest.raises(StorageError) as caught:
            LocalImageFiles().write(place, b"picture")
        assert caught.value.remedy
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def test_one_drawing_goes_to_the_file_and_several_into_the_folder() -> None:
    assert overlay_paths(Path("out.png"), [Path("a/x.png")], FILES) == {Path("a/x.png"): Path("out.png")}
    several = overlay_paths(Path("out"), [Path("a/x.png"), Path("b/x.png"), Path("b/y.png")], FILES)
    assert [path.as_posix() for path in several.values()] == [
        "out/x.overlay.png",
        "out/x.2.overlay.png",
        "out/y.overlay.png",
    ]


def test_a_drawing_on_top_of_its_own_picture_is_refused() -> None:
    with pytest.raises(UsageError):
        overlay_paths(Path("x.png"), [Path("x.png")], FILES)
    with pytest.raises(UsageError):
        overlay_paths(Path(), [Path("x.png"), Path("x.overlay.png")], FILES)
