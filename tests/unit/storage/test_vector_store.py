"""A vector file holds one row of finite float32 of the right length, or is refused before it costs anything."""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.errors import DocumentError, UnknownIdError

VECTOR = np.linspace(-1, 1, 512, dtype=np.float32)
PATH = "embeddings/states/x.npy"


def npy(array: Any, **options: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return buffer.getvalue()


def npz() -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, VECTOR)
    return buffer.getvalue()


def claiming(shape: str) -> bytes:
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header) + 1) + header + b"\n"


def test_a_vector_comes_back_exactly_and_may_be_changed(data: FileDataDirectory):
    data.vectors.save(f"data/{PATH}", VECTOR)
    loaded = data.vectors.load(PATH, dimensions=512)
    assert loaded.dtype == np.float32
    assert np.array_equal(loaded, VECTOR)
    loaded[0] = 0.0


def test_the_file_is_an_ordinary_npy_file(data: FileDataDirectory, root: Path):
    """seed 003: embeddings/*.npy"""
    data.vectors.save(PATH, VECTOR)
    assert np.array_equal(np.load(root / PATH, allow_pickle=False), VECTOR)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (npy(VECTOR[:256]), "dimensions"),
        (npy(VECTOR.astype(np.float64)), "bytes|dtype"),
        (npy(VECTOR.astype(np.float16)), "dtype"),
        (npy(VECTOR.astype(">f4")), "dtype"),
        (npy(VECTOR.reshape(2, 256)), "shape"),
        (npy(np.zeros(4, [("a", "f4")])), "not a vector"),
        (npy(np.float32(1)), "shape"),
        (npy(np.array([{"evil": 1}], dtype=object), allow_pickle=True), "dtype"),
        (npy(np.where(np.arange(512) == 7, np.float32(np.nan), VECTOR)), "finite"),
        (npy(np.where(np.arange(512) == 7, np.float32(np.inf), VECTOR)), "finite"),
        (npy(VECTOR)[:-1], "bytes"),
        (npy(VECTOR) + b"x", "bytes"),
        (npy(VECTOR)[:40], "not a vector"),
        (npz(), "not a vector|bytes"),
        (b"", "not a vector"),
        (b"\x80\x04\x95pickle", "not a vector"),
        (b"\0" * 3000, "not a vector"),
        (b"x" * 100_000_0, "bytes"),
        (claiming("(10000000000000,)"), "shape"),
        (claiming("(-1,)"), "not a vector"),
        (claiming("(0,)"), "shape"),
        (claiming("()"), "shape"),
        (claiming("(" * 200), "not a vector"),
        (claiming("(512.5,)"), "not a vector"),
    ],
)
def test_a_wrong_vector_file_is_named_and_refused(data: FileDataDirectory, root: Path, content: bytes, problem: str):
    """P003-14; issue 2 item 2: wrong vector dimensions"""
    data.vectors.save(PATH, VECTOR)
    (root / PATH).write_bytes(content)
    with pytest.raises(DocumentError, match=rf"^{PATH}: .*({problem})"):
        data.vectors.load(PATH, dimensions=512)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, 140), junk=st.binary(max_size=4))
def test_a_damaged_header_is_read_or_refused_and_nothing_else(data: FileDataDirectory, at: int, junk: bytes):
    data.vectors.save(PATH, VECTOR)
    content = npy(VECTOR)
    data.paths.vector(PATH).write_bytes(content[:at] + junk + content[at + len(junk) :])
    try:
        loaded = data.vectors.load(PATH, dimensions=512)
    except DocumentError:
        return
    assert loaded.shape == (512,)


@pytest.mark.parametrize(
    "vector",
    [VECTOR.astype(np.float64), VECTOR.reshape(2, 256), np.array([np.nan], np.float32), np.zeros(0, np.float32)],
    ids=["float64", "two rows", "NaN", "empty"],
)
def test_a_wrong_vector_is_not_even_kept(data: FileDataDirectory, root: Path, vector: Any):
    with pytest.raises(DocumentError, match=r"x\.npy"):
        data.vectors.save(PATH, vector)
    assert not (root / PATH).exists()


def test_a_vector_nobody_kept_is_unknown(data: FileDataDirectory):
    with pytest.raises(UnknownIdError, match="does not exist"):
        data.vectors.load(PATH, dimensions=512)
    with pytest.raises(UnknownIdError):
        data.pictures.load("workflows/WF_1/targets/x.png")
