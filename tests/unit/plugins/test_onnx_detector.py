"""A detector given as a file: every layout finds what is there, where it is, and every mistake is named."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper
from tiny_detectors import LAYOUTS, NAMES, SHEET, SIDE, TYPES, end_to_end, rt_detr, save, yolo_v5, yolo_v8
from typer.testing import CliRunner

from rpa_vision.adapters.perception.onnx_detector import Fit, OnnxDetector
from rpa_vision.adapters.perception.onnx_file import read_model
from rpa_vision.cli.main import app
from rpa_vision.errors import PluginError
from rpa_vision.imaging.codec import encode_png
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.ports.perception import ElementFinder

RED, GREEN, BLUE = (0, 0, 255), (0, 255, 0), (255, 0, 0)


def screen(width: int, height: int, *patches: tuple[Box, tuple[int, int, int]]) -> Pixels:
    image = np.zeros((height, width, 3), np.uint8)
    for box, colour in patches:
        image[box.y1 : box.y2, box.x1 : box.x2] = colour
    return image


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_finds_what_is_there_with_its_type_and_place(tmp_path: Path, layout: str) -> None:
    """L2-7: red is a button, green a field, blue nothing; of a screen ten times the model's input."""
    build, more = LAYOUTS[layout]
    finder: ElementFinder = OnnxDetector(save(tmp_path, build(), SHEET | more))
    button, field, other = Box(80, 80, 160, 160), Box(480, 320, 560, 400), Box(320, 480, 400, 560)
    found = finder.find(screen(640, 640, (button, RED), (field, GREEN), (other, BLUE)))
    assert {(element.box, element.kind) for element in found} == {(button, "button"), (field, "text_input")}
    assert all(0.9 <= element.confidence <= 1.0 for element in found)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_empty_screen_has_nothing_on_it(tmp_path: Path, layout: str) -> None:
    build, more = LAYOUTS[layout]
    assert OnnxDetector(save(tmp_path, build(), SHEET | more)).find(screen(640, 640)) == []


@pytest.mark.parametrize(
    ("width", "height", "box"),
    [
        (640, 320, Box(80, 80, 160, 160)),  # padded above and below
        (320, 640, Box(80, 480, 160, 560)),  # padded left and right
        (64, 64, Box(8, 8, 16, 16)),
        (2560, 1600, Box(640, 480, 960, 800)),
    ],
)
def test_boxes_are_true_to_the_screen_whatever_its_shape(tmp_path: Path, width: int, height: int, box: Box) -> None:
    """L1-5: padding and scale are undone"""
    found = OnnxDetector(save(tmp_path, yolo_v8(), SHEET)).find(screen(width, height, (box, RED)))
    assert [element.box for element in found] == [box]


def test_models_trained_on_stretched_pictures_get_stretched_ones(tmp_path: Path) -> None:
    box = Box(160, 40, 320, 80)
    found = OnnxDetector(save(tmp_path, rt_detr(), SHEET)).find(screen(1280, 320, (box, GREEN)))
    assert [(element.box, element.kind) for element in found] == [(box, "text_input")]


@given(width=st.integers(2, 5000), height=st.integers(2, 5000))
@settings(max_examples=200)
def test_a_fitted_picture_lies_inside_the_input_and_keeps_its_shape(width: int, height: int) -> None:
    fit = Fit.of((width, height), (640, 384), padded=True)
    assert 0 <= fit.left <= fit.left + fit.width <= 640
    assert 0 <= fit.top <= fit.top + fit.height <= 384
    assert fit.width == 640 or fit.height == 384
    scale = min(640 / width, 384 / height)
    assert abs(fit.width - width * scale) <= 1
    assert abs(fit.height - height * scale) <= 1


def test_of_boxes_on_one_thing_the_surest_stays(tmp_path: Path) -> None:
    """Patches that cover half of the thing are half as bright."""
    image = screen(64, 64, (Box(24, 24, 32, 32), RED))
    many = OnnxDetector(save(tmp_path, yolo_v8(), SHEET | {"min_confidence": 0.3, "max_overlap": 1.0}, "many"))
    one = OnnxDetector(save(tmp_path, yolo_v8(), SHEET | {"min_confidence": 0.3, "max_overlap": 0.3}, "one"))
    assert len(many.find(image)) == 5
    assert [element.box for element in one.find(image)] == [Box(24, 24, 32, 32)]
    assert many.find(image)[0] == one.find(image)[0]


def test_a_box_is_as_sure_as_that_there_is_something_and_what(tmp_path: Path) -> None:
    """YOLO v5: objectness times the score of the class"""
    image = screen(64, 64, (Box(8, 8, 16, 16), RED))
    found = OnnxDetector(save(tmp_path, yolo_v5(objectness=0.7), SHEET)).find(image)
    assert [element.confidence for element in found] == [pytest.approx(0.7, abs=0.01)]


def test_things_of_two_types_in_one_place_both_stay(tmp_path: Path) -> None:
    """An icon inside a button: only boxes of one type are rivals."""
    sheet = SHEET | {"types": TYPES | {"blue_thing": "icon"}, "max_overlap": 0.1}
    image = screen(
        64, 64, (Box(24, 24, 32, 32), RED), (Box(32, 24, 36, 32), BLUE), (Box(28, 24, 32, 32), (255, 0, 255))
    )
    found = OnnxDetector(save(tmp_path, yolo_v8(), sheet)).find(image)
    assert {(element.kind, element.box) for element in found} == {
        ("icon", Box(28, 24, 36, 32)),
        ("button", Box(24, 24, 32, 32)),
    }


def test_the_same_pixels_give_the_same_answer_in_the_same_order(tmp_path: Path) -> None:
    image = np.random.default_rng(7).integers(0, 256, (600, 900, 3), np.uint8)
    path = save(tmp_path, yolo_v8(), SHEET | {"min_confidence": 0.1, "max_overlap": 0.9})
    first = OnnxDetector(path).find(image)
    assert len(first) > 50
    assert first == OnnxDetector(path).find(image.copy())
    assert [element.confidence for element in first] == sorted((e.confidence for e in first), reverse=True)


def test_any_picture_gives_boxes_inside_it(tmp_path: Path) -> None:
    finder = OnnxDetector(save(tmp_path, yolo_v8(), SHEET | {"min_confidence": 0.0}))
    for width, height in ((1, 1), (2, 2), (3, 700), (700, 3), (65, 64)):
        image = np.full((height, width, 4), 255, np.uint8)
        for element in finder.find(image):
            assert Box(0, 0, width, height).encloses(element.box)
            assert element.box.area > 0


def test_no_more_is_found_than_is_asked_for(tmp_path: Path) -> None:
    finder = OnnxDetector(save(tmp_path, yolo_v8(), SHEET | {"min_confidence": 0.0, "max_found": 7}))
    assert len(finder.find(screen(64, 64, (Box(0, 0, 64, 64), RED)))) == 7


def test_the_name_changes_with_the_file_and_with_the_sheet(tmp_path: Path) -> None:
    """It is part of every cache key."""
    names = [
        OnnxDetector(save(tmp_path, build(), sheet, "Mon détecteur")).name
        for build, sheet in ((yolo_v8, SHEET), (yolo_v5, SHEET), (yolo_v8, SHEET | {"min_confidence": 0.7}))
    ]
    assert len(set(names)) == 3
    assert all(name.startswith("onnx-mon_detecteur-") for name in names)
    assert OnnxDetector(save(tmp_path, yolo_v8(), SHEET, "Mon détecteur")).name == names[0]


def test_names_and_size_are_taken_from_the_model_where_it_tells_them(tmp_path: Path) -> None:
    """As Ultralytics writes them."""
    metadata = {"names": str(dict(enumerate(NAMES))), "imgsz": "[64, 64]"}
    model = yolo_v8(size=("width", "height"), batch="batch", metadata=metadata)
    finder = OnnxDetector(save(tmp_path, model, {"types": TYPES, "min_confidence": 0.6}))
    assert [element.kind for element in finder.find(screen(640, 640, (Box(80, 80, 160, 160), RED)))] == ["button"]
    assert finder.types == ("button", "text_input")


def test_half_precision_and_bytes_are_given_as_the_model_wants_them(tmp_path: Path) -> None:
    image = screen(64, 64, (Box(8, 8, 16, 16), GREEN))
    half = OnnxDetector(save(tmp_path, yolo_v8(dtype=TensorProto.FLOAT16), SHEET, "half"))
    assert [element.kind for element in half.find(image)] == ["text_input"]
    whole = OnnxDetector(save(tmp_path, yolo_v8(dtype=TensorProto.UINT8), SHEET | {"normalise": "none"}, "bytes"))
    assert [element.confidence for element in whole.find(image)] == [1.0]


def test_a_sheet_in_yaml_elsewhere_does_as_well(tmp_path: Path) -> None:
    path = save(tmp_path, yolo_v8())
    sheet = tmp_path / "elsewhere.yaml"
    sheet.write_text("names: [button, rouge, label]\ntypes: {rouge: null}\nmin_confidence: 0.6\n", encoding="utf-8")
    found = OnnxDetector(path, sheet).find(screen(64, 64, (Box(8, 8, 16, 16), RED)))
    assert [element.kind for element in found] == ["button"]


def wrong(path: Path, model: Any, sheet: dict[str, Any] | None) -> PluginError:
    with pytest.raises(PluginError) as raised:
        OnnxDetector(save(path, model, sheet))
    assert raised.value.remedy
    assert "\n" not in str(raised.value)
    return raised.value


SHEET_MISTAKES = {
    "unknown type": ({"types": TYPES | {"red_thing": "buton"}}, "no element type 'buton'; did you mean 'button'"),
    "unmapped class": ({"types": {}}, "the class 'red_thing' has no element type (nor have 2 others)"),
    "class that is not there": ({"types": TYPES | {"Bouton": "button"}}, "types names 'Bouton'"),
    "too few names": ({"names": NAMES[:2], "types": {name: TYPES[name] for name in NAMES[:2]}}, "are of no layout"),
    "other layout": ({"layout": "yolo_v5"}, "are not of the layout 'yolo_v5'"),
    "no such layout": ({"layout": "yolo_v99"}, "layout"),
    "name twice": ({"names": ["red_thing"] * 3}, "names: a class is named twice"),
    "unknown key": ({"nms": 0.5}, "nms"),
    "other size": ({"input_size": [32, 32]}, "takes pictures of 64×64, its sheet says [32, 32]"),
    "other file": ({"sha256": "0" * 64}, "wrong checksum"),
    "threshold": ({"min_confidence": 2}, "min_confidence"),
    "no number": ({"min_confidence": float("nan")}, "min_confidence"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "said"), SHEET_MISTAKES.values(), ids=SHEET_MISTAKES)
def test_a_mistake_in_the_sheet_is_named(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    assert said in str(wrong(tmp_path, yolo_v8(), SHEET | change))


def test_without_names_there_is_no_guessing(tmp_path: Path) -> None:
    assert "there is no sheet beside it" in str(wrong(tmp_path, yolo_v8(), None))
    assert "has no `names`" in str(wrong(tmp_path, yolo_v8(), {"types": {}}))


def test_shapes_that_can_be_read_in_two_ways_are_not_guessed(tmp_path: Path) -> None:
    """One class: [1, N, 6] is YOLO v5 as well as end to end. One would turn scores into coordinates."""
    error = wrong(tmp_path, end_to_end(), {"names": ["button"]})
    assert "could be yolo_v5 or end_to_end" in str(error)
    assert "layout" in error.remedy
    finder = OnnxDetector(
        save(tmp_path, end_to_end(), {"names": ["button"], "layout": "end_to_end", "min_confidence": 0.6})
    )
    assert [e.box for e in finder.find(screen(64, 64, (Box(8, 8, 16, 16), RED)))] == [Box(8, 8, 16, 16)]


def test_a_detr_with_one_score_more_than_classes_must_say_what_it_means(tmp_path: Path) -> None:
    build, _ = LAYOUTS["detr"]
    assert "softmax" in wrong(tmp_path, build(), SHEET).remedy


def test_a_class_nobody_named_is_an_error_not_a_guess(tmp_path: Path) -> None:
    finder = OnnxDetector(save(tmp_path, end_to_end(classes_shift=5.0), SHEET))
    with pytest.raises(PluginError, match="answered with class 5, but 3 are named"):
        finder.find(screen(64, 64, (Box(8, 8, 16, 16), RED)))


def test_numbers_that_are_none_are_left_out(tmp_path: Path) -> None:
    model = yolo_v8()
    for constant in model.graph.initializer:
        values = onnx.numpy_helper.to_array(constant)
        if values.dtype == np.float32:
            broken = values.copy()
            broken[0, 0, :] = np.nan
            broken[0, 1, 2] = np.inf
            constant.CopyFrom(onnx.numpy_helper.from_array(broken, constant.name))
    finder = OnnxDetector(save(tmp_path, model, SHEET | {"min_confidence": 0.9, "max_overlap": 1.0}))
    assert len(finder.find(screen(64, 64, (Box(0, 0, 64, 64), RED)))) == 225 - 2


def test_a_file_that_is_not_there_or_not_onnx_is_named(tmp_path: Path) -> None:
    for path, said in ((tmp_path / "missing.onnx", "no such file"), (tmp_path, "is a folder")):
        with pytest.raises(PluginError, match=said):
            OnnxDetector(path)
    for number, data in enumerate((b"", b"hello", b"PK\x03\x04" + bytes(100), b"\x80\x02}q\x00.", bytes(1000))):
        path = tmp_path / f"{number}.onnx"
        path.write_bytes(data)
        with pytest.raises(PluginError, match="is not an ONNX file"):
            OnnxDetector(path)


def test_a_file_that_was_cut_short_is_refused(tmp_path: Path) -> None:
    path = save(tmp_path, yolo_v8(), SHEET)
    data = path.read_bytes()
    for length in range(1, len(data), max(1, len(data) // 60)):
        path.write_bytes(data[:length])
        with pytest.raises(PluginError):
            OnnxDetector(path)


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.onnx"
    with path.open("wb") as file:
        file.truncate(3_000_000_000)  # a hole, not three gigabytes
    with pytest.raises(PluginError, match="3,000,000,000 bytes; at most 536,870,912"):
        read_model(path)


def test_a_model_that_points_at_other_files_is_refused(tmp_path: Path) -> None:
    """By such a pointer a model could read anything on the disk."""
    model = yolo_v8()
    path = tmp_path / "outside.onnx"
    onnx.save_model(model, str(path), save_as_external_data=True, location="secret.bin", size_threshold=0)
    with pytest.raises(PluginError, match="keeps its weights in another file"):
        OnnxDetector(path)


def test_a_pointer_deep_inside_a_branch_is_found_as_well(tmp_path: Path) -> None:
    tensor = onnx.numpy_helper.from_array(np.zeros(4, np.float32), "hidden")
    tensor.data_location = TensorProto.EXTERNAL
    entry = tensor.external_data.add()
    entry.key, entry.value = "location", "../../etc/passwd"
    branch = helper.make_graph([helper.make_node("Constant", [], ["y"], value=tensor)], "branch", [], [])
    model = yolo_v8()
    model.graph.node.append(helper.make_node("If", ["c"], ["z"], then_branch=branch, else_branch=branch))
    with pytest.raises(PluginError, match="keeps its weights in another file"):
        OnnxDetector(save(tmp_path, model, SHEET))


def test_operators_of_libraries_are_refused(tmp_path: Path) -> None:
    """A file can never run code: no library of operators is ever loaded."""
    model = yolo_v8()
    model.opset_import.append(helper.make_opsetid("my.library", 1))
    assert "operators of 'my.library'" in str(wrong(tmp_path, model, SHEET))
    model = yolo_v8()
    model.graph.node[0].domain = "undeclared"
    assert "cannot be loaded" in str(wrong(tmp_path, model, SHEET))


def test_inputs_that_are_no_pictures_are_named(tmp_path: Path) -> None:
    for shape in ([4, 3, SIDE, SIDE], [1, SIDE, SIDE, 3], [1, 1, SIDE, SIDE], [3, SIDE, SIDE]):
        ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in ("images", "output0")]
        nodes = [helper.make_node("Identity", ["images"], ["output0"])]
        graph = helper.make_graph(nodes, "echo", ends[:1], ends[1:])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
        assert "[1, 3, height, width]" in str(wrong(tmp_path, model, SHEET))
    assert "takes pictures of any size" in str(wrong(tmp_path, yolo_v8(size=("w", "h")), SHEET))
    assert "tensor(uint8)" in str(wrong(tmp_path, yolo_v8(dtype=TensorProto.UINT8), SHEET))
    model = yolo_v8()
    model.graph.input.append(helper.make_tensor_value_info("pixel_mask", TensorProto.INT64, [1, SIDE, SIDE]))
    assert "asks for more than a picture: pixel_mask" in str(wrong(tmp_path, model, SHEET))


def test_a_file_changed_behind_its_checksum_is_noticed(tmp_path: Path) -> None:
    path = save(tmp_path, yolo_v8())
    sheet = SHEET | {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    assert OnnxDetector(save(tmp_path, yolo_v8(), sheet)).layout == "yolo_v8"
    assert "wrong checksum" in str(wrong(tmp_path, yolo_v5(), sheet))


def test_a_picture_the_detector_fails_on_ends_no_batch(tmp_path: Path) -> None:
    """L1-5"""
    detector = save(tmp_path, end_to_end(classes_shift=5.0), SHEET)
    pictures = []
    for name, colour in (("black", 0), ("white", 255), ("again", 0)):
        pictures.append(tmp_path / f"{name}.png")
        pictures[-1].write_bytes(encode_png(np.full((64, 64, 3), colour, np.uint8)))
    ended = CliRunner(env={"RPA_VISION_DETECTOR": str(detector)}).invoke(
        app, ["detect", "--json", *(str(picture) for picture in pictures)]
    )
    told = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [answer.get("error", {}).get("code") for answer in told] == [None, "plugin.unusable", None]
    assert {"text_lines", "regions_of_interest"} <= told[0].keys()
    assert ended.exit_code == 1
