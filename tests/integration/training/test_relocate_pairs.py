"""The pairs of `benchmarks/relocate` ask only what can be seen, in a real browser."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

CHECKOUT = Path(__file__).parents[3]
sys.path[:0] = [str(CHECKOUT / "training" / "reader"), str(CHECKOUT / "benchmarks")]

from chromium import Chromium  # noqa: E402
from relocate.showing import differs, shows  # noqa: E402
from relocate.wording import questions_of  # noqa: E402

DRIFTS = (CHECKOUT / "benchmarks" / "relocate" / "drifts.js").read_text(encoding="utf-8")
FIELD = "<div><div><label>Montant</label></div><div>{}<small>Vérifier les pièces</small></div></div>"
DIALOG = (
    "<div data-c=dialog style='position:fixed;left:20px;top:{}px;background:#fff'><h2 data-t=heading>?</h2>"
    "<div></div><div><button data-t=button>non</button><button data-t=button>oui</button></div></div>"
)


@pytest.fixture(scope="module")
def browser():
    opened = Chromium()
    yield opened
    opened.close()


def asked(browser: Chromium, body: str, script: str) -> Any:
    browser.show(f"<!doctype html><body style='margin:0;background:#fff'>{body}", width=400, height=200)
    return browser.ask(f"{DRIFTS}; drift.name(); {script}")


def test_a_hint_beside_a_field_is_not_its_name(browser):
    made = FIELD.format("<input data-t=text_input>")
    assert asked(browser, made, "drift.about()[0].caption") == "Montant"


@pytest.mark.parametrize(("top", "shown"), [(10, True), (-60, False)])
def test_a_question_beyond_the_edge_of_the_screen_is_told(browser, top, shown):
    script = f"drift.ask({json.dumps(DIALOG.format(top))}, 'Facture', 'Valider la facture ?', 'Oui', ['Non']).shows"
    assert asked(browser, "", script) is shown


def test_what_is_taken_away_leaves_no_empty_frame(browser):
    framed = "<div><label>Nom</label><span class=frame><input data-t=text_input></span></div>"
    script = "(drift.remove('0'), [document.querySelectorAll('.frame').length, document.body.innerText.trim()])"
    assert asked(browser, framed, script) == [0, "Nom"]


CUT = "position:absolute;left:10px;top:10px;width:14px;height:14px;overflow:hidden"


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("<a data-t=tab>Orders</a>", True),
        (f"<a data-t=tab style='{CUT}'><i>Orders</i></a>", False),
        ("<a data-t=tab>Orders</a><b style='position:fixed;inset:0;background:#fff'></b>", False),
        ("<a data-t=tab style='position:fixed;left:380px'>Orders</a>", False),
    ],
)
def test_words_that_are_cut_off_or_covered_do_not_show(browser, body, shown):
    assert asked(browser, body, "drift.about()[0].words_show") is shown


def test_a_new_name_that_does_not_fit_is_told(browser):
    made = "<a data-t=tab style='position:fixed;left:300px;white-space:nowrap'>Orders</a>"
    assert asked(browser, made, "drift.rename('0', 'Orders and close')") is False
    assert asked(browser, made, "drift.rename('0', 'Order')") is True


def test_a_change_of_a_few_faint_pixels_does_not_show():
    page = np.full((60, 60, 3), 255, np.uint8)
    faint, clear = page.copy(), page.copy()
    faint[20:40, 20:40] = 240
    clear[20:24, 20:24] = 0
    was, paler, other = (cv2.imencode(".png", one)[1].tobytes() for one in (page, faint, clear))
    assert not shows(was, paler, [20, 20, 40, 40])
    assert shows(was, other, [20, 20, 40, 40])
    assert not shows(was, other, [40, 40, 50, 50])


def test_a_control_that_is_switched_off_must_look_it():
    was = np.full((20, 20), 200.0, np.float32)
    assert differs(was, was - 7)
    assert not differs(was, was - 5)
    assert not differs(was, None)


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_split_that_is_scored_asks_what_no_other_asks(lang):
    mine, *others = (dict(map(reversed, questions_of(split, lang))) for split in ("final", "later", "last"))
    assert not any(mine.keys() & one.keys() for one in others)
    assert len(mine) == len(questions_of("final", lang))
