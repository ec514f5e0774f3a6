"""Programs that ask for the status so many times a second: `wrk`, held to a rate."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from rpa_vision.errors import EnvironmentMissingError

_CONNECTIONS: Final = 40
_LATENCY_MS: Final = 6
"""What an answer is expected to take; connections wait so much less between two questions, and less when behind."""
_LONGEST_S: Final = 900
_SCRIPT: Final = """
wrk.headers["Authorization"] = "Bearer @TOKEN@"
local calm, asked, began = @CALM@, 0, nil
function delay()
  began = began or os.time()
  asked = asked + 1
  if asked < @RATE@ * (os.time() - began + 1) - @RATE@ / 2 then
    return math.random(math.floor(calm * 0.7), math.floor(calm * 0.9))
  end
  return math.random(calm - 10, calm + 10)
end
function done(summary, latency, requests)
  local e = summary.errors
  io.write(string.format(
    'RESULT {"requests": %d, "duration_s": %.3f, "refused": %d, "broken": %d, "p50_ms": %.3f, "p99_ms": %.3f, ' ..
    '"max_ms": %.3f}\\n', summary.requests, summary.duration / 1e6, e.status, e.connect + e.read + e.write + e.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency.max / 1000))
end
"""


@contextmanager
def inquiries(url: str, token: str, rate: int, folder: Path) -> Iterator[dict[str, Any]]:
    """Ask while inside; the dictionary holds what came of it once outside."""
    wrk = shutil.which("wrk")
    if wrk is None:
        raise EnvironmentMissingError("wrk is not installed", remedy="Run `make bench-serve`, or apt-get install wrk.")
    calm_ms = round(_CONNECTIONS / rate * 1000) - _LATENCY_MS
    script = folder / "status.lua"
    filled = _SCRIPT.replace("@TOKEN@", token).replace("@CALM@", str(calm_ms)).replace("@RATE@", str(rate))
    script.write_text(filled, encoding="utf-8")
    script.chmod(0o600)
    command = ["nice", "-n", "15", wrk, "-t", "1", "-c", str(_CONNECTIONS), "-d", f"{_LONGEST_S}s", "-s", str(script)]
    asking = subprocess.Popen([*command, f"{url}/api/v1/status"], stdout=subprocess.PIPE, text=True)
    told: dict[str, Any] = {}
    try:
        yield told
        asking.send_signal(signal.SIGINT)
        output, _ = asking.communicate(timeout=30)
        told.update(json.loads(output[output.index("RESULT ") + 7 :]))
    finally:
        if asking.poll() is None:
            asking.kill()
            asking.wait()
