"""Screens of real desktop programs with truth from the accessibility bus, in the format of the data factory.

Each program runs on a display of its own; several screens of each: as it opens, with a menu, with dialogs. For scoring
only (`evaluate.py --screens OUT --only mousepad`): nothing is trained or tuned on them.

What another window lies over is marked as covered, and so are the cells of sheets and trees and the window manager's
title bars: they count neither for nor against.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import cv2
from Xlib import X, error
from Xlib import display as xdisplay

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))

from rpa_vision.adapters.desktop.virtual import VirtualDesktop
from rpa_vision.adapters.desktop.x11.desktop import X11Desktop
from rpa_vision.adapters.runtime.clock import SystemClock

TREE = Path(__file__).with_name("desktop_tree.py")
SPEAK = {
    "NO_AT_BRIDGE": "0", "GTK_MODULES": "gail:atk-bridge", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
    "QT_ACCESSIBILITY": "1", "SAL_USE_VCLPLUGIN": "gtk3", "ACCESSIBILITY_ENABLED": "1",
}  # fmt: skip
LAUNCHER = "/usr/libexec/at-spi-bus-launcher"
Keys = tuple[str, ...]
SCREENS: dict[str, tuple[tuple[str, tuple[Keys, ...]], ...]] = {
    "mousepad": (
        ("plain", ()), ("menu", (("f10",),)), ("edit-menu", (("f10",), ("right",))), ("find", (("ctrl", "f"),)),
        ("replace", (("ctrl", "r"),)), ("open", (("ctrl", "o"),)), ("save", (("ctrl", "shift", "s"),)),
    ),
    "galculator": (("plain", ()), ("menu", (("f10",),)), ("view-menu", (("f10",), ("right",), ("right",)))),
    "gnumeric": (("plain", ()), ("menu", (("f10",),)), ("format", (("ctrl", "1"),)), ("find", (("ctrl", "f"),))),
    "featherpad": (
        ("plain", ()), ("find", (("ctrl", "f"),)), ("replace", (("ctrl", "r"),)), ("open", (("ctrl", "o"),)),
        ("settings", (("ctrl", "shift", "p"),)),
    ),
    "calc": (
        ("plain", ()), ("menu", (("f10",), ("down",))), ("format", (("ctrl", "1"),)), ("replace", (("ctrl", "h"),)),
    ),
}  # fmt: skip
"""Of each program its screens, and the keys that lead from the opened program there."""
OPEN = "urn:oasis:names:tc:opendocument:xmlns"
SHEET = (
    f'<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="{OPEN}:office:1.0" '
    f'xmlns:table="{OPEN}:table:1.0" xmlns:text="{OPEN}:text:1.0" office:version="1.3" '
    'office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>'
    '<table:table table:name="Factures">%s</table:table></office:spreadsheet></office:body></office:document>'
)
ROWS = [("Numéro", "Client", "Montant", "Échéance")] + [
    (f"F{2020 + i}", name, f"{137 * (i + 3)},50", f"{i + 1:02}/03/2026")
    for i, name in enumerate(("Léa Martin", "Hôtel Été", "Garçon & Fils", "Zoé Pérez", "Anne Noël", "Paul Öztürk"))
]


def command(program: str, folder: Path) -> list[str]:
    """How it is started, with a document where it has one."""
    if program in ("mousepad", "featherpad"):
        page = folder / "notes.txt"
        page.write_text("\n".join(" ".join(row) for row in ROWS * 3), encoding="utf-8")
        return [program, str(page)]
    if program == "gnumeric":
        table = folder / "factures.csv"
        table.write_text("\n".join(";".join(row) for row in ROWS), encoding="utf-8")
        return [program, str(table)]
    if program == "calc":
        sheet = folder / "factures.fods"
        cells = [
            "".join(f"<table:table-cell><text:p>{escape(cell)}</text:p></table:table-cell>" for cell in row)
            for row in ROWS
        ]
        sheet.write_text(
            SHEET % "".join(f"<table:table-row>{row}</table:table-row>" for row in cells), encoding="utf-8"
        )
        return ["soffice", "--calc", "--norestore", "--nologo", "--nofirststartwizard", str(sheet)]
    return [program]


def wait(what: Callable[[], Any], seconds: float) -> Any:
    """Its answer as soon as it has one."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if answer := what():
            return answer
        time.sleep(0.25)
    return None


def still(desktop: X11Desktop, seconds: float = 12) -> Any:
    """The screen, once it is the same twice."""
    before, until = desktop.eyes.grab().pixels, time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(0.7)
        now = desktop.eyes.grab().pixels
        if now.shape == before.shape and (now != before).any(axis=2).mean() < 2e-4:
            return now
        before = now
    return before


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--only", nargs="*", default=list(SCREENS))
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for program in given.only:
        for name, keys in SCREENS[program]:
            ident = f"{program}-{name}"
            if not (given.out / f"{ident}.json").exists():
                print(ident, capture(program, name, keys, given.out), "elements", flush=True)


def capture(program: str, name: str, keys: tuple[Keys, ...], out: Path) -> int:
    """One screen, from a fresh start of the program."""
    clock = SystemClock()
    with VirtualDesktop(clock=clock, maximise=name in ("plain", "find", "replace")) as virtual:
        virtual.run([LAUNCHER, "--launch-immediately"], env=SPEAK)  # asked for by the bus it would not know the display
        time.sleep(1)
        virtual.run(command(program, virtual.folder / "home"), env=SPEAK)
        screen = X11Desktop(virtual.display, clock)
        env = virtual.env | SPEAK

        def tree() -> list[dict[str, Any]]:
            told = subprocess.run(
                ["/usr/bin/python3", str(TREE), "soffice" if program == "calc" else program],
                env=env, capture_output=True, text=True, timeout=240, check=False,
            )  # fmt: skip
            return json.loads(told.stdout) if told.stdout.strip() else []

        if not wait(lambda: len(tree()) > 3, 240):
            return 0
        still(screen)
        for chord in keys:
            screen.hands.press([key.upper() for key in chord])
            still(screen, 6)
        screen.hands.move((1915, 1075))
        for _ in range(5):  # what is said and what is seen must be of the same moment
            before = tree()
            pixels = still(screen)
            items = tree()
            if [item["box"] for item in items] == [item["box"] for item in before]:
                break
        else:
            return 0
        items = without_shadows(items)
        if is_out_of_step(items):
            return 0
        server = xdisplay.Display(virtual.display)
        height, width = pixels.shape[:2]
        elements = []
        for item in items:
            x1, y1, x2, y2 = item["box"]
            box = [max(0, x1), max(0, y1), min(width, x2), min(height, y2)]
            if box[2] - box[0] < 4 or box[3] - box[1] < 4:
                continue
            hidden = item["type"] == "cell" or not is_on_top(server, box, item["owner"])
            elements.append({**item, "box": box, "covered": hidden})
        elements += [
            {"box": box, "type": "decoration", "text": "", "checked": None, "selected": None, "focused": False,
             "enabled": None, "covered": True}
            for box in title_bars(server)
        ]  # fmt: skip
        server.close()
        screen.close()
    ident = f"{program}-{name}"
    document = {
        "version": 1, "id": ident, "width": width, "height": height, "toolkit": program, "kit": program,
        "split": "held_out", "lang": "en", "theme": "light", "zoom": 1, "kind": name, "layout_seed": 0,
        "content_seed": 0, "family": ident, "variation": 0, "elements": elements, "texts": [],
    }  # fmt: skip
    cv2.imwrite(str(out / f"{ident}.png"), pixels[:, :, :3])
    (out / f"{ident}.json").write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    return sum(not item["covered"] for item in elements)


def without_shadows(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Calc speaks of its menu bar twice, once where it is and once below."""
    tops: dict[str, int] = {}
    for item in items:
        if item["parent"] == "menu bar":
            tops[item["text"]] = min(item["box"][1], tops.get(item["text"], item["box"][1]))
    return [item for item in items if item["parent"] != "menu bar" or item["box"][1] == tops[item["text"]]]


def is_out_of_step(items: list[dict[str, Any]]) -> bool:
    """Calc at times places its tool bars where its menu bar is: then nothing it says can be used."""
    bars = [item["box"] for item in items if item["parent"] == "menu bar"]
    tools = [item["box"] for item in items if item["type"] == "button"]
    return any(share(tool, bar) > 0.2 for tool in tools for bar in bars)


def is_on_top(server: Any, box: list[int], owner: list[int] | None) -> bool:
    """Of all windows, the one seen at its middle is most like the one it says it is in."""
    x, y = (box[0] + box[2]) // 2, (box[1] + box[3]) // 2
    shapes = []
    for window in reversed(server.screen().root.query_tree().children):
        try:
            looks, shape = window.get_attributes(), window.get_geometry()
        except error.XError:
            continue
        if looks.map_state == X.IsViewable and looks.win_class != X.InputOnly:
            shapes.append([shape.x, shape.y, shape.x + shape.width, shape.y + shape.height])
    seen = next((one for one in shapes if one[0] <= x < one[2] and one[1] <= y < one[3]), None)
    if seen is None or owner is None:
        return seen is not None
    return share(seen, owner) > 0.4 and share(seen, owner) >= max(share(one, owner) for one in shapes)


def share(one: list[int], other: list[int]) -> float:
    """Intersection over union."""
    wide, high = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
    common = max(0, wide) * max(0, high)
    areas = [(each[2] - each[0]) * (each[3] - each[1]) for each in (one, other)]
    return common / max(1, sum(areas) - common)


def title_bars(server: Any) -> list[list[int]]:
    """What the window manager draws above each window: no program speaks for it."""
    bars = []
    for frame in server.screen().root.query_tree().children:
        try:
            looks, shape = frame.get_attributes(), frame.get_geometry()
            inner = [child.get_geometry() for child in frame.query_tree().children]
        except error.XError:
            continue
        if looks.map_state != X.IsViewable or looks.override_redirect or not inner:
            continue
        client = max(inner, key=lambda each: each.width * each.height)
        if client.y >= 6:
            bars.append([shape.x, shape.y, shape.x + shape.width, shape.y + client.y])
    return bars


if __name__ == "__main__":
    main()
