"""Make pairs of screens: one page before and after something changed, with the target's box on both from the DOM.

    python benchmarks/relocate/render_pairs.py --out PAIRS --families 60 --seed 1 --split held_out

A family is one page as it was recorded and what became of it, one picture per kind of drift. `pairs.jsonl` holds one
line per pair; `box_after` is null where the target is really gone, replaced or covered: the right answer is to refuse.
Kits are split as in `training/factory`: what is scored on was never tuned on.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "training"), str(ROOT / "benchmarks")]

from factory.chromium import Chromium  # noqa: E402
from factory.kits import PROCEDURAL, Kit, of_split  # noqa: E402
from factory.page import Page  # noqa: E402
from factory.screen_files import scaled  # noqa: E402
from factory.truth_script import truth_script  # noqa: E402
from factory.words import Words  # noqa: E402

from relocate.showing import differs, shows  # noqa: E402
from relocate.wording import NO, SIBLINGS, SYNONYMS, YES, questions_of  # noqa: E402

FINDABLE = ("zoom", "theme", "size", "moved", "content", "renamed", "compound", "redesign", "sorted", "swapped")
REFUSABLE = ("gone", "look_alike", "covered", "disabled")
MUST_SHOW = ("renamed", "gone", "look_alike")
"""Where nothing else changes: without a change that shows there would be nothing to answer."""
ZOOMS = (0.8, 0.9, 1.1, 1.25, 1.5, 1.75, 2.0)
SIZES = ((1920, 1080), (1600, 900), (1366, 768), (1440, 900), (1280, 800), (2560, 1440))
TARGETS = frozenset(
    ("button", "link", "text_input", "password_input", "textarea", "checkbox", "radio", "toggle", "dropdown", "tab",
     "menu_item", "list_item")
)  # fmt: skip
SORTS = 24
"""How many other ways to sort a table are tried, until the row of the target has moved and shows."""
FONTS = ("DejaVu Sans", "Liberation Serif", "Carlito", "FreeSans", "Noto Sans")


class DriftingWords(Words):
    """What names things stays; what things hold changes with the content seed."""

    def __init__(self, names: random.Random, data: random.Random, lang: str) -> None:
        super().__init__(names, lang)
        self._names, self._data = names, data

    def _of_data(self, make: Any) -> str:
        before, self.rng = self.rng, self._data
        try:
            return str(make())
        finally:
            self.rng = before

    def value(self) -> str:
        return self._of_data(super().value)

    def amount(self) -> str:
        return self._of_data(super().amount)

    def date(self) -> str:
        return self._of_data(super().date)

    def code(self) -> str:
        return self._of_data(super().code)

    def person(self) -> str:
        return self._of_data(super().person)

    def state(self) -> str:
        return self._of_data(super().state)


class SteadyRandom(random.Random):
    """One draw per question, whatever the number of choices: pages of two kits stay in step."""

    def _randbelow(self, n: int) -> int:
        return int(self.random() * n)


def page_of(kit: Kit, seed: int, content: int, lang: str, theme: str) -> Page:
    made = Page(kit, seed, seed, lang, theme)
    made.r = SteadyRandom(f"layout-{seed}")
    made.words = DriftingWords(random.Random(f"names-{seed}"), random.Random(f"data-{content}"), lang)
    return made


class Renderer:
    """Shows pages and takes their truth."""

    def __init__(self, kits: Path) -> None:
        self.browser = Chromium(kits)
        here = Path(__file__).parent
        self._drifts = (here / "drifts.js").read_text(encoding="utf-8")
        truth, marked = truth_script("truth.js"), "!element.disabled : null, covered: covered(element) });"
        assert truth.count(marked) == 1
        self._truth = truth.replace(marked, f"{marked.removesuffix(' });')}, rid: element.dataset.rid ?? null }});")

    def show(self, html: str, size: tuple[int, int], zoom: float) -> str:
        """Show a page; gives the kinds of its elements, in order."""
        self.browser.show(html, size[0], size[1], zoom)
        self.browser.evaluate(self._drifts)
        self.browser.evaluate("drift.name()")
        return str(self.browser.evaluate("drift.kinds()"))

    def change(self, what: str, *arguments: Any) -> Any:
        return self.browser.evaluate(f"drift.{what}({','.join(json.dumps(one) for one in arguments)})")

    def about(self) -> dict[str, dict[str, Any]]:
        return {one["rid"]: one for one in self.browser.evaluate("drift.about()")}

    def boxes(self, size: tuple[int, int], zoom: float) -> dict[str, list[int]]:
        """The visible boxes by rid, in pixels of the picture; of a broken link its first piece."""
        found: dict[str, list[int]] = {}
        for one in self.browser.evaluate(self._truth)["elements"]:
            if one.get("rid") is not None and not one["covered"] and one["rid"] not in found:
                found[one["rid"]] = scaled(one["box"], zoom, *size)
        return found


def other_look(rng: random.Random, kit: Kit, theme: str, kits: list[Kit]) -> tuple[Kit, str, str]:
    """Another skin of the same kit, the other theme, or the same in other colours and letters."""
    skins = [one for one in kits if one is not kit and one.parts is kit.parts and one.buttons == kit.buttons]
    css = ""
    if skins and rng.random() < 0.5:
        return rng.choice(skins), theme, css
    if kit.dark and kit.dark != "always":
        theme = "dark" if theme == "light" else "light"
    elif rng.random() < 0.6:
        css += "html{filter:invert(1) hue-rotate(180deg);background:#fff}"
    else:
        css += f"html{{filter:hue-rotate({rng.choice([60, 120, 200, 280])}deg) saturate(1.2)}}"
    if rng.random() < 0.5:
        css += f'body,button,input,select,textarea,a,td{{font-family:"{rng.choice(FONTS)}",sans-serif!important}}'
    return kit, theme, css


def with_css(html: str, css: str) -> str:
    return html.replace("</head>", f"<style>{css}</style></head>", 1)


def family(renderer: Renderer, out: Path, split: str, seed: int, kits: list[Kit]) -> list[dict[str, Any]]:
    """One page and what becomes of it."""
    rng = random.Random(f"family-{split}-{seed}")
    kit = rng.choices(kits, [one.weight for one in kits])[0]
    lang = rng.choice(["fr", "fr", "en"])
    theme = "dark" if kit.dark == "always" else "light"
    size, zoom, content = rng.choice(SIZES[:5]), rng.choice([1, 1, 1, 1.25]), seed * 100
    html = page_of(kit, seed, content, lang, theme).render(renderer.browser.base)
    kinds = renderer.show(html, size, zoom)
    before, about = renderer.boxes(size, zoom), renderer.about()
    choices = [
        rid
        for rid, box in before.items()
        if about[rid]["type"] in TARGETS
        and not about[rid]["disabled"]
        and box[2] - box[0] >= 8
        and box[3] - box[1] >= 8
    ]
    if len(choices) < 5:
        return []
    name = f"{kit.name}-{seed}"
    picture = renderer.browser.picture()
    (out / f"{name}-before.png").write_bytes(picture)
    pairs = []
    for drift in FINDABLE + REFUSABLE:
        made = after(renderer, drift, rng, kit, kits, seed, lang, theme, size, zoom, choices, about, kinds)
        if made is None:
            continue
        rid, detail, shown = made
        boxes = renderer.boxes(*shown)
        truth = None if drift in REFUSABLE else boxes.get(about[rid]["neighbour"] if drift == "swapped" else rid)
        if truth is None and drift not in REFUSABLE:
            continue
        shown_now = renderer.browser.picture()
        if drift in MUST_SHOW and not shows(picture, shown_now, before[rid]):
            continue
        (out / f"{name}-{drift}.png").write_bytes(shown_now)
        pairs.append(
            {
                "id": f"{name}-{drift}", "drift": drift, "detail": detail, "kit": kit.name, "split": split,
                "lang": lang, "from": f"{name}-before.png", "box": before[rid], "in": f"{name}-{drift}.png",
                "box_after": truth, "type": about[rid]["type"], "text": about[rid]["text"],
                "in_row": about[rid]["in_row"],
            }
        )  # fmt: skip
    return pairs + questions(renderer, out, split, seed, name, kit, lang, theme, size, zoom)


def questions(
    renderer: Renderer, out: Path, split: str, seed: int, name: str, kit: Kit, lang: str, theme: str,
    size: tuple[int, int], zoom: float,
) -> list[dict[str, Any]]:  # fmt: skip
    """A dialog over the page and its button that says yes: asked again over other content (`asked`), and in a dialog
    that asks something else (`question`), where it is another button."""
    rng = random.Random(f"questions-{split}-{seed}")
    yes, (first, other) = rng.choice(YES[lang]), rng.sample(questions_of(split, lang), 2)
    pairs, box = [], None
    for drift, content, asked in (("", 0, first), ("asked", 1, first), ("question", rng.randrange(2), other)):
        made = page_of(kit, seed, seed * 100 + content, lang, theme)
        html = made.render(renderer.browser.base)
        made.r = SteadyRandom(f"dialog-{seed}")
        made.words = DriftingWords(random.Random(f"dialog-{seed}"), random.Random(f"dialog-data-{seed}"), lang)
        renderer.show(html, size, zoom)
        seen = renderer.change("ask", made.dialog(), *asked, yes, NO[lang])
        there = renderer.boxes(size, zoom).get(seen["rid"])
        if there is None or not seen["shows"]:
            return pairs  # a question that nobody can read tells nothing apart
        box = box or there
        (out / f"{name}-{drift or 'asking'}.png").write_bytes(renderer.browser.picture())
        if drift:
            pairs.append(
                {
                    "id": f"{name}-{drift}", "drift": drift, "detail": f"{first[1]} -> {asked[1]}", "kit": kit.name,
                    "split": split, "lang": lang, "from": f"{name}-asking.png", "box": box, "in": f"{name}-{drift}.png",
                    "box_after": there if drift == "asked" else None, "type": "button", "text": yes, "in_row": False,
                }
            )  # fmt: skip
    return pairs


def after(
    renderer: Renderer, drift: str, rng: random.Random, kit: Kit, kits: list[Kit], seed: int, lang: str, theme: str,
    size: tuple[int, int], zoom: float, choices: list[str], about: dict[str, dict[str, Any]], kinds: str,
) -> tuple[str, str, tuple[tuple[int, int], float]] | None:  # fmt: skip
    """Show the page as it is later; gives the target, what changed, and how the page is shown. None: not possible."""
    content, css, detail = seed * 100, "", drift
    wanted = list(choices)
    rename = None
    if drift in ("content", "compound"):
        content += 1
    if drift in ("content", "compound", "swapped"):
        wanted = [rid for rid in wanted if not about[rid]["in_row"] and not about[rid]["in_list"]]
    if drift in ("zoom", "compound"):
        factor = rng.choice(ZOOMS)
        zoom, detail = zoom * factor, f"zoom {factor}"
    if drift in ("size", "compound"):
        size = rng.choice([one for one in SIZES if one != size])
        detail = f"{detail if drift == 'compound' else 'size'} {size[0]}x{size[1]}"
    if drift in ("theme", "compound"):
        kit, theme, css = other_look(rng, kit, theme, kits)
        detail = f"{detail if drift == 'compound' else ''} {kit.name} {theme} {css[:40]}".strip()
    if drift == "redesign":
        kit = rng.choice([one for one in kits if one.parts is not kit.parts])
        theme = "dark" if kit.dark == "always" else theme
        detail = kit.name
    if drift == "renamed":
        table = dict(pair.split("=") for pair in SYNONYMS[lang].split("|"))
        said = {about[rid]["text"] for rid in about}
        wanted = [
            rid for rid in wanted if about[rid]["words_show"] and table.get(about[rid]["text"]) not in (None, *said)
        ]
        rename = table
    if drift == "look_alike":
        wanted = [
            rid
            for rid in wanted
            if about[rid]["text"]
            and about[rid]["own"]
            and about[rid]["words_show"]
            and about[rid]["type"] in ("button", "link", "tab", "menu_item")
        ]
    if drift == "sorted":
        wanted = [rid for rid in wanted if len(about[rid]["row"]) > 3 and _is_told_by_its_row(about, rid)]
    if drift == "swapped":
        captions = [one["caption"] for one in about.values()]
        wanted = [
            rid
            for rid in wanted
            if (other := about[rid]["neighbour"]) in choices
            and captions.count(about[rid]["caption"]) == 1
            and about[rid]["caption_shows"]
            and about[other]["caption_shows"]
        ]
    if drift == "disabled":
        wanted = [rid for rid in wanted if about[rid]["can_be_off"]]
    if not wanted:
        return None
    rid = rng.choice(wanted)
    html = with_css(page_of(kit, seed, content, lang, theme).render(renderer.browser.base), css)
    if renderer.show(html, size, zoom) != kinds:
        return None
    text = about[rid]["text"]
    if drift == "moved":
        moves = [
            ("banner", "Maintenance prévue ce soir de 20 h à 22 h", rng.choice([40, 70, 110])),
            ("indent", rng.choice([60, 140, 240])),
            ("reverse",),
        ]
        chosen = rng.sample(moves, rng.choice([1, 1, 2]))
        for move in chosen:
            renderer.change(*move)
        detail = "+".join(move[0] for move in chosen)
    elif rename is not None:
        if not renderer.change("rename", rid, rename[text]):
            return None
        detail = f"{text} -> {rename[text]}"
    elif drift == "sorted":
        cell, down = rng.randrange(6), rng.random() < 0.5
        own = random.Random(f"sorts-{seed}")
        others = [(own.choice(wanted), own.randrange(6), own.random() < 0.5) for _ in range(SORTS)]
        for one, by, order in [(rid, cell, down), (rid, cell, not down), *others]:
            if renderer.change("sort", one, by, order) and one in renderer.boxes(size, zoom):
                return one, f"by cell {by}", (size, zoom)
        return None
    elif drift == "swapped":
        if not renderer.change("swap", rid, about[rid]["neighbour"]):
            return None
        detail = f"{about[rid]['caption']} <-> {about[about[rid]['neighbour']]['caption']}"
    elif drift == "disabled":
        was = _part(renderer, rid, size, zoom)
        for step in ("disable", "fade"):
            renderer.change(step, rid)
            if was is not None and differs(was, _part(renderer, rid, size, zoom)):
                return rid, step, (size, zoom)
        return None
    elif drift == "gone":
        renderer.change("remove", rid)
    elif drift == "look_alike":
        pattern = rng.choice(SIBLINGS[lang])
        name = pattern.format(text if pattern.startswith("{") else text[:1].lower() + text[1:])
        if not renderer.change("rename", rid, name):
            return None
        detail = pattern
    elif drift == "covered":
        renderer.change(
            "cover", rid, "Supprimer définitivement ce dossier ?" if lang == "fr" else "Delete this file for good?"
        )
    return rid, detail, (size, zoom)


def _is_told_by_its_row(about: dict[str, dict[str, Any]], rid: str) -> bool:
    """Whether no other thing of its kind and words stands in a row that says the same."""
    what = ("row", "type", "text")
    return sum(all(one[key] == about[rid][key] for key in what) for one in about.values()) == 1


def _part(renderer: Renderer, rid: str, size: tuple[int, int], zoom: float) -> Any:
    """The picture of one element, grey; None where it does not show."""
    box = renderer.boxes(size, zoom).get(rid)
    if box is None:
        return None
    picture = cv2.imdecode(np.frombuffer(renderer.browser.picture(), np.uint8), cv2.IMREAD_GRAYSCALE)
    return picture[box[1] : box[3], box[0] : box[2]].astype(np.float32)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--families", type=int, default=60)
    options.add_argument("--first", type=int, default=0, help="go on with this family, after those that are there")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument(
        "--split",
        choices=(
            "train",
            "held_out",
            "fresh",
            "unseen",
            "newest",
            "last",
            "later",
            "final",
            "latest",
            "afresh",
            "anew",
        ),
        default="train",
    )
    options.add_argument("--kits", type=Path, default=ROOT / "build" / "kits")
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    kits = of_split(given.split) + ([PROCEDURAL] if given.split == "train" else [])
    renderer, began, made = Renderer(given.kits), time.monotonic(), 0
    try:
        with (given.out / "pairs.jsonl").open("a" if given.first else "w", encoding="utf-8") as lines:
            for index in range(given.first, given.families):
                try:
                    pairs = family(renderer, given.out, given.split, given.seed * 1_000_000 + index, kits)
                except RuntimeError as error:
                    print("failed", index, error, flush=True)
                    continue
                for pair in pairs:
                    lines.write(json.dumps(pair, ensure_ascii=False) + "\n")
                lines.flush()
                made += len(pairs)
                if index % 10 == 9:
                    print(f"{index + 1} families, {made} pairs, {time.monotonic() - began:.0f} s", flush=True)
    finally:
        renderer.browser.close()


if __name__ == "__main__":
    main()
