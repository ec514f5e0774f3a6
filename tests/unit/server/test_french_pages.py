"""Whoever reads French reads French: on every page, also in what is folded away, and what the system itself says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from served import Served, served

from rpa_vision.models.perception import Perception
from rpa_vision.server.dashboard.pages import PAGES, add_dashboard
from rpa_vision.testing.office_data import make_office

FILLED = {
    "/workflows/{workflow_id}": [
        f"/workflows/WF_factures?tab={tab}" for tab in ("graph", "procedure", "variables", "versions", "edit")
    ],
    "/sessions/{session_id}": ["/sessions/sess_office_facture"],
    "/failures/{case_id}": ["/failures/case_office_without_effect"],
    "/batches/{batch_id}": [],
    "/runs/{run_id}": [],
}
TOLD = ("text", "innerHTML", "label", "placeholder", "title", "hint", "aria-label", "alt")
ENGLISH = re.compile(
    r"\b(the|is|was|were|are|of|by|and|with|this|that|which|not|it|has|have|been|to|from|nothing|nobody|says|button|"
    r"steps?|runs?|screen|expected|running|failed|halted)\b",
    re.IGNORECASE,
)
NAMES = re.compile(
    r"«[^»]*»|“[^”]*”|`[^`]*`|<code>.*?</code>|<span class=\"(?:code|mono|quiet small mono)\">.*?</span>|"
    r"rpa-vision [\w -]+|RPA Vision [\d.]+|\b\w*[_/]\w[\w/]*|--\w+"
)
"""What is written so in every language: quotations, commands, ids and keys."""


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    root: Path = tmp_path_factory.mktemp("french") / "data"
    make_office(root, runs=40)
    with served(root, add_dashboard) as opened:
        opened.client.patch("/api/v1/me", headers=opened.as_("admin"), json={"language": "fr"})
        yield opened


def shown(html: str) -> Iterator[str]:
    """Every word that a page hands to the browser."""
    found = re.search(r"parseElements\(String\.raw`(.*?)`\)", html, re.DOTALL)
    assert found is not None
    elements: dict[str, Any] = json.loads(unescape(found[1]))
    for element in elements.values():
        yield str(element.get("text") or "")
        for name, value in (element.get("props") or {}).items():
            if name in TOLD and isinstance(value, str):
                yield value
            elif name == "options" and isinstance(value, list):
                yield from (str(one["label"]) for one in value if isinstance(one, dict) and "label" in one)


def english_lines(html: str) -> list[str]:
    lines = [line for text in shown(html) for line in re.split(r"</?(?:td|th|tr|div|p|b|li|h\d)\b[^>]*>", text)]
    plain = [re.sub(r"<[^>]*>", " ", NAMES.sub("", line)) for line in lines]
    return [line for line in plain if ENGLISH.search(line) or re.search(r"(?<![\w.,])0\.\d", line)]


@pytest.mark.parametrize("page", PAGES)
def test_a_french_page_has_no_english_sentence_and_no_english_number(api: Served, page: str) -> None:
    """UX-2: whatever the page shows of what happened; its names, commands and quotations stay as they are."""
    paths = FILLED.get(page, [page])
    if page == "/runs/{run_id}":
        runs = api.client.get("/api/v1/runs?limit=200", headers=api.as_("viewer")).json()["runs"]
        paths = [f"/runs/{run_id}" for run_id in {run["status"]: run["run_id"] for run in runs}.values()]
        assert len(paths) > 1
    told = {path: english_lines(api.client.get(path, headers=api.as_("admin")).text) for path in paths}
    assert {path: lines for path, lines in told.items() if lines} == {}


def test_a_page_that_is_english_is_noticed(api: Served) -> None:
    """UX-2: the check itself can fail."""
    page = api.client.get("/runs?status=halted", headers=api.as_("viewer"))
    assert any("is not on the screen" in line for line in english_lines(page.text))


def test_a_workflow_of_other_eyes_says_so_where_it_is_looked_at_and_where_it_is_started(api: Served) -> None:
    """UX-1, UX-2: what `run` and `doctor` say in a terminal"""
    workflow = api.office.data.workflows.load("WF_factures")
    told = f"/api/v1/workflows/{workflow.workflow_id}/perception"
    assert api.client.get(told, headers=api.as_("viewer")).json()["verdict"] != "other"
    others = (Perception(detector="another", reader="another"),)
    api.office.data.workflows.save(workflow.model_copy(update={"learned_with": others}))
    answer = api.client.get(told, headers=api.as_("viewer")).json()
    assert (answer["verdict"], answer["now"]["detector"][:9]) == ("other", "elements-")
    assert "detector another then" in answer["warning"]
    for page in (f"/workflows/{workflow.workflow_id}", f"/start?workflow={workflow.workflow_id}"):
        said = [*shown(api.client.get(page, headers=api.as_("admin")).text)]
        assert any("avec d'autres yeux" in one and "détecteur another alors" in one for one in said), page
        assert any(one.startswith(("Réapprenez-le", "Enregistrez-le")) for one in said), page
