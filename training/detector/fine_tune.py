"""Train the element detector further on screens of one's own, from weights that are there already.

The shipped file has its normalisation folded into its convolutions. They are read back in the order in which the net
computes them, with a normalisation that changes nothing, and trained on with small steps; the running statistics stay
as they are, for a few screens would spoil them. What is kept is the running mean of the weights.
"""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import nn

sys.path.insert(0, str(Path(__file__).parents[1]))

from fine_tuning import RunningMean, rated, read_options

from detector.crops import CropSource
from detector.export import FAR, NEAR, export
from detector.losses import losses, total
from detector.net import Detector
from detector.targets import truth_of

SHIPPED = Path(__file__).parents[2] / "src" / "rpa_vision" / "resources" / "detector" / "elements.json"
RATE = 2e-4


def main() -> None:
    given = read_options(__doc__, SHIPPED)
    about = json.loads(given.base.read_text(encoding="utf-8"))
    net = Detector()
    with zipfile.ZipFile(given.base.parent / about["file"]) as parts:
        read_back(net, [parts.read(NEAR), parts.read(FAR)], torch.zeros(1, 3, 128, 128))
    net.eval()  # the normalisation stays as it is; everything else learns
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=1e-4)
    mean, pixels = RunningMean(net), 0
    for path in given.screens.glob("*.json"):
        truth_of(json.loads(path.read_text(encoding="utf-8")))  # a bad one ends it here, not in a thread
    source = CropSource([given.screens], given.seed)
    if not source.screens:
        raise SystemExit(f"there are no screens in {given.screens}")
    print(f"{source.screens} screens, {given.steps} steps", flush=True)
    sums, since = 0.0, 0
    for step, (pictures, targets) in zip(range(1, given.steps + 1), source, strict=False):
        rated(optimiser, RATE, step, given.steps)
        parts = losses(*net(pictures.float() / 255), targets)
        loss = total(parts)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 10.0)
        optimiser.step()
        pixels += pictures.shape[0] * pictures.shape[2] * pictures.shape[3]
        mean.add(net, step)
        sums, since = sums + float(loss.detach()), since + 1
        if step % 20 == 0 or step == given.steps:
            print(f"step {step} of {given.steps}, loss {sums / since:.3f}", flush=True)
            sums, since = 0.0, 0
    given.out.mkdir(parents=True, exist_ok=True)
    checkpoint = given.out / "mean.pt"
    before = about.get("training", {})
    steps = int(before.get("steps", 0)) + given.steps
    torch.save(
        {"mean": mean.values, "step": steps, "pixels": int(before.get("megapixels", 0)) * 10**6 + pixels}, checkpoint
    )
    print(export(checkpoint, given.out, thresholds=about["thresholds"]))
    checkpoint.unlink()


def read_back(net: nn.Module, models: Sequence[bytes], sample: torch.Tensor) -> None:
    """Put the weights of exported files into the net: convolution by convolution, as both compute them."""
    stored = []
    for model in models:
        graph = onnx.load_from_string(model).graph
        values = {one.name.removesuffix(".half"): numpy_helper.to_array(one) for one in graph.initializer}
        stored += [[values[name] for name in node.input[1:]] for node in graph.node if node.op_type == "Conv"]
    order: list[nn.Conv2d] = []
    hooks = [
        module.register_forward_pre_hook(lambda module, _: order.append(module))
        for module in net.modules()
        if isinstance(module, nn.Conv2d)
    ]
    net.eval()
    with torch.no_grad():
        net(sample)
    for hook in hooks:
        hook.remove()
    if len(order) != len(stored):
        raise SystemExit(f"the file has {len(stored)} convolutions, the net {len(order)}: it is of another version")
    follower = normalised(net)
    with torch.no_grad():
        for module, (weight, *bias) in zip(order, stored, strict=True):
            module.weight.copy_(torch.from_numpy(weight.astype("float32")))
            norm = follower.get(module)
            shift = torch.from_numpy(bias[0].astype("float32")) if bias else None
            if norm is not None:
                norm.weight.fill_(1.0)
                norm.running_mean.zero_()
                norm.running_var.fill_(1.0 - norm.eps)
                norm.bias.copy_(shift if shift is not None else torch.zeros_like(norm.bias))
            elif module.bias is not None and shift is not None:
                module.bias.copy_(shift)
            elif shift is not None:
                raise SystemExit("a convolution has a shift in the file and none in the net: it is of another version")


def normalised(net: nn.Module) -> dict[nn.Conv2d, nn.BatchNorm2d]:
    """The normalisation that follows a convolution, where one does."""
    found: dict[nn.Conv2d, nn.BatchNorm2d] = {}
    for module in net.modules():
        if isinstance(module, nn.Sequential):
            parts = list(module)
            for one, other in pairwise(parts):
                if isinstance(one, nn.Conv2d) and isinstance(other, nn.BatchNorm2d):
                    found[one] = other
    return found


if __name__ == "__main__":
    main()
