"""Builds what datasets are for: who trains models further, and the models that come of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from rpa_vision.errors import DocumentError

if TYPE_CHECKING:
    from rpa_vision.adapters.storage import FileDataDirectory
    from rpa_vision.app.dataset_screens import DatasetScreens
    from rpa_vision.app.dataset_work import Trainer
    from rpa_vision.ports.perception import ElementFinder, ScreenEncoder

TRAINING_VARIABLE = "RPA_VISION_TRAINING"
TRAINING_PYTHON_VARIABLE = "RPA_VISION_TRAINING_PYTHON"
ModelKind = Literal["detector", "encoder"]
_MOST_BYTES: Final = 1 << 20
_MOST_WEIGHTS: Final = 1 << 30


def model_trainer() -> Trainer:
    """Who trains models further: torch and the training scripts, as far as they are there."""
    from rpa_vision.adapters.training.local_trainer import LocalTrainer

    return LocalTrainer.found(os.environ.get(TRAINING_PYTHON_VARIABLE), os.environ.get(TRAINING_VARIABLE))


def trained_detector(description: Path | None) -> tuple[ElementFinder, frozenset[str]]:
    """A detector of our kind, from its description, or the shipped one; and the kinds of things to act on it knows."""
    from importlib import resources

    from rpa_vision.adapters.perception.onnx_elements import OnnxElementFinder
    from rpa_vision.adapters.perception.shipped_model import load_model

    shipped = Path(str(resources.files("rpa_vision") / "resources" / "detector" / "elements.json"))
    about, _ = load_model(description or shipped, "element detector", needs=("interactive",))
    return OnnxElementFinder(description or shipped), frozenset(about["interactive"])


def trained_encoder(description: Path | None) -> ScreenEncoder:
    """An encoder of our kind, from its description, or the shipped one."""
    from rpa_vision.app.wiring_plugins import EMBEDDED, ENCODER_VARIABLE, encoder_file, screen_encoder

    return encoder_file(description) if description is not None else screen_encoder({ENCODER_VARIABLE: EMBEDDED})


def dataset_screens(data: FileDataDirectory, on_progress: Callable[[str, int, int], None]) -> DatasetScreens:
    """What looks over the screens of a dataset: the usual encoder for run time, a richer fusion of it for this."""
    from rpa_vision.app import wiring
    from rpa_vision.app.dataset_screens import DatasetScreens
    from rpa_vision.app.wiring_plugins import screen_encoder
    from rpa_vision.embedding.fusion_engine import FusionEngine
    from rpa_vision.embedding.heads import TwoHeads
    from rpa_vision.embedding.spaces import STATE_DIMENSIONS
    from rpa_vision.embedding.state_embedder import StateEmbedder

    encoder = screen_encoder()
    dimensions = encoder.space.dimensions or STATE_DIMENSIONS
    fusions = (FusionEngine(dimensions=dimensions), FusionEngine("concat_projection", dimensions=dimensions))
    primary, auxiliary = (StateEmbedder(encoder, fusion, wiring.clock()) for fusion in fusions)
    return DatasetScreens(data, TwoHeads(primary, auxiliary), wiring.vector_index, on_progress)


def model_files(description: Path) -> tuple[ModelKind, dict[str, bytes]]:
    """What a description describes, and its two files by name, the weights first."""
    import json

    from rpa_vision.adapters.storage.local_files import LocalFiles
    from rpa_vision.models.ids import checked_id

    files = LocalFiles()
    told = files.read(description, limit=_MOST_BYTES)
    try:
        about: dict[str, Any] = json.loads(told)
        weights = checked_id(str(about["file"]), what="model file")
        kind: ModelKind = "detector" if "interactive" in about else "encoder"
    except (ValueError, KeyError, TypeError) as error:
        raise DocumentError(
            f"{description}: describes no model of ours", remedy="Give the elements.json or screens.json of one."
        ) from error
    return kind, {weights: files.read(description.with_name(weights), limit=_MOST_WEIGHTS), description.name: told}
