"""Whether Windows will let our input through to a window.

Input for a program that runs with more rights than we do (UIPI: "as administrator") is dropped, and SendInput does
not tell: neither its result nor GetLastError does. So the rights of the program are looked at before anything is sent.
"""

from __future__ import annotations

import ctypes

from rpa_vision.adapters.desktop.windows.api import WindowsApi
from rpa_vision.adapters.desktop.windows.structs import DWORD, HANDLE, SID_AND_ATTRIBUTES
from rpa_vision.adapters.desktop.windows.window_context import PROCESS_QUERY_LIMITED_INFORMATION

TOKEN_QUERY = 0x0008
TOKEN_INTEGRITY_LEVEL = 25
ERROR_ACCESS_DENIED = 5
_ROOM = 256


class IntegrityGate:
    """Compares our integrity level with that of the process behind a window."""

    def __init__(self, api: WindowsApi) -> None:
        self._api = api

    def lets_through(self, pid: int) -> bool:
        """Say whether input from us reaches that process; doubt counts as yes, SendInput has the last word."""
        ours = self._level_of_process(self._api.GetCurrentProcess())
        process = self._api.OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, pid) if pid else 0
        if not process:
            return True
        try:
            theirs = self._level_of_process(process)
            if theirs is None:
                # A token we may not even read belongs to somebody above us.
                return self._api.last_error() != ERROR_ACCESS_DENIED
            return ours is None or theirs <= ours
        finally:
            self._api.CloseHandle(process)

    def _level_of_process(self, process: int) -> int | None:
        token = HANDLE()
        if not self._api.OpenProcessToken(process, TOKEN_QUERY, token):
            return None
        try:
            room, needed = ctypes.create_string_buffer(_ROOM), DWORD()
            if not self._api.GetTokenInformation(token.value, TOKEN_INTEGRITY_LEVEL, room, _ROOM, needed):
                return None
            # The level is the last number of the label's SID: 0x2000 for a user, 0x3000 for an administrator.
            sid = SID_AND_ATTRIBUTES.from_buffer(room).Sid
            count = ctypes.c_uint8.from_address(self._api.GetSidSubAuthorityCount(sid)).value
            return int(ctypes.c_uint32.from_address(self._api.GetSidSubAuthority(sid, count - 1)).value)
        finally:
            self._api.CloseHandle(token.value)
