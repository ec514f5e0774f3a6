"""OpenCLIP as an encoder of screens, for those who install it: `pip install 'rpa-vision[openclip]'`.

Weights are a file that somebody gives us; nothing is downloaded, and only tensors are read from it. A screen is
squeezed into the model's square whole, because CLIP's usual cut through the middle would lose its sides. What shaped a
vector (model, weights, precision, how a picture is prepared) is in the id of its space.
"""

from __future__ import annotations

import hashlib
import math
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.errors import ImageError, PluginError
from rpa_vision.models.frame import Pixels
from rpa_vision.models.ids import slug
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.ports.perception import Vector

DEFAULT_MODEL: Final = "ViT-B-32"
PREPARATION: Final = "squeeze_v1"
BATCH: Final = 16
KEPT_TEXTS: Final = 4096
Precision = Literal["auto", "fp32", "fp16"]
_REMEDY: Final = "docs/plugins.md says how OpenCLIP is set up; without RPA_VISION_ENCODER the embedded encoder is used."


class OpenClipEncoder:
    """Implements `ports.perception.ScreenEncoder`; on the GPU, in half precision, where there is one."""

    def __init__(
        self,
        weights: Path | None,
        *,
        model_name: str = DEFAULT_MODEL,
        device: str | None = None,
        precision: Precision = "auto",
        batch: int = BATCH,
    ) -> None:
        self._torch, open_clip = _import()
        self._device = device or _best_device(self._torch)
        is_half = precision == "fp16" or (precision == "auto" and self._device != "cpu")
        _check_model(open_clip, model_name)
        path, digest = _check_weights(weights)
        try:
            self._model = open_clip.create_model(
                model_name,
                pretrained=str(path),
                precision="fp16" if is_half else "fp32",
                device=self._device,
                weights_only=True,  # tensors, and no objects that could do something when they are read
            ).eval()
            self._tokenize = open_clip.get_tokenizer(model_name)
        except (
            Exception
        ) as error:  # torch and open_clip raise whatever they meet: a wrong file, wrong shapes, no device
            said = " ".join(str(error).split())[:300]
            raise PluginError(f"OpenCLIP cannot load {path} as {model_name}: {said}", remedy=_REMEDY) from error
        self._dtype = self._torch.float16 if is_half else self._torch.float32
        self._batch = batch
        side = self._model.visual.image_size
        self._size: tuple[int, int] = (side[1], side[0]) if isinstance(side, (tuple, list)) else (side, side)
        self._mean, self._deviation = (
            np.asarray(values, np.float32)
            for values in (_three(self._model.visual, "image_mean"), _three(self._model.visual, "image_std"))
        )
        self._texts: OrderedDict[str, NDArray[np.float64]] = OrderedDict()
        dimensions = int(self._encoded_texts(["screen"]).shape[1])
        half = "_fp16" if is_half else ""
        self._space = EmbeddingSpace(
            id=f"openclip_{slug(model_name)}_{digest[:8]}_{PREPARATION}{half}",
            version=digest[:8],
            model_name=model_name,
            provider="openclip",
            dimensions=dimensions,
            purpose="runtime",
        )

    @property
    def space(self) -> EmbeddingSpace:
        return self._space

    @property
    def device(self) -> str:
        """Where it computes, for people."""
        return self._device

    def encode_image(self, image: Pixels) -> Vector:
        return self.encode_images([image])[0]

    def encode_images(self, images: Sequence[Pixels]) -> list[Vector]:
        """Several pictures in as few passes as the batch allows; each vector is the one it would get alone."""
        vectors = list[Vector]()
        for start in range(0, len(images), self._batch):
            numbers = np.stack([self._prepared(image) for image in images[start : start + self._batch]])
            with self._torch.inference_mode():
                given = self._torch.from_numpy(numbers).to(self._device, self._dtype)
                found = self._model.encode_image(given).float().cpu().numpy()
            vectors += [_unit(vector) for vector in found.astype(np.float64)]
        return vectors

    def encode_text(self, texts: Sequence[str]) -> Vector:
        wanted = [text for text in dict.fromkeys(" ".join(text.split()) for text in texts) if text]
        missing = [text for text in wanted if text not in self._texts]
        fresh = dict(zip(missing, self._encoded_texts(missing), strict=True)) if missing else {}
        total = np.zeros(self._space.dimensions or 0, np.float64)
        for text in wanted:
            vector = fresh[text] if text in fresh else self._texts[text]
            total += vector / (math.sqrt(float(vector @ vector)) or 1.0)
        self._texts.update(fresh)
        for text in wanted:
            self._texts.move_to_end(text)
        while len(self._texts) > KEPT_TEXTS:
            self._texts.popitem(last=False)
        return _unit(total)

    def _encoded_texts(self, texts: Sequence[str]) -> NDArray[np.float64]:
        parts = []
        for start in range(0, len(texts), self._batch):
            with self._torch.inference_mode():
                tokens = self._tokenize(list(texts[start : start + self._batch])).to(self._device)
                parts.append(self._model.encode_text(tokens).float().cpu().numpy().astype(np.float64))
        return np.concatenate(parts)

    def _prepared(self, image: Pixels) -> NDArray[np.float32]:
        if image.ndim != 3 or image.shape[2] not in (3, 4) or image.dtype != np.uint8 or not image.size:
            raise ImageError(f"a picture of height × width × 3 bytes was expected, not {image.dtype} {image.shape}")
        plain = np.ascontiguousarray(image[:, :, :3])
        is_larger = plain.shape[1] > self._size[0] or plain.shape[0] > self._size[1]
        how = cv2.INTER_AREA if is_larger else cv2.INTER_CUBIC
        small = np.asarray(cv2.resize(plain, self._size, interpolation=how), np.float32)[:, :, ::-1] / 255
        return np.ascontiguousarray(((small - self._mean) / self._deviation).transpose(2, 0, 1), np.float32)


def _import() -> tuple[Any, Any]:
    try:
        import open_clip  # heavy, and an extra: only when it is asked for
        import torch
    except ImportError as error:
        raise PluginError(
            f"OpenCLIP is not installed ({error})",
            remedy="pip install 'rpa-vision[openclip]', or choose the embedded encoder.",
        ) from error
    return torch, open_clip


def _best_device(torch: Any) -> str:
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _check_model(open_clip: Any, name: str) -> None:
    """A model that is built in: names with a colon would fetch one from somewhere, and so would some tokenizers."""
    config = open_clip.get_model_config(name) if name in open_clip.list_models() else None
    if config is None:
        raise PluginError(f"OpenCLIP has no model {name!r}", remedy="Choose one of open_clip.list_models().")
    text = config.get("text_cfg", {})
    if "hf_tokenizer_name" in text or "hf_model_name" in text:
        raise PluginError(f"the OpenCLIP model {name!r} needs a download for its words", remedy="Choose ViT-B-32.")


def _check_weights(weights: Path | None) -> tuple[Path, str]:
    if weights is None:
        raise PluginError(
            "no weights are named for OpenCLIP, and none are downloaded",
            remedy="Set RPA_VISION_OPENCLIP_WEIGHTS to a .safetensors, .pt or .bin file of the model.",
        )
    digest = hashlib.sha256()
    try:
        with weights.open("rb") as file:
            while part := file.read(1 << 20):
                digest.update(part)
    except OSError as error:
        raise PluginError(f"the weights {weights} cannot be read ({error.strerror})", remedy=_REMEDY) from error
    return weights, digest.hexdigest()


def _three(visual: Any, name: str) -> tuple[float, ...]:
    values = getattr(visual, name, None)
    if values is None:
        usual = {"image_mean": (0.48145466, 0.4578275, 0.40821073), "image_std": (0.26862954, 0.26130258, 0.27577711)}
        return usual[name]
    return tuple(values)


def _unit(values: NDArray[np.float64]) -> Vector:
    """Scaled to length 1; what has no direction is the blank vector every encoder gives for nothing."""
    length = math.sqrt(math.fsum((values * values).tolist())) if np.isfinite(values).all() else 0.0
    if length == 0.0:
        return np.full(values.size, 1.0 / math.sqrt(values.size), np.float32)
    return (values / length).astype(np.float32)
