"""Editing a workflow, the deny list and the status that everybody asks for, through the API."""

from __future__ import annotations

import copy
from typing import Any

from served import Served

from rpa_vision.app.deny_list import denied_words

WORKFLOW = "/api/v1/workflows/WF_rendez_vous"


def edited(api: Served, **changes: Any) -> dict[str, Any]:
    """The document with its first step's rule, or its name, changed."""
    document: dict[str, Any] = copy.deepcopy(api.client.get(WORKFLOW, headers=api.as_("viewer")).json())
    return document | changes


def keep(api: Served, document: dict[str, Any]) -> Any:
    body = {"document": document, "reason": "people call it so"}
    return api.client.put(WORKFLOW, headers=api.as_("operator"), json=body)


def test_an_edited_workflow_becomes_the_next_version_and_is_compared_with_the_last(api: Served) -> None:
    """UX-2"""
    document = edited(api, name="Agenda")
    document["nodes"][0]["label"] = "Agenda du jour"
    before = document["version"]
    checked = api.client.post(f"{WORKFLOW}/validate", headers=api.as_("viewer"), json={"document": document}).json()
    assert (checked["valid"], [one["id"] for one in checked["changes"]["screens"]["changed"]]) == (True, ["N1"])
    told = keep(api, document).json()
    assert (told["status"], told["version"]) == ("updated", before + 1)
    now = api.client.get(WORKFLOW, headers=api.as_("viewer")).json()
    assert (now["name"], now["nodes"][0]["label"]) == ("Agenda", "Agenda du jour")
    other = api.client.get(f"{WORKFLOW}/compare?from={before}&to={before + 1}", headers=api.as_("viewer")).json()
    assert other["rules"]["changed"][0]["fields"] == [
        {"field": "name", "before": "Prise de rendez-vous", "after": "Agenda"}
    ]
    (entry,) = [one for one in api.office.heal.audit.entries() if one.kind == "workflow_edited"]
    assert (entry.record["who"], entry.record["changes"]["screens"]) == ("operator one", ["N1"])


def test_a_mistake_is_named_and_nothing_is_changed(api: Served) -> None:
    """UX-2: the same checks as for a file edited by hand."""
    document = edited(api)
    document["edges"][0]["to_node"] = "N77"
    before = api.client.get(WORKFLOW, headers=api.as_("viewer")).json()
    checked = api.client.post(f"{WORKFLOW}/validate", headers=api.as_("viewer"), json={"document": document}).json()
    assert not checked["valid"]
    assert "N77" in checked["problem"]
    refused = keep(api, document)
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "workflow.invalid_file")
    assert api.client.get(WORKFLOW, headers=api.as_("viewer")).json() == before


def test_whoever_began_with_an_older_version_is_told_so(api: Served) -> None:
    """UX-2"""
    mine, theirs = edited(api, description="mine"), edited(api, description="theirs")
    assert keep(api, theirs).status_code == 200
    refused = keep(api, mine)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "workflow.edited_meanwhile")
    assert api.client.get(WORKFLOW, headers=api.as_("viewer")).json()["description"] == "theirs"


def test_what_an_edited_workflow_refers_to_must_be_there(api: Served) -> None:
    """UX-2"""
    document = edited(api)
    document["nodes"][0]["screen_template"]["embedding_prototype"]["vector_id"] = "workflows/WF_x/nowhere.npy"
    refused = keep(api, document)
    assert refused.status_code == 422
    assert "nowhere.npy" in refused.json()["error"]["message"]


def test_the_deny_list_is_kept_for_those_who_watch(api: Served) -> None:
    """L0-7, UX-2"""
    put = {"words": ["Dossier RH", " banque ", "banque", ""]}
    told = api.client.put("/api/v1/deny-list", headers=api.as_("admin"), json=put).json()
    assert told["words"] == ["Dossier RH", "banque"]
    assert "keepass" in told["always"]
    assert denied_words(api.office.data) == ("Dossier RH", "banque")
    too_long = api.client.put("/api/v1/deny-list", headers=api.as_("admin"), json={"words": ["x" * 101]})
    assert too_long.status_code == 422


def test_the_status_is_not_sent_again_to_whoever_has_it(api: Served) -> None:
    """UX-3"""
    first = api.client.get("/api/v1/status", headers=api.as_("viewer"))
    assert {"workflows", "limits", "queue", "version"} <= first.json().keys()
    again = api.client.get("/api/v1/status", headers=api.as_("viewer") | {"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert api.client.get("/api/v1/status").status_code == 401, "a stranger reads nothing, however quickly"
