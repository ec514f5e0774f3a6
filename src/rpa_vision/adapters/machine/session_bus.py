"""One call to a service of the desktop over its session bus (D-Bus), without any library: a socket and a few bytes.

Enough for a call whose arguments are strings, numbers and lists of them, and for hearing whether it was taken.
"""

from __future__ import annotations

import os
import re
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

_CALL, _RETURN, _ERROR = 1, 2, 3
_PATH, _INTERFACE, _MEMBER, _REPLY_SERIAL, _DESTINATION, _SIGNATURE = 1, 2, 3, 5, 6, 8
_HEADER_BYTES = 16
_LARGEST_BYTES = 1 << 20
_BUS = "org.freedesktop.DBus"


@dataclass(frozen=True, slots=True)
class BusCall:
    """What is asked of whom. `body` is marshalled as `signature` says."""

    destination: str
    path: str
    interface: str
    member: str
    signature: str = ""
    body: bytes = b""


def bus_address(environment: Mapping[str, str]) -> str | None:
    """The socket of the session's bus: a path, or an abstract name, which begins with a zero; None: there is none."""
    given = environment.get("DBUS_SESSION_BUS_ADDRESS", "")
    for address in given.split(";"):
        found = re.match(r"unix:(?:.*,)?(path|abstract)=([^,]+)", address)
        if found is not None:
            name = unquote(found[2])
            return name if found[1] == "path" else f"\0{name}"
    usual = Path(environment.get("XDG_RUNTIME_DIR") or "/nonexistent") / "bus"
    return str(usual) if not given and usual.exists() else None


def ask(address: str, call: BusCall, *, timeout_s: float) -> bool:
    """Make a call and say whether it was answered. `OSError`: nobody speaks this language there, or not in time."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
        link.settimeout(timeout_s)
        link.connect(address)
        link.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        if not _line(link).startswith(b"OK"):
            return False
        link.sendall(b"BEGIN\r\n")
        link.sendall(message(1, BusCall(_BUS, "/org/freedesktop/DBus", _BUS, "Hello")))
        link.sendall(message(2, call))
        while True:
            kind, answered = _received(link)
            if answered == 2:
                return kind == _RETURN
            if kind == _ERROR:
                return False


def message(serial: int, call: BusCall) -> bytes:
    """A call, as it goes over the wire."""
    texts = [
        (_PATH, "o", call.path),
        (_INTERFACE, "s", call.interface),
        (_MEMBER, "s", call.member),
        (_DESTINATION, "s", call.destination),
    ]
    fields = b""
    for code, kind, value in texts:
        fields = padded(fields, 8) + bytes([code, 1]) + kind.encode() + b"\0" + text(value)
    if call.signature:
        fields = padded(fields, 8) + bytes([_SIGNATURE, 1]) + b"g\0" + signature(call.signature)
    header = struct.pack("<cBBBIII", b"l", _CALL, 0, 1, len(call.body), serial, len(fields))
    return padded(header + fields, 8) + call.body


def text(value: str) -> bytes:
    """A string; it has to begin at a multiple of four."""
    encoded = value.replace("\0", "").encode()
    return struct.pack("<I", len(encoded)) + encoded + b"\0"


def signature(value: str) -> bytes:
    """Types, in their letters."""
    return bytes([len(value)]) + value.encode() + b"\0"


def padded(body: bytes, to: int) -> bytes:
    """With zeros up to the next multiple."""
    return body + b"\0" * (-len(body) % to)


def _received(link: socket.socket) -> tuple[int, int | None]:
    """The kind of the next message, and which of ours it answers."""
    header = _exactly(link, _HEADER_BYTES)
    order = "<" if header[:1] == b"l" else ">"
    body_bytes, _, field_bytes = struct.unpack(f"{order}III", header[4:])
    if body_bytes + field_bytes > _LARGEST_BYTES:
        raise OSError("that is no answer of a session bus")
    fields = _exactly(link, field_bytes + -field_bytes % 8)
    _exactly(link, body_bytes)
    found = re.search(bytes([_REPLY_SERIAL, 1]) + b"u\0(....)", fields, re.DOTALL)
    return header[1], struct.unpack(f"{order}I", found[1])[0] if found is not None else None


def _exactly(link: socket.socket, wanted: int) -> bytes:
    got = b""
    while len(got) < wanted:
        part = link.recv(wanted - len(got))
        if not part:
            raise ConnectionResetError("the session bus hung up")
        got += part
    return got


def _line(link: socket.socket) -> bytes:
    got = b""
    while not got.endswith(b"\n"):
        got += _exactly(link, 1)
    return got
