"""What is plugged in by settings: chosen by name, checked at once, shown by doctor; mistakes leave with code 2."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from tiny_detectors import SHEET, save, yolo_v8
from vlm_server import VlmServer

from rpa_vision.app.wiring_plugins import (
    element_finder,
    element_judge,
    plugin_facts,
    screen_encoder,
    vision_model,
)
from rpa_vision.errors import PluginError
from rpa_vision.models.machine import PluginFacts
from rpa_vision.testing.manual_clock import ManualClock

CLOCK = ManualClock()


def facts(role: str, **environment: str) -> PluginFacts:
    return next(found for found in plugin_facts(CLOCK, environment) if found.role == role)


def test_without_settings_everything_is_embedded_and_nobody_is_asked() -> None:
    """L2-7 L3-5"""
    finder, judge = element_finder({}), element_judge({})
    assert finder is not None
    assert judge is not None
    space_id = screen_encoder({}).space.id
    assert space_id.startswith("rpav_screens_v1_")
    assert vision_model(CLOCK, {}) is None
    assert [(found.name, found.problem) for found in plugin_facts(CLOCK, {})] == [
        (f"rules, beside them {finder.name}, {judge.name}", ""),
        (space_id, ""),
        ("none configured", ""),
    ]


@pytest.mark.parametrize(
    ("name", "has_finder", "has_judge"),
    [("trained", True, True), ("embedded", True, True), ("judged", False, True), ("rules", False, False)],
)
def test_the_parts_of_the_shipped_detector_are_chosen_by_name(name: str, has_finder: bool, has_judge: bool) -> None:
    """L2-7"""
    environment = {"RPA_VISION_DETECTOR": name}
    assert (element_finder(environment) is not None, element_judge(environment) is not None) == (has_finder, has_judge)


def test_a_detector_is_a_file_and_its_sheet(tmp_path: Path) -> None:
    """L2-7"""
    path = save(tmp_path, yolo_v8())
    sheet = tmp_path / "classes.json"
    sheet.write_text(json.dumps(SHEET), encoding="utf-8")
    environment = {"RPA_VISION_DETECTOR": str(path), "RPA_VISION_DETECTOR_SHEET": str(sheet)}
    finder = element_finder(environment)
    assert finder is not None
    assert finder.name in facts("detector", **environment).name


def test_a_model_is_chosen_by_name_with_its_limits(vlm_server: VlmServer) -> None:
    """L2-7"""
    environment = {
        "RPA_VISION_VLM": "ollama",
        "RPA_VISION_VLM_URL": vlm_server.url,
        "RPA_VISION_VLM_TIMEOUT_S": "2.5",
        "RPA_VISION_VLM_CALLS": "7",
        "RPA_VISION_VLM_SECONDS": "33",
    }
    model = vision_model(CLOCK, environment)
    assert model is not None
    assert model.name == "ollama:qwen2.5-vl:3b"
    assert (model.limits.timeout_s, model.limits.calls_per_run, model.limits.seconds_per_run) == (2.5, 7, 33.0)
    assert facts("vlm", **environment) == PluginFacts("vlm", f"ollama:qwen2.5-vl:3b at {vlm_server.url}")
    other = environment | {"RPA_VISION_VLM": "openai", "RPA_VISION_VLM_MODEL": "some-vl"}
    assert facts("vlm", **other | {"RPA_VISION_VLM_URL": f"{vlm_server.url}/v1"}).problem.endswith(
        "does not have some-vl"
    )


def test_a_server_that_is_down_is_a_warning_because_runs_go_on_without_it() -> None:
    found = facts("vlm", RPA_VISION_VLM="ollama", RPA_VISION_VLM_URL="http://127.0.0.1:9")
    assert found.problem
    assert not found.is_broken
    assert "go on without it" in found.remedy


WRONG: dict[str, tuple[str, dict[str, str], str]] = {
    "missing detector": ("detector", {"RPA_VISION_DETECTOR": "no/such.onnx"}, "no such file"),
    "unknown encoder": ("encoder", {"RPA_VISION_ENCODER": "clip"}, "RPA_VISION_ENCODER is 'clip'"),
    "unknown vlm": ("vlm", {"RPA_VISION_VLM": "gpt"}, "RPA_VISION_VLM is 'gpt'"),
    "no model": (
        "vlm",
        {"RPA_VISION_VLM": "openai", "RPA_VISION_VLM_URL": "http://127.0.0.1:9/v1"},
        "no model is named",
    ),
    "no address": ("vlm", {"RPA_VISION_VLM": "openai"}, "nothing says where the server is"),
    "address": ("vlm", {"RPA_VISION_VLM": "ollama", "RPA_VISION_VLM_URL": "host"}, "the VLM's address needs"),
    "clear": ("vlm", {"RPA_VISION_VLM": "ollama", "RPA_VISION_VLM_URL": "http://gpu.lan"}, "in clear"),
    "time": ("vlm", {"RPA_VISION_VLM": "ollama", "RPA_VISION_VLM_TIMEOUT_S": "nan"}, "TIMEOUT_S is 'nan'"),
    "calls": ("vlm", {"RPA_VISION_VLM": "ollama", "RPA_VISION_VLM_CALLS": "2.5"}, "CALLS is '2.5'"),
    "seconds": ("vlm", {"RPA_VISION_VLM": "ollama", "RPA_VISION_VLM_SECONDS": "-1"}, "SECONDS is '-1'"),
}


@pytest.mark.parametrize(("role", "environment", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_setting_is_told_with_its_remedy(role: str, environment: dict[str, str], said: str) -> None:
    found = facts(role, **environment)
    assert found.is_broken
    assert said in found.problem
    assert found.remedy


def test_plain_http_elsewhere_must_be_allowed_by_name() -> None:
    environment = {"RPA_VISION_VLM": "ollama", "RPA_VISION_VLM_URL": "http://gpu.lan", "RPA_VISION_VLM_PLAIN_HTTP": "1"}
    assert vision_model(CLOCK, environment) is not None
    with pytest.raises(PluginError, match="key would travel in clear"):
        vision_model(CLOCK, environment | {"RPA_VISION_VLM_API_KEY": "k"})


@dataclass
class Ended:
    code: int
    out: str
    err: str


def rpa_vision(*arguments: object, **environment: str) -> Ended:
    kept = {
        name: value for name, value in os.environ.items() if name != "DISPLAY" and not name.startswith("RPA_VISION_")
    }
    ended = subprocess.run(
        [sys.executable, "-m", "rpa_vision", *map(str, arguments)],
        env=kept | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return Ended(ended.returncode, ended.stdout, ended.stderr)


def checks(ended: Ended) -> dict[str, dict[str, str]]:
    return {check["name"]: check for check in json.loads(ended.out)["checks"]}


def test_doctor_shows_what_is_plugged_in_and_whether_it_answers(vlm_server: VlmServer, tmp_path: Path) -> None:
    vlm_server.models = ["llava:7b"]
    ended = rpa_vision(
        "doctor", "--json", "--data", tmp_path / "data",
        RPA_VISION_DETECTOR=str(save(tmp_path, yolo_v8(), SHEET)), RPA_VISION_VLM="ollama",
        RPA_VISION_VLM_URL=vlm_server.url, RPA_VISION_VLM_API_KEY="sk-geheim",
    )  # fmt: skip
    found = checks(ended)
    assert found["detector"]["status"] == "ok"
    assert "onnx-tiny-" in found["detector"]["found"]
    assert found["vlm"]["status"] == "warn"
    assert "does not have the model qwen2.5-vl:3b" in found["vlm"]["found"]
    assert "sk-geheim" not in ended.out + ended.err


def test_doctor_fails_on_a_broken_detector(tmp_path: Path) -> None:
    (tmp_path / "broken.onnx").write_bytes(b"no")
    ended = rpa_vision(
        "doctor", "--json", "--data", tmp_path / "data", RPA_VISION_DETECTOR=str(tmp_path / "broken.onnx")
    )
    assert ended.code == 2
    assert checks(ended)["detector"]["status"] == "fail"


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    image = np.full((300, 500, 3), 250, np.uint8)
    cv2.rectangle(image, (60, 60), (180, 96), (180, 90, 20), -1)
    cv2.putText(image, "Valider", (80, 84), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255, 255, 255), 1, cv2.LINE_AA)
    path = tmp_path / "screen.png"
    cv2.imwrite(str(path), image)
    return path


def test_a_broken_setting_ends_a_command_with_code_2_cause_and_remedy(picture: Path) -> None:
    ended = rpa_vision("detect", picture, RPA_VISION_DETECTOR="no/such.onnx")
    assert ended.code == 2
    cause, remedy = ended.err.splitlines()
    assert cause == "error: the detector no/such.onnx: there is no such file"
    assert remedy.startswith("  do: ")


def described_by(ended: Ended) -> Any:
    return json.loads(ended.out)["summary"]["generated_by"]


def test_a_model_describes_what_is_detected(picture: Path, vlm_server: VlmServer) -> None:
    """L1-4: and says that it did"""
    vlm_server.answers = ['{"summary": "Un bouton.", "key_elements": ["Valider"], "anomalies": []}']
    ended = rpa_vision("detect", picture, "--json", RPA_VISION_VLM="ollama", RPA_VISION_VLM_URL=vlm_server.url)
    assert ended.code == 0, ended.err
    assert described_by(ended) == "vlm:ollama:qwen2.5-vl:3b"
    assert json.loads(ended.out)["summary"]["summary"] == "Un bouton."


@pytest.mark.parametrize("answer", ["hang", "garbage", "Un bouton.", "close"])
def test_a_model_that_fails_changes_nothing_else(picture: Path, vlm_server: VlmServer, answer: str) -> None:
    """L1-4 L2-7: slow, down, or talking nonsense"""
    vlm_server.answers = [answer]
    ended = rpa_vision(
        "detect", picture, "--json",
        RPA_VISION_VLM="ollama", RPA_VISION_VLM_URL=vlm_server.url, RPA_VISION_VLM_TIMEOUT_S="0.5",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert described_by(ended) == "template"
    assert "the VLM did not describe it" in ended.err
    without = rpa_vision("detect", picture, "--json")
    assert json.loads(without.out)["elements"] == json.loads(ended.out)["elements"]


def test_what_a_plugged_in_detector_finds_is_detected(tmp_path: Path) -> None:
    """L2-7: a red patch that is no box of a control for anybody else"""
    image = np.zeros((640, 640, 3), np.uint8)
    image[320:400, 320:400] = (0, 0, 255)
    path = tmp_path / "patch.png"
    cv2.imwrite(str(path), image)
    detector = str(
        save(tmp_path, yolo_v8(), SHEET | {"types": {"red_thing": "slider", "green_thing": None, "blue_thing": None}})
    )
    seen = json.loads(rpa_vision("detect", path, "--json", RPA_VISION_DETECTOR=detector).out)["elements"]
    assert any(
        e["type"] == "slider" and np.abs(np.subtract(e["bbox"], [320, 320, 400, 400])).max() <= 2 for e in seen
    ), seen
