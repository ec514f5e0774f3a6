"""How much may be asked in how short a time: a bucket per caller that fills as time goes by."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from rpa_vision.ports.runtime import Clock

_REMEMBERED = 10_000


@dataclass(slots=True)
class _Bucket:
    left: float
    at_s: float


class RateLimit:
    """`rate` a second on average, `burst` at once."""

    def __init__(self, clock: Clock, *, rate: float, burst: float) -> None:
        self._clock = clock
        self._rate = rate
        self._burst = burst
        self._buckets: dict[str, _Bucket] = {}
        self._lock = threading.Lock()

    def wait_s(self, caller: str, cost: float = 1.0) -> float:
        """Nothing, and it is counted; or how long the caller has to wait. A cost of 0 only asks."""
        now_s = self._clock.monotonic()
        with self._lock:
            if len(self._buckets) >= _REMEMBERED:
                self._forget(now_s)
            bucket = self._buckets.setdefault(caller, _Bucket(self._burst, now_s))
            bucket.left = min(self._burst, bucket.left + (now_s - bucket.at_s) * self._rate)
            bucket.at_s = now_s
            wanted = max(cost, 1.0) if cost == 0.0 else cost
            if bucket.left < wanted:
                return (wanted - bucket.left) / self._rate
            bucket.left -= cost
            return 0.0

    def _forget(self, now_s: float) -> None:
        """Forget those that are full again; of an attack from everywhere, all."""
        full_s = self._burst / self._rate
        self._buckets = {name: one for name, one in self._buckets.items() if now_s - one.at_s < full_s}
        if len(self._buckets) >= _REMEMBERED:
            self._buckets.clear()
