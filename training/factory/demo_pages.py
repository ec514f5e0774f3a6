"""Make screens of real pages: demonstrations, templates and examples that packages ship, with truth from the DOM.

Generated pages show what their generator thought of; these show what people build. They carry no marks, so the truth is
what the page itself says can be acted on (`demo_truth.js`). Nothing comes from the network: what a page asks of other
hosts is answered by a package that was fetched (`demo_server.py`), or not at all, and a page that misses a style sheet is
left out. Half of the visits say other words of about the same length.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from websocket import WebSocketTimeoutException

sys.path.insert(0, str(Path(__file__).parents[1]))

from factory.chromium import Chromium
from factory.demo_packages import of_split
from factory.demo_seen import is_drawn, stands_out
from factory.demo_server import DemoFiles
from factory.demo_visits import Visit, phrases, visits, worth_it
from factory.fetch_kits import fetch_all
from factory.screen_files import scaled, write_screen
from factory.truth_script import truth_script

ROOT = Path(__file__).parents[2]
SIZES = ((1920, 1080), (1920, 1080), (1366, 768), (1366, 768), (1440, 900), (1280, 800), (1600, 900), (1024, 768))
ZOOMS = (1, 1, 1, 1, 1, 1.25, 1.25, 1.25, 0.8, 0.9, 1.1, 1.5, 2)
WINDOWS_EACH = 2
"""Windows in which a visit looks at its page."""
USUAL, HOW_OFTEN_USUAL = (1366, 768, 1), 0.6
"""The window pages of this kind are mostly seen in, and how often it is the first."""
PLACE = "new Promise(done => setTimeout(() => done([document.documentElement.scrollHeight, innerHeight]), 80))"
FURTHEST = 8000
"""How far down a page is looked at, in its own pixels."""
ALIKE = 3.0
"""Mean difference of two thumbnails, in grey levels, below which two screens of a package are one."""
FOREIGN = re.compile("[\u0400-\u05ff\u0600-\u06ff\u3040-\u9fff\uac00-\ud7af]")
"""Letters the fonts of this machine may not have."""
ICON_FONTS = r"icon|awesome|glyph|symbol|feather|themify|material"
UNNEEDED = "family=|prism|prettify|rainbow|codemirror|embedcode|highlight|animate|motion-ui|perfect-scrollbar|normalize|lightbox|docs(?:.min)?.css|print"
"""Style sheets a page can be without: web fonts, coloured source code, movements."""


class Studio:
    """One browser, and what was seen so far of each package."""

    def __init__(self, fetched: Path, kits: Path, out: Path, screens_each: int) -> None:
        DemoFiles.fetched, DemoFiles.kits = fetched, kits
        self._out, self._screens_each = out, screens_each
        self._script = truth_script("demo_truth.js")
        self._settle, self._words, self._dark = (script(f"demo_{name}.js") for name in ("settle", "words", "dark"))
        self._seen: dict[str, list[np.ndarray]] = {}
        self._broken: set[tuple[str, str]] = set()
        self._browser = self._opened()

    def visit(self, visit: Visit) -> int:
        """Open the page and take its screens, from the top down; how many were kept."""
        if (visit.package.name, visit.page) in self._broken:
            return 0
        rng = random.Random(visit.ident)
        DemoFiles.package_top = DemoFiles.fetched / visit.package.name
        DemoFiles.package_root = DemoFiles.package_top / visit.package.root
        dark = rng.random() < 0.25
        self._browser.send(
            "Emulation.setEmulatedMedia",
            features=[
                {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                {"name": "prefers-reduced-motion", "value": "reduce"},
            ],
        )
        DemoFiles.added = visit.package.add
        windows = [(*rng.choice(SIZES), rng.choice(ZOOMS)) for _ in range(WINDOWS_EACH)]
        if rng.random() < HOW_OFTEN_USUAL:
            windows[0] = USUAL
        DemoFiles.lost.clear()
        self._browser.open(f"/{visit.page}?{visit.variation}", *windows[0])
        told = self._browser.evaluate(f"{self._settle}({json.dumps(UNNEEDED)}, {FURTHEST})")
        told["missing"] += [path for path in DemoFiles.lost if not re.search(UNNEEDED, path, re.IGNORECASE)]
        unread = [font for font in told["fonts"] if re.search(ICON_FONTS, font, re.IGNORECASE)]
        if told["missing"] or unread or not told["sheets"]:
            self._broken.add((visit.package.name, visit.page))
            print("left out", visit.ident, told["missing"][:3], unread[:2], told["sheets"], "sheets", flush=True)
            return 0
        if dark:
            self._browser.evaluate(self._dark)
        lang = told["lang"][:2] if told["lang"][:2] in ("fr", "en") else "en"
        if rng.random() < 0.5 or told["foreign"]:
            lang = rng.choice(["fr", "fr", "en"])
            self._browser.evaluate(f"{self._words}({json.dumps(phrases(rng, lang))}, {rng.randrange(1, 10**6)})")
        made = 0
        for turn, (width, height, zoom) in enumerate(windows):
            if turn:
                self._browser.resize(width, height, zoom)
            for number, y in enumerate(self._stops(rng), turn * self._screens_each):
                about = {
                    "toolkit": "web", "kit": visit.package.name, "split": visit.package.split, "width": width, "height": height, "lang": lang,
                    "zoom": zoom, "kind": "mixed", "layout_seed": 0, "content_seed": visit.variation,
                    "family": f"demo-{visit.package.look}-{visit.page}-{number}", "variation": visit.variation,
                }  # fmt: skip
                made += self._take(f"{visit.ident}{number}", y, about)
        return made

    def close(self) -> None:
        self._browser.close()

    def renew(self) -> None:
        """Another browser, where a page has hung this one."""
        self._browser.close()
        self._browser = self._opened()

    def _opened(self) -> Chromium:
        browser = Chromium(DemoFiles.fetched, DemoFiles)
        browser.send("Page.addScriptToEvaluateOnNewDocument", source=script("demo_prepare.js"))
        return browser

    def _stops(self, rng: random.Random) -> list[int]:
        """The top, or a place below it, and further places that show something else."""
        height, shown = self._browser.evaluate(PLACE)
        room = max(0, min(height, FURTHEST) - shown)
        if room < shown * 0.3:
            return [0]
        first = 0 if rng.random() < 0.6 else rng.randint(0, room)
        more = [first + round(shown * rng.uniform(0.7, 1.3)) * step for step in range(1, self._screens_each)]
        return [first, *(y for y in more if y <= room)]

    def _take(self, ident: str, y: int, about: dict[str, Any]) -> int:
        at_rest = "new Promise(done => requestAnimationFrame(() => setTimeout(done, 60)))"
        truth = self._browser.evaluate(f"scrollTo(0, {y}); {at_rest}.then(() => {self._script})")
        width, height, zoom = about["width"], about["height"], about["zoom"]
        if not worth_it(truth, width / zoom * height / zoom):
            return 0
        picture = self._browser.picture()
        colours = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
        grey = cv2.cvtColor(colours, cv2.COLOR_BGR2GRAY)
        small = cv2.resize(grey, (64, 36), interpolation=cv2.INTER_AREA).astype(np.float32)
        known = self._seen.setdefault(about["kit"], [])
        if grey.shape != (height, width) or small.std() < 4 or any(np.abs(one - small).mean() < ALIKE for one in known):
            return 0
        known.append(small)
        truth["texts"] = [text for text in truth["texts"] if not FOREIGN.search(text["text"])]
        for item in truth["elements"] + truth["texts"]:
            item["box"] = scaled(item["box"], zoom, width, height)
        for text in truth["texts"]:
            text["size_px"] = round(text["size_px"] * zoom, 1)
        about = {**about, "theme": "dark" if grey.mean() < 110 else "light"}
        elements = [
            item
            for item in truth["elements"]
            if item["box"][2] - item["box"][0] > 3 and item["box"][3] - item["box"][1] > 3
        ]
        for item in elements:
            item["covered"] = item["covered"] or not (
                is_drawn(colours, item["box"]) or stands_out(colours, item["box"])
            )
        texts = [text for text in truth["texts"] if is_drawn(colours, text["box"])]
        write_screen(self._out, ident, picture, about, elements, texts)
        return 1


def script(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--count", type=int, default=1500, help="stop when that many screens are there")
    options.add_argument("--split", choices=("train", "held_out"), default="train")
    options.add_argument("--package", action="append", help="only this one; may be given more than once")
    options.add_argument("--screens-each", type=int, default=3, help="screens of a long page in one window, at most")
    options.add_argument("--fetched", type=Path, default=ROOT / "build" / "demo-pages")
    options.add_argument("--kits", type=Path, default=ROOT / "build" / "kits")
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    fetch_all(Path(__file__).with_name("demo_pages.lock.json"), given.fetched)
    packages = [one for one in of_split(given.split) if not given.package or one.name in given.package]
    studio = Studio(given.fetched, given.kits, given.out, given.screens_each)
    start, made = time.monotonic(), 0
    already = len(list(given.out.glob("demo-*.json")))
    paid = given.out / "visits.txt"  # a visit without a screen is not paid again, either
    known = set(paid.read_text(encoding="utf-8").split()) if paid.exists() else set()
    try:
        for number, visit in enumerate(visits(packages, given.fetched)):
            if already + made >= given.count:
                break
            if visit.ident in known:
                continue
            try:
                made += studio.visit(visit)
            except RuntimeError as error:
                print("failed", visit.ident, str(error)[:200], flush=True)
            except WebSocketTimeoutException:
                print("hung", visit.ident, flush=True)
                studio.renew()
            with paid.open("a", encoding="utf-8") as names:
                names.write(f"{visit.ident}\n")
            if number % 50 == 49:
                print(f"{made} screens, {(time.monotonic() - start) / max(1, made):.2f} s each", flush=True)
    finally:
        studio.close()
    print(f"{made} screens in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
