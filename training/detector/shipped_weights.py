"""The shipped weights as a net that can learn on.

The shipped file has its normalisation folded into its convolutions. They are read back in the order in which the net
computes them, with a normalisation that changes nothing. For a long training that normalisation gets real statistics
again: what it does to the screens of today is measured, and it is set so that it does just that.
"""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).parents[1]))

from detector.export import FAR, NEAR

SHIPPED = Path(__file__).parents[2] / "src" / "rpa_vision" / "resources" / "detector" / "elements.json"

FRESH = 1.0
"""The usual size of a weight, times the root of how many are summed."""


def put_shipped(net: nn.Module, description: Path = SHIPPED) -> dict:
    """Give a detector the weights of an exported file; what the file says of itself."""
    about = json.loads(description.read_text(encoding="utf-8"))
    with zipfile.ZipFile(description.parent / about["file"]) as parts:
        read_back(net, [parts.read(NEAR), parts.read(FAR)], torch.zeros(1, 3, 128, 128))
    return about


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


def measure(net: nn.Module, batches: Iterable[Tensor]) -> None:
    """Give every normalisation the mean and spread of what reaches it. What the net says stays the same."""
    even_out(net)
    sums: dict[nn.BatchNorm2d, list[Tensor]] = {}

    def note(norm: nn.Module, given: tuple[Tensor, ...]) -> None:
        values = given[0].detach().double()
        parts = torch.stack([values.mean((0, 2, 3)), values.square().mean((0, 2, 3))])
        sums.setdefault(norm, []).append(parts)  # type: ignore[arg-type]

    hooks = [each.register_forward_pre_hook(note) for each in net.modules() if isinstance(each, nn.BatchNorm2d)]
    net.eval()
    with torch.no_grad():
        for batch in batches:
            net(batch)
        for hook in hooks:
            hook.remove()
        for norm, seen in sums.items():
            mean, square = torch.stack(seen).mean(0)
            spread = (square - mean.square()).clamp(min=1e-6)
            scale = norm.weight.double() / (norm.running_var.double() + norm.eps).sqrt()
            shift = norm.bias.double() - norm.running_mean.double() * scale
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(spread)
            norm.weight.copy_(scale * (spread + norm.eps).sqrt())
            norm.bias.copy_(shift + mean * scale)


def even_out(net: nn.Module) -> None:
    """Make the weights before a normalisation about as large as fresh ones, which changes nothing but how fast they
    learn: folded ones are large and small by chance."""
    with torch.no_grad():
        for module, norm in normalised(net).items():
            rows = module.weight.flatten(1)
            factor = FRESH * rows.shape[1] ** -0.5 / rows.square().mean(1).sqrt().clamp(min=1e-4)
            module.weight.mul_(factor[:, None, None, None])
            norm.running_mean.mul_(factor)
            norm.weight.div_(factor)
