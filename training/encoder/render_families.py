"""Draw families: every screen once as it is, and again with other content, theme and zoom.

A family is one page of one application. `none` is the screen as it is known; the others have other rows, values and
marks, and beside that, in turn: nothing else; the other theme; another zoom in the same window, where the page flows
anew and less or more of it is seen; another device scale; the other theme and another zoom or scale together.

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

ROOT = Path(__file__).parents[2]
PAGES = 5
CHANGES = ("none", "content", "theme", "zoom", "scale", "all")
SIZES = ((1280, 720), (1280, 720), (1366, 768), (1024, 768), (1280, 800), (1440, 900))
ZOOMS = (0.8, 0.9, 1.1, 1.25, 1.5)
SCALES = (1.25, 1.4, 1.5, 2.0)
WIDEST_PX = 2048


def look(rng: random.Random, change: str, size: tuple[int, int]) -> dict[str, Any]:
    """How a variation is shown: window in device pixels, zoom in it, theme."""
    how: dict[str, Any] = {"size": size, "zoom": 1.0, "other_theme": change in ("theme", "all")}
    scale, zoom = rng.choice([one for one in SCALES if size[0] * one <= WIDEST_PX]), rng.choice(ZOOMS)
    by_scale = change == "scale" or (change == "all" and rng.random() < 0.5)
    if by_scale:
        how |= {"size": (round(size[0] * scale), round(size[1] * scale)), "zoom": scale}
    elif change in ("zoom", "all"):
        how["zoom"] = zoom
    return how | {"zoom_kind": "scale" if by_scale else "in_place" if how["zoom"] != 1.0 else ""}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--apps", type=int, default=100)
    options.add_argument("--first-app", type=int, default=0, help="go on from this one")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--split", choices=("train", "held_out"), default="train")
    options.add_argument("--changes", nargs="+", choices=CHANGES, default=list(CHANGES))
    options.add_argument("--kits", type=Path, default=ROOT / "build" / "kits")
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    browser, start, made = Chromium(given.kits), time.monotonic(), 0
    try:
        for app in range(given.first_app, given.apps):
            app_seed = given.seed * 1_000_000 + app
            rng = random.Random(f"app-looks-{app_seed}")
            kit, lang, size = choose_kit(rng, given.split), rng.choice(["fr", "fr", "en"]), rng.choice(SIZES)
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
                        layout_seed * 10 + place, lang, other_theme=how["other_theme"],
                    )  # fmt: skip
                    width, height = how["size"]
                    browser.show(page.render(browser.base), width, height, how["zoom"])
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
