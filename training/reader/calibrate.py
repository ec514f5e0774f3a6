"""Find what the reader's doubt is worth: fit the chance that a line is exact to the doubt it was read with.

    python training/reader/calibrate.py DESCRIPTION --screens DIRECTORY…

The screens are of held-out kits, but others than those that are scored. Prints the offset and slope of the logistic
curve over the logarithm of the doubt and writes them into the description.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from evaluate import load_screens
from scores import squeezed

from rpa_vision.adapters.perception.ink_reader import InkTextReader

LEAST = 1e-4


def doubts(description: Path, folders: list[Path]) -> tuple[np.ndarray, np.ndarray]:
    """Doubt and rightness of every line read."""
    reader = InkTextReader(description, threads=1)
    found, right = [], []
    for screen in load_screens(folders, 10_000):
        wanted = [(box, text) for box, text in screen.boxes if text]
        crops = [screen.image[box.y1 : box.y2, box.x1 : box.x2] for box, _ in wanted]
        for (_, text), answer in zip(wanted, reader.read(crops), strict=True):
            if answer.text:
                found.append(max(0.0, 1 / answer.confidence - 1 - LEAST))
                right.append(squeezed(text or "") == squeezed(answer.text))
    return np.array(found), np.array(right, float)


def fitted(doubt: np.ndarray, right: np.ndarray) -> tuple[float, float]:
    """Offset and slope by Newton's method, with a weak pull to a gentle slope."""
    x = np.stack((np.ones_like(doubt), np.log(doubt + LEAST)), axis=1)
    beta, pull = np.array([1.0, -0.5]), np.diag([1e-3, 1e-2])
    for _ in range(60):
        chance = 1 / (1 + np.exp(-(x @ beta)))
        gradient = x.T @ (right - chance) - pull @ (beta - np.array([0.0, -0.5]))
        curvature = (x * (chance * (1 - chance))[:, None]).T @ x + pull
        beta = beta + np.linalg.solve(curvature, gradient)
    return float(beta[0]), float(beta[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("description", type=Path)
    parser.add_argument("--screens", type=Path, nargs="+", required=True)
    arguments = parser.parse_args()
    about = json.loads(arguments.description.read_text(encoding="utf-8"))
    about["confidence"] = {"offset": 0.0, "slope": -1.0}  # then 1 / confidence - 1 is the doubt itself
    arguments.description.write_text(json.dumps(about, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    doubt, right = doubts(arguments.description, arguments.screens)
    offset, slope = fitted(doubt, right)
    about["confidence"] = {"offset": round(offset, 4), "slope": round(slope, 4)}
    arguments.description.write_text(json.dumps(about, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{len(right)} lines, {100 * right.mean():.2f} % exact; offset {offset:.4f}, slope {slope:.4f}")


if __name__ == "__main__":
    main()
