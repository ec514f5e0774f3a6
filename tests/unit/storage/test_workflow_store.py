"""A workflow is given out whole, with its prototypes behind it, by id or by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.errors import DocumentError, UnknownIdError, UsageError
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.testing import strategies as some

N1 = "data/embeddings/workflows/WF_demo/N1_prototype.npy"


def test_a_workflow_comes_back_as_it_was(data: FileDataDirectory, workflow: Workflow):
    """L4-1"""
    data.workflows.save(workflow)
    assert data.workflows.load(workflow.workflow_id) == workflow
    assert data.workflows.list().items == (workflow,)


def test_a_workflow_whose_prototype_does_not_exist_is_refused_when_kept_and_when_loaded(
    data: FileDataDirectory, workflow: Workflow, root: Path
):
    """P003-14"""
    data.workflows.save(workflow)
    data.paths.vector(N1).unlink()
    named = (
        r"workflows/WF_demo_workflow/workflow\.json: nodes\.N1_start\.screen_template\.embedding_prototype\.vector_id"
    )
    with pytest.raises(DocumentError, match=named):
        data.workflows.load(workflow.workflow_id)
    with pytest.raises(DocumentError, match=named):
        data.workflows.save(workflow)
    assert data.workflows.list().items == ()
    assert len(data.workflows.list().unreadable) == 1


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(workflow=some.workflows())
def test_no_workflow_is_kept_without_the_vectors_of_its_prototypes(data: FileDataDirectory, workflow: Workflow):
    """P003-14"""
    prototypes = [node.screen_template.embedding_prototype for node in workflow.nodes]
    missing = [each for each in prototypes if each is not None and not data.paths.vector(each.vector_id).exists()]
    if missing:
        with pytest.raises(DocumentError, match="vector_id"):
            data.workflows.save(workflow)
    for prototype in missing:
        data.vectors.save(prototype.vector_id, np.ones(512, np.float32))
    for _, action in workflow.actions():
        if action.target is not None and action.target.look is not None:
            data.pictures.save(action.target.look.image_path, b"png")
    for prototype in prototypes:
        for sample in prototype.samples if prototype is not None else ():
            data.pictures.save(sample.image_path, b"png")
    data.workflows.save(workflow)
    assert data.workflows.load(workflow.workflow_id) == workflow


@pytest.mark.parametrize(
    ("vector", "problem"),
    [(np.ones(256, np.float32), "256"), (np.array([np.nan] * 512, np.float32), "finite"), (None, "not a vector")],
    ids=["other dimensions", "not finite", "no vector"],
)
def test_a_prototype_of_the_wrong_dimensions_is_named(
    data: FileDataDirectory, workflow: Workflow, vector: Any, problem: str
):
    """P003-14; issue 2 item 2: wrong vector dimensions"""
    data.workflows.save(workflow)
    if vector is None:
        data.paths.vector(N1).write_bytes(b"text")
    else:
        with data.paths.vector(N1).open("wb") as file:
            np.save(file, vector)
    with pytest.raises(DocumentError, match=rf"workflow\.json: nodes\..*\.vector_id: .*{problem}"):
        data.workflows.load(workflow.workflow_id)


def test_a_prototype_that_is_not_of_the_space_it_names_is_refused(data: FileDataDirectory, workflow: Workflow):
    """L3-3"""
    document = workflow.to_json()
    space = {"id": "clip", "dimensions": 768}
    document["nodes"][0]["screen_template"]["embedding_prototype"]["space"] = space
    with pytest.raises(DocumentError, match=r"nodes\.N1_start\..*vector_id: .*dimensions: 512 instead of 768"):
        data.workflows.save(Workflow.from_json(document))


def test_a_target_whose_picture_is_not_there_is_refused_when_kept(
    data: FileDataDirectory, workflow: Workflow, png: bytes
):
    document = workflow.to_json()
    look = {"image_path": "workflows/WF_demo_workflow/targets/submit.png", "size": [6, 4]}
    document["edges"][0]["action"]["target"]["look"] = look
    with pytest.raises(DocumentError, match=r"edges\.E1_submit\.action\.target\.look\.image_path: there is no picture"):
        data.workflows.save(Workflow.from_json(document))
    data.pictures.save(look["image_path"], png)
    data.workflows.save(Workflow.from_json(document))


def named(workflow: Workflow, workflow_id: str, name: str) -> Workflow:
    return workflow.model_copy(update={"workflow_id": workflow_id, "name": name})


def test_a_name_is_enough_when_only_one_has_it(data: FileDataDirectory, workflow: Workflow):
    data.workflows.save(named(workflow, "WF_a", "Validation facture — contrôlée"))
    data.workflows.save(named(workflow, "WF_b", "Autre"))
    decomposed = "Validation facture — contro\u0302le\u0301e"
    for name in ("Validation facture — contrôlée", "validation FACTURE — contrôlée", decomposed, "WF_a"):
        assert data.workflows.load(name).workflow_id == "WF_a"


def test_a_name_of_two_is_an_error_that_lists_their_ids(data: FileDataDirectory, workflow: Workflow):
    for workflow_id in ("WF_a", "WF_b"):
        data.workflows.save(named(workflow, workflow_id, "Validation"))
    with pytest.raises(UsageError, match="WF_a, WF_b") as caught:
        data.workflows.load("Validation")
    assert "id" in caught.value.remedy


def test_an_unknown_workflow_is_answered_with_those_it_could_be(data: FileDataDirectory, workflow: Workflow):
    """issue 2: unknown workflow"""
    data.workflows.save(named(workflow, "WF_validation", "Validation facture"))
    for wanted, meant in (("WF_validatoin", "WF_validation"), ("validation factures", "Validation facture")):
        with pytest.raises(UnknownIdError, match=wanted) as caught:
            data.workflows.load(wanted)
        assert meant in caught.value.remedy
    with pytest.raises(UnknownIdError) as caught:
        data.workflows.load("zzz")
    assert "rpa-vision workflows" in caught.value.remedy


def test_a_bad_workflow_hides_none(data: FileDataDirectory, workflow: Workflow, root: Path):
    """issue 2 item 3"""
    data.workflows.save(workflow)
    folder = root / "workflows"
    for name, content in {
        "WF_torn": b'{"workflow_id": "WF_to',
        "WF_foreign": b'{"nodes": 3}',
        "WF_other": json.dumps(workflow.to_json()).encode(),
        "bad name": b"{}",
    }.items():
        (folder / name).mkdir()
        (folder / name / "workflow.json").write_bytes(content)
    (folder / "WF_unfinished" / "prototypes").mkdir(parents=True)
    (folder / "notes.txt").write_bytes(b"")

    listing = data.workflows.list()

    assert listing.items == (workflow,)
    assert {problem.name for problem in listing.unreadable} == {
        "workflows/WF_torn", "workflows/WF_foreign", "workflows/WF_other", "workflows/bad name",
    }  # fmt: skip
    assert data.workflows.load(workflow.name) == workflow
    with pytest.raises(DocumentError, match=r"workflows/WF_torn/workflow\.json: not valid JSON"):
        data.workflows.load("WF_torn")
