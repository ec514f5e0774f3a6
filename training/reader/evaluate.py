"""Compare readers on screens none of them was trained on, in one run.

    python training/reader/evaluate.py --screens DIRECTORY… [--readers NAME=DESCRIPTION …] [--peers tiny small tesseract]
        [--out SCORES.json]

Two questions, asked separately. Of the finder: how many lines of the truth lie whole and alone in one of its boxes. Of each
reader: what it makes of the finder's boxes that hold whole lines (the same crops for all). `as_drawn` counts only boxes that,
by their ink, show what the truth says and nothing else: a screen's truth may name words that are partly hidden, and knows
nothing of what lies over them. Times are of one thread, per line.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from alphabet import canonical, readable
from cut_pages import words_of
from cutting import Word, find, is_as_drawn, labelled
from scores import score

from rpa_vision.models.geometry import Box

DRAWS = 200
"""How often screens are drawn again to see how far a score could be off by chance."""
RESOURCES = Path(__file__).parents[2] / "src" / "rpa_vision" / "resources" / "reader"
Read = Callable[[Sequence[np.ndarray]], list[tuple[str, float]]]


@dataclass(frozen=True)
class Screen:
    """A screen, its words, and the finder's boxes with what they say."""

    name: str
    group: str
    image: np.ndarray
    words: list[Word]
    boxes: list[tuple[Box, str | None]]
    find_ms: float


def load_screens(folders: Sequence[Path], most: int, split: str = "held_out") -> list[Screen]:
    """Screens of the factory (split `held_out`) and drawn pages."""
    screens = []
    for folder in folders:
        for path in sorted(folder.rglob("*.json"))[:most]:
            truth = json.loads(path.read_text(encoding="utf-8"))
            image = cv2.imread(str(path.with_suffix(".png")))
            if image is None or (isinstance(truth, dict) and truth.get("split") != split):
                continue
            words = [word for word in words_of(truth) if readable(canonical(word.text))]
            began = time.process_time()
            found = find(image)
            spent = 1000 * (time.process_time() - began)
            group = (
                f"{truth['toolkit']}:{truth['kit']}" if isinstance(truth, dict) else f"drawn-{path.stem.split('-')[0]}"
            )
            screens.append(Screen(path.stem, group, image, words, labelled(found, words), spent))
    return screens


def found_share(screens: Sequence[Screen]) -> tuple[int, int, list[tuple[str, str]]]:
    """How many words (or whole lines) of the truth lie in a box that says what it should, of how many; some that do not."""
    inside = total = 0
    missed = []
    for screen in screens:
        held = [(box, text) for box, text in screen.boxes if text]
        for word in screen.words:
            if word.cut:
                continue
            total += 1
            middle, level = (word.x1 + word.x2) / 2, (word.y1 + word.y2) / 2
            if any(box.x1 <= middle <= box.x2 and box.y1 <= level <= box.y2 for box, _ in held):
                inside += 1
            else:
                missed.append((screen.name, word.text))
    return inside, total, missed


def described(description: Path) -> Read:
    """A reader of either kind, by its description."""
    from rpa_vision.adapters.perception.ink_reader import InkTextReader
    from rpa_vision.adapters.perception.onnx_reader import OnnxTextRecognizer

    ink = json.loads(description.read_text(encoding="utf-8")).get("input") == "ink"
    reader = (InkTextReader if ink else OnnxTextRecognizer)(description, threads=1)
    return lambda crops: [(answer.text, answer.confidence) for answer in reader.read(crops)]


def tiny() -> Read:
    """The pruned PP-OCRv6 tiny that ships as second opinion."""
    return described(RESOURCES / "latin.json")


def small() -> Read:
    """rapidocr's recogniser alone, on our crops, as the wheel configures it."""
    from rapidocr import RapidOCR  # type: ignore[import-not-found]

    engine = RapidOCR(params={"EngineConfig.onnxruntime.intra_op_num_threads": 1, "Global.log_level": "error"})

    def read(crops: Sequence[np.ndarray]) -> list[tuple[str, float]]:
        answers = []
        for crop in crops:
            result = engine(crop, use_det=False, use_cls=False, use_rec=True)
            answers.append((result.txts[0], float(result.scores[0])) if result.txts else ("", 0.0))
        return answers

    return read


def tesseract() -> Read:
    """Tesseract on the same crops, enlarged twice, all in one call: a list of files."""
    import subprocess
    import tempfile

    def read(crops: Sequence[np.ndarray]) -> list[tuple[str, float]]:
        with tempfile.TemporaryDirectory() as folder:
            names = []
            for number, crop in enumerate(crops):
                large = cv2.resize(crop, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
                padded = cv2.copyMakeBorder(large, 10, 10, 10, 10, cv2.BORDER_REPLICATE)
                names.append(f"{folder}/{number:06d}.png")
                cv2.imwrite(names[-1], padded)
            Path(f"{folder}/list.txt").write_text("\n".join(names))
            subprocess.run(["tesseract", f"{folder}/list.txt", f"{folder}/out", "-l", "fra+eng", "--psm", "7"], check=True, capture_output=True,
                           env={"OMP_THREAD_LIMIT": "1", "PATH": "/usr/bin:/bin"})  # fmt: skip
            pages = Path(f"{folder}/out.txt").read_text(encoding="utf-8").split("\f")
        return [(" ".join(page.split()), 1.0) for page in pages[: len(crops)]]

    return read


def compare(screens: Sequence[Screen], read: Read, *, most: int) -> dict[str, Any]:
    """Scores of one reader, by group and in all; milliseconds of one core per line."""
    by_group: dict[str, list[tuple[str, str]]] = {}
    as_drawn: dict[str, list[tuple[str, str]]] = {}
    answers: list[tuple[float, bool]] = []
    by_screen: list[tuple[int, int]] = []
    spent = count = empty = silent = 0.0
    total = sum(bool(text) for screen in screens for _, text in screen.boxes)
    every = -(-total // most)
    for screen in screens:
        wanted = [(box, text) for box, text in screen.boxes if text][::every]
        crops = [screen.image[box.y1 : box.y2, box.x1 : box.x2] for box, _ in wanted]
        if not crops:
            continue
        began = _processor_s()
        said = read(crops)
        spent += _processor_s() - began
        count += len(crops)
        pairs = [(text, answer) for (_, text), (answer, _) in zip(wanted, said, strict=True)]
        by_group.setdefault(screen.group, []).extend((text or "", answer) for text, answer in pairs)
        plain = [is_as_drawn(screen.image, box, screen.words) for box, _ in wanted]
        as_drawn.setdefault(screen.group.split(":")[0], []).extend(
            (text or "", answer) for (text, answer), whole in zip(pairs, plain, strict=True) if whole
        )
        for (text, answer), (_, confidence) in zip(pairs, said, strict=True):
            answers.append((confidence, score([(text or "", answer)]).exact == 1))
        by_screen.append((len(pairs), sum(right for _, right in answers[-len(pairs) :])))
        nothing = [screen.image[box.y1 : box.y2, box.x1 : box.x2] for box, text in screen.boxes if text == ""]
        if nothing:
            empty += len(nothing)
            silent += sum(not text for text, _ in read(nothing))
    everything = [pair for pairs in by_group.values() for pair in pairs]
    by_family: dict[str, list[tuple[str, str]]] = {}
    for group, some in by_group.items():
        by_family.setdefault(group.split(":")[0], []).extend(some)
    wrong = [pair for pair in everything if score([pair]).exact < 1]
    return {
        "all": score(everything).row(), "exact_spread_90": chance(by_screen), "ms_per_line": round(1000 * spent / max(1, count), 3), "no_text_kept_silent_pct": round(100 * silent / max(1, empty), 1),
        "as_drawn": {family: score(pairs).row() for family, pairs in sorted(as_drawn.items())},
        "families": {family: score(pairs).row() for family, pairs in sorted(by_family.items())},
        "groups": {group: score(pairs).row() for group, pairs in sorted(by_group.items())},
        "confidence": reliability(answers), "wrong": wrong[:80],
    }  # fmt: skip


def chance(by_screen: Sequence[tuple[int, int]]) -> list[float]:
    """Between which percentages of exact lines nine of ten scores lie when screens are drawn anew, with return."""
    counts, rng = np.array(by_screen, float).reshape(-1, 2), np.random.default_rng(1)
    if not len(counts):
        return []
    sums = np.array([counts[rng.integers(0, len(counts), len(counts))].sum(axis=0) for _ in range(DRAWS)])
    return [round(100 * float(np.quantile(sums[:, 1] / np.maximum(sums[:, 0], 1), at)), 2) for at in (0.05, 0.95)]


def _processor_s() -> float:
    """Time of the processor, that of programs we called included."""
    return sum(os.times()[:4])


def reliability(answers: Sequence[tuple[float, bool]]) -> list[dict[str, float]]:
    """What a confidence was worth: in steps, how many lines and how many of them were right."""
    rows = []
    for low, high in ((0, 0.5), (0.5, 0.8), (0.8, 0.9), (0.9, 0.97), (0.97, 0.99), (0.99, 1.01)):
        some = [(sure, right) for sure, right in answers if low <= sure < high]
        if some:
            rows.append(
                {
                    "from": low,
                    "lines": len(some),
                    "said": round(float(np.mean([s for s, _ in some])), 3),
                    "right": round(float(np.mean([r for _, r in some])), 3),
                }
            )
    return rows


PEERS: dict[str, Callable[[], Read]] = {"tiny": tiny, "small": small, "tesseract": tesseract}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--screens", type=Path, nargs="+", required=True)
    parser.add_argument("--readers", nargs="*", default=[], help="NAME=description of a reader")
    parser.add_argument("--peers", nargs="*", default=[], choices=sorted(PEERS))
    parser.add_argument("--most", type=int, default=100_000, help="lines for each reader, for slow ones; evenly chosen")
    parser.add_argument("--screens-each", type=int, default=10_000)
    parser.add_argument("--split", default="held_out", help="train: screens to look at, not to score by")
    parser.add_argument("--show", type=int, default=0, help="print so many wrong lines")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    screens = load_screens(arguments.screens, arguments.screens_each, arguments.split)
    inside, total, missed = found_share(screens)
    report: dict[str, Any] = {"screens": len(screens), "finder": {"whole_lines_pct": round(100 * inside / max(1, total), 2), "of": total,
                              "ms_median": round(float(np.median([s.find_ms for s in screens])), 1)}, "readers": {}}  # fmt: skip
    print(json.dumps(report["finder"]))
    if arguments.show:
        print("missed", missed[: arguments.show])
    readers = {name: described(Path(path)) for name, path in (given.split("=", 1) for given in arguments.readers)}
    readers |= {name: PEERS[name]() for name in arguments.peers}
    for name, read in readers.items():
        result = compare(screens, read, most=arguments.most)
        wrong = result.pop("wrong")
        report["readers"][name] = result
        print(
            name,
            json.dumps(result["all"]),
            result["ms_per_line"],
            "ms; silent",
            result["no_text_kept_silent_pct"],
            flush=True,
        )
        for pair in wrong[: arguments.show]:
            print("   ", pair)
    if arguments.out:
        arguments.out.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
