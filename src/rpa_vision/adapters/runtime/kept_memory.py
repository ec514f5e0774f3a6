"""Memory that this process has used once stays with it.

A screen takes eight megabytes. Whoever reads many of them asks for such pieces and lets go of them all the time, and a
C library that gives them back to the system each time gets them again as pages that have to be cleared first: that
costs more than unpacking the picture that goes into them.
"""

from __future__ import annotations

import ctypes
from typing import Final

_TRIM_THRESHOLD: Final = -1
_MMAP_THRESHOLD: Final = -3
"""What glibc's `mallopt` calls them."""
_LARGEST_PIECE: Final = 32 * 1024 * 1024
_KEPT: Final = 256 * 1024 * 1024


def keep_memory() -> None:
    """Hold on to what was freed, up to some tens of screens. Nothing happens where the C library is another one."""
    try:
        set_option = ctypes.CDLL(None).mallopt
    except (OSError, TypeError, AttributeError):
        return
    set_option(_MMAP_THRESHOLD, _LARGEST_PIECE)
    set_option(_TRIM_THRESHOLD, _KEPT)
