"""How wrong the net is, per question, so that many texts never drown few switches."""

from __future__ import annotations

import torch
import torch.nn.functional as fn
from torch import Tensor

from detector.kinds import INTERACTIVE
from detector.net import COARSE, CONTAINER, CONTENT, FINE

WEIGHTS = {
    "act": 1.0,
    "kind": 1.0,
    "box": 2.0,
    "states": 0.5,
    "read": 0.25,
    "read_box": 0.5,
    "hold": 0.3,
    "hold_box": 0.6,
}
RARITY = {
    "button": 0.7,
    "menu_item": 0.75,
    "radio": 1.3,
    "tab": 1.3,
    "toggle": 1.5,
    "dropdown": 1.5,
    "textarea": 1.8,
    "slider": 2.0,
}
"""How much the naming of a kind counts; the others count 1. Buttons are everywhere, sliders are not."""
MARKED = 4.0
"""How much more the states of check boxes, radio buttons and switches count than those of rows and tabs."""
MARKS = ("checkbox", "radio", "toggle")


def losses(fine: Tensor, coarse: Tensor, targets: list[Tensor]) -> dict[str, Tensor]:
    """Each part, unweighted."""
    (
        act,
        act_kind,
        act_box,
        act_weight,
        states,
        read,
        read_box,
        read_weight,
        hold,
        hold_box,
        hold_weight,
        care,
        care_coarse,
    ) = targets
    kinds, reads, holds = len(INTERACTIVE), len(CONTENT), len(CONTAINER)
    at = 1 + kinds
    told = act_weight > 0
    weight = act_weight[told]
    zero = fine.sum() * 0
    out = {"act": _focal(fine[:, :1], act, care[:, None])}
    if told.any():
        total = weight.sum()
        logits = fine[:, 1:at].permute(0, 2, 3, 1)[told]
        rarity = fine.new_tensor([RARITY.get(name, 1.0) for name in INTERACTIVE])
        named = fn.cross_entropy(logits, act_kind[told], rarity, reduction="none", label_smoothing=0.02)
        out["kind"] = (named * weight).sum() / total
        out["box"] = _boxes(
            fine[:, at : at + 4].permute(0, 2, 3, 1)[told], act_box.permute(0, 2, 3, 1)[told], weight, FINE
        )
        state = states.permute(0, 2, 3, 1)[told]
        counts = fine.new_tensor([MARKED if name in MARKS else 1.0 for name in INTERACTIVE])[act_kind[told]]
        known = (state >= 0).float() * (weight * counts)[:, None]
        guess = fine[:, at + 4 : at + 6].permute(0, 2, 3, 1)[told]
        out["states"] = (
            fn.binary_cross_entropy_with_logits(guess, state.clamp(min=0), reduction="none") * known
        ).sum() / known.sum().clamp(min=1)
    else:
        out |= {"kind": zero, "box": zero, "states": zero}
    at += 6
    out["read"] = _focal(fine[:, at : at + reads], read, care[:, None])
    told = read_weight > 0
    out["read_box"] = (
        _boxes(
            fine[:, at + reads :].permute(0, 2, 3, 1)[told], read_box.permute(0, 2, 3, 1)[told], read_weight[told], FINE
        )
        if told.any()
        else zero
    )
    out["hold"] = _focal(coarse[:, :holds], hold, care_coarse[:, None])
    told = hold_weight > 0
    if told.any():
        batch, _, h, w = coarse.shape
        guess = coarse[:, holds:].view(batch, holds, 4, h, w).permute(0, 1, 3, 4, 2)[told]
        out["hold_box"] = _boxes(
            guess, hold_box.view(batch, holds, 4, h, w).permute(0, 1, 3, 4, 2)[told], hold_weight[told], COARSE
        )
    else:
        out["hold_box"] = zero
    return out


def total(parts: dict[str, Tensor]) -> Tensor:
    return sum((WEIGHTS[name] * value for name, value in parts.items()), torch.zeros(()))


def _focal(logits: Tensor, heat: Tensor, care: Tensor) -> Tensor:
    """Penalty-reduced focal loss over a heat map, by its number of peaks."""
    p = logits.sigmoid().clamp(1e-4, 1 - 1e-4)
    peak = (heat > 0.999).float()
    loss = -(peak * (1 - p) ** 2 * p.log() + (1 - peak) * (1 - heat) ** 4 * p**2 * (1 - p).log()) * care
    return loss.sum() / peak.sum().clamp(min=4)


def _boxes(guess: Tensor, sides: Tensor, weight: Tensor, stride: int) -> Tensor:
    """Generalised IoU of the four distances, and their logarithms."""
    log = guess.clamp(-4, 6)
    d = log.exp() * stride
    t = sides.clamp(min=0.5)
    area, wanted = (d[:, 0] + d[:, 2]) * (d[:, 1] + d[:, 3]), (t[:, 0] + t[:, 2]) * (t[:, 1] + t[:, 3])
    low, high = torch.minimum(d, t), torch.maximum(d, t)
    common = (low[:, 0] + low[:, 2]) * (low[:, 1] + low[:, 3])
    hull = (high[:, 0] + high[:, 2]) * (high[:, 1] + high[:, 3])
    union = area + wanted - common
    giou = common / union.clamp(min=1) - (hull - union) / hull.clamp(min=1)
    near = fn.smooth_l1_loss(log, (t / stride).log(), reduction="none", beta=0.2).mean(1)
    return ((1 - giou + 0.5 * near) * weight).sum() / weight.sum()
