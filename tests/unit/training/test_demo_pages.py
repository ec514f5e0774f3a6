"""Real pages are trained on or kept apart by package, and none of those that judge us is fetched."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from factory.demo_packages import PACKAGES, DemoPackage, of_split
from factory.demo_seen import is_drawn, stands_out
from factory.demo_server import DemoFiles
from factory.demo_visits import phrases, visits, worth_it

FACTORY = Path(__file__).parents[3] / "training" / "factory"
LOCK = FACTORY / "demo_pages.lock.json"
RESERVED = (
    "admin-lte", "gentelella", "dsfr", "tabler", "adminbsb", "black-dashboard", "blk-design", "now-ui", "soft-ui",
    "material-dashboard", "material-kit", "paper-dashboard", "paper-kit", "sb-admin", "stisla", "themesberg", "uswds",
)  # fmt: skip
KEPT_FOR_OTHER_BENCHES = (
    "primer", "pico", "salesforce", "lightning", "fomantic", "semantic-ui", "spectre", "onsen", "framework7", "govuk",
    "rsuite", "papercss", "w3-css", "mdui", "codex",
)  # fmt: skip


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package whose page asks another host for what it ships itself."""
    root = tmp_path / "shop"
    (root / "dist" / "css").mkdir(parents=True)
    (root / "dist" / "css" / "shop.css").write_text("a { color: red }", encoding="utf-8")
    (root / "index.html").write_text("", encoding="utf-8")
    for name, value in (("fetched", tmp_path), ("package_top", root), ("package_root", root)):
        monkeypatch.setattr(DemoFiles, name, value)
    return root


def server() -> DemoFiles:
    """The handler's own logic, without a connection."""
    return DemoFiles.__new__(DemoFiles)


def element(**more):
    return {"box": [0, 0, 100, 30], "enabled": True, "covered": False, **more}


def test_packages_that_judge_us_are_never_fetched():
    used = [*json.loads(LOCK.read_text(encoding="utf-8")), *(package.name for package in PACKAGES)]
    assert not [name for name in used if any(word in name for word in RESERVED + KEPT_FOR_OTHER_BENCHES)]


def test_a_package_is_trained_on_or_held_out_never_both():
    names, looks = {package.name for package in PACKAGES}, {package.look for package in PACKAGES}
    assert len(names) == len(looks) == len(PACKAGES)
    assert len(of_split("train")) + len(of_split("held_out")) == len(PACKAGES)
    assert len(of_split("train")) >= 25
    assert 0.15 <= len(of_split("held_out")) / len(PACKAGES) <= 0.3


def test_every_package_is_locked_by_version_and_content_and_by_no_host():
    text = LOCK.read_text(encoding="utf-8")
    locked = json.loads(text)
    assert "://" not in text
    assert not {package.name for package in PACKAGES} - set(locked)
    for about in locked.values():
        assert re.fullmatch(r"\d+\.\d+\.\d+\S*", about["version"])
        assert about["integrity"].startswith("sha512-")


def test_file_names_start_with_the_group_the_trainer_counts(package):
    visit = visits([DemoPackage("shop")], package.parent)[0]
    assert visit.ident.split("-")[:3] == ["demo", "shop", "index"]


def test_looks_take_turns_wherever_one_stops(tmp_path):
    for name, count in (("few", 1), ("many", 9)):
        (tmp_path / name).mkdir()
        for number in range(count):
            (tmp_path / name / f"{number}.html").write_text("", encoding="utf-8")
    planned = visits([DemoPackage("few"), DemoPackage("many")], tmp_path)
    assert [visit.package.name for visit in planned[:6]] == ["few", "many"] * 3
    assert len({visit.ident for visit in planned}) == len(planned)


def test_a_page_gets_from_its_package_what_it_asks_of_other_hosts(package):
    page = server().with_stand_ins('<link href="//host.example/1.0/css/shop.css" integrity="x">')
    assert "host.example" not in page
    assert "integrity" not in page
    assert server().translate_path("/1.0/css/shop.css") == str(package / "dist" / "css" / "shop.css")


@pytest.mark.parametrize(
    "address",
    [
        "https://host.example/npm/shop@1.2.3/dist/css/shop.css",
        "https://host.example/ajax/libs/shop/1.2.3/css/shop.css",
        "//unpkg.com/shop/dist/css/shop.css",
    ],
)
def test_a_page_gets_from_a_fetched_package_what_it_asks_of_a_host_for_packages(package, address):
    assert '"/-shared/shop/dist/css/shop.css"' in server().with_stand_ins(f'<link href="{address}">')


def test_what_no_package_has_stays_missing(package):
    page = '<link href="//host.example/other/theme.css">'
    assert server().with_stand_ins(page) == page


def test_a_screen_under_a_veil_or_of_doubt_is_left_out():
    """Wrong truth is worse than none."""
    texts = [{} for _ in range(10)]
    sure = [element() for _ in range(5)]
    doubt = element(box=[0, 0, 1000, 500], covered=True)
    assert worth_it({"elements": sure, "texts": texts, "hidden": 0}, 1e6)
    assert not worth_it({"elements": sure, "texts": texts, "hidden": 30}, 1e6)
    assert not worth_it({"elements": [*sure, doubt], "texts": texts, "hidden": 0}, 1e6)


def test_white_words_on_white_are_not_there():
    picture = np.full((40, 120, 3), 255, np.uint8)
    picture[10:30, 60:100] = 250
    assert not is_drawn(picture, [10, 10, 50, 30])
    assert not is_drawn(picture, [60, 10, 100, 30])
    cv2.putText(picture, "Word", (12, 26), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (60, 60, 60))
    assert is_drawn(picture, [10, 10, 50, 30])


def test_a_place_of_one_colour_is_seen_only_on_another():
    picture = np.full((40, 120, 3), 255, np.uint8)
    picture[10:30, 60:100] = (180, 90, 20)
    assert stands_out(picture, [60, 10, 100, 30])
    assert not stands_out(picture, [10, 10, 50, 30])
    assert stands_out(np.pad(picture[10:30, 60:100], ((0, 3), (0, 0), (0, 0))), [0, 0, 40, 20])


def test_other_words_come_in_all_lengths():
    lengths = [len(phrase) for phrase in phrases(random.Random(1), "fr")]
    assert lengths == sorted(lengths)
    assert lengths[0] <= 4
    assert lengths[-1] > 150
