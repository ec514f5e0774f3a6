"""The API against its own description: whatever is asked, the answer is one that is documented, and never a fault."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import hypothesis
import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from served import Served, listening

from rpa_vision.server.limits import RateLimit

EXAMPLES = int(os.environ.get("SERVER_SOAK_EXAMPLES", "4"))
"""So many requests for each route; `make soak` asks for more."""
_CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


def test_no_fault_and_no_undocumented_answer(api: Served) -> None:
    """UX-3: every route, with what its description allows and with what it does not."""
    description = api.client.get("/openapi.json", headers=api.as_("admin")).json()
    api.gate.wrong = api.gate.wrong_in_all = RateLimit(api.office.clock, rate=1000.0, burst=1000.0)
    told: list[str] = []
    answers: Counter[int] = Counter()
    with listening(api.gate) as url:
        for result in schemathesis.openapi.from_dict(description).get_all_operations():
            operation = result.ok()
            if not operation.path.endswith("/events"):  # a stream has no end; test_api.py reads one
                told += asked(operation, url, api.as_("admin"), answers)
    assert told == []
    assert answers[200] + answers[201] + answers[202] > 40, answers
    assert answers[404] + answers[422] > 40, answers


def asked(operation: Any, url: str, who: dict[str, str], answers: Counter[int]) -> list[str]:
    """What is wrong with the answers of one route, the first of it."""
    wild = operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE)
    tame = operation.as_strategy(generation_mode=schemathesis.GenerationMode.POSITIVE)

    def ask(case: Any) -> None:
        answer = case.call(base_url=url, headers=who, timeout=30)
        answers[answer.status_code] += 1
        case.validate_response(answer, checks=_CHECKS)

    found = []
    for strategy in (tame, wild):
        run = hypothesis.settings(
            max_examples=EXAMPLES,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[hypothesis.Phase.generate],
            suppress_health_check=list(hypothesis.HealthCheck),
        )(hypothesis.given(case=strategy)(ask))
        try:
            run()
        except hypothesis.errors.Unsatisfiable:  # nothing can be wrong about it
            continue
        except BaseException as error:
            told = [*getattr(error, "exceptions", ()), error][0]
            found.append(f"{operation.label}: {told}"[:900])
    return found
