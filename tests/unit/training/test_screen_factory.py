"""Screens are made from seeds, and what is scored is never trained on."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from factory.kits import KITS, PROCEDURAL, by_name, of_split
from factory.page import Page
from factory.page_boards import BoardPage
from factory.screen_files import scaled, write_screen
from factory.words import Words

FACTORY = Path(__file__).parents[3] / "training" / "factory"
RESERVED = (
    "admin-lte", "gentelella", "dsfr", "tabler", "adminbsb", "black-dashboard", "now-ui", "soft-ui",
    "material-dashboard", "paper-dashboard", "sb-admin", "stisla", "themesberg", "uswds",
)  # fmt: skip


def marks(page: str) -> list[str]:
    """The controls of a page in order, without what they say."""
    return re.findall(r'data-[tc]="(\w+)"', page)


@pytest.mark.parametrize("name", ["own", "bootstrap5", "antd", "fomantic", "win98"])
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", [Page, BoardPage])
def test_one_layout_seed_is_one_screen_whatever_it_says(name, seed, kind):
    """L1-3: families of screens are the truth for whoever must know a screen again."""
    first = kind(by_name(name), seed, 10, "fr", "light").render("")
    again = kind(by_name(name), seed, 10, "fr", "light").render("")
    other = kind(by_name(name), seed, 11, "en", "light").render("")
    assert first == again
    assert first != other
    assert marks(first) == marks(other)


@pytest.mark.parametrize("seed", range(8))
def test_nothing_in_a_chart_or_a_bar_of_progress_is_to_be_pressed(seed):
    """L2-1: what a detector is to leave alone must not be marked for it."""
    page = BoardPage(PROCEDURAL, seed, 1, "fr", "light")
    assert set(marks(page._along() + page._round() + page._points() + page._legend() + page._bar())) == set()
    assert "image" in marks(page.chart())


def test_other_layout_seeds_are_other_screens():
    pages = {tuple(marks(Page(PROCEDURAL, seed, 1, "fr", "light").render(""))) for seed in range(30)}
    assert len(pages) == 30


def test_a_look_is_trained_on_or_scored_never_both():
    """What is scored was never trained on, neither the style sheet nor another skin of it."""
    held_out = of_split("held_out")
    assert len(held_out) >= 5
    packages = {sheet.split("/")[0] + sheet.split("/")[1] for kit in of_split("train") for sheet in kit.css}
    assert not [
        kit.name for kit in held_out for sheet in kit.css if sheet.split("/")[0] + sheet.split("/")[1] in packages
    ]
    assert len({kit.name for kit in KITS}) == len(KITS)


def test_looks_kept_for_judging_are_not_touched():
    used = [sheet for kit in KITS for sheet in kit.css]
    used += list(json.loads((FACTORY / "kits.lock.json").read_text(encoding="utf-8")))
    assert not [sheet for sheet in used if any(name in sheet for name in RESERVED)]


def test_every_sheet_is_locked_by_version_and_content_and_by_no_host():
    text = (FACTORY / "kits.lock.json").read_text(encoding="utf-8")
    locked = json.loads(text)
    assert "://" not in text
    for kit in KITS:
        for sheet in kit.css:
            parts = sheet.split("/")
            assert "/".join(parts[:2] if sheet.startswith("@") else parts[:1]) in locked
    for about in locked.values():
        assert re.fullmatch(r"\d+\.\d+\.\d+\S*", about["version"])
        assert about["integrity"].startswith("sha512-")


def test_french_words_have_their_accents():
    """L2-6"""
    import random

    words = Words(random.Random(3), "fr")
    said = " ".join(words.action() + words.noun() + words.menu() + words.value() + words.sentence() for _ in range(300))
    assert set("éèàçêôùî’") <= set(said)


def test_a_screen_says_to_which_element_each_line_belongs(tmp_path):
    button = {"box": [10, 10, 110, 40], "type": "button"}
    dialog = {"box": [0, 0, 300, 200], "type": "dialog"}
    inside, outside = {"box": [20, 15, 90, 30], "text": "OK"}, {"box": [400, 10, 500, 30], "text": "far"}
    write_screen(tmp_path, "one", b"png", {"kit": "own"}, [dialog, button], [inside, outside])
    truth = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))
    assert [text["owner"] for text in truth["texts"]] == [1, None]
    assert not list(tmp_path.glob("*.part"))


def test_boxes_are_scaled_and_stay_inside_the_picture():
    assert scaled([10.2, -3, 100, 600], 1.5, 120, 700) == [15, 0, 120, 700]
