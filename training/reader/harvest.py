"""Make files of training lines: pages in Chromium, cut by the finder, what they say known from the page.

    python training/reader/harvest.py --out SHARDS --icons DIRECTORY… --seed 1 --files 10 [--pages 12]

Each file has its own way of drawing letters (grey, subpixel or no smoothing; hinting) and its own zoom. The same seed
makes the same pages. Typefaces of HELD_OUT are never used: they are for scoring.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import time
from pathlib import Path

from chromium import WORDS, Chromium
from cutting import Word, lines_of
from pages import Supplies, load_icons, page
from shards import Line, save

HELD_OUT = ("Cantarell", "B612", "B612 Mono", "Clear Sans", "Clear Sans Light", "Oxygen", "Oxygen-Sans", "Gentium Book Basic", "Gentium Basic", "mononoki", "Manrope", "PT Sans",
            "PT Sans Caption", "Cabin", "Comfortaa", "Ubuntu", "Play")  # fmt: skip
STRANGE = (
    "Ecolier",
    "Symbol",
    "Dingbat",
    "Emoji",
    "Z003",
    "Kaffeesatz",
    "Humor",
    "Math",
    "Music",
    "Noto Sans Sym",
    "Linden",
    "D050000L",
    "Standard Symbols",
    "OpenSymbol",
    "Serif Display Black",
)
USUAL = (
    "DejaVu Sans",
    "Liberation Sans",
    "Arimo",
    "Noto Sans",
    "Roboto",
    "Inter",
    "Lato",
    "Carlito",
    "Open Sans",
    "Nimbus Sans",
    "FreeSans",
    "Karla",
)
SIZES = ((1600, 1000), (1920, 1080), (1280, 900))


def families(*, held_out: bool = False) -> tuple[str, ...]:
    """Installed typefaces with French letters, the usual ones more often."""
    listed = subprocess.run(["fc-list", ":lang=fr", "family"], capture_output=True, text=True, check=True).stdout
    names = sorted({row.split(",")[0].strip() for row in listed.splitlines() if row.strip()})
    names = [name for name in names if not any(part in name for part in STRANGE)]
    if held_out:
        return tuple(name for name in names if name in HELD_OUT)
    kept = [name for name in names if name not in HELD_OUT]
    return tuple(kept + [name for name in USUAL if name in kept] * max(1, len(kept) // 24))


def words_of(browser: Chromium, scale: float) -> list[Word]:
    """The words of the page, in pixels of its picture."""
    return [
        Word(text, x1 * scale, y1 * scale, x2 * scale, y2 * scale, bool(cut))
        for text, x1, y1, x2, y2, cut, _ in browser.ask(WORDS)
    ]


def make_file(path: Path, seed: int, pages: int, icons: tuple[str, ...], like_signs: tuple[str, ...]) -> list[Line]:
    """One file of lines."""
    chance = random.Random(seed)
    smoothing = chance.choice(("grey", "grey", "grey", "lcd", "lcd", "none" if chance.random() < 0.3 else "grey"))
    hinting = chance.choice(("none", "slight", "slight", "medium", "full"))
    browser = Chromium(smoothing=smoothing, hinting=hinting)
    known = families()
    lines: list[Line] = []
    try:
        for number in range(pages):
            supplies = Supplies(tuple(chance.sample(known, 12)), icons, like_signs)
            width, height = chance.choice(SIZES)
            scale = chance.choice((0.8, 0.9, 1, 1, 1, 1, 1, 1.1, 1.25, 1.25, 1.5, 1.75, 2))
            width, height = round(width / max(1, scale)), round(height / max(1, scale))
            browser.show(page(chance, supplies, width=width, height=height), width=width, height=height, scale=scale)
            lines += lines_of(browser.picture(), words_of(browser, scale), f"web-{seed}-{number}", chance)
    finally:
        browser.close()
    save(path, lines)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--icons", type=Path, nargs="+", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=10)
    parser.add_argument("--pages", type=int, default=12)
    arguments = parser.parse_args()
    icons, like_signs = load_icons(arguments.icons), load_icons(arguments.icons, like_signs=True)
    for number in range(arguments.files):
        path = arguments.out / f"web-{arguments.seed + number:05d}.npz"
        if path.exists():
            continue
        began = time.monotonic()
        made = make_file(path, arguments.seed + number, arguments.pages, icons, like_signs)
        print(
            f"{path.name}: {len(made)} lines, {sum(not line.text for line in made)} empty, {time.monotonic() - began:.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
