"""Several questions to an X server in one round trip: all are sent before the first answer is waited for.

Most of the time of a question passes on its way; python-xlib can send one without waiting, but its own methods do not.
"""

from __future__ import annotations

from typing import Any

from Xlib import X
from Xlib.ext import shape
from Xlib.protocol import request

_LONGEST_PROPERTY = 1 << 20
"""In units of four bytes."""
_ALL_PLANES = 0xFFFFFFFF


class Asked:
    """A question that is on its way; whatever the server has against it is raised when it is answered."""

    def __init__(self, question: Any) -> None:
        self._question = question

    def answer(self) -> Any:
        """The answer, once."""
        self._question.reply()
        return self._question


def ask_geometry(drawable: Any) -> Asked:
    """Place, size, border and depth."""
    return Asked(request.GetGeometry(display=drawable.display, defer=True, drawable=drawable))


def ask_attributes(window: Any) -> Asked:
    """Whether it is shown, and of which class it is."""
    return Asked(request.GetWindowAttributes(display=window.display, defer=True, window=window))


def ask_place(window: Any, root: Any) -> Asked:
    """Where the corner of a window is on the root."""
    return Asked(
        request.TranslateCoords(
            display=window.display, defer=True, src_wid=window, dst_wid=root, src_x=0, src_y=0,
        )
    )  # fmt: skip


def ask_pointer(root: Any) -> Asked:
    """Where the pointer is."""
    return Asked(request.QueryPointer(display=root.display, defer=True, window=root))


def ask_bounds(window: Any) -> Asked:
    """The rectangles of a window's bounding shape."""
    question = shape.GetRectangles(
        display=window.display,
        defer=True,
        opcode=window.display.get_extension_major(shape.extname),
        window=window,
        source_kind=shape.SK.Bounding,
    )
    return Asked(question)


def ask_image(drawable: Any, x: int, y: int, width: int, height: int) -> Asked:
    """The pixels of a part of it."""
    question = request.GetImage(
        display=drawable.display, defer=True, format=X.ZPixmap, drawable=drawable,
        x=x, y=y, width=width, height=height, plane_mask=_ALL_PLANES,
    )  # fmt: skip
    return Asked(question)


class AskedProperty:
    """A property of a window that is on its way."""

    def __init__(self, window: Any, atom: int) -> None:
        self._question = request.GetProperty(
            display=window.display, defer=True, delete=False, window=window, property=atom, type=X.AnyPropertyType,
            long_offset=0, long_length=_LONGEST_PROPERTY,
        )  # fmt: skip

    def answer(self) -> tuple[int, Any] | None:
        """Its format (bits of an item) and its value, or None where there is no such property."""
        self._question.reply()
        if not self._question.property_type:
            return None
        form, value = self._question.value
        return int(form), value

    def numbers(self) -> list[int]:
        """The numbers it holds; none where there is no such property."""
        found = self.answer()
        return [int(one) for one in found[1]] if found is not None and found[0] == 32 else []

    def text(self) -> bytes | None:
        """The bytes it holds; None where it holds something else."""
        found = self.answer()
        return bytes(found[1]) if found is not None and found[0] == 8 else None
