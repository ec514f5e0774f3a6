"""Train the net that knows screens again further, on screens of one's own, from weights that are there already.

Screens of one family are one screen in other words; families of one application are what they can be taken for. The
shipped file is read back, its normalisation stays as it is, and what is kept is the running mean of the weights. The
new weights are a space of their own: what was learned is moved to it.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
import torch
from onnx import numpy_helper

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2] / "src"))

from detector.shipped_weights import read_back
from fine_tuning import RunningMean, rated, read_options

from encoder.export import export
from encoder.maps import content_boxes
from encoder.net import ScreenNet
from encoder.train import loss_of
from encoder.views import Views
from rpa_vision.imaging.structure import COLUMNS, ROWS, structure_maps

SHIPPED = Path(__file__).parents[2] / "src" / "rpa_vision" / "resources" / "encoder" / "screens.json"
RATE = 1e-4
APPS, ALONE = 4, 20


def main() -> None:
    given = read_options(__doc__, SHIPPED)
    maps, told = screens_in(given.screens)
    families = {one["family"] for one in told}
    if len(families) < 2:
        raise SystemExit(f"two different screens are the least to learn from, there are {len(families)}")
    print(f"{len(told)} screens of {len(families)} families, {given.steps} steps", flush=True)
    about = json.loads(given.base.read_text(encoding="utf-8"))
    net = begun(given.base.parent / about["file"])
    mean, screens, began = RunningMean(net), 0, time.monotonic()
    views = Views([(maps, told)], given.seed)
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=1e-4)
    for step in range(1, given.steps + 1):
        rated(optimiser, RATE, step, given.steps)
        batch = torch.from_numpy(views.batch(APPS, ALONE))
        loss, found = loss_of(net, batch)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        screens += batch.shape[0]
        mean.add(net, step)
        if step % 20 == 0 or step == given.steps:
            print(f"step {step} of {given.steps}, loss {float(loss.detach()):.3f}, found {found:.2f}", flush=True)
    before = about.get("training", {})
    cost = {"step": given.steps, "screens": screens, "seconds": round(time.monotonic() - began)}
    given.out.mkdir(parents=True, exist_ok=True)
    checkpoint = given.out / "mean.pt"
    torch.save(
        {"mean": mean.values, **{name: int(before.get(name, 0)) + value for name, value in cost.items()}}, checkpoint
    )
    print(export(checkpoint, given.out))
    checkpoint.unlink()


def screens_in(folder: Path) -> tuple[np.ndarray, list[dict[str, Any]]]:
    """The maps of the screens of a folder, and of each its family, its application and where its content lies."""
    maps, told = [], []
    for path in sorted(folder.glob("*.json")):
        about = json.loads(path.read_text(encoding="utf-8"))
        seen = structure_maps(cv2.imread(str(path.with_suffix(".png"))))
        if seen is not None:
            maps.append(seen)
            told.append({"app": about["app"], "family": about["family"], "content": content_boxes(about)})
    if not maps:
        raise SystemExit(f"there are no screens in {folder}")
    return np.stack(maps), told


def begun(model: Path) -> ScreenNet:
    """The net with the weights of a file; its normalisation stays as it is, everything else learns."""
    net = ScreenNet()
    read_back(net, [model.read_bytes()], torch.zeros(1, 4, ROWS, COLUMNS))
    values = {one.name.removesuffix(".half"): one for one in onnx.load(str(model)).graph.initializer}
    with torch.no_grad():
        for name, kept in (("head.weight", net.head.weight), ("head.bias", net.head.bias)):
            kept.copy_(torch.from_numpy(numpy_helper.to_array(values[name]).astype("float32")))
    return net.eval()


if __name__ == "__main__":
    main()
