"""Kill a child process just before its n-th system call, for any n: nothing can reach a disk in between unseen.

Linux only. The child stops itself under `ptrace`; the parent lets it go from call to call. A killed process runs no
handler, writes no buffer and closes no transaction.
"""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Callable

_TRACEME, _SYSCALL, _SETOPTIONS = 0, 24, 0x4200
_EXITKILL, _TRACESYSGOOD = 0x0010_0000, 0x1
_SYSCALL_STOP = signal.SIGTRAP | 0x80

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_libc.ptrace.restype = ctypes.c_long


def run_until_call(act: Callable[[int], None], calls: int) -> tuple[bytes, bool]:
    """Let a child `act`, kill it before the call of that number, and give what it told and whether it got through.

    `act` is given a file to tell what it was told is done.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reading)
            _ptrace(_TRACEME, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
            act(writing)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    os.waitpid(child, 0)
    _ptrace(_SETOPTIONS, child, _EXITKILL | _TRACESYSGOOD)
    through = _walk(child, calls)
    with os.fdopen(reading, "rb") as pipe:
        return pipe.read(), through


def _walk(child: int, calls: int) -> bool:
    stops, passed_on = 0, 0
    while True:
        _ptrace(_SYSCALL, child, passed_on)
        _, status = os.waitpid(child, 0)
        if not os.WIFSTOPPED(status):
            assert os.WIFEXITED(status), f"the child was ended by signal {os.WTERMSIG(status)}"
            assert os.WEXITSTATUS(status) == 0, "the child failed by itself"
            return True
        passed_on = 0 if os.WSTOPSIG(status) == _SYSCALL_STOP else os.WSTOPSIG(status)
        stops += os.WSTOPSIG(status) == _SYSCALL_STOP
        if stops == 2 * calls + 1:  # each call stops twice: on the way in, and on the way out
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return False


def _ptrace(request: int, pid: int, data: int = 0) -> None:
    if _libc.ptrace(request, pid, None, data) < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"ptrace({request:#x}): {os.strerror(error)}")
