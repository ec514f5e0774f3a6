"""Pages of what is written on shaded paper: title bars, glossy buttons, selected rows, disabled words.

    python training/reader/shaded_pages.py --out PAGES --seed 1 --pages 12 [--held-out]

Drawn by Chromium with gradients and shadows of its own; training shades lines after they were cut (`shading.py`), so these
pages are another hand's work, for scoring. With `--held-out` only typefaces that nothing was trained on are used.
Writes `{id}.png` and `{id}.json` (words with boxes) for `evaluate.py` and `cut_pages.py`.
"""

from __future__ import annotations

import argparse
import html
import json
import random
from pathlib import Path

import cv2
from chromium import WORDS, Chromium
from harvest import families
from vocabulary import line

KINDS = ("title", "title", "title", "button", "button", "selected", "disabled", "tab")
WIDTH, HEIGHT = 1280, 900


def bar(chance: random.Random, kind: str, face: str) -> tuple[str, int]:
    """A row of texts on paper of its own, and how high it is."""
    size = chance.choice((10, 11, 11, 12, 12, 13, 13, 14, 15, 16))
    tall = round(size * chance.choice((1.5, 1.7, 2.0, 2.4)))
    top, bottom, ink = colours(chance, faint=kind == "disabled")
    how = f"linear-gradient({top},{bottom})" if chance.random() < 0.75 else gloss(top, bottom)
    shadow = ""
    if kind != "disabled" and chance.random() < (0.7 if kind == "title" else 0.35):
        along, down = chance.choice(((1, 1), (0, 1), (0, -1), (1, 0)))
        shade = "0,0,0" if ink.startswith("#f") or ink.startswith("#e") else "255,255,255"
        shadow = (
            f"text-shadow:{along}px {down}px {chance.choice((0, 0, 1))}px rgba({shade},{chance.uniform(0.2, 0.8):.2f});"
        )
    weight = chance.choice((400, 400, 400, 600, 700))
    style = f"font:{weight} {size}px '{face}',sans-serif;color:{ink};{shadow}"
    edge = f"border-bottom:1px solid {chance.choice(('#0006', '#fff6', '#345'))};" if chance.random() < 0.5 else ""
    texts = [html.escape(line(chance)[:34].strip() or "OK") for _ in range(max(2, round(WIDTH / (size * 22))))]
    own = f"background:{how};{edge}"
    if kind in ("button", "tab"):
        cells = "".join(
            f"<span style='{own}padding:0 {chance.choice((6, 10, 14))}px;border-radius:{chance.choice((0, 3, 6))}px;"
            f"height:{tall}px;line-height:{tall}px;white-space:nowrap'>{text}</span>"
            for text in texts
        )
        return f"<div style='display:flex;gap:9px;padding:3px;background:#dde;{style}'>{cells}</div>", tall + 6
    cells = "".join(
        f"<span style='flex:1;text-align:{chance.choice(('left', 'center'))};white-space:nowrap'>{text}</span>"
        for text in texts
    )
    return (
        f"<div style='display:flex;gap:14px;padding:0 6px;height:{tall}px;line-height:{tall}px;{own}{style}'>{cells}</div>",
        tall + 1,
    )


def colours(chance: random.Random, *, faint: bool) -> tuple[str, str, str]:
    """The paper at the top and at the bottom, and the ink."""
    while True:
        base = [chance.randint(10, 245) for _ in range(3)]
        fall = chance.choice((-1, 1)) * chance.randint(6, 45)
        lower = [min(255, max(0, value + fall)) for value in base]
        ink = [chance.choice((255, 245, 20, 0))] * 3
        if faint:
            away = chance.choice((-1, 1)) * chance.randint(45, 75)
            ink = [min(255, max(0, value + away)) for value in base]
        levels = [0.114 * b + 0.587 * g + 0.299 * r for r, g, b in (base, lower, ink)]
        if min(abs(levels[2] - levels[0]), abs(levels[2] - levels[1])) > (35 if faint else 75):
            return hexed(base), hexed(lower), hexed(ink)


def gloss(top: str, bottom: str) -> str:
    return f"linear-gradient({top} 0%,{top} 48%,{bottom} 52%,{bottom} 100%)"


def hexed(colour: list[int]) -> str:
    return "#" + "".join(f"{value:02x}" for value in colour)


def page(chance: random.Random, faces: tuple[str, ...]) -> str:
    """Bars from top to bottom."""
    made, used = [], 0
    while used < HEIGHT - 40:
        markup, tall = bar(chance, chance.choice(KINDS), chance.choice(faces))
        made.append(markup)
        used += tall + 4
    gap = "<div style='height:4px'></div>"
    return f"<!doctype html><html><head><meta charset=utf-8><style>body{{margin:0;background:#fff;overflow:hidden}}</style></head><body>{gap.join(made)}</body></html>"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pages", type=int, default=12)
    parser.add_argument("--held-out", action="store_true")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    chance = random.Random(arguments.seed)
    faces = tuple(dict.fromkeys(families(held_out=arguments.held_out)))
    for number in range(arguments.pages):
        smoothing = chance.choice(("grey", "grey", "lcd"))
        browser = Chromium(smoothing=smoothing, hinting=chance.choice(("none", "slight", "medium", "full")))
        try:
            browser.show(page(chance, faces), width=WIDTH, height=HEIGHT)
            target = arguments.out / f"shaded-{arguments.seed}-{number:03d}"
            cv2.imwrite(str(target.with_suffix(".png")), browser.picture())
            words = [[text, x1, y1, x2, y2, cut] for text, x1, y1, x2, y2, cut, _ in browser.ask(WORDS)]
            target.with_suffix(".json").write_text(json.dumps(words, ensure_ascii=False), encoding="utf-8")
        finally:
            browser.close()
    print(f"{arguments.pages} pages")


if __name__ == "__main__":
    main()
