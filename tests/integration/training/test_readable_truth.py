"""A page's truth names the lines that can be read and marks the places of those that cannot, in a real browser."""

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
PLATE = "position:absolute;left:50px;top:0;width:80px;height:60px;background:#ccc"
HOLE = "position:absolute;overflow:hidden;width:60px;height:60px"


def line(style: str = "top:10px", text: str = "Facture") -> str:
    return f"<p style='{LINE}{style}'>{text}</p>"


UNREADABLE = {
    "covered": line() + f"<b style='{PLATE}'></b>",
    "covered, though clicks go through": line() + f"<b style='pointer-events:none;{PLATE}'></b>",
    "clipped by its parent": f"<div style='{HOLE}'>{line()}</div>",
    "clipped by its own box": line("top:10px;overflow:hidden;width:30px"),
    "cut at its feet": line("top:10px;overflow:hidden;line-height:20px;height:11px"),
    "shortened": line("top:10px;overflow:hidden;text-overflow:ellipsis;width:50px"),
    "beyond the window": line("top:10px;left:-10px"),
    "drawn over by another": line() + line("top:12px;left:30px", "Montant"),
    "as pale as its paper": line("top:10px;color:#fafafa"),
    "transparent": line("top:10px;opacity:.05"),
    "a hint nobody sees": "<style>::placeholder{opacity:0}</style><input data-t=text_input placeholder=Facture>",
    "turned": line("top:60px;transform:rotate(-30deg)"),
    "with a sign of the style sheet's": "<style>p::after{content:'*'}</style>" + line(),
}
READABLE = {
    "plain": line(),
    "under something clear": line() + "<b style='pointer-events:none;position:absolute;inset:0'></b>",
    "on a button of its own": f"<button style='{LINE}background:#048;color:#fff'>Facture</button>",
    "before an icon of the style sheet's": "<style>p::after{content:'\\f101'}</style>" + line(),
    "beside a neighbour that is cut": f"<div style='{HOLE}'>{line(text='Antoinette')}</div>"
    + line("top:10px;left:70px"),
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
