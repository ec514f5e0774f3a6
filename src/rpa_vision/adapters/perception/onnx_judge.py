"""The shipped judge of candidates: a small net over facts and looks (see `training/detector/judge_train.py`)."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import numpy as np

from rpa_vision.adapters.perception.shipped_model import load_model, open_model
from rpa_vision.errors import ModelMissingError
from rpa_vision.ports.perception import Vector

_WHAT = "element judge"
_PARTS = ("name", "kinds", "facts")


class OnnxElementJudge:
    """Implements `ports.perception.ElementJudge`."""

    def __init__(self, description: Path, *, threads: int = 1) -> None:
        about, model = load_model(description, _WHAT, needs=_PARTS)
        self._name = f"{about['name']}-{about['sha256'][:8]}"
        self._facts = int(about["facts"])
        self._kinds: tuple[str, ...] = tuple(about["kinds"])
        self._where = description
        self._session = open_model(model, threads, _WHAT)

    @classmethod
    def shipped(cls) -> OnnxElementJudge:
        """The judge that comes with the package."""
        folder = resources.files("rpa_vision") / "resources" / "detector"
        return cls(Path(str(folder / "judge.json")))

    @property
    def name(self) -> str:
        return self._name

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its answers, after "nothing"."""
        return self._kinds

    def judge(self, facts: Vector, looks: Vector) -> tuple[Vector, Vector]:
        if facts.shape[1] != self._facts:
            raise ModelMissingError(
                f"the {_WHAT} {self._where} was trained on {self._facts} facts of a candidate, not {facts.shape[1]}"
            )
        shares, fits = self._session.run(None, {"facts": facts, "looks": looks})
        return np.asarray(shares, np.float32), np.asarray(fits, np.float32).reshape(-1)
