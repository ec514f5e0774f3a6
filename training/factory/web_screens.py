"""Make screens of generated web pages with their truth.

`--families N` renders every layout N times, with other words, theme, zoom or window size: the same screen for whoever
learns to know screens again.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from factory.chromium import Chromium
from factory.kits import PROCEDURAL, Kit, by_name, of_split
from factory.page import Page
from factory.page_boards import BoardPage
from factory.page_records import RecordsPage
from factory.screen_files import scaled, write_screen
from factory.truth_script import truth_script

ROOT = Path(__file__).parents[2]
SIZES = (
    (1920, 1080),
    (1920, 1080),
    (1920, 1080),
    (1366, 768),
    (1600, 900),
    (1280, 800),
    (1440, 900),
    (1024, 768),
    (2560, 1440),
)
ZOOMS = (1, 1, 1, 1, 1, 0.8, 0.9, 1.1, 1.25, 1.25, 1.5, 1.75, 2)
OWN_SHARE = 0.3
PAGES = {"web": Page, "board": BoardPage, "records": RecordsPage}


def choose_kit(rng: random.Random, split: str) -> Kit:
    if split == "train" and rng.random() < OWN_SHARE:
        return PROCEDURAL
    kits = of_split(split)
    return rng.choices(kits, [kit.weight for kit in kits])[0]


def themes(kit: Kit) -> tuple[str, ...]:
    if kit.dark == "always":
        return ("dark",)
    return ("light", "light", "dark") if kit.dark or kit is PROCEDURAL else ("light",)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--count", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--split", choices=("train", "held_out"), default="train")
    options.add_argument("--families", type=int, default=1, help="variations of each layout")
    options.add_argument("--kit", help="only this kit")
    options.add_argument("--pages", choices=sorted(PAGES), default="web", help="boards and articles; lists of records")
    options.add_argument("--kits", type=Path, default=ROOT / "build" / "kits")
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    script = truth_script("truth.js")
    name, draw = given.pages, PAGES[given.pages]
    browser = Chromium(given.kits)
    start, made = time.monotonic(), 0
    try:
        for index in range(-(-given.count // given.families)):
            layout_seed = given.seed * 1_000_000 + index
            rng = random.Random(f"screen-{layout_seed}")
            kit = by_name(given.kit) if given.kit else choose_kit(rng, given.split)
            first = {
                "lang": rng.choice(["fr", "fr", "en"]),
                "theme": rng.choice(themes(kit)),
                "zoom": rng.choice(ZOOMS),
                "size": rng.choice(SIZES),
                "scroll": rng.choice([0, 0, 0, 0.3, 1]),
            }
            for variation in range(given.families):
                how = dict(first)
                if variation:
                    how |= {rng.choice(["zoom", "zoom", "size"]): None}
                    how["zoom"] = how["zoom"] or rng.choice(ZOOMS)
                    how["size"] = how["size"] or rng.choice(SIZES)
                    how["theme"] = rng.choice(themes(kit)) if rng.random() < 0.6 else how["theme"]
                ident = f"{name}-{kit.name}-{layout_seed}-{variation}"
                if (given.out / f"{ident}.json").exists():
                    continue
                page = draw(kit, layout_seed, layout_seed * 100 + variation, str(how["lang"]), str(how["theme"]))
                try:
                    made += make(browser, script, page, given.out, ident, kit, how, layout_seed, variation)
                except RuntimeError as error:
                    print("failed", ident, error, flush=True)
            if index % 50 == 49:
                print(f"{made} screens, {(time.monotonic() - start) / max(1, made):.2f} s each", flush=True)
    finally:
        browser.close()
    print(f"{made} screens in {time.monotonic() - start:.0f} s")


def make(
    browser: Chromium,
    script: str,
    page: Page,
    out: Path,
    ident: str,
    kit: Kit,
    how: dict,
    layout_seed: int,
    variation: int,
) -> int:
    width, height = how["size"]
    browser.show(page.render(browser.base), width, height, how["zoom"])
    if how["scroll"] and page.kind != "dialog":
        browser.evaluate(f"scrollTo(0, (document.documentElement.scrollHeight - innerHeight) * {how['scroll']})")
    truth = browser.evaluate(script)
    if len(truth["elements"]) < 4:
        return 0
    zoom = how["zoom"]
    for item in truth["elements"] + truth["texts"] + truth["unsure"]:
        item["box"] = scaled(item["box"], zoom, width, height)
    for text in truth["texts"]:
        text["size_px"] = round(text["size_px"] * zoom, 1)
    about = {
        "toolkit": "web", "kit": kit.name, "split": kit.split, "width": width, "height": height, "lang": how["lang"], "theme": how["theme"],
        "zoom": zoom, "kind": page.kind, "layout_seed": layout_seed, "content_seed": layout_seed * 100 + variation,
        "family": f"web-{kit.name}-{layout_seed}", "variation": variation,
    }  # fmt: skip
    elements = [
        item
        for item in truth["elements"]
        if item["box"][2] - item["box"][0] > 3 and item["box"][3] - item["box"][1] > 3
    ]
    write_screen(out, ident, browser.picture(), about, elements, truth["texts"], truth["unsure"])
    return 1


if __name__ == "__main__":
    main()
