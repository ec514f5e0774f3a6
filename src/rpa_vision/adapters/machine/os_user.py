"""Who sits at the machine, as the operating system knows them."""

from __future__ import annotations

import getpass
import os
import sys


def os_user() -> str:
    """The name of the account; a number where it has no name (in a container, say)."""
    if sys.platform != "win32":
        import pwd

        try:
            return pwd.getpwuid(os.getuid()).pw_name
        except KeyError:
            return f"uid-{os.getuid()}"
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
