"""One entry of the trail: how it is written, how it is hashed, how it is recognised.

    {"time": …, "kind": …, "record": {…}, "prev": <hash of the entry before>, "hash": <sha256 of the rest>}

An entry has exactly one spelling, so that a line that says the same in other bytes is a changed line.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from rpa_vision.errors import DocumentError
from rpa_vision.ports.audit import AuditEntry

FIRST = "0" * 64
RECOVERED = "audit.recovered"
REMOVED = "audit.removed"
_KEYS = ("time", "kind", "record", "prev", "hash")

_spell = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
_canonical = json.JSONEncoder(sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode


@dataclass(frozen=True, slots=True)
class Written:
    """An entry ready to be written: its line, without the end of line, and its hash."""

    line: bytes
    hash: str


class Draft:
    """What is to be written, checked and spelled out before anybody has to wait for it."""

    def __init__(self, kind: str, record: dict[str, JsonValue]) -> None:
        try:
            # Through JSON and back: keys are text now, and whoever reads the line hashes the same value.
            value = json.loads(_spell(record).encode().decode())
            self._record = _spell(value)
            self._canonical = _canonical(value)
            self._kind, self._canonical_kind = _spell(kind), _canonical(kind)
            self._kind.encode()
        except (TypeError, ValueError, RecursionError) as error:
            raise DocumentError(f"audit record {kind!r}: cannot be written as JSON ({error})") from error

    def tied_to(self, prev: str, time: str) -> Written:
        """The entry that comes after the one with this hash."""
        # The spelling that `digest` makes of the whole entry.
        canonical = f'{{"kind":{self._canonical_kind},"prev":"{prev}","record":{self._canonical},"time":"{time}"}}'
        link = hashlib.sha256(canonical.encode()).hexdigest()
        line = f'{{"time":"{time}","kind":{self._kind},"record":{self._record},"prev":"{prev}","hash":"{link}"}}'
        return Written(line.encode(), link)


def digest(entry: dict[str, Any]) -> str:
    """The hash of an entry: of everything in it but the hash itself, in one fixed spelling."""
    rest = {key: value for key, value in entry.items() if key != "hash"}
    return hashlib.sha256(_canonical(rest).encode()).hexdigest()


def is_as_written(entry: AuditEntry) -> bool:
    """Whether an entry that was read says what its hash was made of."""
    said = {"time": entry.time, "kind": entry.kind, "record": entry.record, "prev": entry.prev}
    try:
        return digest(said) == entry.hash
    except (ValueError, RecursionError):
        return False


def parsed(line: bytes) -> dict[str, Any] | None:
    """The entry in a line, or None when there is no whole one. Says nothing about whether it is true."""
    try:
        entry = json.loads(line.decode())
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict) or not isinstance(entry.get("hash"), str):
        return None
    return entry


def problem_of(entry: dict[str, Any], line: bytes) -> str | None:
    """What is wrong with an entry taken by itself."""
    if tuple(entry) != _KEYS or not isinstance(entry["record"], dict):
        return "not an entry of the audit trail"
    try:
        if digest(entry) != entry["hash"]:
            return "the entry was changed: its hash is another"
        if _spell(entry).encode() != line:
            return "the line was changed: the entry is spelled otherwise"
    except (ValueError, RecursionError):
        return "not an entry of the audit trail"
    return None
