"""The net that pairs the things of two screens: what stands around each, what is alike across, in layers."""

from __future__ import annotations

import torch
from torch import nn

WIDTH, HEADS, LAYERS = 64, 4, 4
_PAIR, _REL = 32, 24


class Attention(nn.Module):
    """Looks at others with a bias for each pair, and takes over what they are and how they relate to it."""

    def __init__(self, told: int) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(3))
        self.bias, self.related = nn.Linear(told, HEADS), nn.Linear(HEADS * told, WIDTH, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH)

    def forward(self, ours: torch.Tensor, theirs: torch.Tensor, told: torch.Tensor) -> torch.Tensor:
        each = WIDTH // HEADS
        query = self.query(ours).view(-1, HEADS, each).transpose(0, 1)
        key = self.key(theirs).view(-1, HEADS, each).permute(1, 2, 0)
        value = self.value(theirs).view(-1, HEADS, each).transpose(0, 1)
        weights = torch.softmax(query @ key / each**0.5 + self.bias(told).permute(2, 0, 1), dim=-1)  # h, n, m
        taken = (weights @ value).transpose(0, 1).reshape(-1, WIDTH)
        relations = torch.matmul(weights.permute(1, 0, 2), told).flatten(1)  # n, h * told
        return self.out(taken + self.related(relations))


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.within, self.across = Attention(_REL), Attention(_PAIR)
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(3))
        self.think = nn.Sequential(nn.Linear(WIDTH, 2 * WIDTH), nn.GELU(), nn.Linear(2 * WIDTH, WIDTH))

    def forward(
        self, then: torch.Tensor, now: torch.Tensor, rel_then: torch.Tensor, rel_now: torch.Tensor, pair: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        first, second, third = self.norms
        one, two = first(then), first(now)
        then, now = then + self.within(one, one, rel_then), now + self.within(two, two, rel_now)
        one, two = second(then), second(now)
        turned = pair.transpose(0, 1)
        then, now = then + self.across(one, two, pair), now + self.across(two, one, turned)
        return then + self.think(third(then)), now + self.think(third(now))


class PairingNet(nn.Module):
    """For each thing then: how much speaks for each thing now, and, last, for none of them."""

    def __init__(self, of_each: int, of_two: int, of_a_pair: int) -> None:
        super().__init__()
        self.each = nn.Sequential(nn.Linear(of_each, 128), nn.GELU(), nn.Linear(128, WIDTH))
        self.rel = nn.Sequential(nn.Linear(of_two, _REL), nn.GELU())
        self.pair = nn.Sequential(nn.Linear(of_a_pair, _PAIR), nn.GELU(), nn.Linear(_PAIR, _PAIR), nn.GELU())
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(WIDTH)
        self.query, self.key = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.alike = nn.Linear(_PAIR, 1)
        self.none = nn.Linear(WIDTH, 1)

    def forward(
        self, then: torch.Tensor, now: torch.Tensor, within_then: torch.Tensor, within_now: torch.Tensor,
        across: torch.Tensor,
    ) -> torch.Tensor:  # fmt: skip
        then, now = self.each(then), self.each(now)
        rel_then, rel_now, pair = self.rel(within_then), self.rel(within_now), self.pair(across)
        for layer in self.layers:
            then, now = layer(then, now, rel_then, rel_now, pair)
        then, now = self.norm(then), self.norm(now)
        scores = self.query(then) @ self.key(now).T / WIDTH**0.5 + self.alike(pair)[..., 0]
        return torch.cat([scores, self.none(then)], dim=1)
