"""Notifications over the session bus, taken apart by a bus of our own that reads every byte by the D-Bus rules."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rpa_vision.adapters.machine.notifications import DesktopNotifications
from rpa_vision.adapters.machine.session_bus import bus_address

ALIGNED = {"y": 1, "g": 1, "v": 1, "s": 4, "o": 4, "u": 4, "i": 4, "a": 4, "(": 8, "{": 8}


class Reader:
    """Reads values by their signature, from the beginning of a message or a body."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, count: int) -> bytes:
        assert self.at + count <= len(self.data), "the message is cut short"
        part = self.data[self.at : self.at + count]
        self.at += count
        return part

    def align(self, to: int) -> None:
        assert not any(self.take(-self.at % to)), "padding is zeros"

    def value(self, kind: str) -> Any:
        self.align(ALIGNED[kind[0]])
        if kind == "y":
            return self.take(1)[0]
        if kind in ("u", "i"):
            return struct.unpack("<I" if kind == "u" else "<i", self.take(4))[0]
        if kind in ("s", "o", "g"):
            length = self.take(1)[0] if kind == "g" else struct.unpack("<I", self.take(4))[0]
            text = self.take(length).decode()
            assert self.take(1) == b"\0"
            return text
        if kind == "v":
            return self.value(self.value("g"))
        length = struct.unpack("<I", self.take(4))[0]
        self.align(ALIGNED[kind[1]])
        end, items = self.at + length, []
        while self.at < end:
            items.append(self.struct(kind[2:-1]) if kind[1] in "({" else self.value(kind[1:]))
        assert self.at == end
        return items

    def struct(self, kinds: str) -> tuple[Any, ...]:
        self.align(8)
        return tuple(self.value(kind) for kind in kinds)

    def fields(self) -> dict[int, Any]:
        """Those of a header, whose own bytes go before: structs of a number and a value of any type."""
        found = {}
        while self.at < len(self.data):
            number, value = self.struct("yv")
            found[number] = value
        return found


class Bus:
    """A session bus with a service for notifications, or without one."""

    def __init__(self, path: Path, *, has_service: bool = True) -> None:
        self.calls: list[tuple[str, list[Any]]] = []
        self.has_service = has_service
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(str(path))
        self.listening.listen()
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self) -> None:
        while True:
            try:
                link, _ = self.listening.accept()
            except OSError:
                return
            with link, link.makefile("rb") as said:
                assert said.read(1) == b"\0"
                assert said.readline().startswith(b"AUTH EXTERNAL ")
                link.sendall(b"OK 0123456789abcdef\r\n")
                assert said.readline() == b"BEGIN\r\n"
                link.sendall(self.signal())
                while header := said.read(16):
                    self.answer(link, header, said)

    def answer(self, link: socket.socket, header: bytes, said: Any) -> None:
        order, kind, _, version, body_length, serial, field_length = struct.unpack("<cBBBIII", header)
        assert (order, kind, version) == (b"l", 1, 1)
        fields = Reader(said.read(field_length)).fields()
        assert not any(said.read(-field_length % 8))
        reader, arguments = Reader(said.read(body_length)), []
        for one in {"susssasa{sv}i": ["s", "u", "s", "s", "s", "as", "a{sv}", "i"], "": []}[fields.get(8, "")]:
            arguments.append(reader.value(one))
        assert reader.at == body_length
        self.calls.append((f"{fields[2]}.{fields[3]}", arguments))
        taken = fields[3] == "Hello" or self.has_service
        reply = bytes([5, 1]) + b"u\0" + struct.pack("<I", serial)
        link.sendall(struct.pack("<cBBBIII", b"l", 2 if taken else 3, 1, 1, 0, serial, len(reply)) + reply)

    @staticmethod
    def signal() -> bytes:
        """Something nobody asked for, as buses send."""
        return struct.pack("<cBBBIII", b"l", 4, 1, 1, 4, 99, 0) + b"\0\0\0\0"

    def close(self) -> None:
        self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()
        self.thread.join(5.0)


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[Bus]:
    opened = Bus(tmp_path / "bus")
    yield opened
    opened.close()


def test_what_a_run_came_to_is_handed_to_the_desktop(bus: Bus, tmp_path: Path) -> None:
    """UX-5: org.freedesktop.Notifications, with letters of any kind and no markup of ours"""
    desktop = DesktopNotifications({"DBUS_SESSION_BUS_ADDRESS": f"unix:path={tmp_path}/bus,guid=1"})
    assert desktop.tell("Validation facture : success", "all 6 steps « verified », a < b & c", urgent=True) is True
    hello, told = bus.calls
    assert hello == ("org.freedesktop.DBus.Hello", [])
    assert told[0] == "org.freedesktop.Notifications.Notify"
    name, instead, icon, title, words, buttons, hints, lasts = told[1]
    assert (name, instead, icon, buttons, lasts) == ("rpa-vision", 0, "", [], -1)
    assert title == "Validation facture : success"
    assert words == "all 6 steps « verified », a &lt; b &amp; c"
    assert hints == [("urgency", 2)]


@pytest.mark.parametrize("title", ["", "a", "ab", "abc", "abcd", "é" * 40])
def test_every_length_is_aligned(bus: Bus, tmp_path: Path, title: str) -> None:
    """UX-5"""
    desktop = DesktopNotifications({"XDG_RUNTIME_DIR": str(tmp_path)})
    assert desktop.tell(title, "done") is True
    assert bus.calls[1][1][3:5] == [title, "done"]
    assert bus.calls[1][1][6] == [("urgency", 1)]


def test_where_nobody_takes_it_that_is_known(tmp_path: Path) -> None:
    """UX-5: no bus, a bus that is gone, a bus without the service"""
    assert DesktopNotifications({}).tell("Factures", "done") is False
    assert DesktopNotifications({"DBUS_SESSION_BUS_ADDRESS": "disabled:"}).tell("Factures", "done") is False
    nobody = {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={tmp_path}/nobody"}
    assert DesktopNotifications(nobody).tell("Factures", "done") is False
    bare = Bus(tmp_path / "bus", has_service=False)
    assert DesktopNotifications({"XDG_RUNTIME_DIR": str(tmp_path)}).tell("Factures", "done") is False
    bare.close()
    assert [name for name, _ in bare.calls][-1] == "org.freedesktop.Notifications.Notify"


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("unix:path=/run/user/1000/bus", "/run/user/1000/bus"),
        ("unix:abstract=/tmp/dbus-x,guid=ab", "\0/tmp/dbus-x"),
        ("tcp:host=x,port=1;unix:guid=ab,path=/tmp/a%20b", "/tmp/a b"),
        ("disabled:", None),
    ],
)
def test_addresses_of_every_kind_are_read(given: str, address: str | None) -> None:
    """UX-5"""
    assert bus_address({"DBUS_SESSION_BUS_ADDRESS": given}) == address
