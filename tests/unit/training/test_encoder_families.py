"""Families of screens: the same labels with other content, the same bars around other pages."""

from __future__ import annotations

import re

import pytest
from encoder.app_page import INVERTED, AppPage
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
