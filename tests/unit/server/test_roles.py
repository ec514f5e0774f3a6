"""Who may do what: every route with every role, one by one. A route that is not in the table fails the test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from served import Served

from rpa_vision.models.account import ROLES

VIEWER = """
GET /api/v1/overview | GET /api/v1/status | GET /api/v1/me | PATCH /api/v1/me
GET /api/v1/sessions | GET /api/v1/sessions/{session_id} | GET /api/v1/sessions/{session_id}/timeline
GET /api/v1/sessions/{session_id}/screenshots/{screenshot_id}
GET /api/v1/sessions/{session_id}/screenshots/{screenshot_id}/elements
GET /api/v1/workflows | GET /api/v1/workflows/{workflow_id} | GET /api/v1/workflows/{workflow_id}/graph
GET /api/v1/workflows/{workflow_id}/perception
GET /api/v1/workflows/{workflow_id}/procedure | GET /api/v1/workflows/{workflow_id}/sop.md
GET /api/v1/workflows/{workflow_id}/pictures/{name} | GET /api/v1/workflows/{workflow_id}/versions
GET /api/v1/workflows/{workflow_id}/compare | GET /api/v1/workflows/{workflow_id}/versions/{version}
GET /api/v1/workflows/{workflow_id}/rollback | POST /api/v1/workflows/{workflow_id}/validate
GET /api/v1/runs | GET /api/v1/weekly | GET /api/v1/queue | GET /api/v1/runs/{run_id}
GET /api/v1/runs/{run_id}/report.html | GET /api/v1/runs/{run_id}/junit.xml
GET /api/v1/runs/{run_id}/pictures/{name} | GET /api/v1/batches | GET /api/v1/batches/{batch_id}
GET /api/v1/schedules | GET /api/v1/folders
GET /api/v1/auto-heal | GET /api/v1/auto-heal/history | GET /api/v1/auto-heal/alerts
GET /api/v1/confidence | GET /api/v1/confidence/{workflow_id}
GET /api/v1/failures | GET /api/v1/failures/{case_id} | GET /api/v1/failures/{case_id}/pictures/{name}
GET /api/v1/maturity | GET /api/v1/maturity/{workflow_id}
GET /api/v1/proposals | GET /api/v1/proposals/{proposal_id}/pictures/{name}
GET /api/v1/questions | GET /api/v1/questions/{question_id}/picture
GET /api/v1/deny-list | GET /api/v1/policy | POST /api/v1/policy/validate | POST /api/v1/policy/diff
GET /api/v1/datasets | GET /api/v1/datasets/{dataset_id} | GET /api/v1/datasets/{dataset_id}/labels
GET /api/v1/datasets/{dataset_id}/pictures/{screen_state_id}
GET /api/v1/tokens | POST /api/v1/tokens | DELETE /api/v1/tokens/{token_id}
GET /api/v1/events | GET /metrics
"""
OPERATOR = """
PUT /api/v1/workflows/{workflow_id} | POST /api/v1/datasets | POST /api/v1/datasets/{dataset_id}/labels
POST /api/v1/datasets/{dataset_id}/evaluate
POST /api/v1/runs | POST /api/v1/runs/{run_id}/go-on | POST /api/v1/runs/{run_id}/{wanted}
PUT /api/v1/runs/{run_id}/priority | POST /api/v1/queue/release | POST /api/v1/stop
PUT /api/v1/runs/{run_id}/verdict | POST /api/v1/workflows/{workflow_id}/rows
POST /api/v1/workflows/{workflow_id}/rollback | POST /api/v1/batches/{batch_id}/release
POST /api/v1/batches/{batch_id}/stop | POST /api/v1/batches/{batch_id}/again
POST /api/v1/schedules | PATCH /api/v1/schedules/{schedule_id} | DELETE /api/v1/schedules/{schedule_id}
POST /api/v1/auto-heal/pause | POST /api/v1/auto-heal/resume | POST /api/v1/auto-heal/transition
POST /api/v1/failures/{case_id}/replay | POST /api/v1/policy/simulate
POST /api/v1/maturity/{workflow_id}/approve | POST /api/v1/maturity/{workflow_id}/withdraw
POST /api/v1/proposals/{proposal_id}/{verdict} | POST /api/v1/questions/{question_id}/answer
"""
ADMIN = """
PUT /api/v1/deny-list | PUT /api/v1/policy | GET /api/v1/users | POST /api/v1/users | PATCH /api/v1/users/{user_id}
POST /api/v1/folders | DELETE /api/v1/folders/{folder_id} | DELETE /api/v1/sessions/{session_id}
"""
OPEN = {"GET /health", "GET /health/ready", "GET /health/live"}
_FILL = {"name": "N9", "wanted": "stop", "verdict": "reject", "version": "v999"}


def routes(text: str) -> list[str]:
    return [one.strip() for line in text.strip().splitlines() for one in line.split("|")]


TABLE = {route: role for text, role in ((VIEWER, "viewer"), (OPERATOR, "operator"), (ADMIN, "admin"))
         for route in routes(text)}  # fmt: skip


def test_every_route_is_in_the_table(api: Served) -> None:
    """UX-3"""
    paths = api.client.get("/openapi.json", headers=api.as_("viewer")).json()["paths"]
    known = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    assert known == TABLE.keys() | OPEN


@pytest.mark.parametrize("route", TABLE)
def test_each_role_may_do_what_it_may_and_nothing_else(api: Served, route: str) -> None:
    """UX-3: nobody unknown reads or writes, no role does what needs a higher one."""
    method, path = route.split()
    url = re.sub(r"\{(\w+)\}", lambda found: _FILL.get(found[1], "nobody"), path)
    url += "?once=true" if path.endswith("/events") else ""
    body = {} if method in ("POST", "PUT", "PATCH") else None
    for role in ("", *ROLES):
        answer = api.client.request(method, url, headers=api.as_(role), json=body)
        if role == "":
            assert answer.status_code == 401, role
        elif ROLES.index(role) < ROLES.index(TABLE[route]):
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "server.forbidden"), role
        else:
            # Somebody else's token is an administrator's business; that is another test.
            assert answer.status_code not in (401, 500), answer.text
            assert answer.status_code != 403 or "tokens" in path, answer.text


def test_nobody_ends_the_token_of_somebody_else(api: Served) -> None:
    """UX-3"""
    admins = api.tokens["admin"].split("_")[1]
    refused = api.client.delete(f"/api/v1/tokens/{admins}", headers=api.as_("operator"))
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "server.forbidden")


def test_nobody_but_an_administrator_makes_a_token_for_somebody_else(api: Served) -> None:
    """UX-3"""
    whose = {one.role: one.user_id for one in api.office.accounts.accounts() if one.name.endswith(" one")}
    for role in ("viewer", "operator"):
        for other in set(whose.values()) - {whose[role]}:
            made = api.client.post("/api/v1/tokens", headers=api.as_(role), json={"user_id": other})
            assert (made.status_code, made.json()["error"]["code"]) == (403, "server.forbidden"), role
        own = api.client.post("/api/v1/tokens", headers=api.as_(role), json={"user_id": whose[role]})
        assert own.json()["token"]["user_id"] == whose[role]
    for_viewer = api.client.post("/api/v1/tokens", headers=api.as_("admin"), json={"user_id": whose["viewer"]})
    assert for_viewer.json()["token"]["user_id"] == whose["viewer"]


def test_the_docs_have_the_same_table() -> None:
    """UX-3: docs/integrators.md lists every route with the role it needs."""
    text = (Path(__file__).parents[3] / "docs" / "integrators.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `(GET|POST|PUT|PATCH|DELETE)` \| `([^`]+)` \| (\w+) \|", text, re.MULTILINE)
    assert {f"{method} {path}": role for method, path, role in told} == TABLE | dict.fromkeys(OPEN, "anybody")
