"""A page's truth names the lines that can be read, and marks the places of those that cannot: asked of a real browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

TRAINING = Path(__file__).parents[3] / "training"
sys.path[:0] = [str(TRAINING), str(TRAINING / "reader")]

from chromium import Chromium  # noqa: E402
from factory.truth_script import truth_script  # noqa: E402

LINE = "position:absolute;left:20px;font:16px sans-serif;white-space:nowrap;"
UNREADABLE = {
    "covered": f"<p style='{LINE}top:10px'>Facture</p><b style='position:absolute;left:50px;top:0;width:80px;height:60px;background:#ccc'></b>",
    "covered, though clicks go through": f"<p style='{LINE}top:10px'>Facture</p><b style='pointer-events:none;position:absolute;left:50px;top:0;width:80px;height:60px;background:#ccc'></b>",
    "clipped by its parent": f"<div style='position:absolute;overflow:hidden;width:60px;height:60px'><p style='{LINE}top:10px'>Facture</p></div>",
    "clipped by its own box": f"<p style='{LINE}top:10px;overflow:hidden;width:30px'>Facture</p>",
    "cut at its feet": f"<p style='{LINE}top:10px;overflow:hidden;line-height:20px;height:11px'>Facture/p>",
    "shortened": f"<p style='{LINE}top:10px;overflow:hidden;text-overflow:ellipsis;width:50px'>Facture jointe</p>",
    "beyond the window": f"<p style='{LINE}top:10px;left:-10px'>Facture</p>",
    "drawn over by another": f"<p style='{LINE}top:10px'>Facture</p><p style='{LINE}top:12px;left:30px'>Montant</p>",
    "as pale as its paper": f"<p style='{LINE}top:10px;color:#fafafa'>Facture</p>",
    "transparent": f"<p style='{LINE}top:10px;opacity:.05'>Facture</p>",
    "a hint nobody sees": "<style>::placeholder{color:transparent}</style><input data-t=text_input placeholder=Facture style='font:16px sans-serif'>",
    "turned": f"<p style='{LINE}top:60px;transform:rotate(-30deg)'>Facture</p>",
    "with a sign of the style sheet's": f"<style>p::after{{content:'*'}}</style><p style='{LINE}top:10px'>Facture</p>",
}
READABLE = {
    "plain": f"<p style='{LINE}top:10px'>Facture</p>",
    "under something clear": f"<p style='{LINE}top:10px'>Facture</p><b style='pointer-events:none;position:absolute;inset:0'></b>",
    "on a button of its own": f"<button style='{LINE}top:10px;background:#048;color:#fff'>Facture</button>",
    "before an icon of the style sheet's": f"<style>p::after{{content:'\\f101'}}</style><p style='{LINE}top:10px'>Facture</p>",
    "beside a neighbour that is cut": f"<div style='position:absolute;overflow:hidden;width:60px;height:60px'><p style='{LINE}top:10px'>Marie-Antoinette</p></div><p style='{LINE}top:10px;left:70px'>Facture</p>",
}


@pytest.fixture(scope="module")
def browser():
    opened = Chromium()
    yield opened
    opened.close()


def truth(browser: Chromium, body: str) -> dict[str, Any]:
    browser.show(f"<!doctype html><body style='margin:0;background:#fff'>{body}", width=400, height=200)
    return browser.ask(truth_script("truth.js"))


@pytest.mark.parametrize("body", UNREADABLE.values(), ids=UNREADABLE)
def test_a_line_that_cannot_be_read_is_marked_instead(browser, body):
    """L2-6: the score is of lines whose truth is what can be seen."""
    told = truth(browser, body)
    assert "Facture" not in [line["text"] for line in told["texts"]]
    assert told["unsure"]


@pytest.mark.parametrize("body", READABLE.values(), ids=READABLE)
def test_a_line_that_can_be_read_is_told(browser, body):
    """L2-6"""
    assert "Facture" in [line["text"] for line in truth(browser, body)["texts"]]


def test_a_word_that_goes_on_in_the_next_line_is_two_lines(browser):
    """L2-6"""
    told = truth(browser, "<p style='width:70px;font:16px sans-serif'>Jean-Jaurès</p>")
    assert [line["text"] for line in told["texts"]] == ["Jean-", "Jaurès"]
