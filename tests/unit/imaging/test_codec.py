"""Pictures as bytes."""

from __future__ import annotations

import struct
import zlib

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from rpa_vision.errors import ImageError
from rpa_vision.imaging.codec import decode, encode_png, picture_size

PICTURES = arrays.arrays(np.uint8, st.tuples(st.integers(1, 24), st.integers(1, 24), st.just(4)))


def encoded(extension: str, picture: np.ndarray, *options: int) -> bytes:
    done, data = cv2.imencode(extension, picture, list(options))
    assert done
    return data.tobytes()


def gradient(width: int = 60, height: int = 40) -> np.ndarray:
    picture = np.zeros((height, width, 3), np.uint8)
    picture[:, :, 0] = np.linspace(0, 255, width, dtype=np.uint8)
    picture[:, :, 1] = np.linspace(0, 255, height, dtype=np.uint8)[:, None]
    return picture


@given(PICTURES)
def test_png_keeps_every_colour_and_forgets_the_unused_byte(pixels):
    """L0-1"""
    back = decode(encode_png(pixels))
    assert back.dtype == np.uint8
    assert np.array_equal(back[:, :, :3], pixels[:, :, :3])
    assert (back[:, :, 3] == 255).all()


def test_one_pixel_is_a_picture():
    assert decode(encode_png(np.full((1, 1, 4), 7, np.uint8)))[0, 0].tolist() == [7, 7, 7, 255]


def test_read_only_frames_can_be_encoded():
    pixels = np.full((4, 4, 4), 9, np.uint8)
    pixels.flags.writeable = False
    assert picture_size(encode_png(pixels)) == (4, 4)


def test_grey_pictures_become_coloured_ones():
    grey = np.arange(60, dtype=np.uint8).reshape(6, 10)
    assert np.array_equal(decode(encoded(".png", grey))[:, :, 1], grey)


def test_transparent_pixels_are_laid_on_white():
    picture = np.zeros((1, 3, 4), np.uint8)
    picture[0, :, 3] = (0, 128, 255)
    assert decode(encoded(".png", picture))[0, :, 0].tolist() == [255, 127, 0]


def test_sixteen_bits_become_eight():
    picture = np.array([[[0, 257 * 100, 65535]]], np.uint16)
    assert decode(encoded(".png", picture))[0, 0].tolist() == [0, 100, 255, 255]


def test_palette_pictures_are_read():
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 1, 8, 3, 0, 0, 0))
    palette = chunk(b"PLTE", bytes([255, 0, 0, 0, 0, 255]))
    data = chunk(b"IDAT", zlib.compress(b"\0\0\1"))
    png = b"\x89PNG\r\n\x1a\n" + header + palette + data + chunk(b"IEND", b"")
    assert decode(png)[0].tolist() == [[0, 0, 255, 255], [255, 0, 0, 255]]


@pytest.mark.parametrize("extension", [".jpg", ".webp"])
def test_lossy_pictures_are_read(extension):
    back = decode(encoded(extension, gradient()))
    assert back.shape == (40, 60, 4)
    assert np.abs(back[:, :, :3].astype(int) - gradient()).mean() < 8


def test_lossless_webp_is_exact():
    data = encoded(".webp", gradient(), cv2.IMWRITE_WEBP_QUALITY, 101)
    assert np.array_equal(decode(data)[:, :, :3], gradient())


@pytest.mark.parametrize("extension", [".png", ".jpg", ".webp"])
@pytest.mark.parametrize("kept", [0.0, 0.02, 0.1, 0.5, 0.9, 0.99])
def test_a_picture_that_was_cut_short_is_refused(extension, kept):
    data = encoded(extension, gradient(300, 200))
    with pytest.raises(ImageError):
        decode(data[: int(len(data) * kept)])


def test_a_damaged_png_is_refused():
    data = bytearray(encode_png(np.full((40, 40, 4), 3, np.uint8)))
    data[len(data) // 2] ^= 0xFF
    with pytest.raises(ImageError, match="damaged"):
        decode(bytes(data))


@pytest.mark.parametrize(
    "data", [b"", b"GIF89a....", b"hello", b"\xff\xd8\xff\xd9", b"\x89PNG\r\n\x1a\n", b"RIFF0000WEBP"]
)
def test_what_is_no_picture_is_refused(data):
    with pytest.raises(ImageError) as caught:
        decode(data)
    assert caught.value.remedy


@given(st.binary(max_size=200), st.sampled_from([b"\x89PNG\r\n\x1a\n", b"\xff\xd8", b"RIFF\x10\0\0\0WEBPVP8L", b""]))
@settings(max_examples=200)
def test_noise_is_refused_and_never_crashes(noise, beginning):
    with pytest.raises(ImageError):
        decode(beginning + noise)


def test_a_huge_picture_is_refused_before_it_is_decoded():
    """A PNG of a few bytes may claim to be 30 000 pixels wide."""
    data = bytearray(encode_png(np.zeros((1, 1, 4), np.uint8)))
    data[16:24] = struct.pack(">II", 30_000, 30_000)
    data[29:33] = struct.pack(">I", zlib.crc32(bytes(data[12:29])))
    with pytest.raises(ImageError, match="30000×30000"):
        decode(bytes(data))


def test_too_many_bytes_are_refused():
    with pytest.raises(ImageError, match="bytes"):
        decode(b"x" * 101, max_bytes=100)


def about_turning(turn: int, order: str = ">") -> bytes:
    tiff = (b"MM" if order == ">" else b"II") + struct.pack(f"{order}HIHHHIHH", 42, 8, 1, 0x0112, 3, 1, turn, 0)
    return tiff + b"\0\0\0\0"


def with_orientation(jpeg: bytes, turn: int, order: str = ">") -> bytes:
    exif = b"Exif\0\0" + about_turning(turn, order)
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


@pytest.mark.parametrize(
    ("turn", "corner"),
    [(1, (0, 0)), (2, (0, -1)), (3, (-1, -1)), (4, (-1, 0)), (5, (0, 0)), (6, (0, -1)), (7, (-1, -1)), (8, (-1, 0))],
)
@pytest.mark.parametrize("order", ["<", ">"])
def test_a_rotated_photograph_is_put_upright(turn, corner, order):
    picture = np.full((40, 60, 3), 255, np.uint8)
    picture[:16, :16] = 0
    upright = decode(with_orientation(encoded(".jpg", picture, cv2.IMWRITE_JPEG_QUALITY, 100), turn, order))
    assert upright.shape[:2] == ((40, 60) if turn < 5 else (60, 40))
    dark = {place for place in ((0, 0), (0, -1), (-1, 0), (-1, -1)) if upright[place][0] < 40}
    assert dark == {corner}


@given(junk=st.binary(max_size=80))
@settings(max_examples=40)
def test_nonsense_about_the_orientation_is_ignored(junk):
    jpeg = encoded(".jpg", gradient())
    wrong = jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(junk) + 8) + b"Exif\0\0" + junk + jpeg[2:]
    assert decode(wrong).shape[:2] in ((40, 60), (60, 40))


def test_png_and_webp_are_put_upright_too():
    picture = np.full((40, 60, 3), 255, np.uint8)
    exif = about_turning(6)
    png = encoded(".png", picture)
    chunk = b"eXIf" + exif
    turned_png = png[:33] + struct.pack(">I", len(exif)) + chunk + struct.pack(">I", zlib.crc32(chunk)) + png[33:]
    webp = encoded(".webp", picture)
    size = struct.pack("<BBBB", 8, 0, 0, 0) + (59).to_bytes(3, "little") + (39).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<I", 10) + size + webp[12:] + b"EXIF" + struct.pack("<I", len(exif)) + exif
    turned_webp = b"RIFF" + struct.pack("<I", len(body)) + body
    assert decode(turned_png).shape[:2] == (60, 40)
    assert decode(turned_webp).shape[:2] == (60, 40)


@pytest.mark.parametrize("settings", [(), (cv2.IMWRITE_JPEG_PROGRESSIVE, 1), (cv2.IMWRITE_JPEG_RST_INTERVAL, 1)])
def test_what_stands_behind_the_end_of_a_jpeg_does_not_matter(settings):
    whole = encoded(".jpg", gradient(), *settings)
    assert decode(whole + b"\r\n sent by a program").shape == decode(whole).shape
    with pytest.raises(ImageError, match=r"cut short|damaged"):
        decode(whole[:-2] + b" no end")
