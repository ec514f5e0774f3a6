"""A data directory as an office would have after months, made at once: three workflows with drawn screens and versions,
as many runs as one likes, failures, changes of state. For the dashboard's tests and pictures; nothing in it was run.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import cv2
import numpy as np

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.app.learn import keep
from rpa_vision.app.wiring import clock
from rpa_vision.app.wiring_auto_heal import auto_heal
from rpa_vision.models.document import JsonObject
from rpa_vision.models.frame import Pixels
from rpa_vision.testing import office_heal
from rpa_vision.testing.office_recording import record_task
from rpa_vision.testing.office_tasks import BUTTON, TASKS, drawn, learned

READ = [
    {"name": "montant", "value": "1 250,00 €", "source": "the column « Montant »"},
    {"name": "code", "value": "secret:code", "source": "« Code PIN »"},
]
"""What every run reads on its way: one value that is shown, and one that is not."""


def make_office(root: Path, *, runs: int = 60, seed: int = 5, days: int = 45) -> FileDataDirectory:
    """Make it. The same seed makes the same office, but for the time it ends."""
    data = FileDataDirectory(root, clock=clock())
    dice = random.Random(seed)
    with auto_heal(data, quiet=True) as heal:
        for number, task in enumerate(TASKS):
            for version in range(1, 3 - number % 2 + 1):
                keep(data, learned(task, version), heal.versions, reason=f"{3 * version} demonstrations")
        for task in TASKS:
            office_heal.history(heal, task, dice)
        for task in TASKS[:2]:
            office_heal.failure(heal, task, dice)
        office_heal.without_effect(heal, TASKS[2])
        office_heal.earned(heal, data.workflows.load(TASKS[1].workflow_id))
        office_heal.proposal(heal, TASKS[0], 3, "Approuver")
        office_heal.proposal(heal, TASKS[1], 2, "Accorder")
        office_heal.question(heal, TASKS[0])
    for task in TASKS:
        record_task(data, task)
    _runs(root, data, runs, dice, days)
    return data


def _runs(root: Path, data: FileDataDirectory, count: int, dice: random.Random, days: int) -> None:
    """Reports, the newest today. Only the last few have pictures: ten thousand would fill the disk."""
    now = clock().now()
    moments = sorted((now - timedelta(seconds=dice.uniform(60, days * 86_400)) for _ in range(count)), reverse=True)
    shots = {task.workflow_id: [_jpeg(drawn(task, index)) for index in range(len(task.screens))] for task in TASKS}
    for number, (moment, report) in enumerate(zip(moments, _reports(dice), strict=False)):
        run_id, steps = f"run_{dice.getrandbits(64):016x}", report["steps"]
        report |= {"run_id": run_id, "started_at": moment.isoformat(),
                   "ended_at": (moment + timedelta(seconds=report["duration_s"])).isoformat()}  # fmt: skip
        folder = root / "runs" / run_id
        (folder / "pictures").mkdir(parents=True)
        if number < 5:
            for step in steps:
                for when, later in (("before", 0), ("after", 1)):
                    name = f"step_{step['index'] + 1:02d}_{when}.jpg"
                    picture = shots[report["workflow_id"]][step["index"] + later]
                    step[f"screenshot_{when}"] = data.runs.save_picture(run_id, name, picture)
        (folder / "report.json").write_text(json.dumps(report), encoding="utf-8")
        (folder / "report.html").write_text(
            f"<!doctype html><title>{run_id}</title><h1>{run_id}</h1>", encoding="utf-8"
        )


def _reports(dice: random.Random) -> Iterator[JsonObject]:
    while True:
        task = dice.choices(TASKS, (6, 3, 1))[0]
        luck, last = dice.random(), len(task.screens) - 1
        status = "success" if luck < 0.93 else ("halted" if luck < 0.98 else ("failed" if luck < 0.995 else "blocked"))
        done = last if status == "success" else dice.randint(1, last)
        lost = (
            f"the button « {task.screens[done - 1][1]} » is not on the screen; nearest: « Valider tout » "
            "(0.61, 0.72 is needed)"
        )
        steps: list[JsonObject] = []
        for index in range(done):
            good = status == "success" or index < done - 1
            healed = dice.random() < 0.04
            sure = round(dice.uniform(0.76, 0.86) if healed else dice.uniform(0.9, 1.0), 3) if good else 0.61
            box = list(BUTTON)
            candidate = {"label": task.screens[index][1], "type": "button", "bbox": box, "score": sure,
                         "reasons": [f"says « {task.screens[index][1]} »", "is a button (validate)"]}  # fmt: skip
            steps.append({
                "index": index, "edge_id": f"E{index + 1}", "action": "mouse_click",
                "description": f"Click the button « {task.screens[index][1]} »",
                "status": "success" if good else "failed", "reason": "" if good else lost,
                "strategy": dice.choices(("som_text_match", "spatial_anchor", "anchor_template"), (8, 1, 1))[0],
                "score": sure, "chosen": candidate, "runner_up": {**candidate, "label": "Annuler", "score": 0.2},
                "point": [(box[0] + box[2]) // 2, (box[1] + box[3]) // 2], "healing_level": int(healed),
                "duration_ms": round(dice.uniform(600, 1800), 1), "verified": good,
                "expected": "« {0} » to appear and the screen « {0} »".format(task.screens[index + 1][0]),
                "observed": f"the screen « {task.screens[index + 1][0]} » (0.97)" if good else "",
                "timing_ms": {"look": 210.0, "resolve": 12.0}, "recoveries": [], "extracted": {}, "note": "",
            })  # fmt: skip
        steps[0]["read"] = READ
        reason = f"all {done} steps verified" if status == "success" else f"step {done} (E{done}): {lost}"
        yield {
            "schema_version": "run_v1", "workflow_id": task.workflow_id, "workflow_name": task.name,
            "workflow_version": 1,
            "mode": "auto", "status": status, "reason": reason, "authorised_because": "pilot",
            "parameters": {task.variable: f"{task.prefix}{dice.randint(1, 9999):04d}"},
            "duration_s": round(sum(step["duration_ms"] for step in steps) / 1000 + 0.4, 2), "steps": steps,
            "values": {one["name"]: one["value"] for one in READ}, "input_sent": True,
        }  # fmt: skip


def _jpeg(page: Pixels) -> bytes:
    return bytes(cv2.imencode(".jpg", np.ascontiguousarray(page[:, :, :3]))[1])
