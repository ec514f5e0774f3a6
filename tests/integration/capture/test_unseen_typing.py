"""What is typed and not seen is kept as a secret; what is seen late is not (L0-7). As shipped, in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from capture_stage import Recording

from rpa_vision.app import wiring
from rpa_vision.capture.curtain import COVER
from rpa_vision.demo.browser import launch_browser

SECRET = "Zw!7çélibreK"
HEAD = """<!doctype html><meta charset=utf-8><title>Essai</title>
<style>body { font: 18px "DejaVu Sans"; margin: 0; background: #fff }
main { position: absolute; left: 200px; top: 100px }
input { font: inherit; display: block; width: 400px; height: 36px; margin-bottom: 24px; box-sizing: border-box }</style>
"""
TWO_PAGES = """<main id=m><label>Adresse e-mail</label><input id=u></main><script>
u.onkeydown = e => { if (e.key != "Enter") return; u.blur()
  setTimeout(() => { m.innerHTML = "<label>Mot de passe</label><input type=password id=p>"; p.focus() }, 500) }
</script>"""
SILENT = """<main>Sésame, ouvre-toi :</main><script>onkeydown = e => e.preventDefault()</script>"""
SLOW = """<main><label>Prénom</label><input><label>Commentaire</label><input></main><script>
onkeydown = e => { if (e.key.length > 1) return; e.preventDefault(); const f = document.activeElement
  setTimeout(() => { f.value += e.key }, 450) }
</script>"""
TOO_SLOW = """<main><pre id=t></pre></main><script>
onkeydown = e => { e.preventDefault(); if (e.key.length == 1) setTimeout(() => { t.textContent += e.key }, 1500) }
</script>"""
FIRST_AT, SECOND_AT = (380, 140), (380, 222)

Browse = Callable[[str], None]


@pytest.fixture
def browse(virtual_desktop, x11, wait, tmp_path: Path) -> Iterator[Browse]:
    with ExitStack() as stack:

        def show(body: str) -> None:
            page = tmp_path / "page.html"
            page.write_text(HEAD + body, encoding="utf-8")
            browser = launch_browser(page.as_uri(), profile_dir=tmp_path / "profile", env=virtual_desktop.env)
            stack.callback(browser.stop)
            wait.until(
                lambda: (top := x11.eyes.active_window()) and "Essai" in top.title, what="the page", timeout_s=30
            )
            wait.until(lambda: x11.eyes.grab().pixels[600, 900, 0] == 255, what="the page is painted", timeout_s=30)

        yield show
    wait.until(lambda: not x11.windows.all(), what="all windows closed")


def clear_text(recording: Recording) -> str:
    return "".join(event.char or "" for event in recording.session.events)


def names(recording: Recording) -> set[str]:
    return {event.secret_ref for event in recording.session.events if event.secret_ref}


def test_a_password_typed_before_its_page_has_come_up_is_a_secret(browse, record_person):
    """L0-7: a login on two pages"""
    browse(TWO_PAGES)
    recording = record_person(
        ["click", *FIRST_AT], ["pause", 0.4], ["type", "ana@lilas.fr"], ["pause", 0.6], ["press", "ENTER"],
        ["type", SECRET], ["pause", 1.2], secrets=wiring.secret_fields(),
    )  # fmt: skip
    assert clear_text(recording) == "ana@lilas.fr"
    assert len([event for event in recording.session.events if event.secret_ref]) == len(SECRET)


def test_keys_that_nothing_on_the_screen_answers_are_a_secret(browse, record_person):
    """L0-7"""
    browse(SILENT)
    recording = record_person(
        ["click", 700, 400], ["pause", 0.4], ["type", SECRET], ["press", "ENTER"], ["pause", 1.2],
        secrets=wiring.secret_fields(),
    )  # fmt: skip
    assert clear_text(recording) == ""
    assert len(names(recording)) == 1


def test_an_application_that_draws_late_keeps_its_text_clear(browse, record_person):
    """L0-7: also where the person has gone on to the next field by then"""
    browse(SLOW)
    recording = record_person(
        ["click", *FIRST_AT], ["pause", 0.4], ["type", "Marion"], ["press", "TAB"], ["pause", 1.2],
        ["click", *SECOND_AT], ["pause", 0.4], ["type", "bonjour"], ["pause", 1.2], secrets=wiring.secret_fields(),
    )  # fmt: skip
    assert clear_text(recording) == "Marionbonjour"
    assert names(recording) == set()


def test_a_text_that_is_shown_after_it_was_taken_for_a_secret_is_in_no_picture(browse, record_person):
    """L0-7"""
    browse(TOO_SLOW)
    recording = record_person(
        ["click", 700, 400], ["pause", 0.4], ["type", "hello"], ["pause", 2.6], ["press", "LEFT"], ["pause", 1.0],
        ["click", 700, 500], ["pause", 1.0], secrets=wiring.secret_fields(),
    )  # fmt: skip
    assert clear_text(recording) == ""
    shown = [recording.pixels(shot.screenshot_id)[90:170, 190:600, :3] for shot in recording.session.screenshots]
    assert any((part == COVER).all(axis=2).any() for part in shown)
    for part in shown:
        assert not np.any((part < COVER - 8).all(axis=2)), "ink"
