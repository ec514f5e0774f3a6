"""`rpa-vision policy`: the policy in force is seen, checked, compared and changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import contents, rpa_vision
from supervised import WF, learn, supervisor

from rpa_vision.adapters.machine.os_user import os_user


@pytest.fixture
def data(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    learn(root)
    return root


def written(path: Path, **keys: object) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(keys), encoding="utf-8")
    return path


def test_show_says_where_each_key_comes_from(data: Path) -> None:
    """AH-6.1, AH-6.2, AH-6.3"""
    written(data / "config" / "auto_heal_policy.json", mode="conservative", quarantine_duration_s=7200)
    told = rpa_vision("policy", "show", "--data", data, "--json").json
    assert (told["policy"]["quarantine_duration_s"], told["sources"]["quarantine_duration_s"]) == (7200, "file")
    assert (told["policy"]["min_confidence_normal"], told["sources"]["min_confidence_normal"]) == (0.8, "preset")
    shown = rpa_vision("policy", "show", "--data", data).out
    assert "the preset conservative" in shown


@pytest.mark.parametrize("mode", ["hybrid", "conservative", "aggressive"])
def test_show_and_the_docs_say_what_really_holds(data: Path, mode: str) -> None:
    """AH-6.1: a policy may only make it harder than the resolver and the matcher are by themselves"""
    written(data / "config" / "auto_heal_policy.json", mode=mode)
    told = rpa_vision("policy", "show", "--data", data, "--json").json["effective"]
    assert told["running"]["target"]["min_margin"] == 0.08
    assert min(told[state]["screen"]["min_confidence"] for state in told) == 0.85
    assert "running: target" in rpa_vision("policy", "show", "--data", data).out
    page = (Path(__file__).parents[3] / "docs" / "policy.md").read_text(encoding="utf-8")
    for what in ("target", "screen"):
        for state in ("running", "degraded"):
            line = next(line for line in page.splitlines() if line.startswith(f"- {what}, `{state}`"))
            asked = told[state][what]
            assert f"{mode} {asked['min_confidence']:g} and {asked['min_margin']:g}" in line


def test_a_broken_file_is_told_and_the_last_good_policy_shown(data: Path) -> None:
    """AH-6.1, AH-10.5"""
    file = written(data / "config" / "auto_heal_policy.json", mode="conservative")
    rpa_vision("policy", "show", "--data", data)
    written(file, mode="conservative", min_confidence_normal=2)
    told = rpa_vision("policy", "show", "--data", data)
    assert told.code == 0
    assert "min_confidence_normal" in told.err
    assert "the preset conservative" in told.out


@pytest.mark.parametrize(
    ("keys", "field"),
    [
        ({"min_confidence_normal": 2}, "min_confidence_normal"),
        ({"min_confidence_normal": 0.85, "min_confidence_degraded": 0.8}, "min_confidence_degraded"),
        ({"patience": 3}, "patience"),
        ({"mode": "reckless"}, "mode"),
    ],
)
def test_validate_names_the_key_that_is_wrong(tmp_path: Path, keys: dict[str, object], field: str) -> None:
    """AH-10.5"""
    ended = rpa_vision("policy", "validate", written(tmp_path / "policy.json", **keys))
    assert ended.code == 2
    assert field in ended.cause


def test_validate_names_every_mistake_in_words(tmp_path: Path, data: Path) -> None:
    """AH-10.5"""
    keys = {"min_confidence_nomal": 0.8, "quarantine_duration_s": 0, "global_pause_enabled": "yes", "mode": "reckless"}
    said = rpa_vision("policy", "validate", written(tmp_path / "policy.json", **keys)).cause
    assert "min_confidence_nomal: there is no such key; did you mean 'min_confidence_normal'?" in said
    assert "quarantine_duration_s: must be at least 1, and is 0" in said
    assert "global_pause_enabled: must be true or false, and is 'yes'" in said
    assert "mode: must be one of hybrid, conservative, aggressive, and is 'reckless'" in said
    twice = tmp_path / "twice.json"
    twice.write_text('{"mode": "hybrid", "mode": "aggressive"}', encoding="utf-8")
    assert "mode: is there twice" in rpa_vision("policy", "validate", twice).cause
    assert "is a folder" in rpa_vision("policy", "validate", tmp_path).cause
    none = rpa_vision("policy", "validate", "--data", data)
    assert (none.code, "no policy file" in none.out) == (0, True)


def test_validate_says_in_words_that_a_file_is_no_text(tmp_path: Path) -> None:
    """UX-1, AH-4.1"""
    path = tmp_path / "policy.json"
    path.write_bytes(b'{"mode": "\xff\xfe hybrid"}')
    ended = rpa_vision("policy", "validate", path)
    assert (ended.code, ended.cause) == (2, "policy.json: not a text in UTF-8, from byte 10 on")
    assert "UTF-8" in ended.remedy


def test_validate_accepts_a_good_file_and_puts_nothing_in_force(tmp_path: Path, data: Path) -> None:
    """AH-10.5"""
    before = contents(data)
    file = written(tmp_path / "policy.json", mode="aggressive")
    ended = rpa_vision("policy", "validate", file, "--data", data, "--json")
    assert (ended.code, ended.json["valid"], ended.json["mode"]) == (0, True, "aggressive")
    assert contents(data) == before
    assert "no such file" in rpa_vision("policy", "validate", tmp_path / "none.json").cause


def test_diff_shows_the_keys_and_what_a_step_must_reach(tmp_path: Path, data: Path) -> None:
    """AH-3.1, AH-6.2"""
    file = written(tmp_path / "policy.json", min_confidence_normal=0.85, min_confidence_degraded=0.85)
    told = rpa_vision("policy", "diff", file, "--data", data, "--json").json
    assert {one["key"]: one["direction"] for one in told["changes"]} == {
        "min_confidence_normal": "stricter",
        "min_confidence_degraded": "stricter",
    }
    then = told["thresholds"]["then"]
    assert (then["running"]["min_confidence"], then["degraded"]["min_confidence"]) == (0.85, 0.95)
    assert "stricter" in rpa_vision("policy", "diff", file, "--data", data).out
    same = rpa_vision("policy", "diff", written(file, mode="hybrid"), "--data", data)
    assert (same.code, "the same" in same.out) == (0, True)


def test_set_mode_keeps_the_keys_somebody_wrote_and_is_in_force_at_once(data: Path) -> None:
    """AH-5.1, AH-6.3, AH-6.5"""
    file = written(data / "config" / "auto_heal_policy.json", mode="hybrid", quarantine_duration_s=7200)
    with supervisor(data) as opened:
        opened.manager.get_mode(WF)
        ended = rpa_vision("policy", "set-mode", "aggressive", "--data", data, "--json")
        assert (ended.code, ended.json["kept"]) == (0, ["quarantine_duration_s"])
        assert json.loads(file.read_text()) == {"mode": "aggressive", "quarantine_duration_s": 7200}
    with supervisor(data) as opened:
        assert (opened.policy.current().mode, opened.policy.current().quarantine_duration_s) == ("aggressive", 7200)
    asked = rpa_vision("heal", "history", "--kind", "policy_written", "--data", data, "--json").json["decisions"]
    assert [(one["record"]["who"], one["record"]["policy"]["mode"]) for one in asked] == [(os_user(), "aggressive")]


def test_set_mode_refuses_a_preset_that_contradicts_a_key_and_changes_nothing(data: Path) -> None:
    """AH-6.3, AH-10.5"""
    file = written(data / "config" / "auto_heal_policy.json", mode="hybrid", min_confidence_degraded=0.75)
    ended = rpa_vision("policy", "set-mode", "conservative", "--data", data)
    assert ended.code == 2
    assert "min_confidence_degraded" in ended.cause
    assert json.loads(file.read_text()) == {"mode": "hybrid", "min_confidence_degraded": 0.75}


def test_set_mode_does_not_write_over_a_broken_file(data: Path) -> None:
    """AH-6.1, AH-10.5"""
    file = data / "config" / "auto_heal_policy.json"
    file.parent.mkdir()
    file.write_text('{"mode": "conservative", ', encoding="utf-8")
    ended = rpa_vision("policy", "set-mode", "aggressive", "--data", data)
    assert ended.code == 2
    assert file.read_text() == '{"mode": "conservative", '
