"""What the system says reaches a French reader in French: every sentence in the code has its own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from spoken_sentences import HOLE, sentences

import rpa_vision
from rpa_vision.app.french_sayings import SAYINGS
from rpa_vision.app.french_terms import KINDS
from rpa_vision.app.sayings import in_french, said_in
from rpa_vision.models.guidance import Language

_SRC = Path(rpa_vision.__path__[0])
SPEAKING = (
    *sorted(str(path.relative_to(_SRC)) for path in (_SRC / "execution").rglob("*.py")),
    "models/workflow_flaws.py",
    *(f"graph/{name}.py" for name in (
        "node_matcher", "plan", "value_types", "rule_induction", "workflow_follower", "following", "fitting",
    )),
    *(f"learning/{name}.py" for name in ("heal_proposals", "learning_manager", "maturity_rules")),
    *(f"system/{name}.py" for name in (
        "auto_heal_manager", "step_judge", "rollbacks", "workflow_book", "failure_replay", "health", "state_machine",
    )),
    *(f"app/{name}.py" for name in (
        "run", "supervised_run", "consent", "going_on", "kept_level", "maturity", "queue_worker", "stopping",
        "point_out", "triggered_runs", "run_values", "sentences", "list_journal", "held_displays", "left_over", "queue",
        "stop_ears", "sessions", "learned_with", "run_heals",
    )),
)  # fmt: skip
"""Whose sentences stand on pages and in reports: reasons, refusals, what was expected and seen, why something waits."""


PUT_TOGETHER = {
    "closed by": "closed by « OK »",
    "{} of {} parts": "its place is unchanged, and so is what stands around it (9 of 10 parts)",
    "its place is unchanged, and so is what stands around it ({})":
        "its place is unchanged, and so is what stands around it (9 of 10 parts)",
    "{} {} then, {} now": "detector rules then, elements-1 now",
    "unknown condition 'element:{}'": "unknown condition 'element:glowing'",
    "no row say{} « {} »": "no row says « FAC-1 »",
    "{} rows say{} « {} »": "2 rows say « FAC-1 »",
    "« {} » holds {} like {}, so that {} is not known": "« Net » holds 2 things like \\d+, so that total is not known",
    "with « {} » in its title": "no window of gedit with « Notes » in its title is open",
    "{}, where landmarks say {}": "at (3, 4) of (1280, 800), where landmarks say (5, 6)",
    "was the target before, {}": "was the target before, 3 times",
    "{}, another name for {}": "is a button (ok_button), another name for validate",
    "another name for {}": "is a button (ok_button), another name for validate",
    "chosen among {} by {} ({})": "chosen among 3 by qwen (som_vlm)",
    "{} was not asked about {} alike": "som_vlm was not asked about 3 alike",
    "{} is not asked about « {} », which has consequences":
        "som_vlm is not asked about « Payer », which has consequences",
    "{} gave no answer ({}: {})": "som_vlm gave no answer (slow)",
    "{} ({}) says it is none of them, or is not sure": "qwen (som_vlm) says it is none of them, or is not sure",
    "the {} did not end within {} s{}": "the run did not end within 2.5 s; an input was being sent",
    "this looks like a screen never shown; nearest is '{}' ({})":
        "this looks like a screen never shown; nearest is 'Liste' (0.40 of 0.85)",
    "this is like '{}', but not enough ({}): learning it again may help":
        "this is like 'Liste', but not enough (0.80 of 0.85): learning it again may help",
    "{}: the two nearest screens are closer than {}": "LOW_CONFIDENCE: the two nearest screens are closer than 0.02",
    "Replace what {} holds by {}": "Replace what the field « Nom » holds by « Anna »",
    "the secret": "Type the secret into the field « Mot de passe »",
    "the workflow is {}": "the workflow is quarantined",
    "nobody works on display {}: start `rpa-vision work --display {}`":
        "nobody works on display :90: start `rpa-vision work --display :90`",
    "{} before it on {}": "3 runs are before it on :90",
    "one run is": "one run is before it on :90",
    "{} runs are": "3 runs are before it on :90",
    "{} row of the list at {}":
        "run_1 of 2026-01-01 10:00 UTC did 1 row of the list at E3, and did not come to the end",
    "{} rows of the list at {}":
        "run_1 of 2026-01-01 10:00 UTC did 2 rows of the list at E3, and did not come to the end",
    "and left « {} » half done, perhaps":
        "run_1 of 2026-01-01 10:00 UTC did 1 row of the list at E3 and left « b » half done, perhaps, and did not come "
        "to the end",
}  # fmt: skip
"""Parts that make no sentence alone, each with a whole one that it is put together to."""
NOT_SAID = {
    "in the row of", "stood near",  # to a model, not to people
    "rows of lists", "{} none of {}", "level in the workflow's document", "lease of {}", "{} as read",
    "These go on: {}.", "No run goes on.", "--rest leaves these rows out",
    "{} of {} UTC did {}{}, and did not come to the end; the list does not show what was done. Look first: {}--again "
    "does all rows again",
}  # fmt: skip
"""On no page: a key, a remedy, or a part that a sentence in tests/unit/server/test_words.py shows whole."""


def _shape(english: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(english)), re.DOTALL)


_SHAPES = [_shape(english) for english, _ in SAYINGS]


def has_french(text: str) -> bool:
    """Whether all of a sentence is known, whatever fills its holes."""
    if not re.search(r"[a-z]{2,}", re.sub("`[^`]*`", "", text)):
        return True
    for shape in _SHAPES:
        found = shape.fullmatch(text)
        if found is not None and all(_fits(name, value) for name, value in found.groupdict().items()):
            return True
    ways = (text.split(between) for between in ("; ", ": ", " and "))
    return any(len(parts) > 1 and all(map(has_french, parts)) for parts in ways)


def _fits(name: str, value: str) -> bool:
    if name.startswith(("said", "it")):
        return has_french(value)
    return value in {*KINDS, HOLE} if name.startswith(("kind", "one")) else not re.search(r"[a-z]{2,}", value)


def _is_known(text: str) -> bool:
    """A hole may hold something quoted, a thing on the screen, or at the end nothing at all."""
    fillings = (HOLE, f"« {HOLE} »", f"the button « {HOLE} »")
    ways = [text.replace(HOLE, filled, 1) for filled in fillings] + [text.removesuffix(HOLE)]
    return any(map(has_french, ways))


@pytest.fixture(scope="module")
def unknown() -> dict[str, str]:
    """Sentences without French, as somebody would write them down, and where they stand."""
    said = {text: where for module in SPEAKING for where, text in sentences(module)}
    return {text.replace(HOLE, "{}"): where for text, where in said.items() if not _is_known(text)}


def test_every_sentence_in_the_code_has_its_french(unknown: dict[str, str]) -> None:
    """UX-2: a reason that is new in the code is missed here until french_sayings.py knows it."""
    assert {text: where for text, where in unknown.items() if text not in PUT_TOGETHER and text not in NOT_SAID} == {}


def test_the_lists_of_parts_name_what_there_is(unknown: dict[str, str]) -> None:
    """UX-2: nothing is left out here that the code no longer says."""
    assert (PUT_TOGETHER.keys() | NOT_SAID) - unknown.keys() == set()


@pytest.mark.parametrize("sentence", sorted(set(PUT_TOGETHER.values())))
def test_what_is_put_together_is_french_as_a_whole(sentence: str) -> None:
    """UX-2"""
    said = re.sub(r"«.*?»|\(.*?\)|`.*?`", "", in_french(sentence))
    english = {"the", "is", "was", "of", "by", "and", "person", "rows", "in", "to", "times", "not", "with", "at", "did"}
    assert not english & set(re.findall(r"[\w']+", said)), said


def test_a_sentence_nobody_knows_is_noticed() -> None:
    """UX-2: the check itself can fail."""
    assert not _is_known("the moon is in the way")
    assert not _is_known(f"row « {HOLE} »: the moon is in the way")
    assert _is_known(f"row « {HOLE} »: it is still there")


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("left out: E1, E2; E3 done otherwise (clicked another way); 2 other deeds in between",
         "omis : E1, E2 ; E3 fait autrement (cliqué autrement) ; 2 autres actions entre-temps"),
        ("detector rules then, elements-1 now; judge none then, judge-1 now",
         "détecteur rules alors, elements-1 maintenant ; juge none alors, judge-1 maintenant"),
        ("expected the field to read « a » and the screen « b » and « c » to appear, but the screen is « d » (0.97)",
         "attendu : le champ indiquant « a » et l'écran « b » et « c » qui apparaît ; mais l'écran est « d » (0,97)"),
        ("« a and b » to appear", "« a and b » qui apparaît"),
        ("is a button (validate)", "est un bouton (valider)"),
        ("is a icon (primary_action)", "est une icône (action principale)"),
        ("Click the menu item « Ouvrir »", "Cliquer sur le menu « Ouvrir »"),
        ("Click the icon in the row of « FAC-1 », « 12 »", "Cliquer sur l'icône sur la ligne de « FAC-1 », « 12 »"),
        ("says « 0.95 »", "dit « 0.95 »"),
        ("at least 90% like what was learned", "au moins 90\u202f% de ressemblance avec ce qui a été appris"),
    ],
)  # fmt: skip
def test_parts_are_said_one_by_one_and_what_is_quoted_stays(english: str, french: str) -> None:
    """UX-2"""
    assert in_french(english) == french
    assert said_in("en", english) == english


@pytest.mark.parametrize("quotes", ["« {} »", '"{}"', "“{}”", "'{}'"])
@pytest.mark.parametrize("language", get_args(Language))
def test_a_time_that_the_screen_shows_stays_as_it_is(quotes: str, language: Language) -> None:
    """UX-2, UX-4: to the second; a time of the system's own is written as people write it"""
    shown = quotes.format("2026-11-16T10:00:59Z")
    told = said_in(language, f"it holds {shown} since 2026-11-16T10:00:59Z")
    assert shown in told
    assert told.count("2026-11-16T10:00:59Z") == 1


def test_sentences_in_sentences_without_end_are_no_trouble() -> None:
    """UX-2: what lies deepest stays English"""
    told = in_french("row « a »: " * 3000 + "it is still there")
    assert told.startswith("ligne « a » : ligne « a » : ")
    assert told.endswith("it is still there")
