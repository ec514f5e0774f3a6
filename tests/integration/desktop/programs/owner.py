"""Owns a virtual desktop until it is killed; says as JSON what it started."""

import json
import os
import sys
import threading

from rpa_vision.adapters.desktop.virtual import VirtualDesktop
from rpa_vision.adapters.desktop.virtual.keeper import MARK_VARIABLE, marked_processes
from rpa_vision.adapters.runtime import SystemClock

with VirtualDesktop(clock=SystemClock(), size=(640, 480)) as desktop:
    desktop.run(["sleep", "1000"])
    desktop.run(["sh", "-c", "setsid sleep 1000 & exit 0"]).wait()
    while len(pids := marked_processes(desktop.env[MARK_VARIABLE])) < 5:
        pass
    sys.stdout.write(json.dumps({"pid": os.getpid(), "pids": pids, "folder": str(desktop.folder)}) + "\n")
    sys.stdout.flush()
    threading.Event().wait()
