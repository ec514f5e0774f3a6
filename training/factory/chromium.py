"""One Chromium that stays open, driven over its debugging protocol: a screen costs a few hundred milliseconds."""

from __future__ import annotations

import base64
import functools
import http.server
import json
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

import websocket

from factory.page_files import Files


class Chromium:
    """A headless browser with one page, and a server on the loopback for the style sheets.

    Names are not resolved: whatever a page asks of other hosts fails at once.
    """

    def __init__(self, root: Path, files: type[Files] | None = None) -> None:
        self._profile = tempfile.mkdtemp(prefix="factory-chromium-")
        self._files = files or Files
        self._server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(self._files, directory=str(root))
        )
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}"
        program = shutil.which("chromium") or shutil.which("chromium-browser") or "chromium"
        flags = "--headless=new --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update --disable-sync --disable-extensions --force-color-profile=srgb --remote-allow-origins=* --remote-debugging-port=0"
        offline = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
        self._process = subprocess.Popen(
            [program, *flags.split(), offline, f"--user-data-dir={self._profile}", "about:blank"],
            stderr=subprocess.DEVNULL,
        )
        self._ids = 0
        self._socket = websocket.create_connection(self._page(), suppress_origin=True, timeout=30)
        self.send("Page.enable")

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        self._ids += 1
        self._socket.send(json.dumps({"id": self._ids, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.recv())
            if answer.get("id") == self._ids:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer.get("result", {})

    def evaluate(self, script: str) -> Any:
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", "script failed"))
        return answer["result"].get("value")

    def show(self, page: str, width: int, height: int, scale: float) -> None:
        """Show a page in a window of that many device pixels, all style sheets and fonts loaded."""
        self._files.page = page.encode()
        self.open(f"/page.html?{self._ids}", width, height, scale)

    def open(self, address: str, width: int, height: int, scale: float) -> None:
        """Show what the server gives at an address: its path and query."""
        self.resize(width, height, scale)
        self.send("Page.navigate", url=self.base + address)
        for _ in range(500):
            if self.evaluate("document.readyState === 'complete' && location.pathname + location.search") == address:
                break
            time.sleep(0.01)
        self.evaluate("document.fonts.ready.then(() => new Promise(done => requestAnimationFrame(() => done(1))))")

    def resize(self, width: int, height: int, scale: float) -> None:
        """Make the window that many device pixels large."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=round(width / scale),
            height=round(height / scale),
            deviceScaleFactor=scale,
            mobile=False,
        )

    def picture(self) -> bytes:
        return base64.b64decode(self.send("Page.captureScreenshot", format="png", optimizeForSpeed=True)["data"])

    def close(self) -> None:
        self._socket.close()
        self._process.terminate()
        self._process.wait(timeout=10)
        self._server.shutdown()
        shutil.rmtree(self._profile, ignore_errors=True)

    def _page(self) -> str:
        port_file = Path(self._profile) / "DevToolsActivePort"
        for _ in range(300):
            if port_file.exists() and (lines := port_file.read_text().split()):
                pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{lines[0]}/json"))
                found = [page for page in pages if page["type"] == "page"]
                if found:
                    return str(found[0]["webSocketDebuggerUrl"])
            time.sleep(0.1)
        raise RuntimeError("Chromium did not start")
