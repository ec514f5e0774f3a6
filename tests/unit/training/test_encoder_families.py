"""Families of screens: the same labels with other content, the same bars around other pages."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest
from encoder.app_page import INVERTED, AppPage
from encoder.looks import CHANGES, SCORED, look
from encoder.views import Views
from factory.kits import by_name


def page(kit: str = "fomantic", app: int = 1, layout: int = 7, content: int = 1, *, other_theme: bool = False) -> str:
    return AppPage(by_name(kit), app, layout, content, "fr", other_theme=other_theme).render("")


def of_kind(kind: str, markup: str) -> list[str]:
    return re.findall(rf'<a [^>]*data-t="{kind}"[^>]*>(.*?)</a>', markup)


def words_of(tag: str, markup: str) -> list[str]:
    return re.findall(rf"<{tag}[^>]*>([^<]+)", markup)


@pytest.mark.parametrize("layout", range(1, 15))
def test_labels_stay_and_content_does_not(layout):
    """L1-3: what is scored is a screen with other content, not another screen."""
    first, second = page(layout=layout, content=1), page(layout=layout, content=2)
    assert first == page(layout=layout, content=1)
    assert first != second
    for tag in ("label", "th", "h1", "h2", "h3"):
        assert words_of(tag, first) == words_of(tag, second)


def test_pages_of_one_application_share_their_bars_and_not_their_middles():
    """L3-5: the screens a screen is taken for are those beside it."""
    pages = [page(layout=layout) for layout in range(1, 40)]
    bars = [re.search(r"<aside.*?</aside>", one, re.S) for one in pages]
    found = {bar.group() for bar in bars if bar}
    assert len(found) == 1
    assert sum(bar is not None for bar in bars) > 5
    assert len(set(pages)) == len(pages)


def test_a_kit_without_a_dark_theme_is_darkened_as_browsers_do():
    assert INVERTED not in page()
    assert INVERTED in page(other_theme=True)
    assert INVERTED not in page("pico", other_theme=True)
    assert 'data-theme="dark"' in page("pico", other_theme=True)


def test_in_a_wide_window_the_middle_is_a_column_that_keeps_its_place():
    """L3-5: zoomed, such a page grows to both sides; nothing else of it is another one."""
    kit, column = by_name("fomantic"), re.compile(r"max-width:(\d+)px;margin:0 auto")
    plain = [page(layout=layout) for layout in range(1, 10)]
    centred = [AppPage(kit, 1, layout, 1, "fr", other_theme=False, centred=True).render("") for layout in range(1, 10)]
    middles = [re.search(r"<main [^>]*>", one).group() for one in centred]
    assert len({column.search(middle).group(1) for middle in middles}) == 1
    assert [re.sub(r"<main [^>]*>", "", one) for one in centred] == [re.sub(r"<main [^>]*>", "", one) for one in plain]


@pytest.mark.parametrize("change", SCORED)
def test_what_scores_are_taken_of_stays_as_it_was(change):
    """Scores of one day are compared with those of another: nothing that was added to train by reaches them."""
    for seed in range(50):
        how = look(random.Random(f"look-{seed}-{change}"), change, (1280, 720))
        assert 0.8 <= how["zoom"] <= (2.0 if how["zoom_kind"] == "scale" else 1.5)
        assert not how.get("contrast")
        assert not how.get("columns")
    assert CHANGES[: len(SCORED)] == SCORED


def test_to_train_by_there_are_screens_of_twice_their_size_and_in_high_contrast():
    """L4-10: a screen at twice its size, or in high contrast with more columns, is that screen."""
    near = [look(random.Random(seed), "near", (1920, 1080)) for seed in range(40)]
    assert {how["size"] for how in near} == {(1920, 1080)}
    assert max(how["zoom"] for how in near) == 2.0
    assert min(how["zoom"] for how in near) > 1.5
    redrawn = [look(random.Random(seed), "redrawn", (1920, 1080)) for seed in range(40)]
    assert all(how["contrast"] for how in redrawn)
    assert {how["columns"] for how in redrawn} >= {1, 2}


def test_a_map_is_stretched_from_the_left_or_from_the_middle_up_to_twice():
    """A column in the middle of a wide window grows to both sides."""
    maps = np.zeros((4, 144, 256), np.uint8)
    maps[:, :, 127:129] = 255
    views = Views([(np.stack([maps, maps]), [{"app": str(n), "family": str(n), "content": []} for n in range(2)])], 1)
    where = []
    for _ in range(300):
        seen = np.flatnonzero(views._stretched(maps)[0].max(0))
        where.append(float(seen.mean()) if seen.size else 300.0)
    assert sum(abs(place - 127.5) < 5 for place in where) > 150
    assert sum(place > 180 for place in where) > 20
