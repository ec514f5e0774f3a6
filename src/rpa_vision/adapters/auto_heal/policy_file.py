"""The policy file, read again while robots run.

A few times a second at most, whoever asks for the policy finds out whether the file says something else now. A valid
one is swapped in whole. One that is broken, or gone, changes nothing: the last good policy stays in force, also over a
restart, and people are told once. So an accident with the file never loosens a threshold.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from collections.abc import Callable
from pathlib import Path

from rpa_vision.adapters.storage.atomic import write_atomically
from rpa_vision.errors import DocumentError, StorageError, UsageError
from rpa_vision.models.document import JsonObject
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.ports.runtime import Clock

_LOOK_AGAIN_S = 0.25
_MAX_BYTES = 64 * 1024
_UNSEEN = b"\0"  # no content of a file that we took: that would be no JSON


class PolicyFile:
    """Implements `ports.auto_heal.PolicySource`. Usable from several threads and processes.

    `on_error` hears of a broken file, once per content, whichever process finds it first. Beside the file lie
    `<name>.last_good.json`, the last valid content, and `<name>.rejected`, the digest of what people were told about.
    """

    def __init__(self, path: Path, clock: Clock, on_error: Callable[[str], None]) -> None:
        self._path = path
        self._last_good = path.with_name(f"{path.stem}.last_good.json")
        self._rejected = path.with_name(f"{path.stem}.rejected")
        self._clock = clock
        self._on_error = on_error
        self._lock = threading.Lock()
        self._looked_s = float("-inf")
        self._content: bytes | None = _UNSEEN
        """What the policy in force, or the problem, was read from; None for a file that is not there."""
        self._suspect: bytes | None = _UNSEEN
        self._problem: str | None = None
        self._policy = AutoHealPolicy()
        self._explicit: JsonObject = {}
        self._start()

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    @property
    def is_there(self) -> bool:
        """Whether there was a file at the last look."""
        return self._content is not None

    @property
    def explicit(self) -> JsonObject:
        """What the policy in force was read from: the keys somebody wrote, without those the preset fills in."""
        return dict(self._explicit)

    @property
    def problem(self) -> str | None:
        """Why the file as it is now is not in force, or None."""
        return self._problem

    def current(self) -> AutoHealPolicy:
        """The whole policy in force now."""
        now_s = self._clock.monotonic()
        if now_s - self._looked_s < _LOOK_AGAIN_S:
            return self._policy
        message = None
        with self._lock:
            if now_s - self._looked_s >= _LOOK_AGAIN_S:
                self._looked_s = now_s
                message = self._look()
        if message is not None:
            self._on_error(message)
        return self._policy

    def replace(self, document: JsonObject) -> AutoHealPolicy:
        """Put another policy in force: checked first, then written as a whole."""
        content = json.dumps(document, ensure_ascii=False, indent=2).encode() + b"\n"
        policy = _parsed(content, self._path)
        write_atomically(self._path, content)
        with self._lock:
            self._take(content)
        return policy

    def _start(self) -> None:
        """The file if it is good, else what was good before, else the defaults."""
        good, content = _read(self._last_good), _read(self._path)
        if good is not None:
            with contextlib.suppress(DocumentError):
                self._policy = _parsed(good, self._last_good)
                self._explicit = json.loads(good)
        if content is None and good is None:  # nobody ever wrote one: the defaults are what is wanted
            self._content = None
            return
        message = self._take(content)
        if message is not None:
            self._on_error(message)

    def _look(self) -> str | None:
        """Take what the file says if it is new. Gives what people must be told."""
        content = _read(self._path)
        if content == self._content:
            self._suspect = _UNSEEN
            return None
        if content != self._suspect and not _is_valid(content):
            # Perhaps somebody is writing it just now: only what is still so at the next look is believed.
            self._suspect = content
            return None
        return self._take(content)

    def _take(self, content: bytes | None) -> str | None:
        self._content, self._suspect = content, _UNSEEN
        try:
            if content is None:
                raise DocumentError(
                    f'{self._path.name}: is gone. To go back to the defaults, let it hold {{"mode": "hybrid"}}'
                )
            policy = _parsed(content, self._path)
        except DocumentError as error:
            self._problem = f"{error}. The last good policy ({self._policy.mode}, {self._policy.digest}) stays in force"
            return self._problem if self._is_news(content) else None
        self._policy, self._problem, self._explicit = policy, None, json.loads(content)
        return self._keep_good(content)

    def _keep_good(self, content: bytes) -> str | None:
        try:
            if _read(self._last_good) != content:
                write_atomically(self._last_good, content)
            if _read(self._rejected):
                write_atomically(self._rejected, b"")
        except StorageError as error:
            return f"{error}. The policy is in force, but a restart with a broken file would not find it again"
        return None

    def _is_news(self, content: bytes | None) -> bool:
        """Whether nobody was told of this content yet, in this process or another."""
        digest = hashlib.sha256(b"gone" if content is None else content).hexdigest().encode()
        if _read(self._rejected) == digest:
            return False
        try:
            write_atomically(self._rejected, digest)
        except StorageError:
            return True  # better told twice than never
        return True


def read_policy(path: Path) -> AutoHealPolicy:
    """The policy in a file anywhere, as a person names it."""
    content = _read(path)
    if content is None:
        raise UsageError(f"{path}: there is no such file", remedy="docs/policy.md describes the file.")
    try:
        return _parsed(content, path)
    except DocumentError as error:
        is_text = not isinstance(error.__cause__, UnicodeDecodeError)
        remedy = "docs/policy.md has every key and its range." if is_text else "Save the file again, as UTF-8."
        raise DocumentError(str(error), remedy=remedy) from error


def _read(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            return file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"unreadable: {error.strerror}".encode()


def _parsed(content: bytes, path: Path) -> AutoHealPolicy:
    if len(content) > _MAX_BYTES:
        raise DocumentError(f"{path.name}: larger than {_MAX_BYTES // 1024} KiB")
    return AutoHealPolicy.from_json(content, where=path.name)


def _is_valid(content: bytes | None) -> bool:
    try:
        return content is not None and _parsed(content, Path("policy")) is not None
    except DocumentError:
        return False
