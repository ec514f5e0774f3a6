"""Train the judge of candidates on what `judge_data.py` gathered, and export it.

Now and then all that the finder says is left out, so that the judge can do without it, and now and then what the rules
say. The mean of the weights over the last half of the training is kept.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))

from rpa_vision.detection import candidates as about
from rpa_vision.detection.candidate_looks import LOOK_SHAPE

KINDS = 1 + len(about.KINDS)
FINDER = slice(about._SIZE, about._SIZE + about._FINDER)
RULES = slice(about._SIZE + about._FINDER, about._SIZE + about._FINDER + about._RULES)
BATCH, RATE = 512, 2e-3


class Judge(nn.Module):
    """Facts and looks → shares of nothing and each kind, and how well the box fits."""

    def __init__(self, facts: int, mean: Tensor, spread: Tensor) -> None:
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("spread", spread)
        self.see = nn.Sequential(
            nn.Conv2d(1, 12, 3, 2, 1), nn.ReLU(), nn.Conv2d(12, 24, 3, 2, 1), nn.ReLU(), nn.Conv2d(24, 32, 3, 2, 1),
            nn.ReLU(), nn.Flatten(), nn.Linear(32 * 2 * 8, 64), nn.ReLU(),
        )  # fmt: skip
        self.weigh = nn.Sequential(
            nn.Linear(facts + 64, 224), nn.ReLU(), nn.Dropout(0.15), nn.Linear(224, 128), nn.ReLU(), nn.Dropout(0.1)
        )
        self.name, self.fit = nn.Linear(128, KINDS), nn.Linear(128, 1)

    def forward(self, facts: Tensor, looks: Tensor) -> tuple[Tensor, Tensor]:
        told = ((facts - self.mean) / self.spread).clamp(-5, 5)
        known = self.weigh(torch.cat([told, self.see(looks)], dim=1))
        return self.name(known), self.fit(known)[:, 0]


class Told(nn.Module):
    """As it ships: shares instead of logits."""

    def __init__(self, judge: Judge) -> None:
        super().__init__()
        self.judge = judge

    def forward(self, facts: Tensor, looks: Tensor) -> tuple[Tensor, Tensor]:
        names, fit = self.judge(facts, looks)
        return names.softmax(dim=1), fit.sigmoid()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, nargs="+", required=True)
    options.add_argument("--shares", type=float, nargs="+", help="of each file in a batch; by size if not given")
    options.add_argument("--check", type=Path, help="candidates of other screens, to watch")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--steps", type=int, default=6000)
    options.add_argument("--without-finder", type=float, default=0.2, help="how often the judge must do without it")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)
    data = [np.load(path) for path in given.data]
    facts, looks, kind, fit = (
        torch.from_numpy(np.concatenate([part[name] for part in data])) for name in ("facts", "looks", "kind", "fit")
    )
    sizes = torch.tensor([len(part["kind"]) for part in data])
    ends = sizes.cumsum(0)
    shares = torch.tensor(given.shares) if given.shares else sizes.float()
    mean, spread = facts.float().mean(0), facts.float().std(0).clamp(min=0.02)
    judge = Judge(facts.shape[1], mean, spread)
    rule = torch.optim.AdamW(judge.parameters(), lr=RATE, weight_decay=1e-2)
    kept = {name: value.clone() for name, value in judge.state_dict().items()}
    for step in range(given.steps):
        for group in rule.param_groups:
            group["lr"] = RATE * min(1.0, (step + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * step / given.steps))
        file = torch.multinomial(shares, BATCH, replacement=True)
        pick = ends[file] - 1 - (torch.rand(BATCH) * sizes[file]).long()
        told = facts[pick].float()
        told = told + 0.02 * torch.randn_like(told) * (told != 0)
        told[torch.rand(BATCH) < given.without_finder, FINDER] = 0
        told[torch.rand(BATCH) < 0.1, RULES] = 0
        seen = looks[pick].float()
        seen = (
            seen * torch.where(torch.rand(BATCH, 1, 1, 1) < 0.3, -1.0, 1.0) * (0.7 + 0.6 * torch.rand(BATCH, 1, 1, 1))
        )
        names, fits = judge(told, seen)
        loss = nn.functional.cross_entropy(names, kind[pick], label_smoothing=0.03)
        loss = loss + 0.5 * nn.functional.binary_cross_entropy_with_logits(fits, fit[pick].clamp(0, 1))
        rule.zero_grad()
        loss.backward()
        rule.step()
        if step >= given.steps // 2:
            with torch.no_grad():
                share = 1 / (step - given.steps // 2 + 1)
                for name, value in judge.state_dict().items():
                    kept[name].lerp_(value, share)
        if step % 500 == 499:
            print(
                json.dumps({"step": step + 1, "loss": round(float(loss.detach()), 3), **_checked(judge, given.check)}),
                flush=True,
            )
    judge.load_state_dict(kept)
    print(json.dumps({"mean": True, **_checked(judge, given.check)}))
    export(judge, given.out, {"steps": given.steps, "candidates": len(kind), "seed": given.seed})


def export(judge: Judge, out: Path, training: dict[str, int]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    model = out / "judge.onnx"
    count = judge.mean.shape[0]
    torch.onnx.export(
        Told(judge).eval(), (torch.zeros(4, count), torch.zeros(4, *LOOK_SHAPE)), str(model), dynamo=False,
        input_names=["facts", "looks"], output_names=["shares", "fits"], opset_version=17,
        dynamic_axes={name: {0: "candidates"} for name in ("facts", "looks", "shares", "fits")},
    )  # fmt: skip
    description = {
        "name": "judge-1", "file": model.name, "sha256": hashlib.sha256(model.read_bytes()).hexdigest(),
        "kinds": list(about.KINDS), "facts": count, "training": training,
    }  # fmt: skip
    (out / "judge.json").write_text(json.dumps(description, indent=2) + "\n", encoding="utf-8")


def _checked(judge: Judge, path: Path | None) -> dict[str, float]:
    if path is None:
        return {}
    data = np.load(path)
    judge.eval()
    with torch.no_grad():
        names, _ = judge(torch.from_numpy(data["facts"]).float(), torch.from_numpy(data["looks"]).float())
        blind = torch.from_numpy(data["facts"]).float()
        blind[:, FINDER] = 0
        without, _ = judge(blind, torch.from_numpy(data["looks"]).float())
    judge.train()
    kind = data["kind"]
    scores = {}
    for name, answer in (("", names), ("_without_finder", without)):
        guess = answer.argmax(1).numpy()
        real = kind > 0
        hit = (guess > 0) & real
        scores |= {
            f"precision{name}": round(float(hit.sum() / max(1, (guess > 0).sum())), 3),
            f"recall{name}": round(float(hit.sum() / real.sum()), 3),
            f"named{name}": round(float((guess == kind)[hit].mean()), 3),
        }
    return scores


if __name__ == "__main__":
    main()
