"""Memory for one screen after the other is asked of the system once."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

_PROGRAM = """
import resource
import sys
import numpy as np
from rpa_vision.adapters.runtime.kept_memory import keep_memory

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

def one_screen():
    packed, pixels, grey = (np.ones(size, np.uint8) for size in (6_220_800, 8_294_400, 2_073_600))

if "keep" in sys.argv:
    keep_memory()
for _ in range(3):
    one_screen()
before = faults()
for _ in range(20):
    one_screen()
print(faults() - before)
"""


def faults(*arguments: str) -> int:
    done = subprocess.run([sys.executable, "-c", _PROGRAM, *arguments], capture_output=True, text=True, check=True)
    return int(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be told to")
def test_the_memory_of_a_screen_serves_the_next_one() -> None:
    """Issue 5: `learn` of five demonstrations in less than five seconds"""
    usual, kept = faults(), faults("keep")
    assert kept < 200, "pages that were new in twenty screens"
    assert kept < usual / 4
