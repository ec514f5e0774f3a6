"""Pages and what became of them, with the place of every element on each picture.

    python training/pairing/families.py --out FAMILIES --families 260 --seed 81

The drifts are those of `benchmarks/relocate`, on kits that are not scored there any more. Any two pictures of a family
make a pair: `families.jsonl` says for each picture where each element is, by one number per element and family.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "training"), str(ROOT / "benchmarks")]

from factory.kits import PROCEDURAL, Kit, of_split  # noqa: E402
from relocate.render_pairs import (  # noqa: E402
    NO,
    SIZES,
    TARGETS,
    YES,
    DriftingWords,
    Renderer,
    SteadyRandom,
    after,
    page_of,
    questions_of,
)  # fmt: skip

SPLITS = ("train", "held_out", "fresh", "unseen", "newest", "last", "later", "final", "latest")
ALWAYS = ("redesign", "compound")
"""What moves most teaches most."""
SOME = ("zoom", "theme", "size", "moved", "content", "renamed", "sorted", "swapped", "redesign", "compound")
REFUSED = ("gone", "gone", "look_alike", "disabled", "covered")
OF_SOME, OF_REFUSED, ASKED = 4, 3, 0.4
"""How many of them a family has, and how often one has a dialog, too."""


class QuickRenderer(Renderer):
    """Takes the truth of elements only: lines of text cost three times as much, and nobody asks for them here."""

    def __init__(self, kits: Path) -> None:
        super().__init__(kits)
        last = "elements.push(...scrollBars"
        assert self._truth.count(last) == 1
        self._truth = self._truth.replace(last, f"return {{ elements }};\n{last}")


def family(renderer: Renderer, out: Path, seed: int, kits: list[Kit]) -> dict[str, Any] | None:
    """One page, drawn several times; None where it holds too little."""
    rng = random.Random(f"pairing-{seed}")
    kit = rng.choices(kits, [one.weight for one in kits])[0]
    lang = rng.choice(["fr", "fr", "en"])
    theme = "dark" if kit.dark == "always" else "light"
    size, zoom = rng.choice(SIZES[:5]), rng.choice([1, 1, 1, 1.25])
    kinds = renderer.show(page_of(kit, seed, seed * 100, lang, theme).render(renderer.browser.base), size, zoom)
    about, before = renderer.about(), renderer.boxes(size, zoom)
    choices = [
        rid
        for rid, box in before.items()
        if about[rid]["type"] in TARGETS and not about[rid]["disabled"] and min(box[2] - box[0], box[3] - box[1]) >= 8
    ]
    if len(choices) < 5:
        return None
    name = f"{kit.name}-{seed}"
    screens = [_kept(renderer, out, f"{name}-before", "before", before)]
    for index, drift in enumerate((*ALWAYS, *rng.sample(SOME, OF_SOME), *rng.sample(REFUSED, OF_REFUSED))):
        made = after(renderer, drift, rng, kit, kits, seed, lang, theme, size, zoom, choices, about, kinds)
        if made is None:
            continue
        rid, detail, shown = made
        boxes = renderer.boxes(*shown)
        screen = _kept(renderer, out, f"{name}-{index}-{drift}", drift, boxes)
        screens.append({**screen, "rid": rid, "detail": detail})
        if drift == "swapped":
            screens[-1]["with"] = about[rid]["neighbour"]
    kept = {rid: {key: one[key] for key in ("type", "text", "in_row", "in_list", "row")} for rid, one in about.items()}
    return {
        "name": name, "kit": kit.name, "screens": screens, "about": kept,
        "asked": _asked(renderer, out, seed, name, kit, lang, theme, size, zoom) if rng.random() < ASKED else [],
    }  # fmt: skip


def _asked(
    renderer: Renderer, out: Path, seed: int, name: str, kit: Kit, lang: str, theme: str, size: tuple[int, int],
    zoom: float,
) -> list[dict[str, Any]]:  # fmt: skip
    """The page with a dialog before it: as it is, over other content, and with another question."""
    rng = random.Random(f"pairing-questions-{seed}")
    yes, (first, other) = rng.choice(YES[lang]), rng.sample(questions_of("train", lang), 2)
    screens: list[dict[str, Any]] = []
    for drift, content, asked in (("asking", 0, first), ("asked", 1, first), ("question", rng.randrange(2), other)):
        made = page_of(kit, seed, seed * 100 + content, lang, theme)
        html = made.render(renderer.browser.base)
        made.r = SteadyRandom(f"dialog-{seed}")
        made.words = DriftingWords(random.Random(f"dialog-{seed}"), random.Random(f"dialog-data-{seed}"), lang)
        renderer.show(html, size, zoom)
        seen = renderer.change("ask", made.dialog(), *asked, yes, NO[lang])
        boxes = renderer.boxes(size, zoom)
        if seen["rid"] not in boxes or not seen["shows"]:
            return screens
        screens.append({**_kept(renderer, out, f"{name}-{drift}", drift, boxes), "rid": seen["rid"]})
    return screens


def _kept(renderer: Renderer, out: Path, name: str, drift: str, boxes: dict[str, list[int]]) -> dict[str, Any]:
    (out / f"{name}.png").write_bytes(renderer.browser.picture())
    return {"file": f"{name}.png", "drift": drift, "boxes": boxes}


def _begun(file: Path) -> int:
    """The family after the last that was begun; one that was broken off is left out."""
    return int(file.read_text(encoding="utf-8")) + 1 if file.exists() else 0


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--families", type=int, default=260)
    options.add_argument("--first", type=int, default=0, help="go on with this family, after those that are there")
    options.add_argument("--seed", type=int, default=81)
    options.add_argument("--kits", type=Path, default=ROOT / "build" / "kits")
    options.add_argument("--splits", default=",".join(SPLITS))
    options.add_argument("--go-on", action="store_true", help="go on after the last family that was begun")
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    first = max(given.first, _begun(given.out / "begun") if given.go_on else 0)
    kits = [kit for split in given.splits.split(",") for kit in of_split(split)] + [PROCEDURAL]
    renderer, began = QuickRenderer(given.kits), time.monotonic()
    try:
        with (given.out / "families.jsonl").open("a", encoding="utf-8") as lines:
            for index in range(first, given.families):
                (given.out / "begun").write_text(str(index), encoding="utf-8")
                try:
                    made = family(renderer, given.out, given.seed * 1_000_000 + index, kits)
                except RuntimeError as error:
                    print("failed", index, error, flush=True)
                    continue
                if made is not None:
                    lines.write(json.dumps(made, ensure_ascii=False) + "\n")
                    lines.flush()
                if index % 10 == 9:
                    print(f"{index + 1} families, {time.monotonic() - began:.0f} s", flush=True)
        (given.out / "done").touch()
    finally:
        renderer.browser.close()


if __name__ == "__main__":
    main()
