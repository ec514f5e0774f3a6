"""Detectors of a few operators that really find something: bright patches, class by colour.

The mean brightness of each colour in each 8 × 8 patch is the score of its class (red 0, green 1, blue 2); the places of
the patches are the boxes. Around this core each model answers in the layout of a family.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SIDE, PATCH, STRIDE = 64, 8, 4
PLACES = [(x, y) for y in range(0, SIDE - PATCH + 1, STRIDE) for x in range(0, SIDE - PATCH + 1, STRIDE)]
NAMES = ["red_thing", "green_thing", "blue_thing"]
TYPES: dict[str, str | None] = {"red_thing": "button", "green_thing": "text_input", "blue_thing": None}
SHEET: dict[str, Any] = {"names": NAMES, "types": TYPES, "min_confidence": 0.6}

Build = Callable[[], onnx.ModelProto]


def corners() -> np.ndarray:
    return np.array([[x, y, x + PATCH, y + PATCH] for x, y in PLACES], np.float32)


def centres() -> np.ndarray:
    return np.array([[x + PATCH / 2, y + PATCH / 2, PATCH, PATCH] for x, y in PLACES], np.float32)


class Graph:
    """A graph that grows node by node from the picture; `scores` is [1, places, 3]."""

    def __init__(self, *, dtype: int = TensorProto.FLOAT, size: tuple[Any, Any] = (SIDE, SIDE), batch: Any = 1) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.inputs = [helper.make_tensor_value_info("images", dtype, [batch, 3, size[1], size[0]])]
        picture = "images" if dtype == TensorProto.FLOAT else self.add("Cast", "images", to=TensorProto.FLOAT)
        if dtype == TensorProto.UINT8:
            picture = self.add("Mul", picture, self.constant(np.array([1 / 255], np.float32)))
        pooled = self.add("AveragePool", picture, kernel_shape=[PATCH, PATCH], strides=[STRIDE, STRIDE])
        flat = self.add("Reshape", pooled, self.constant(np.array([1, 3, -1], np.int64)))
        self.scores = self.add("Transpose", flat, perm=[0, 2, 1])

    def constant(self, value: np.ndarray) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(value, name))
        return name

    def add(self, kind: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        output = name or f"value_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def best(self) -> str:
        return self.add("ReduceMax", self.scores, axes=[2], keepdims=1)

    def model(self, *outputs: tuple[str, int], metadata: dict[str, str] | None = None) -> onnx.ModelProto:
        infos = [helper.make_tensor_value_info(name, kind, None) for name, kind in outputs]
        graph = helper.make_graph(self.nodes, "tiny", self.inputs, infos, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
        helper.set_model_props(model, metadata or {})
        return model


FLOAT, INT = TensorProto.FLOAT, TensorProto.INT64


def yolo_v8(**options: Any) -> onnx.ModelProto:
    metadata = options.pop("metadata", None)
    graph = Graph(**options)
    rows = graph.add("Concat", graph.constant(centres()[None]), graph.scores, axis=2)
    return graph.model((graph.add("Transpose", rows, perm=[0, 2, 1], name="output0"), FLOAT), metadata=metadata)


def yolo_v5(objectness: float = 1.0) -> onnx.ModelProto:
    graph = Graph()
    sure = graph.add("Mul", graph.best(), graph.constant(np.array([objectness], np.float32)))
    graph.add("Concat", graph.constant(centres()[None]), sure, graph.scores, axis=2, name="output0")
    return graph.model(("output0", FLOAT))


def end_to_end(classes_shift: float = 0.0) -> onnx.ModelProto:
    graph = Graph()
    number = graph.add("Cast", graph.add("ArgMax", graph.scores, axis=2, keepdims=1), to=FLOAT)
    number = graph.add("Add", number, graph.constant(np.array([classes_shift], np.float32)))
    graph.add("Concat", graph.constant(corners()[None]), graph.best(), number, axis=2, name="output0")
    return graph.model(("output0", FLOAT))


def _logits(graph: Graph) -> str:
    centred = graph.add("Sub", graph.scores, graph.constant(np.array([0.5], np.float32)))
    return graph.add("Mul", centred, graph.constant(np.array([12.0], np.float32)))


def rt_detr() -> onnx.ModelProto:
    """As Transformers export it: logits and boxes, a sigmoid for each class."""
    graph = Graph()
    graph.add("Identity", _logits(graph), name="logits")
    graph.add("Identity", graph.constant(centres()[None] / SIDE), name="pred_boxes")
    return graph.model(("logits", FLOAT), ("pred_boxes", FLOAT))


def detr() -> onnx.ModelProto:
    """The first of them: a softmax with “nothing” as its last class, here always at 0."""
    graph = Graph()
    nothing = graph.constant(np.zeros((1, len(PLACES), 1), np.float32))
    graph.add("Concat", _logits(graph), nothing, axis=2, name="logits")
    graph.add("Identity", graph.constant(centres()[None] / SIDE), name="pred_boxes")
    return graph.model(("logits", FLOAT), ("pred_boxes", FLOAT))


def rf_detr() -> onnx.ModelProto:
    """Boxes first, one score too many, and with three classes both outputs are four wide."""
    graph = Graph()
    graph.add("Identity", graph.constant(centres()[None] / SIDE), name="dets")
    unused = graph.constant(np.full((1, len(PLACES), 1), 9.0, np.float32))
    graph.add("Concat", _logits(graph), unused, axis=2, name="labels")
    return graph.model(("dets", FLOAT), ("labels", FLOAT))


def detr_scored() -> onnx.ModelProto:
    graph = Graph()
    graph.add("Concat", graph.constant(centres()[None] / SIDE), graph.scores, axis=2, name="output0")
    return graph.model(("output0", FLOAT))


def detr_labelled() -> onnx.ModelProto:
    graph = Graph()
    graph.inputs.append(helper.make_tensor_value_info("orig_target_sizes", INT, [1, 2]))
    twice = graph.add("Cast", graph.add("Concat", *["orig_target_sizes"] * 2, axis=1), to=FLOAT)
    graph.add("Mul", graph.constant(corners()[None] / SIDE), twice, name="boxes")
    graph.add("ArgMax", graph.scores, axis=2, keepdims=0, name="labels")
    graph.add("ReduceMax", graph.scores, axes=[2], keepdims=0, name="scores")
    return graph.model(("labels", INT), ("boxes", FLOAT), ("scores", FLOAT))


LAYOUTS: dict[str, tuple[Build, dict[str, Any]]] = {
    "yolo_v8": (yolo_v8, {}),
    "yolo_v5": (yolo_v5, {}),
    "end_to_end": (end_to_end, {}),
    "rt_detr": (rt_detr, {}),
    "detr": (detr, {"scores": "softmax"}),
    "rf_detr": (rf_detr, {"scores": "sigmoid"}),
    "detr_scored": (detr_scored, {}),
    "detr_labelled": (detr_labelled, {}),
}


def save(folder: Path, model: onnx.ModelProto, sheet: dict[str, Any] | None = None, name: str = "tiny") -> Path:
    """The model's file, and its sheet beside it."""
    path = folder / f"{name}.onnx"
    path.write_bytes(model.SerializeToString())
    if sheet is not None:
        path.with_suffix(".json").write_text(json.dumps(sheet), encoding="utf-8")
    return path
