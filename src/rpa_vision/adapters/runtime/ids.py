"""New ids from the machine's randomness."""

from __future__ import annotations

import secrets

from rpa_vision.models.ids import checked_id

_RANDOM_BYTES = 8


class RandomIds:
    """Implements `ports.runtime.Ids`: `prefix_0123456789abcdef`, safe in file names, never the same twice."""

    def new(self, prefix: str) -> str:
        return checked_id(f"{prefix}_{secrets.token_hex(_RANDOM_BYTES)}", what="id prefix")
