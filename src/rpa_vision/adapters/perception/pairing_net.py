"""The shipped net that pairs the things of two screens."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from rpa_vision.adapters.perception.shipped_model import load_model, open_model
from rpa_vision.errors import ModelMissingError
from rpa_vision.ports.perception import Vector

_INPUTS = ("then", "now", "within_then", "within_now", "across")


class PairingNet:
    """Pairs by the net described by a JSON file beside it."""

    def __init__(self, description: Path, *, threads: int = 2) -> None:
        about, model = load_model(description, "net that pairs screens", needs=("told",))
        self._told = tuple(int(one) for one in about["told"])
        self._name = f"{about['name']}-{about['sha256'][:8]}"
        self._session = open_model(model, threads, "net that pairs screens")

    @classmethod
    def shipped(cls, *, threads: int = 2) -> PairingNet:
        """The net that comes with the package."""
        return cls(Path(str(resources.files("rpa_vision") / "resources" / "pairing" / "pairs.json")), threads=threads)

    @property
    def name(self) -> str:
        return self._name

    def pair(self, then: Vector, now: Vector, within_then: Vector, within_now: Vector, across: Vector) -> Vector:
        given = (then, now, within_then, within_now, across)
        told = (then.shape[1], within_then.shape[2], across.shape[2])
        if told != self._told:
            raise ModelMissingError(f"the net that pairs screens is told {self._told} of things, not {told}")
        scores: Vector = self._session.run(None, dict(zip(_INPUTS, given, strict=True)))[0]
        return scores
