"""Vectors as .npy files: one row of finite float32, nothing else. Nothing in such a file is ever executed."""

from __future__ import annotations

import io
import re

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from rpa_vision.adapters.storage.data_files import DataFiles
from rpa_vision.errors import DocumentError

MAX_DIMENSIONS = 65_536
_MAX_HEADER_BYTES = 4096
_FLOAT32 = np.dtype("<f4")
_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    re.escape(_MAGIC) + rb"(?P<length>..)\{'descr': '(?P<dtype>[^']{1,16})', 'fortran_order': (?:True|False), "
    rb"'shape': \((?P<shape>[\d, ]{0,40})\), \} *\n",
    re.DOTALL,
)

Vector = NDArray[np.float32]


class FileVectorStore:
    """Implements `ports.storage.VectorStore`."""

    def __init__(self, files: DataFiles) -> None:
        self._files = files

    def save(self, vector_id: str, vector: Vector) -> None:
        path = self._files.paths.vector(vector_id)
        _check(vector_id, vector.dtype.str, vector.shape, None)
        _check_finite(vector_id, vector)
        buffer = io.BytesIO()
        npy.write_array(buffer, np.ascontiguousarray(vector, _FLOAT32), version=(1, 0), allow_pickle=False)
        self._files.write(path, buffer.getvalue())

    def load(self, vector_id: str, *, dimensions: int) -> Vector:
        return self.read(vector_id, dimensions)

    def read(self, vector_id: str, dimensions: int | None) -> Vector:
        """Like `load`; without `dimensions` the vector may have any number of them."""
        path = self._files.paths.vector(vector_id)
        limit = (MAX_DIMENSIONS if dimensions is None else dimensions) * _FLOAT32.itemsize + _MAX_HEADER_BYTES
        return _decoded(self._files.read(path, limit=limit), self._files.paths.relative(path), dimensions)


def _decoded(data: bytes, where: str, dimensions: int | None) -> Vector:
    # numpy's own reader evaluates the header and raises what its parser happens to raise; of all it could say, one
    # thing is allowed here. The header alone decides, before any memory is taken for what it claims.
    header = _HEADER.match(data)
    if header is None:
        raise DocumentError(f"{where}: not a vector file")
    shape = tuple(int(number) for number in header["shape"].replace(b",", b" ").split())
    _check(where, header["dtype"].decode("ascii", "replace"), shape, dimensions)
    body = data[len(_MAGIC) + 2 + int.from_bytes(header["length"], "little") :]
    if len(body) != shape[0] * _FLOAT32.itemsize:
        raise DocumentError(f"{where}: {len(body)} bytes of numbers instead of {shape[0] * _FLOAT32.itemsize}")
    vector = np.frombuffer(body, _FLOAT32).astype(np.float32)
    _check_finite(where, vector)
    return vector


def _check(where: str, dtype: str, shape: tuple[int, ...], dimensions: int | None) -> None:
    if dtype != _FLOAT32.str:
        raise DocumentError(f"{where}: dtype: {dtype!r} instead of {_FLOAT32.str!r} (float32)")
    if len(shape) != 1 or not 1 <= shape[0] <= MAX_DIMENSIONS:
        raise DocumentError(f"{where}: shape: {shape} is not one row of numbers")
    if dimensions is not None and shape[0] != dimensions:
        raise DocumentError(f"{where}: dimensions: {shape[0]} instead of {dimensions}")


def _check_finite(where: str, vector: Vector) -> None:
    if not np.isfinite(vector).all():
        raise DocumentError(f"{where}: holds numbers that are not finite")
