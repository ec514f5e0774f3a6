"""One Chromium that stays: pages in, pixels and the places of words out, over the debugging pipe."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np

_FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<match target="font">
<edit name="antialias" mode="assign"><bool>{antialias}</bool></edit>
<edit name="hinting" mode="assign"><bool>{hinting}</bool></edit>
<edit name="hintstyle" mode="assign"><const>{style}</const></edit>
<edit name="rgba" mode="assign"><const>{rgba}</const></edit>
</match></fontconfig>"""


class Chromium:
    """A headless browser with one page. `smoothing`: grey, lcd or none; `hinting`: none, slight, medium or full."""

    def __init__(self, *, smoothing: str = "grey", hinting: str = "slight") -> None:
        self._home = Path(tempfile.mkdtemp(prefix="reader-chromium-"))
        fonts = self._home / "fonts.conf"
        fonts.write_text(_FONTS.format(
            antialias="false" if smoothing == "none" else "true", hinting="false" if hinting == "none" else "true",
            style=f"hint{hinting}", rgba="rgb" if smoothing == "lcd" else "none",
        ))  # fmt: skip
        from_browser, to_us = os.pipe()
        to_browser, from_us = os.pipe()
        command = [
            shutil.which("chromium") or "chromium-browser", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
            "--hide-scrollbars", "--mute-audio", "--remote-debugging-pipe", f"--user-data-dir={self._home}",
            f"--font-render-hinting={hinting}", "--enable-lcd-text" if smoothing == "lcd" else "--disable-lcd-text", "about:blank",
        ]  # fmt: skip
        # the pipe must be descriptors 3 and 4 of the child: a shell moves them there
        script = f'exec 3<&{to_browser} 4>&{to_us}; exec "$@"'
        self._process = subprocess.Popen(
            ["bash", "-c", script, "chromium", *command], pass_fds=(to_browser, to_us), stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, env={**os.environ, "FONTCONFIG_FILE": str(fonts)},
        )  # fmt: skip
        os.close(to_browser)
        os.close(to_us)
        self._out, self._in = os.fdopen(from_us, "wb", 0), os.fdopen(from_browser, "rb", 0)
        self._rest, self._count = b"", 0
        pages = [t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page"]
        target = pages[0]["targetId"] if pages else self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = ""
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self._frame = self.call("Page.getFrameTree")["frameTree"]["frame"]["id"]

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command of the debugging protocol, and its answer."""
        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method, "params": parameters}
        if self.__dict__.get("_session"):
            message["sessionId"] = self._session
        self._out.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return dict(answer["result"])

    def show(self, html: str, *, width: int, height: int, scale: float = 1.0) -> None:
        """Put a document on the page and wait until its fonts are there."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False
        )
        self.call("Page.setDocumentContent", frameId=self._frame, html=html)
        self.ask(
            "document.fonts.ready.then(() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(1)))))"
        )

    def ask(self, expression: str) -> Any:
        """The value of an expression on the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def picture(self) -> np.ndarray:
        """The page's pixels, blue-green-red."""
        data = self.call("Page.captureScreenshot", format="png", optimizeForSpeed=True)["data"]
        image = cv2.imdecode(np.frombuffer(base64.b64decode(data), np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        return image

    def close(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
        shutil.rmtree(self._home, ignore_errors=True)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            more = os.read(self._in.fileno(), 1 << 20)
            if not more:
                raise RuntimeError("Chromium has gone")
            self._rest += more
        message, self._rest = self._rest.split(b"\0", 1)
        return dict(json.loads(message))


WORDS = r"""(() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || ['SCRIPT', 'STYLE', 'TITLE'].includes(parent.tagName) || parent.closest('[data-skip]')) continue;
    const style = getComputedStyle(parent);
    if (style.visibility !== 'visible' || +style.opacity === 0) continue;
    const text = node.textContent;
    const words = text.matchAll(/[^ \t\n\r\u00a0\u202f]+/g);
    for (const word of words) {
      const range = document.createRange();
      range.setStart(node, word.index); range.setEnd(node, word.index + word[0].length);
      const boxes = [...range.getClientRects()].filter(b => b.width > 0);
      if (boxes.length !== 1) continue;
      const b = boxes[0];
      let said = word[0];
      if (style.textTransform === 'uppercase') said = said.toUpperCase();
      let cut = b.bottom > innerHeight;
      for (let clip = parent.closest('[data-clip]'); clip && !cut; clip = clip.parentElement.closest('[data-clip]')) {
        const c = clip.getBoundingClientRect();
        const slack = 0.2 * b.height;
        cut = b.left < c.left - 1 || b.right > c.right + 1 || b.top < c.top - slack || b.bottom > c.bottom + slack;
      }
      found.push([said, b.left, b.top, b.right, b.bottom, cut ? 1 : 0, parent.closest('[data-light]') ? 1 : 0]);
    }
  }
  return found;
})()"""
"""Every word with its box in CSS pixels: text, left, top, right, bottom, cut off by a clip, too pale to count."""
