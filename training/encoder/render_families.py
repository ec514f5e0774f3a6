"""Draw families: every screen once as it is, and again with other content, theme and zoom.

A family is one page of one application. `none` is the screen as it is known; the others have other rows, values and
marks, and beside that, in turn: nothing else; the other theme; another zoom in the same window, where the page flows
anew and less or more of it is seen; another device scale; the other theme and another zoom or scale together. Scores
are taken of these. To train by there are two more: `near`, nearly twice the size in the same window, and `redrawn`, the
system's high contrast with more columns in every table, now and then in larger letters.

    .venv-train/bin/python training/encoder/render_families.py --out FAMILIES --apps 100 --seed 1 [--split held_out]
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from factory.chromium import Chromium
from factory.kits import by_name
from factory.web_screens import choose_kit

from encoder.app_page import AppPage
from encoder.looks import CHANGES, SCORED, SIZES, WIDE_SIZES, look

ROOT = Path(__file__).parents[2]
PAGES = 5
ADD_COLUMNS = """more => document.querySelectorAll("table").forEach(table => [...table.rows].forEach(row => {
    for (let made = 0; made < more && row.cells.length > 2; made++)
        row.insertBefore(row.cells[made].cloneNode(true), row.cells[row.cells.length - 1]);
}))"""


def show(browser: Chromium, page: AppPage, how: dict[str, Any]) -> None:
    """Let the browser show a page as it is to look."""
    contrast = "active" if how.get("contrast") else "none"
    dark = "dark" if how.get("contrast") else "light"
    browser.send(
        "Emulation.setEmulatedMedia",
        features=[{"name": "forced-colors", "value": contrast}, {"name": "prefers-color-scheme", "value": dark}],
    )
    width, height = how["size"]
    browser.show(page.render(browser.base), width, height, how["zoom"])
    if how.get("columns"):
        browser.evaluate(f"({ADD_COLUMNS})({how['columns']})")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--apps", type=int, default=100)
    options.add_argument("--first-app", type=int, default=0, help="go on from this one")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--split", choices=("train", "held_out"), default="train")
    options.add_argument("--changes", nargs="+", choices=CHANGES, default=list(SCORED))
    options.add_argument("--wide", action="store_true", help="in windows as wide as a desktop")
    options.add_argument("--centred", action="store_true", help="the middle of the pages is a column of a fixed width")
    options.add_argument("--kits", type=Path, default=ROOT / "build" / "kits")
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    sizes = WIDE_SIZES if given.wide else SIZES
    browser, start, made = Chromium(given.kits), time.monotonic(), 0
    try:
        for app in range(given.first_app, given.apps):
            app_seed = given.seed * 1_000_000 + app
            rng = random.Random(f"app-looks-{app_seed}")
            kit, lang, size = choose_kit(rng, given.split), rng.choice(["fr", "fr", "en"]), rng.choice(sizes)
            for number in range(PAGES):
                layout_seed = app_seed * 100 + number
                family = f"{kit.name}-{app_seed}-{number}"
                for change in given.changes:
                    ident, place = f"{family}-{change}", CHANGES.index(change)
                    if (given.out / f"{ident}.json").exists():
                        continue
                    how = look(random.Random(f"look-{layout_seed}-{change}"), change, size)
                    page = AppPage(
                        by_name(kit.name) if kit.name != "own" else kit, app_seed, layout_seed,
                        layout_seed * 10 + place, lang, other_theme=how["other_theme"], centred=given.centred,
                    )  # fmt: skip
                    width, height = how["size"]
                    show(browser, page, how)
                    (given.out / f"{ident}.png").write_bytes(browser.picture())
                    about = {
                        "id": ident, "family": family, "app": f"{kit.name}-{app_seed}", "kit": kit.name,
                        "kind": page.kind, "split": kit.split, "lang": lang, "change": change,
                        "width": width, "height": height, **how,
                    }  # fmt: skip
                    (given.out / f"{ident}.json").write_text(json.dumps(about), encoding="utf-8")
                    made += 1
            if app % 5 == 4:
                print(f"{app + 1} apps, {(time.monotonic() - start) / max(1, made):.2f} s a screen", flush=True)
    finally:
        browser.close()
    print(f"{made} screens in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
