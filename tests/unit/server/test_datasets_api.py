"""Datasets through the API: made from what was seen, their labels looked over."""

from __future__ import annotations

from typing import Any

from served import Served

BASE = "/api/v1/datasets"


def post(api: Served, path: str, body: dict[str, Any]) -> Any:
    return api.client.post(BASE + path, headers=api.as_("operator"), json=body)


def test_a_dataset_is_made_and_its_labels_are_looked_over(api: Served) -> None:
    """L4-14, UX-2"""
    made = post(api, "", {"dataset_id": "office"})
    assert made.status_code == 201, made.text
    assert made.json()["statistics"]["total_samples"] == made.json()["samples"] > 0
    labels = api.client.get(f"{BASE}/office/labels?limit=2", headers=api.as_("viewer")).json()
    assert len(labels["labels"]) == 2
    one = labels["labels"][0]
    shown = api.client.get(f"{BASE}/office/pictures/{one['screen_state_id']}", headers=api.as_("viewer"))
    assert (shown.headers["content-type"], shown.content[:4]) == ("image/png", b"\x89PNG")
    said = {"screen_state_id": one["screen_state_id"], "element_id": one["element_id"], "verdict": "reject"}
    assert post(api, "/office/labels", {"answers": [said]}).json() == {"taken": 1, "left": labels["left"] - 1}
    again = post(api, "", {"dataset_id": "office"}).json()
    assert again["version"] == "2"
    assert again["statistics"]["elements"] == made.json()["statistics"]["elements"] - 1, "what is wrong is left out"


def test_one_bad_answer_and_nothing_is_taken(api: Served) -> None:
    """L4-14"""
    post(api, "", {"dataset_id": "other"})
    left = api.client.get(f"{BASE}/other/labels", headers=api.as_("viewer")).json()
    one = left["labels"][0]
    good = {"screen_state_id": one["screen_state_id"], "element_id": one["element_id"], "verdict": "accept"}
    refused = post(api, "/other/labels", {"answers": [good, {**good, "element_id": "nobody"}]})
    assert refused.status_code == 422
    assert api.client.get(f"{BASE}/other/labels", headers=api.as_("viewer")).json() == left


def test_criteria_that_make_no_sense_are_refused(api: Served) -> None:
    """L4-14"""
    assert post(api, "", {"dataset_id": "x", "workflows": ["WF_nobody"]}).status_code == 404
    assert post(api, "", {"dataset_id": "../x"}).status_code == 422
    assert post(api, "", {"dataset_id": "x", "min_confidence": 2.0}).status_code == 422
