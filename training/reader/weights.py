"""The reader's weights as they are kept: in the file that ships, and in 16 bits beside this module, to go on training from.

    python training/reader/weights.py        compares the answers of the file that ships with those of its weights in torch

`ink-weights.npz` holds the net before it was cut to 8 bits. `export.py` writes it and `install.py` puts it here, to be
committed with the file that ships, so that no training is lost. Where it belongs to another file than the one that ships,
the weights are taken back out of that one: 8-bit numbers times their scale, normalisation already worked into them.
"""

from __future__ import annotations

import hashlib
import random
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import onnx
from onnx import numpy_helper

if TYPE_CHECKING:
    from net import Net
    from torch import Tensor, nn

SHIPPED = Path(__file__).parents[2] / "src" / "rpa_vision" / "resources" / "reader" / "ink.onnx"
KEPT = Path(__file__).with_name("ink-weights.npz")
MADE_FOR = "made_for"
"""The name under which the kept weights say which exported file they belong to."""
LINES = 48
"""Lines the spread of a layer's answers is measured on, and the comparison made with."""


def folded(model: Path = SHIPPED) -> list[tuple[np.ndarray, np.ndarray]]:
    """Weight and bias of every convolution of an exported reader, first to last, normalisation worked in."""
    graph = onnx.load(str(model)).graph
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] in stored:
            numbers, scale, zero = (stored[name] for name in node.input)
            each = (-1,) + (1,) * (numbers.ndim - 1) if scale.ndim else ()
            off = numbers.astype(np.float32) - zero.astype(np.float32).reshape(each)
            stored[node.output[0]] = off * scale.reshape(each)
    return [(stored[node.input[1]], stored[node.input[2]]) for node in graph.node if node.op_type == "Conv"]


def keep(state: dict[str, Tensor], exported: Path, out: Path) -> None:
    """Write a net's state in 16 bits, with the name of the exported file it belongs to."""
    arrays = {
        name: value.numpy().astype(np.float16 if value.ndim > 1 else value.numpy().dtype)
        for name, value in state.items()
    }
    made_for = np.frombuffer(hashlib.sha256(exported.read_bytes()).digest(), np.uint8)
    with out.open("wb") as file:
        np.savez_compressed(file, **arrays, **{MADE_FOR: made_for})


def kept(path: Path = KEPT, exported: Path = SHIPPED) -> dict[str, np.ndarray] | None:
    """The kept weights, if they are those of the exported file."""
    if not path.exists():
        return None
    with np.load(path) as stored:
        arrays = {name: stored[name] for name in stored.files}
    mine = arrays.pop(MADE_FOR).tobytes() == hashlib.sha256(exported.read_bytes()).digest()
    return arrays if mine else None


def start(net: Net, inks: Tensor) -> str:
    """Give a net the weights that ship; where they come from."""
    import torch

    arrays = kept()
    if arrays is not None:
        net.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
        return KEPT.name
    unfold(net, folded(), inks)
    return SHIPPED.name


def mix(net: Net, share: float, inks: Tensor) -> None:
    """Make a net's weights the mean of its own and, with that share, those that ship: it keeps what it had forgotten."""
    from alphabet import CLASSES
    from net import Net as Same

    shipped = Same(len(CLASSES))
    start(shipped, inks)
    pairs = zip(fold(net), fold(shipped), strict=True)
    unfold(net, [((1 - share) * a + share * c, (1 - share) * b + share * d) for (a, b), (c, d) in pairs], inks)


def fold(net: Net) -> list[tuple[np.ndarray, np.ndarray]]:
    """Weight and bias of every convolution of a net, normalisation worked in."""
    import torch
    from torch import nn

    modules = [module for module in net.modules() if isinstance(module, nn.Conv2d | nn.BatchNorm2d)]
    layers = []
    for module, after in pairwise([*modules, None]):
        if isinstance(module, nn.Conv2d):
            weight, bias = module.weight.data, torch.zeros(module.out_channels)
            if module.bias is not None:
                bias = module.bias.data
            if isinstance(after, nn.BatchNorm2d):
                assert after.running_mean is not None
                assert after.running_var is not None
                gain = after.weight.data / torch.sqrt(after.running_var + after.eps)
                weight, bias = weight * gain[:, None, None, None], after.bias.data + (bias - after.running_mean) * gain
            layers.append((weight.numpy(), bias.numpy()))
    return layers


def unfold(net: Net, layers: list[tuple[np.ndarray, np.ndarray]], inks: Tensor) -> None:
    """Put convolutions with normalisation worked in back into a net that normalises.

    A net in training normalises by what it sees. So each normalisation is given the mean and spread that its layer really
    has, and undoes them by its own weight and bias: the answers stay what they were, before and while training.
    """
    import torch
    from torch import nn

    modules = [module for module in net.modules() if isinstance(module, nn.Conv2d | nn.BatchNorm2d)]
    convolutions = [module for module in modules if isinstance(module, nn.Conv2d)]
    followed = dict(pairwise(modules))
    net.eval()
    for convolution, (weight, bias) in zip(convolutions, layers, strict=True):
        convolution.weight.data = torch.from_numpy(weight.copy())
        after = followed.get(convolution)
        if not isinstance(after, nn.BatchNorm2d):
            assert convolution.bias is not None
            convolution.bias.data = torch.from_numpy(bias.copy())
            continue
        _as_it_was(net, convolution, after, torch.from_numpy(bias.copy()), inks)


def _as_it_was(net: Net, convolution: nn.Conv2d, after: nn.BatchNorm2d, bias: Tensor, inks: Tensor) -> None:
    """Have a normalisation give back what its convolution said."""
    import torch

    seen: list[Tensor] = []
    hook = convolution.register_forward_hook(lambda _module, _given, answer: seen.append(answer))
    with torch.no_grad():
        net(inks)
    hook.remove()
    spread, mean = torch.var_mean(seen[0], dim=(0, 2, 3))
    spread = spread.clamp_min(1e-4)  # a channel that is always silent still has to be one that can learn
    after.running_mean.copy_(mean)
    after.running_var.copy_(spread)
    after.weight.data = torch.sqrt(spread + after.eps)
    after.bias.data = bias + mean


def sample(count: int = LINES) -> Tensor:
    """Lines written with OpenCV's letters on one width: enough to see how far each layer's answers spread."""
    import cv2
    import torch

    from rpa_vision.imaging.line_picture import HEIGHT_PX, as_ink

    chance = random.Random(3)
    signs = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:-/()"
    inks = np.zeros((count, 1, HEIGHT_PX, 256), np.float32)
    for ink in inks:
        size, thick = chance.uniform(0.4, 0.9), chance.choice((1, 1, 2))
        picture = np.full((chance.randint(18, 34), 300), 240, np.uint8)
        text = "".join(chance.choices(signs, k=30))
        low = picture.shape[0] - 8
        cv2.putText(picture, text, (4, low), chance.choice((0, 2, 3)), size, (20,), thick, cv2.LINE_AA)
        drawn = as_ink(picture)[:, :256]
        ink[0, :, : drawn.shape[1]] = drawn
    return torch.from_numpy(inks)


def main() -> None:
    import onnxruntime
    import torch
    from alphabet import CLASSES
    from net import Net

    inks = sample()
    session = onnxruntime.InferenceSession(str(SHIPPED))
    best = session.run(["best"], {"ink": inks.numpy()})[0]
    net = Net(len(CLASSES))
    source = start(net, inks)
    for training in (False, True):
        net.train(training)
        with torch.no_grad():
            mine = net(inks).argmax(dim=1).numpy()
        how = "while training" if training else "at rest"
        print(f"{source} {how}: {100 * float((mine == best).mean()):.2f} % of the steps as {SHIPPED.name} answers them")


if __name__ == "__main__":
    main()
