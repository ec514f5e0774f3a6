"""Never read the same pixels twice.

Screens repeat: of a few hundred lines, a step changes three. A line's picture is its key, together with the name of
the reader, so a better reader never gets the answers of an older one.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Sequence

import numpy as np

from rpa_vision.models.frame import Pixels
from rpa_vision.models.wording import squeezed
from rpa_vision.ports.perception import ReadText, TextCache, TextRecognizer

DEFAULT_CAPACITY = 50_000  # about 10 MB: a day of work on a dozen dense screens
TOLD_PART = 4
"""Characters of a secret in a row that tell too much of it."""


class MemoryTextCache:
    """The most recently used answers, in memory."""

    def __init__(self, capacity: int = DEFAULT_CAPACITY) -> None:
        self._capacity = max(1, capacity)
        self._answers: OrderedDict[bytes, ReadText] = OrderedDict()

    def __len__(self) -> int:
        return len(self._answers)

    def get(self, key: bytes) -> ReadText | None:
        answer = self._answers.get(key)
        if answer is not None:
            self._answers.move_to_end(key)
        return answer

    def put(self, key: bytes, answer: ReadText) -> None:
        self._answers[key] = answer
        self._answers.move_to_end(key)
        while len(self._answers) > self._capacity:
            self._answers.popitem(last=False)


class DiscreetCache:
    """A cache that keeps no text in which a secret, or a part of one, can be read."""

    def __init__(self, cache: TextCache, secrets: Iterable[str]) -> None:
        folded = [squeezed(secret) for secret in secrets if secret.strip()]
        self._cache = cache
        self._parts = {
            one[start : start + TOLD_PART] for one in folded for start in range(max(1, len(one) - TOLD_PART + 1))
        }

    def get(self, key: bytes) -> ReadText | None:
        return self._cache.get(key)

    def put(self, key: bytes, answer: ReadText) -> None:
        said = squeezed(answer.text)
        if not any(part in said for part in self._parts):
            self._cache.put(key, answer)

    def close(self) -> None:
        """Let go of what the cache inside holds open, if anything."""
        close = getattr(self._cache, "close", None)
        if close is not None:
            close()


class CachedTextRecognizer:
    """A reader that remembers. The answers are those of the reader inside."""

    def __init__(self, reader: TextRecognizer, cache: TextCache | None = None) -> None:
        self._reader = reader
        self._cache: TextCache = cache if cache is not None else MemoryTextCache()
        self.hits = 0
        self.misses = 0

    @property
    def name(self) -> str:
        return self._reader.name

    def read(self, lines: Sequence[Pixels]) -> list[ReadText]:
        keys = [self._key(line) for line in lines]
        known = {key: self._cache.get(key) for key in keys}
        fresh: dict[bytes, Pixels] = {}
        for key, line in zip(keys, lines, strict=True):
            if known[key] is None:
                fresh.setdefault(key, line)
        self.hits += len(keys) - len(fresh)
        self.misses += len(fresh)
        if fresh:
            for key, read in zip(fresh, self._reader.read(list(fresh.values())), strict=True):
                known[key] = read
                self._cache.put(key, read)
        return [answer for key in keys if (answer := known[key]) is not None]

    def _key(self, line: Pixels) -> bytes:
        digest = hashlib.blake2b(digest_size=16)
        digest.update(f"{self._reader.name}|{line.shape}".encode())
        digest.update(np.ascontiguousarray(line).data)
        return digest.digest()
