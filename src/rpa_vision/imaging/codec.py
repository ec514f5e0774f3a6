"""Pictures as bytes, and bytes as pictures.

Reading is strict: the size is checked before anything is decoded, and a file that was cut short is refused rather than
shown half grey. A PNG is held against its checksums; JPEG and WebP have none, so of bytes that were changed within them
only what the decoder cannot make sense of is noticed. Whatever the file holds (grey, palette, alpha, 16 bit), the
result is what a person would see of it, upright, in the house's pixel layout.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.errors import ImageError
from rpa_vision.imaging.colour import colours
from rpa_vision.models.frame import Pixels

MAX_BYTES = 128 * 1024 * 1024
MAX_PIXELS = 64 * 1024 * 1024
MAX_SIDE_PX = 32_767

_AGAIN = "The end of the file is missing: copy or download it again, or take the picture again."
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_JPEG_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_SCAN, _JPEG_END = 0xDA, 0xD9
_EXIF = b"Exif\0\0"
_JPEG_BARE_MARKERS = frozenset({0x01, *range(0xD0, 0xD9)})


_TURNS: dict[int, Callable[[Pixels], Pixels]] = {
    2: lambda p: p[:, ::-1],
    3: lambda p: p[::-1, ::-1],
    4: lambda p: p[::-1],
    5: lambda p: p.transpose(1, 0, 2),
    6: lambda p: p[::-1].transpose(1, 0, 2),
    7: lambda p: p[::-1, ::-1].transpose(1, 0, 2),
    8: lambda p: p.transpose(1, 0, 2)[::-1],
}
"""How a picture is put upright, by the orientation a camera or phone wrote into it."""
_ORIENTATION_TAG = 0x0112


def encode_png(pixels: Pixels, *, level: int = 1) -> bytes:
    """Write a lossless PNG. The unused fourth byte is left out: as alpha it would make a screen transparent.

    Screens are flat: without filters they are written in a third of the time, and are hardly larger.
    """
    settings = [cv2.IMWRITE_PNG_COMPRESSION, level, cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_NONE]
    done, data = cv2.imencode(".png", colours(pixels), settings)
    if not done:
        raise ImageError(f"a picture of {pixels.shape[1]}×{pixels.shape[0]} pixels cannot be written as PNG")
    return data.tobytes()


def decode(data: bytes, *, max_bytes: int = MAX_BYTES, max_pixels: int = MAX_PIXELS) -> Pixels:
    """Read a PNG, JPEG or WebP picture, or say what is wrong with it."""
    if len(data) > max_bytes:
        raise ImageError(f"the picture has {len(data):,} bytes; at most {max_bytes:,} are read")
    width, height = picture_size(data)
    if width * height > max_pixels or max(width, height) > MAX_SIDE_PX:
        raise ImageError(
            f"the picture is {width}×{height}; at most {max_pixels:,} pixels are read",
            remedy="Give a part of it, or the picture at a smaller size.",
        )
    try:
        raw = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error as error:
        raise ImageError("the picture is damaged and cannot be decoded") from error
    if raw is None:
        raise ImageError("the picture is damaged and cannot be decoded")
    if raw.shape[:2] != (height, width):
        raise ImageError(f"the picture says it is {width}×{height} but holds {raw.shape[1]}×{raw.shape[0]}")
    pixels = _as_screen(raw)
    turn = _TURNS.get(_orientation(data))
    return np.ascontiguousarray(turn(pixels)) if turn is not None else pixels


def picture_size(data: bytes) -> tuple[int, int]:
    """Give width and height from the header alone, having checked that the file is whole."""
    try:
        if data.startswith(_PNG_SIGNATURE):
            size = _png_size(data)
        elif data.startswith(b"\xff\xd8"):
            size = _jpeg_size(data)
        elif data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            size = _webp_size(data)
        else:
            raise ImageError("this is not a PNG, JPEG or WebP picture" if data else "the picture is empty")
    except (struct.error, IndexError) as error:
        raise ImageError("the picture is cut short", remedy=_AGAIN) from error
    if size[0] < 1 or size[1] < 1:
        raise ImageError("the picture has no pixels")
    return size


def _as_screen(raw: NDArray[Any]) -> Pixels:
    if raw.dtype == np.uint16:
        raw = cv2.convertScaleAbs(raw, alpha=1 / 257)
    if raw.dtype != np.uint8:
        raise ImageError(f"pictures with {raw.dtype} samples are not screens")
    if raw.ndim == 2:
        raw = raw[:, :, np.newaxis]
    height, width, channels = raw.shape
    if channels == 3:
        return np.asarray(cv2.cvtColor(raw, cv2.COLOR_BGR2BGRA))  # what nearly all are, ten times as fast
    pixels = np.full((height, width, 4), 255, np.uint8)
    pixels[:, :, :3] = raw[:, :, :3] if channels >= 3 else raw[:, :, :1]
    if channels in (2, 4):
        _lay_on_white(pixels, np.ascontiguousarray(raw[:, :, -1]))
    return pixels


def _lay_on_white(pixels: Pixels, alpha: Pixels) -> None:
    if bool((alpha == 255).all()):
        return
    weight = alpha.astype(np.float32)[:, :, np.newaxis] / 255
    pixels[:, :, :3] = np.round(pixels[:, :, :3] * weight + 255 * (1 - weight)).astype(np.uint8)


def _png_size(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from(">II", data, 16)
    position, kind = len(_PNG_SIGNATURE), b""
    while kind != b"IEND":
        length, kind = struct.unpack_from(">I4s", data, position)
        (checksum,) = struct.unpack_from(">I", data, position + 8 + length)
        if zlib.crc32(memoryview(data)[position + 4 : position + 8 + length]) != checksum:
            raise ImageError("the PNG picture is damaged: a checksum is wrong")
        if position == len(_PNG_SIGNATURE) and kind != b"IHDR":
            raise ImageError("the PNG picture is damaged: it does not begin with its size")
        position += 12 + length
    return width, height


def _jpeg_size(data: bytes) -> tuple[int, int]:
    """From its parts, up to the end it marks: whatever stands behind that is no part of the picture."""
    position, size = 2, (0, 0)
    while True:
        if data[position] != 0xFF:
            raise ImageError("the JPEG picture is damaged: a marker is missing")
        marker = data[position + 1]
        if marker == _JPEG_END:
            return size
        if marker == 0xFF:
            position += 1
        elif marker in _JPEG_BARE_MARKERS:
            position += 2
        else:
            if marker in _JPEG_FRAME_MARKERS:
                height, width = struct.unpack_from(">HH", data, position + 5)
                size = (width, height)
            position += 2 + int(struct.unpack_from(">H", data, position + 2)[0])
            position = _after_scan(data, position) if marker == _JPEG_SCAN else position


def _after_scan(data: bytes, position: int) -> int:
    """Where the next marker stands behind a scan; within one, 0xFF is followed by zero or by the sign of a restart."""
    while True:
        position = data.find(b"\xff", position)
        if position < 0:
            raise ImageError("the JPEG picture is cut short", remedy=_AGAIN)
        if data[position + 1] != 0 and not 0xD0 <= data[position + 1] <= 0xD7:
            return position
        position += 2


def _orientation(data: bytes) -> int:
    """How a picture says it is to be held; 1, upright, where it says nothing or nonsense."""
    try:
        if data.startswith(_PNG_SIGNATURE):
            exif = _png_exif(data)
        elif data.startswith(b"\xff\xd8"):
            exif = _jpeg_exif(data)
        else:
            exif = _webp_exif(data)
        return _tiff_orientation(exif.removeprefix(_EXIF))
    except (struct.error, IndexError):
        return 1


def _jpeg_exif(data: bytes) -> bytes:
    position = 2
    while data[position] == 0xFF and data[position + 1] != _JPEG_SCAN:
        marker = data[position + 1]
        if marker == 0xFF or marker in _JPEG_BARE_MARKERS:
            position += 1 if marker == 0xFF else 2
            continue
        length = int(struct.unpack_from(">H", data, position + 2)[0])
        part = data[position + 4 : position + 2 + length]
        if marker == 0xE1 and part.startswith(_EXIF):
            return part
        position += 2 + length
    return b""


def _png_exif(data: bytes) -> bytes:
    position, kind = len(_PNG_SIGNATURE), b""
    while kind != b"IEND":
        length, kind = struct.unpack_from(">I4s", data, position)
        if kind == b"eXIf":
            return data[position + 8 : position + 8 + length]
        position += 12 + length
    return b""


def _webp_exif(data: bytes) -> bytes:
    position = 12
    while position + 8 <= len(data):
        kind, length = struct.unpack_from("<4sI", data, position)
        if kind == b"EXIF":
            return data[position + 8 : position + 8 + length]
        position += 8 + length + length % 2
    return b""


def _tiff_orientation(tiff: bytes) -> int:
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return 1
    (start,) = struct.unpack_from(f"{order}I", tiff, 4)
    (count,) = struct.unpack_from(f"{order}H", tiff, start)
    for index in range(count):
        tag, kind, _, value = struct.unpack_from(f"{order}HHIH", tiff, start + 2 + 12 * index)
        if tag == _ORIENTATION_TAG and kind == 3:
            return int(value)
    return 1


def _webp_size(data: bytes) -> tuple[int, int]:
    (length,) = struct.unpack_from("<I", data, 4)
    if len(data) < length + 8:
        raise ImageError("the WebP picture is cut short", remedy=_AGAIN)
    kind = data[12:16]
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    raise ImageError("the WebP picture is of an unknown kind")
