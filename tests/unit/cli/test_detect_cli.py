"""`rpa-vision detect` on pictures of every kind: something is told or a clear error is, and nothing breaks."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from command_line import rpa_vision


def page(width: int = 640, height: int = 400) -> np.ndarray:
    image = np.full((height, width, 3), 250, np.uint8)
    cv2.rectangle(image, (40, 60), (180, 100), (168, 90, 30), -1)
    cv2.putText(image, "Valider", (70, 86), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255, 255, 255), 1, cv2.LINE_AA)
    cv2.putText(image, "Nom", (40, 160), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (30, 30, 30), 1, cv2.LINE_AA)
    cv2.rectangle(image, (120, 136), (420, 172), (140, 140, 140), 1)
    return image


def bytes_of(extension: str, image: np.ndarray) -> bytes:
    done, data = cv2.imencode(extension, image)
    assert done
    return data.tobytes()


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def animated(image: np.ndarray) -> bytes:
    """A PNG with two frames."""
    png = bytes_of(".png", image)
    first, size = png.index(b"IDAT") - 4, image.shape
    frame = struct.pack(">IIIIIHHBB", 0, size[1], size[0], 0, 0, 1, 10, 0, 0)
    control = chunk(b"acTL", struct.pack(">II", 2, 0)) + chunk(b"fcTL", frame)
    body = zlib.compress(b"".join(b"\0" + bytes(3 * size[1]) for _ in range(size[0])))
    second = chunk(b"fcTL", struct.pack(">IIIIIHHBB", 1, size[1], size[0], 0, 0, 1, 10, 0, 0))
    second += chunk(b"fdAT", struct.pack(">I", 2) + body)
    end = png.index(b"IEND") - 4
    return png[:first] + control + png[first:end] + second + png[end:]


def wide_png(width: int, height: int) -> bytes:
    """A picture of that size that takes no room in the file."""
    row = b"\0" + bytes(width)
    packer = zlib.compressobj(9)
    body = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.fixture(scope="module")
def told(tmp_path_factory) -> dict[str, dict[str, object]]:
    """What is said of each picture, by name; all in one go, for models are loaded once."""
    image = page()
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    clear = np.dstack([image, np.full(image.shape[:2], 255, np.uint8)])
    clear[300:, :, 3] = 0
    whole = bytes_of(".png", image)
    pictures = {
        "plain.png": whole, "again.png": whole, "plain.jpg": bytes_of(".jpg", image),
        "plain.webp": bytes_of(".webp", image), "grey.png": bytes_of(".png", grey),
        "alpha.png": bytes_of(".png", clear),
        "animated.png": animated(image),
        "blank.png": bytes_of(".png", np.full((600, 800, 3), 255, np.uint8)),
        "dot.png": bytes_of(".png", np.full((1, 1, 3), 9, np.uint8)),
        "line.png": bytes_of(".png", np.full((1, 3000, 3), 9, np.uint8)),
        "rotated.png": bytes_of(".png", np.ascontiguousarray(np.rot90(image))),
        "noise.png": bytes_of(".png", np.random.default_rng(1).integers(0, 255, (300, 400, 3), np.uint8)),
        "huge.png": wide_png(10_000, 10_000), "corrupt.png": whole[:200] + b"\0\0\0\0" + whole[204:],
        "cut.png": whole[: len(whole) // 2], "moving.gif": b"GIF89a" + bytes(40),
    }  # fmt: skip
    folder: Path = tmp_path_factory.mktemp("pictures")
    for name, data in pictures.items():
        (folder / name).write_bytes(data)
    ended = rpa_vision("detect", *(folder / name for name in pictures), "--json", "--overlay", folder / "out",
                       "--embeddings", folder / "data")  # fmt: skip
    assert ended.code == 1, ended.err
    answers = [json.loads(line) for line in ended.out.splitlines()]
    assert len(answers) == len(pictures)
    drawn = {path.name for path in (folder / "out").iterdir()}
    assert len(drawn) == sum("error" not in answer for answer in answers)
    return {Path(str(answer["image"])).name: {**answer, "data": folder / "data"} for answer in answers}


def names(answer) -> set[tuple[str, str]]:
    return {(element["type"], element["label"]) for element in answer["elements"]}


@pytest.mark.parametrize("name", ["plain.png", "plain.webp", "grey.png", "alpha.png", "animated.png"])
def test_a_screen_is_understood_whatever_file_it_comes_in(told, name):
    """L1-5 L2-1"""
    assert {("button", "Valider"), ("text_input", "Nom")} <= names(told[name])


@pytest.mark.parametrize("name", ["blank.png", "dot.png", "line.png"])
def test_an_empty_picture_holds_nothing(told, name):
    assert told[name]["elements"] == []
    assert told[name]["summary"]["anomalies"] == ["no element recognised"]


@pytest.mark.parametrize("name", ["rotated.png", "noise.png", "plain.jpg"])
def test_odd_pictures_break_nothing(told, name):
    assert "elements" in told[name]


@pytest.mark.parametrize("name", ["huge.png", "corrupt.png", "cut.png", "moving.gif"])
def test_what_cannot_be_read_is_refused_with_cause_and_remedy(told, name):
    error = told[name]["error"]
    assert error["code"] == "image.invalid"
    assert name in error["message"]
    assert error["remedy"]


def test_the_same_pixels_are_told_the_same(told):
    """L2-2"""
    first, again = told["plain.png"], told["again.png"]
    assert first["elements"] == again["elements"]
    assert first["layout_signature"] == again["layout_signature"]


def test_elements_name_the_vectors_of_their_picture_and_words(told):
    """L2-3"""
    answer = told["plain.png"]
    (button,) = [element for element in answer["elements"] if element["label"] == "Valider"]
    for kind in ("image", "text"):
        named = button["embeddings"][kind]
        vector = np.load(answer["data"] / named["vector_id"])
        assert vector.shape == (named["dimensions"],) == (named["space"]["dimensions"],)
    assert button["embeddings"]["image"]["space"]["id"] != button["embeddings"]["text"]["space"]["id"]


def test_every_stage_is_timed(told):
    assert {"decode", "detect", "total", "find_boxes", "find_lines", "read_lines", "detect_elements"} <= set(
        told["plain.png"]["timing_ms"]
    )
    assert told["plain.png"]["groups"][0]["kind"] == "form"
