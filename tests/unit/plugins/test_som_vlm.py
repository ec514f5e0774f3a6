"""A tie that no strategy settles may be settled by a model, over a real server; nothing else may."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from vlm_server import VlmServer

from rpa_vision.adapters.perception.vlm_guard import GuardedVlm, VlmLimits
from rpa_vision.adapters.perception.vlm_ollama import OllamaVlm
from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.detection.vlm_choice import MarkChooser
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution import safety
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.target_resolver import Resolved, TargetResolver, Unresolved
from rpa_vision.models.target import Landmark, RecordedPlace, TargetSpec
from rpa_vision.models.workflow_graph import SafetyRules
from rpa_vision.testing.screens import ScreenBook
from rpa_vision.testing.supervisors import NORMAL_TERMS

LEFT, RIGHT = (40, 300, 170, 340), (440, 300, 570, 340)
OPEN = TargetSpec(
    label="Ouvrir",
    type="button",
    role="action",
    place=RecordedPlace(bbox=(600, 80, 730, 120), screen_resolution=(1024, 640)),
    landmarks=(Landmark(label="Courrier", type="label", bbox=(600, 40, 700, 60)),),
)


def two(label: str = "Ouvrir", role: str = "action") -> ObservedScreen:
    """A screen on which two things say the same, and a third more than that."""
    return ScreenBook().draw(
        "s",
        [
            ("label", "data_display", "Dossier", (40, 260, 170, 284)),
            ("label", "data_display", "Courrier", (440, 260, 570, 284)),
            ("button", role, label, LEFT),
            ("button", role, label, RIGHT),
            ("button", "action", f"{label} tout", (40, 400, 220, 440)),
        ],
    )


@pytest.fixture
def clock() -> SystemClock:
    return SystemClock()


def with_model(server: VlmServer, clock: SystemClock, **limits: Any) -> TargetResolver:
    model = GuardedVlm(OllamaVlm(clock, url=server.url), clock, VlmLimits(**{"timeout_s": 5.0} | limits))
    return TargetResolver(chooser=MarkChooser(model.for_run(), twice=True))


def resolve(resolver: TargetResolver, screen: ObservedScreen, target: TargetSpec = OPEN) -> Resolved | Unresolved:
    return resolver.resolve(target, screen, {}, HealingProfile.at_level(0))


def beside(word: str, *numbers: int) -> list[Callable[[dict[str, Any]], str]]:
    """A model that is told what stood near, and sees no other candidates than those two."""

    def answer(number: int, body: dict[str, Any]) -> str:
        asked = body["messages"][1]["content"].splitlines()
        assert word in asked[0]
        assert [json.loads(line)["text"] for line in asked[2:]] == ["Ouvrir", "Ouvrir"]
        return json.dumps({"number": number})

    return [partial(answer, number) for number in numbers]


def test_a_tie_is_settled_by_the_model_and_the_answer_says_so(vlm_server: VlmServer, clock: SystemClock) -> None:
    """EX-4 som_vlm: among what the others put forward, at the score they gave"""
    screen = two()
    doubt = resolve(TargetResolver(), screen)
    assert isinstance(doubt, Unresolved)
    assert doubt.why == "ambiguous"
    vlm_server.answers = [*beside("Courrier", 2, 1)]
    answer = resolve(with_model(vlm_server, clock), screen)
    assert isinstance(answer, Resolved), answer
    assert answer.best.element.bbox == RIGHT
    assert answer.best.strategy == "som_vlm"
    assert answer.best.reasons[-1] == "chosen among 2 by ollama:qwen2.5-vl:3b (som_vlm)"
    assert answer.best.score == max(one.score for one in doubt.candidates)
    assert answer.runner_up is not None
    assert answer.runner_up.element.bbox == LEFT


@pytest.mark.parametrize(
    ("says", "why"),
    [
        ("hang", "timeout"),
        ("garbage", "garbled"),
        ("not_json", "garbled"),
        ("close", "unreachable"),
        ('{"number": 9}', "nonsense"),
        ("the second one", "nonsense"),
        ('{"number": 0}', "none of them"),
        ('{"number": 1}', "undecided"),
        ((500, {"error": "out of memory"}), "failed"),
    ],
)
def test_no_answer_leaves_the_tie_and_stops_nothing(
    vlm_server: VlmServer, clock: SystemClock, says: Any, why: str
) -> None:
    """EX-6, EX-7: hanging, garbage, a number nobody has, a model that clings to a number"""
    vlm_server.answers = [says]
    answer = resolve(with_model(vlm_server, clock, timeout_s=0.3), two())
    assert isinstance(answer, Unresolved)
    assert answer.why == "ambiguous"
    assert why in answer.message


def test_a_model_that_breaks_is_as_good_as_none() -> None:
    """EX-6: an exception in a strategy never stops a run"""

    class Broken:
        def choose(self, *given: Any, **named: Any) -> Any:
            raise RuntimeError("no")

    answer = resolve(TargetResolver(chooser=Broken()), two())
    assert isinstance(answer, Unresolved)
    assert answer.why == "ambiguous"


@pytest.mark.parametrize(
    ("label", "role"), [("Valider", "validate"), ("Supprimer", "delete_action"), ("Payer", "submit")]
)
def test_what_has_consequences_is_not_left_to_a_model(
    vlm_server: VlmServer, clock: SystemClock, label: str, role: str
) -> None:
    """EX-7: it is not even asked"""
    vlm_server.answers = ['{"number": 1}', '{"number": 2}']
    target = TargetSpec(label=label, type="button", role=role)
    answer = resolve(with_model(vlm_server, clock), two(label, role), target)
    assert isinstance(answer, Unresolved)
    assert "has consequences" in answer.message
    assert vlm_server.requests == []


def test_without_a_tie_and_where_ties_must_be_refused_nobody_is_asked(
    vlm_server: VlmServer, clock: SystemClock
) -> None:
    """EX-4, AH: a degraded workflow takes no doubt"""
    vlm_server.answers = ['{"number": 1}', '{"number": 2}']
    resolver = with_model(vlm_server, clock)
    alone = ScreenBook().draw("s", [("button", "action", "Ouvrir", LEFT)])
    assert isinstance(resolve(resolver, alone), Resolved)
    refusing = replace(NORMAL_TERMS, ambiguity_refused=True)
    answer = resolver.resolve(OPEN, two(), {}, HealingProfile.at_level(0), terms=refusing)
    assert isinstance(answer, Unresolved)
    gone = resolve(resolver, ScreenBook().draw("s", [("button", "action", "Ouvrir tout", LEFT)]))
    assert isinstance(gone, Unresolved)
    assert vlm_server.requests == []


def test_a_run_asks_once_about_one_picture_and_no_more_than_it_may(vlm_server: VlmServer, clock: SystemClock) -> None:
    """L2-7: memory and budget"""
    vlm_server.answers = ['{"number": 2}', '{"number": 1}', '{"number": 2}', '{"number": 1}']
    resolver, screen = with_model(vlm_server, clock, calls_per_run=3), two()
    first, again = resolve(resolver, screen), resolve(resolver, screen)
    assert isinstance(first, Resolved)
    assert isinstance(again, Resolved)
    assert len(vlm_server.requests) == 2
    other = two()
    other.pixels[310:330, 250:300] = 0
    spent = resolve(resolver, other)
    assert isinstance(spent, Unresolved)
    assert "budget" in spent.message


def test_what_is_forbidden_stays_forbidden_whoever_names_it(vlm_server: VlmServer, clock: SystemClock) -> None:
    """EX-7: the rules are asked after the model"""
    vlm_server.answers = ['{"number": 2}', '{"number": 1}']
    answer = resolve(with_model(vlm_server, clock), two())
    assert isinstance(answer, Resolved)
    rules = SafetyRules(forbidden_text_clicks=("Ouvrir",))
    assert safety.objection(answer.best.element, rules) is not None
