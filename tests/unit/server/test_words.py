"""Every text of the dashboard has its French, and no French fills in what the English does not."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest

import rpa_vision.server.dashboard as dashboard
from rpa_vision.app.french_terms import REMEDIES
from rpa_vision.app.sayings import in_french, readable_moments
from rpa_vision.execution.conditions import describe
from rpa_vision.server.dashboard.words import FRENCH


def texts() -> set[str]:
    """What pages hand to `t`."""
    found = set()
    for path in Path(dashboard.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name == "t" and isinstance(node.args[0].value, str):
                    found.add(node.args[0].value)
    return found


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_text_has_its_french() -> None:
    """UX-2"""
    assert sorted(texts() - FRENCH.keys()) == []


def test_the_french_fills_in_what_the_english_does() -> None:
    """UX-2"""
    assert [text for text, french in FRENCH.items() if fields(text) != fields(french)] == []


CONDITIONS_PAGE = Path(__file__).parents[3] / "docs" / "conditions.md"
SAID = (
    "nobody works on display :90: start `rpa-vision work --display :90`",
    "next on :90, after run_1",
    "one run is before it on :90",
    "3 runs are before it on :90",
    "about to begin",
    "paused by a person",
    "a person stopped :90 at 14:32 (stopped with CTRL+ALT+END): release it, here or with "
    "`rpa-vision work --display :90 --release`",
    "a person stopped :90 at 14:32 (all runs were stopped by anna: fire): release it, here or with "
    "`rpa-vision work --display :90 --release`",
    "everything is paused by anna (fire drill)",
    "the workflow is paused",
    "the workflow is quarantined until 2026-11-16T12:07:07.891474Z",
    "3 rows in a row did not complete: look why, then release the file",
    "the workflow was not allowed to run (paused): then release the file",
    "taken out of the queue by anna",
    "stopped by a person",
    "stopped before anything was sent",
    "all 25 steps verified",
    "5 more observed runs; at least 90% like what was learned",
    "a person: rpa-vision workflows approve WF_1 --reason WHY",
    "all 12 steps verified, 4 rows done, interrupted once",
    "stopped by anna (fire drill)",
    "quarantined: until 2026-11-16T12:07:07+00:00",
    'insufficient_maturity: the workflow is at COACHING; a person can authorise one run with --authorise "why"',
    "step 2 (E2): the screen 'Liste' was expected; this looks like a screen never shown; nearest is 'X' (0.40 of 0.85)",
    "Click the button « Valider » in the row of « FAC-1 »",
    "Click the button « Valider »: the button « Valider » could be two things (0.69 and 0.66)",
    "step 5 (E1): row « FAC-2 »: variable 'numero': 'FAC-2' does not look like ^FAC-\\d{4}$",
    "run_1 of 2026-01-01 10:00 UTC did 1 row of the list at E3 (« a ») and left « b » half done, perhaps, and did not "
    "come to the end; the list does not show what was done. Look first: --rest leaves these rows out, --again does all "
    "rows again",
)


@pytest.mark.parametrize("sentence", SAID)
def test_what_the_system_says_is_said_in_french_too(sentence: str) -> None:
    """UX-2: word for word as `app.queue`, runs and maturity say it."""
    said, english = in_french(sentence), {"the", "is", "was", "of", "by", "and", "person", "steps", "in"}
    assert said != sentence
    assert not english & set(re.findall(r"[\w']+", re.sub(r"«.*?»|\(.*?\)", "", said)))


REASONS = (
    ("the button « Valider » is not on the screen; nearest: « Valider tout » (0.61, 0.72 is needed)",
     "le bouton « Valider » n'est pas à l'écran ; le plus proche : « Valider tout » (0,61, il faut 0,72)"),
    ("the button « Valider » in the row of « A » could be two things (0.69 and 0.66)",
     "le bouton « Valider » sur la ligne de « A » peut être deux choses (0,69 et 0,66)"),
    ("expected « Validée » to appear and the screen « Facture », but the screen is « Liste »",
     "attendu : « Validée » qui apparaît et l'écran « Facture » ; mais l'écran est « Liste »"),
    ("the screen 'Liste' was expected, but this is \"L'agenda\"",
     "l'écran « Liste » était attendu, mais c'est « L'agenda »"),
)  # fmt: skip


@pytest.mark.parametrize(("english", "french"), REASONS)
def test_the_reason_of_a_halt_is_french_with_its_step_and_what_it_holds(english: str, french: str) -> None:
    """UX-2: stored in English once, read in either language; what stands on screens stays as it is written there."""
    assert in_french(english) == french
    assert in_french(f"step 3 (E3): {english}") == f"étape 3 (E3) : {french}"


def test_what_every_condition_expects_is_said_in_french() -> None:
    """UX-2: a condition that is new in the system is missed here until it has its French."""
    conditions = [line for line in CONDITIONS_PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("### `")]
    assert len(conditions) > 8
    for line in conditions:
        told = describe(f"{line.split('`')[1].partition(':')[0]}:Total", {})
        assert in_french(told) != told


def test_what_to_do_is_said_in_french_for_codes_that_there_are() -> None:
    """UX-2, UX-6: by the code of an error, as docs/errors.md lists them."""
    listed = re.findall(r"^\| `([a-z_.]+)` \|", (CONDITIONS_PAGE.parent / "errors.md").read_text("utf-8"), re.MULTILINE)
    assert REMEDIES.keys() <= set(listed)


def test_what_is_not_known_is_shown_as_it_was_said() -> None:
    """UX-2"""
    assert in_french("a sentence nobody has put into French") == "a sentence nobody has put into French"
    assert readable_moments("until 2026-11-16T12:07:07+00:00.", french=True).startswith("until 16/11/2026 ")
