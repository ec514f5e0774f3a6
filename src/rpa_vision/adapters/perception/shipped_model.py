"""A shipped model's two files: a description in JSON, and beside it the model it names and vouches for."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rpa_vision.adapters.perception.onnx_session import cpu_session
from rpa_vision.errors import ModelMissingError


def load_model(description: Path, what: str, *, needs: Sequence[str]) -> tuple[dict[str, Any], bytes]:
    """What is said of a model, and its file: the very bytes that are described. `what` names it in errors."""
    try:
        about = json.loads(description.read_text(encoding="utf-8"))
        model = (description.parent / about["file"]).read_bytes()
        expected = about["sha256"]
        whole = all(about[part] for part in needs)
    except FileNotFoundError as error:
        raise ModelMissingError(f"the {what} is missing: {error.filename}") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelMissingError(f"the {what}'s description {description} cannot be read: {error}") from error
    if hashlib.sha256(model).hexdigest() != expected or not whole:
        raise ModelMissingError(f"the {what} {description.parent / about['file']} is damaged: wrong checksum")
    return about, model


def open_model(model: bytes, threads: int, what: str) -> Any:
    """A session over a model."""
    try:
        return cpu_session(model, threads)
    except Exception as error:  # onnxruntime raises many types of its own, all meaning the same here
        raise ModelMissingError(f"the {what} cannot be loaded: {error}") from error
