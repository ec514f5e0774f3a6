"""The trail goes on over files, days and crashes as one chain, and shows where it was touched."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from rpa_vision.adapters.audit import AuditSettings, JsonlAudit, JsonlTrail
from rpa_vision.adapters.audit.entries import Draft, digest
from rpa_vision.ports.audit import AuditLog, AuditPosition, AuditTrail
from rpa_vision.testing.manual_clock import ManualClock

SMALL = AuditSettings(max_bytes=700)


def names(path: Path) -> list[str]:
    return sorted(file.name for file in path.parent.iterdir() if not file.name.startswith("."))


def filled(path: Path, clock: ManualClock, count: int, settings: AuditSettings = SMALL) -> JsonlAudit:
    log = JsonlAudit(path, clock, settings)
    for number in range(count):
        log.append("step_result", {"n": number, "what": "Validé"})
        clock.advance(1)
    return log


def test_a_full_file_is_followed_by_the_next_and_the_chain_goes_on(path: Path, clock: ManualClock) -> None:
    """AH-5.1"""
    log = filled(path, clock, 9)
    assert names(path) == ["audit.000002.jsonl", "audit.000003.jsonl", "audit.jsonl"]
    last = path.read_text().splitlines()[-1]
    first = json.loads(path.with_name("audit.000002.jsonl").read_text().splitlines()[0])
    assert first["prev"] == json.loads(last)["hash"]
    result = log.verify()
    assert (result.ok, result.entries, result.first_problem) == (True, 9, None)
    assert [entry.record["n"] for entry in log.entries()] == list(range(9))


def test_each_day_has_its_own_file(path: Path, clock: ManualClock) -> None:
    log = JsonlAudit(path, clock)
    log.append("a", {})
    clock.advance(3599)
    log.append("b", {})
    clock.advance(1)
    log.append("c", {})
    assert names(path) == ["audit.000002.jsonl", "audit.jsonl"]
    assert [entry.kind for entry in log.entries(AuditPosition(2, 0))] == ["c"]
    JsonlAudit(path, clock).append("d", {})
    assert names(path) == ["audit.000002.jsonl", "audit.jsonl"]


def test_a_clock_that_goes_back_a_day_begins_no_new_file(path: Path, clock: ManualClock) -> None:
    JsonlAudit(path, clock).append("a", {})
    earlier = ManualClock(clock.now() - timedelta(days=2))
    JsonlAudit(path, earlier).append("b", {})
    assert names(path) == ["audit.jsonl"]


def test_packed_files_are_read_and_verified_like_the_others(path: Path, clock: ManualClock) -> None:
    log = filled(path, clock, 9, AuditSettings(max_bytes=700, compress=True))
    assert names(path) == ["audit.000002.jsonl.gz", "audit.000003.jsonl", "audit.jsonl.gz"]
    assert [entry.record["n"] for entry in log.entries()] == list(range(9))
    assert log.verify().ok
    fourth = list(log.entries())[3]
    assert [entry.record["n"] for entry in log.entries(fourth.end)] == [4, 5, 6, 7, 8]
    packed = path.with_name("audit.000002.jsonl.gz")
    packed.write_bytes(packed.read_bytes()[:-20])
    problem = log.verify().first_problem
    assert problem is not None
    assert problem.file == packed.name


def test_a_process_that_slept_through_two_rotations_goes_on_at_the_end(path: Path, clock: ManualClock) -> None:
    sleeper = JsonlAudit(path, clock, SMALL)
    sleeper.append("early", {})
    filled(path, clock, 9, AuditSettings(max_bytes=700, compress=True))
    sleeper.append("late", {})
    assert sleeper.verify().ok
    assert [entry.kind for entry in sleeper.entries()][-1] == "late"
    assert "audit.000002.jsonl" not in names(path)


def test_packing_by_hand_leaves_the_growing_file_alone(path: Path, clock: ManualClock) -> None:
    log = filled(path, clock, 8)
    log.pack()
    log.append("after", {})
    assert names(path) == ["audit.000002.jsonl.gz", "audit.000003.jsonl", "audit.jsonl.gz"]
    assert JsonlTrail(path).verify().entries == 9


def test_when_even_the_newest_file_was_packed_a_new_one_begins(path: Path, clock: ManualClock) -> None:
    filled(path, clock, 2).close()
    from rpa_vision.adapters.audit.trail_files import TrailFiles

    TrailFiles(path).pack(1)
    log = filled(path, clock, 1)
    assert names(path) == ["audit.000002.jsonl", "audit.jsonl.gz"]
    assert log.verify().ok


def without(line: int) -> Callable[[list[bytes]], list[bytes]]:
    return lambda lines: lines[:line] + lines[line + 1 :] if line >= 0 else lines[:line]


TOUCHES: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "changed": lambda lines: [lines[0].replace("Validé".encode(), b"Refus"), *lines[1:]],
    "changed and hashed again": lambda lines: [rehashed(lines[0]), *lines[1:]],
    "spelled otherwise": lambda lines: [lines[0].replace(b'":', b'": ', 1), *lines[1:]],
    "first removed": without(0),
    "middle removed": without(1),
    "last removed": without(-1),
    "doubled": lambda lines: [lines[0], lines[0], *lines[1:]],
    "last doubled": lambda lines: [*lines, lines[-1]],
    "moved": lambda lines: [lines[1], lines[0], *lines[2:]],
    "blank line": lambda lines: [lines[0], b"\n", *lines[1:]],
    "nonsense inside": lambda lines: [lines[0], b"nonsense\n", *lines[1:]],
    "nonsense at the end": lambda lines: [*lines, b"nonsense\n"],
    "last made unreadable": lambda lines: [*lines[:-1], b"{" + lines[-1]],
    "everything removed": lambda _: [],
}


def rehashed(line: bytes) -> bytes:
    entry = json.loads(line)
    entry["record"]["n"] = 7
    entry["hash"] = digest(entry)
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


@pytest.mark.parametrize("file", ["audit.jsonl", "audit.000002.jsonl", "audit.000003.jsonl"])
@pytest.mark.parametrize("touch", TOUCHES)
def test_any_touched_line_is_found(path: Path, clock: ManualClock, touch: str, file: str) -> None:
    """AH-5.1: changed, removed, inserted or moved, in the first, the middle and the growing file."""
    filled(path, clock, 9)
    touched = path.with_name(file)
    touched.write_bytes(b"".join(TOUCHES[touch](touched.read_bytes().splitlines(keepends=True))))
    result = JsonlTrail(path).verify()
    assert not result.ok
    assert result.first_problem is not None
    assert result.first_problem.what


@pytest.mark.parametrize("file", ["audit.jsonl", "audit.000002.jsonl", "audit.000003.jsonl"])
def test_a_removed_file_is_missed(path: Path, clock: ManualClock, file: str) -> None:
    filled(path, clock, 9)
    path.with_name(file).unlink()
    problem = JsonlTrail(path).verify().first_problem
    assert problem is not None
    assert problem.file == file


def test_lines_removed_at_the_end_stay_missing_after_the_next_entry(path: Path, clock: ManualClock) -> None:
    """The next entry does not cover it up: it says so, for good."""
    filled(path, clock, 3).close()
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    log = filled(path, clock, 2)
    assert [entry.kind for entry in log.entries()] == ["step_result"] * 2 + ["audit.removed"] + ["step_result"] * 2
    assert list(log.entries())[2].record["hash"] == json.loads(lines[-1])["hash"]
    problem = log.verify().first_problem
    assert problem is not None
    assert (problem.file, problem.line) == ("audit.jsonl", 3)


def test_the_problem_names_the_line(path: Path, clock: ManualClock) -> None:
    filled(path, clock, 9)
    second = path.with_name("audit.000002.jsonl")
    lines = second.read_bytes().splitlines(keepends=True)
    second.write_bytes(b"".join([lines[0], lines[1].replace(b"Valid", b"Refus"), *lines[2:]]))
    problem = JsonlTrail(path).verify().first_problem
    assert problem is not None
    assert (problem.file, problem.line) == ("audit.000002.jsonl", 2)
    assert "changed" in problem.what


def test_verifying_since_a_time_spares_the_files_before_it(path: Path, clock: ManualClock) -> None:
    began = clock.now()
    filled(path, clock, 9)
    path.write_bytes(b"rubbish\n")
    trail = JsonlTrail(path)
    assert not trail.verify().ok
    assert not trail.verify(began).ok
    late = trail.verify(began + timedelta(seconds=8))
    assert late.ok
    assert 0 < late.entries < 6


def test_a_torn_end_is_no_problem_before_and_after_it_was_noted(path: Path, clock: ManualClock) -> None:
    """Torn at every byte of the last line."""
    filled(path, clock, 2).close()
    whole, head = path.read_bytes(), path.with_name(".audit.head").read_bytes()
    last = whole.splitlines(keepends=True)[-1]
    full = Draft("step_result", {"n": 2, "what": "é"}).tied_to(json.loads(last)["hash"], clock.now().isoformat())
    for length in range(len(full.line) + 1):
        path.write_bytes(whole + full.line[:length])
        path.with_name(".audit.head").write_bytes(head)
        before = JsonlTrail(path).verify()
        assert before.ok, (length, before)
        assert before.torn_bytes == (length if length < len(full.line) else 0)
        log = JsonlAudit(path, clock)
        log.append("next", {})
        after = log.verify()
        assert after.ok, (length, after)
        assert after.entries == 3 + (length > 0)
        log.close()


def test_what_a_crash_left_cannot_be_changed_unseen_once_it_is_noted(path: Path, clock: ManualClock) -> None:
    filled(path, clock, 2).close()
    with path.open("ab") as file:
        file.write(b'{"time":"2026')
    filled(path, clock, 1).close()
    assert JsonlTrail(path).verify().ok
    path.write_bytes(path.read_bytes().replace(b'{"time":"2026\n', b'{"time":"2027\n'))
    assert not JsonlTrail(path).verify().ok


def test_a_trail_that_does_not_exist_is_whole_and_reading_makes_nothing(path: Path, clock: ManualClock) -> None:
    log = JsonlAudit(path, clock)
    assert log.verify().ok
    assert list(log.entries()) == []
    assert log.end() == AuditPosition()
    assert log.is_writable()
    assert not path.parent.exists()


def test_a_trail_of_the_first_version_verifies(path: Path, clock: ManualClock) -> None:
    """Without a head, which it did not have."""
    filled(path, clock, 3, AuditSettings()).close()
    path.with_name(".audit.head").unlink()
    assert JsonlTrail(path).verify().ok


def test_keys_that_are_no_text_are_hashed_as_they_are_written(path: Path, clock: ManualClock) -> None:
    log = JsonlAudit(path, clock)
    log.append("odd", {9: "a", 10: "b", "t": (1, 2)})  # type: ignore[dict-item]
    assert log.verify().ok


def test_an_interval_between_syncs_is_kept_by_the_clock(path: Path, clock: ManualClock) -> None:
    """The head names the last entry that was forced to the disk."""
    head = path.with_name(".audit.head")
    log = JsonlAudit(path, clock, AuditSettings(fsync="interval", fsync_interval_s=10))
    log.append("a", {})
    first = head.read_text()
    clock.advance(9)
    log.append("b", {})
    assert head.read_text() == first
    clock.advance(1)
    log.append("c", {})
    third = head.read_text()
    assert third != first
    log.append("d", {})
    assert head.read_text() == third
    log.flush()
    assert head.read_text() != third
    assert log.verify().ok


def test_a_trail_removed_under_a_running_writer_is_begun_again_and_said_so(path: Path, clock: ManualClock) -> None:
    log = filled(path, clock, 2)
    path.unlink()
    log.append("after", {})
    assert [entry.kind for entry in log.entries()] == ["audit.removed", "after"]
    assert not log.verify().ok


def test_reading_goes_on_where_it_ended(path: Path, clock: ManualClock) -> None:
    trail: AuditTrail = JsonlTrail(path)
    log = filled(path, clock, 4)
    position = trail.end()
    filled(path, clock, 5)
    assert [entry.record["n"] for entry in trail.entries(position)] == [0, 1, 2, 3, 4]
    writer: AuditLog = log
    writer.append("more", {})
    assert [entry.kind for entry in trail.entries(list(trail.entries())[-2].end)] == ["more"]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_may_not_be_written_is_seen(path: Path, clock: ManualClock) -> None:
    """AH-8.3"""
    log = filled(path, clock, 1)
    path.chmod(0o400)
    assert not log.is_writable()


def test_a_copy_of_a_trail_verifies_anywhere(path: Path, clock: ManualClock, tmp_path: Path) -> None:
    filled(path, clock, 9)
    shutil.copytree(path.parent, tmp_path / "elsewhere")
    assert JsonlTrail(tmp_path / "elsewhere" / "audit.jsonl").verify().entries == 9
