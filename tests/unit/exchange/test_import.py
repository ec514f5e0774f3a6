"""Export, edit, import: lossless, a new version each time, and mistakes shown on their lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rpa_vision.adapters.storage.local_files import LocalFiles
from rpa_vision.app.exchange import EditedMeanwhileError, Importer, export_workflow, write_export
from rpa_vision.app.workflow_file import WorkflowFileError, read_workflow_file
from rpa_vision.errors import UsageError
from rpa_vision.learning.version_manifest import essence
from rpa_vision.models.json_lines import places_in
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.models.workflow_standing import AUTO_CONFIRMED
from rpa_vision.testing.copied_world import tree
from rpa_vision.testing.learned import WORKFLOW_ID, Killed, LearnedWorld, Mortal, open_world
from rpa_vision.testing.moving import MovingWorld, open_moving


@pytest.fixture
def moving(tmp_path: Path) -> Iterator[MovingWorld]:
    opened = open_moving(tmp_path / "data")
    opened.learn()
    yield opened
    opened.world.close()


def importer(world: LearnedWorld) -> Importer:
    return Importer(world.data, LocalFiles(), world.versions, world.clock)


def exported(world: LearnedWorld, out: Path) -> Path:
    workflow = world.data.workflows.load(WORKFLOW_ID)
    made = export_workflow(world.data, workflow, "json", folder=f"{out.stem}.files")
    write_export(LocalFiles(), made, out, force=False)
    return out


def edited(path: Path, old: str, new: str) -> Path:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


def line_with(path: Path, words: str) -> int:
    return next(n for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if words in line)


def test_what_was_exported_comes_back_the_same(moving: MovingWorld, tmp_path: Path) -> None:
    """UX-6, P003-18: lossless, and nothing new makes no version"""
    before = moving.world.live()
    result = importer(moving.world).import_file(exported(moving.world, tmp_path / "out.json"))
    assert (result.status, result.version_id) == ("unchanged", None)
    assert moving.world.live() == before


def test_a_workflow_is_carried_to_another_machine(moving: MovingWorld, tmp_path: Path) -> None:
    """UX-6: vectors and pictures come with it, and screens are recognised there"""
    path = exported(moving.world, tmp_path / "out.json")
    there = open_moving(tmp_path / "elsewhere")
    result = importer(there.world).import_file(path)
    assert (result.status, result.version_id, result.workflow.learning_state) == ("new", "v001", "OBSERVATION")
    assert there.recognised() == ["N1", "N2", "N3"]
    here = moving.world.data.workflows.load(WORKFLOW_ID)
    assert [edge.action for edge in result.workflow.edges] == [edge.action for edge in here.edges]
    assert there.migrator().migrate(WORKFLOW_ID).status == "done"
    there.world.close()


def test_an_edit_is_a_new_version_and_earns_its_trust_anew(moving: MovingWorld, tmp_path: Path) -> None:
    """UX-6, L4-11"""
    world = moving.world
    workflow = world.data.workflows.load(WORKFLOW_ID)
    trusted = workflow.learning.model_copy(update={"state": AUTO_CONFIRMED})
    world.data.workflows.save(workflow.model_copy(update={"learning_state": AUTO_CONFIRMED, "learning": trusted}))
    path = edited(exported(world, tmp_path / "out.json"), '"label": "Suivant"', '"label": "Valider"')
    result = importer(world).import_file(path)
    assert (result.status, result.version_id) == ("updated", "v002")
    action = result.workflow.edges[0].action
    assert action is not None
    assert action.target is not None
    assert action.target.label == "Valider"
    assert result.workflow.learning_state == "COACHING"
    assert world.versions.rollback_to_previous(WORKFLOW_ID)
    assert essence(world.data.workflows.load(WORKFLOW_ID)) == essence(workflow)


def test_an_edit_of_how_a_screen_is_known_earns_trust_anew_too(moving: MovingWorld, tmp_path: Path) -> None:
    """UX-6, L4-11: what passes for any screen decides what is clicked where"""
    world = moving.world
    workflow = world.data.workflows.load(WORKFLOW_ID)
    trusted = workflow.learning.model_copy(update={"state": AUTO_CONFIRMED})
    world.data.workflows.save(workflow.model_copy(update={"learning_state": AUTO_CONFIRMED, "learning": trusted}))
    path = exported(world, tmp_path / "out.json")
    document = json.loads(path.read_text(encoding="utf-8"))
    document["nodes"][1]["metadata"]["any_screen"] = True
    path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    result = importer(world).import_file(path)
    assert (result.status, result.workflow.learning_state) == ("updated", "COACHING")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"from_node": "N2"', '"from_node": "N9"', "there is no node 'N9'"),
        ('"label": "Suivant"', '"label": "${qui}"', "there is no variable 'qui'"),
        ('"type": "mouse_click"', '"type": "mouse_clik"', "Input should be"),
        ('"edge_id": "E2"', '"edge_id": "E 2"', "edge_id"),
        ('"sample_count": 1', '"sample_count": "one"', "Input should be a valid integer"),
        ('"node_id": "N3"', '"node_id": "N2"', "two have the same id"),
        ('"metric": "cosine"', '"metrik": "cosine"', "there is no such field; did you mean 'metric'?"),
        ('"column": null', '"kolumn": null', "target.kolumn: there is no such field; did you mean 'column'?"),
        ('"column": null', '"zzqx": 1', "target.zzqx: there is no such field"),
        ('"roi": null', '"roi": [1, 2, 3]', "target.roi: a box has four numbers: x1, y1, x2, y2"),
        ('"roi": null', '"roi": [1]', "target.roi: a box has four numbers: x1, y1, x2, y2"),
        ('"roi": null', '"roi": [1, 2, 3, 4, 5]', "target.roi: a box has four numbers: x1, y1, x2, y2"),
        ('"anchor": null', '"anchor": {"label": "a", "direction": "left", "offset": [3]}',
         "anchor.offset: two numbers are needed: x, y"),
        ('"condition": null', '"condition": {"type": "expression", "expression": "montant <"}', "expression"),
        ('"condition": null', '"condition": {"type": "expression", "expression": "montant < 3", "else_edge": "E2"}',
         "there is no variable 'montant'"),
        ('"version": 1,', '"version": 1, "version": 2,', "a second time"),
        ('"column": null', '"column": "${qui}"', "target.column: there is no variable 'qui'"),
        ('"column": null', '"column": "5 $ x"', "« 5 $ x » has a $ that stands for nothing"),
        ('"hard_constraints": []', '"hard_constraints": ["label=${qui}"]', "there is no variable 'qui'"),
        ('"title_contains": null', '"title_contains": "5 $ x"', "parameters.title_contains: « 5 $ x » has a $"),
        ('"drop_target": null', '"drop_target": {"label": "${qui}"}', "drop_target.label: there is no variable 'qui'"),
        ('"extract_to": null', '"extract_to": "qui"', "there is no variable 'qui'"),
        ('"keys": null', '"keys": ["CTRL", "FOO"]', "there is no key called 'FOO'"),
        ('"recovery_actions": []', '"recovery_actions": [{"action": "dance"}]', "nobody knows how « dance » is done"),
        ('"post_conditions": null', '"post_conditions": {"conditions": ["is_nice:yes"]}',
         "unknown condition 'is_nice:yes'"),
        ('"post_conditions": null', '"post_conditions": {"conditions": ["field_contains:${qui}"]}',
         "there is no variable 'qui'"),
        ('"constraints": null', '"constraints": {"pre_conditions": ["text_present:"]}', "names no text"),
        ('"variables": {}', '"variables": {"n": {"type": "float", "source": {"method": "parameter"}, '
         '"validation": {"min": 5, "max": 1}}}', "variables.n.validation.min: no value is at least 5 and at most 1"),
        ('"variables": {}', '"variables": {"n": {"type": "choice", "source": {"method": "parameter"}, '
         '"validation": {"choices": []}}}', "there is nothing to choose from"),
    ],
)  # fmt: skip
def test_mistakes_are_told_with_their_line(moving: MovingWorld, tmp_path: Path, old: str, new: str, told: str) -> None:
    """UX-6, issue 5: errors point at the line, nothing is changed"""
    before = tree(moving.world.root)
    path = exported(moving.world, tmp_path / "out.json")
    line = line_with(path, old)
    with pytest.raises(WorkflowFileError) as refused:
        importer(moving.world).import_file(edited(path, old, new))
    assert told in str(refused.value)
    if "same id" not in told:
        assert f"line {line}: " in str(refused.value)
    assert tree(moving.world.root) == before


def test_an_older_export_does_not_take_the_place_of_what_was_learned_since(moving: MovingWorld, tmp_path: Path) -> None:
    """UX-6, issue 5: nothing learned is lost"""
    world = moving.world
    path = edited(exported(world, tmp_path / "out.json"), '"label": "Suivant"', '"label": "Valider"')
    world.learn(nodes=4)
    before = tree(world.root)
    with pytest.raises(EditedMeanwhileError, match=r"out\.json: .* is at version 2, not 1") as refused:
        importer(world).import_file(path)
    assert "--force" in (refused.value.remedy or "")
    assert tree(world.root) == before
    result = importer(world).import_file(path, force=True)
    assert (result.status, result.workflow.version, len(result.workflow.nodes)) == ("updated", 3, 3)
    assert world.versions.rollback_to_previous(WORKFLOW_ID)
    assert len(world.data.workflows.load(WORKFLOW_ID).nodes) == 4


def test_conditions_in_a_circle_are_refused(moving: MovingWorld, tmp_path: Path) -> None:
    """Issue 5: a cycle of conditions"""
    path = exported(moving.world, tmp_path / "out.json")
    document = json.loads(path.read_text(encoding="utf-8"))
    document["variables"] = {"montant": {"type": "float", "source": {"method": "parameter"}}}
    for edge, other in zip(document["edges"], ("E2", "E1"), strict=True):
        edge["condition"] = {"type": "expression", "expression": "montant < 3", "else_edge": other}
    path.write_text(json.dumps(document, indent=1), encoding="utf-8")
    with pytest.raises(WorkflowFileError, match="circle of conditions"):
        importer(moving.world).import_file(path)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"\x89PNG\r\n\x1a\n\xff\xfe", "not a text file"),
        (b'{"workflow_id": "a",\n "nodes": [,]}', "line 2: not valid JSON"),
        (b"[]", "a JSON object was expected"),
        (b'{"schema_version": "rawsession_v1"}', "is no workflow but 'rawsession_v1'"),
        (b'{"workflow_id":' * 5000, "not valid JSON"),
        (b'{"workflow_id": "a", "nodes": ' + b"[" * 9000 + b"]" * 9000 + b"}", ""),
        (b'{"workflow_id": "../x", "nodes": []}', "workflow_id"),
        (b"", "not valid JSON"),
    ],
)
def test_what_is_no_workflow_is_told_so(content: bytes, told: str) -> None:
    """Issue 5: a wrong file"""
    with pytest.raises(WorkflowFileError) as refused:
        read_workflow_file(content, "x.json")
    assert told in str(refused.value)


def test_a_huge_file_and_no_file_are_refused(moving: MovingWorld, tmp_path: Path) -> None:
    """Issue 5"""
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        file.truncate(40 * 1024 * 1024)
    with pytest.raises(UsageError, match="too many"):
        importer(moving.world).import_file(huge)
    with pytest.raises(UsageError, match="no such file"):
        importer(moving.world).import_file(tmp_path / "nothing.json")
    with pytest.raises(UsageError, match="folder"):
        importer(moving.world).import_file(tmp_path)


@pytest.mark.parametrize("path", ["../../etc/passwd.png", "/etc/passwd.png", "workflows/../../x.png"])
def test_paths_that_lead_out_are_refused(moving: MovingWorld, tmp_path: Path, path: str) -> None:
    """Issue 5: path tricks"""
    out = exported(moving.world, tmp_path / "out.json")
    sample = json.loads(out.read_text(encoding="utf-8"))["nodes"][0]["screen_template"]["embedding_prototype"][
        "samples"
    ][0]
    with pytest.raises(WorkflowFileError, match="inside the data directory"):
        importer(moving.world).import_file(edited(out, sample["image_path"], path))


def test_links_beside_the_file_do_not_lead_out(moving: MovingWorld, tmp_path: Path) -> None:
    """Issue 5: path tricks"""
    out = exported(moving.world, tmp_path / "out.json")
    vector = next((tmp_path / "out.files").rglob("*.npy"))
    secret = tmp_path / "secret.npy"
    secret.write_bytes(vector.read_bytes())
    vector.unlink()
    vector.symlink_to(secret)
    with pytest.raises(WorkflowFileError, match="leads out"):
        importer(moving.world).import_file(out)


def test_files_that_are_missing_or_broken_are_told_by_line(moving: MovingWorld, tmp_path: Path) -> None:
    """Issue 5: nothing half-written"""
    out = exported(moving.world, tmp_path / "out.json")
    next((tmp_path / "out.files").rglob("N2*.npy")).write_bytes(b"garbage")
    next((tmp_path / "out.files").rglob("N1*.png")).unlink()
    there = open_world(tmp_path / "elsewhere")
    with pytest.raises(WorkflowFileError, match=r"line \d+: nodes.0.*no file.*line \d+: nodes.1.*not a vector"):
        importer(there).import_file(out)
    assert there.data.workflows.list().items == ()
    there.close()


def test_an_import_killed_anywhere_leaves_the_old_workflow_or_the_new(moving: MovingWorld, tmp_path: Path) -> None:
    """Issue 5: nothing half-written"""
    path = edited(exported(moving.world, tmp_path / "out.json"), '"label": "Suivant"', '"label": "Valider"')
    old = moving.world.data.workflows.load(WORKFLOW_ID)
    for at in (3, 9, 15, 21, 27, 33, 39, 45):
        dying = open_world(moving.world.root, clock=moving.world.clock, step=Mortal(at=at))
        try:
            importer(dying).import_file(path)
        except Killed:
            pass
        finally:
            dying.close()
        now = moving.world.data.workflows.load(WORKFLOW_ID)
        assert label_of(now) in ("Suivant", "Valider")
        assert moving.world.versions.inspect_versions(WORKFLOW_ID).unreadable == ()
        assert moving.world.versions.rollback_to_previous(WORKFLOW_ID, "v001")
        assert essence(moving.world.data.workflows.load(WORKFLOW_ID)) == essence(old)


def label_of(workflow: Workflow) -> str | None:
    action = workflow.edges[0].action
    return action.target.label if action is not None and action.target is not None else None


def test_an_export_replaces_nothing_by_surprise(moving: MovingWorld, tmp_path: Path) -> None:
    out = exported(moving.world, tmp_path / "out.json")
    with pytest.raises(UsageError, match="is there already"):
        exported(moving.world, out)


def test_lines_are_found_whatever_the_writing() -> None:
    text = '{"a": [1,\n {"b\\u0041": "x:,{}\\"",\n\n "c": null}],\n "d": {}, "a": 2}'
    places = places_in(text)
    assert places.lines == {
        (): 1, ("a",): 4, ("a", 0): 1, ("a", 1): 2, ("a", 1, "bA"): 2, ("a", 1, "c"): 4, ("d",): 5,
    } | {("a",): 5}  # fmt: skip
    assert places.doubles == ((("a",), 5),)
    assert places.line_of(("a", 1, "c", "deeper")) == 4
