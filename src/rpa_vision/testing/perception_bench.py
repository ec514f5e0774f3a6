"""What `rpa-vision bench perception` measures: how well and how fast screens are seen, beside peers in the same run.

Times and memory are measured with what the package has. Scores need screens with truth, which the data factory of a
checkout draws (`training/factory`); scores of text and of the encoder are those of the scripts that train them. What
cannot be measured here is said to be missing, with what it would take, and never left out without a word.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from rpa_vision.app import wiring
from rpa_vision.detection.screen_reader import ScreenReader
from rpa_vision.errors import RpaVisionError, UsageError
from rpa_vision.imaging.codec import decode, encode_png
from rpa_vision.models.frame import Pixels
from rpa_vision.testing.dense_screen import dense_screen, with_three_cells_changed
from rpa_vision.testing.element_scores import ElementScore, Seen

CHECKOUT = Path(__file__).parents[3]
TRAINING = CHECKOUT / "training"
PEERS_PYTHON = CHECKOUT / ".venv-peers" / "bin" / "python"
"""Where `make bench` puts peers that are Python packages: apart from us, for they bring versions of their own."""
WHEN = datetime(2026, 1, 1, tzinfo=UTC)
DRAWS = 200
"""How often screens are drawn again, with return, to see how far a score could be off by chance."""
_MISSING = "missing"
Say = Callable[[str], None]
Report = dict[str, Any]


@dataclass(frozen=True, slots=True)
class BenchPlan:
    """What is measured, and how long it may take."""

    screens: Path | None = None
    families: Path | None = None
    quick: bool = False

    @property
    def rounds(self) -> int:
        return 3 if self.quick else 7

    @property
    def screens_each(self) -> int:
        """Of each toolkit."""
        return 12 if self.quick else 10_000


def measure(plan: BenchPlan, say: Say) -> Report:
    """All figures, with the machine they were measured on."""
    for folder in (plan.screens, plan.families):
        if folder is not None and not folder.is_dir():
            raise UsageError(
                f"there is no folder {folder}", remedy="Draw screens with training/factory; see its README."
            )
    say("times of a dense screen")
    report: Report = {"machine": machine(), "time_ms": times(plan), "memory_mb": memory_mb()}
    say("times of peers on the same screen")
    report["peers_time_ms"] = peers(dense_screen(), 1 if plan.quick else 3)
    say("odd pictures")
    report["robustness"] = robustness()
    report["elements"] = elements(plan, say)
    report["text"] = text(plan, say)
    report["encoder"] = encoder(plan, say)
    return report


def machine() -> Report:
    """Where it was measured; a loaded machine tells longer times."""
    cpu = platform.processor()
    facts = Path("/proc/cpuinfo")
    if facts.exists():
        names = [line.partition(":")[2].strip() for line in facts.read_text().splitlines() if "model name" in line]
        cpu = names[0] if names else cpu
    load = round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None
    return {"cpu": cpu, "cores": os.cpu_count(), "system": platform.system(), "python": platform.python_version(),
            "load": load}  # fmt: skip


def times(plan: BenchPlan) -> Report:
    """A dense screen seen for the first time, with three cells changed, unchanged; and its fingerprint."""
    first: list[float] = []
    changed: list[float] = []
    same: list[float] = []
    fingerprint: list[float] = []
    clock = wiring.clock()
    wiring.screen_reader().read(dense_screen(0), screen_state_id="bench", timestamp=WHEN)  # libraries warm up
    for number in range(plan.rounds):
        reader = wiring.screen_reader()  # a fresh one: nothing was read before
        screen = dense_screen(number + 1)
        for image, spent in (
            (screen, first), (with_three_cells_changed(screen, number), changed),
            (with_three_cells_changed(screen, number), same),
        ):  # fmt: skip
            began = clock.monotonic()
            reader.read(image, screen_state_id="bench", timestamp=WHEN)
            spent.append(1000 * (clock.monotonic() - began))
    reader, embedder = wiring.screen_reader(), wiring.screen_observer().embedder
    for number in range(plan.rounds):
        image = dense_screen(number + 1)
        state = reader.read(image, screen_state_id="bench", timestamp=WHEN)
        began = clock.monotonic()
        embedder.embed(state, image)
        fingerprint.append(1000 * (clock.monotonic() - began))
    return {"first_seen": spread(first), "three_cells_changed": spread(changed), "unchanged": spread(same),
            "embedding": spread(fingerprint)}  # fmt: skip


def spread(values: Sequence[float]) -> Report:
    """The middle and the ends of what was measured."""
    return {
        "median": round(float(np.median(values)), 2), "least": round(min(values), 2), "most": round(max(values), 2),
        "rounds": len(values),
    }  # fmt: skip


def memory_mb() -> float | str:
    """The most this process ever held."""
    status = Path("/proc/self/status")
    if not status.exists():
        return f"{_MISSING}: only Linux tells"
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return round(int(line.split()[1]) / 1024, 1)


def peers(screen: Pixels, rounds: int) -> Report:
    """How long others take to read the same picture whole, as they come."""
    clock = wiring.clock()
    told: Report = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "screen.png"
        path.write_bytes(encode_png(screen))
        if shutil.which("tesseract"):
            command = ["tesseract", str(path), "-", "-l", "fra+eng", "--psm", "11"]
            told["tesseract"] = _timed(lambda: subprocess.run(command, capture_output=True, check=True), rounds, clock)
        else:
            told["tesseract"] = f"{_MISSING}: install tesseract-ocr, tesseract-ocr-fra and tesseract-ocr-eng"
        told["rapidocr"] = _rapidocr(path, rounds)
    return told


_RAPIDOCR = """
import json, sys, time
import cv2
from rapidocr import RapidOCR
engine, screen, spent = RapidOCR(params={"Global.log_level": "error"}), cv2.imread(sys.argv[1]), []
for _ in range(int(sys.argv[2]) + 1):
    began = time.monotonic()
    engine(screen)
    spent.append(1000 * (time.monotonic() - began))
print(json.dumps(spent[1:]))
"""
"""The first round loads and warms up, as ours does before it is measured."""


def _rapidocr(picture: Path, rounds: int) -> Report | str:
    python = _python_with_rapidocr()
    if python is None:
        return f"{_MISSING}: `make bench` in a checkout installs it"
    command = [python, "-c", _RAPIDOCR, str(picture), str(rounds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return f"{_MISSING}: it failed ({done.stderr[-200:].strip()})"
    return spread(json.loads(done.stdout.splitlines()[-1]))


def _python_with_rapidocr() -> str | None:
    if _has("rapidocr"):
        return sys.executable
    return str(PEERS_PYTHON) if PEERS_PYTHON.exists() else None


def _timed(do: Callable[[], object], rounds: int, clock: Any) -> Report | str:
    spent = []
    for _ in range(rounds):
        began = clock.monotonic()
        try:
            do()
        except (OSError, subprocess.CalledProcessError) as error:
            return f"{_MISSING}: it failed ({error})"
        spent.append(1000 * (clock.monotonic() - began))
    return spread(spent)


def robustness() -> Report:
    """Odd pictures: each is understood or refused with a clear error; anything else is a fault."""
    plain = dense_screen(rows=4)
    png = encode_png(plain)
    reader = wiring.screen_reader()
    odd: dict[str, Callable[[], Pixels]] = {
        "blank": lambda: np.full((600, 800, 3), 255, np.uint8),
        "1×1": lambda: np.zeros((1, 1, 3), np.uint8),
        "huge": lambda: cv2.resize(plain, (5760, 3240)).astype(np.uint8),
        "grey": lambda: cv2.cvtColor(plain, cv2.COLOR_BGR2GRAY).astype(np.uint8),
        "alpha": lambda: cv2.cvtColor(plain, cv2.COLOR_BGR2BGRA).astype(np.uint8),
        "rotated": lambda: np.ascontiguousarray(np.rot90(plain)),
        "corrupt": lambda: decode(png[: len(png) // 2]),
        "not a picture": lambda: decode(b"GIF89a nothing of a picture"),
    }
    told: Report = {}
    for name, make in odd.items():
        try:
            seen = [_understood(reader, make()) for _ in range(2)]
            told[name] = "understood" if seen[0] == seen[1] else "fault: two looks differ"
        except RpaVisionError as error:
            told[name] = f"refused ({error.code})"
    return told


def _understood(reader: ScreenReader, image: Pixels) -> list[tuple[str, tuple[int, int, int, int]]]:
    state = reader.read(image, screen_state_id="bench", timestamp=WHEN)
    return [(element.type, element.bbox) for element in state.ui_elements]


def elements(plan: BenchPlan, say: Say) -> Report | str:
    """Scores of the whole detector, by toolkit and kit."""
    if plan.screens is None:
        return f"{_MISSING}: give --screens, a folder of screens drawn by training/factory with --split held_out"
    detector = wiring.ui_detector()
    by_toolkit: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(plan.screens.glob("*.json")):
        by_toolkit[path.name.split("-")[0]].append(path)
    told: Report = {"detector": detector.name}
    for toolkit, paths in sorted(by_toolkit.items()):
        some = paths[:: max(1, len(paths) // plan.screens_each)][: plan.screens_each]
        together, singles = ElementScore(), []
        kits: dict[str, ElementScore] = defaultdict(ElementScore)
        for number, path in enumerate(some):
            if number % 10 == 0:
                say(f"elements: {toolkit} {number}/{len(some)}")
            document = json.loads(path.read_text(encoding="utf-8"))
            image = decode(path.with_suffix(".png").read_bytes())
            found = [Seen.of(element) for element in detector.detect_elements(image)]
            single = ElementScore()
            for score in (together, kits[document["kit"]], single):
                score.add(document["elements"], found)
            singles.append(single)
        told[toolkit] = {
            **together.summary(), "spread_90": chance(singles), "kinds": together.by_kind(),
            "kits": {kit: score.summary() for kit, score in sorted(kits.items())},
        }  # fmt: skip
    return told


def chance(singles: Sequence[ElementScore]) -> Report:
    """Between which values nine of ten scores lie when screens are drawn anew, with return, from these."""
    rng = np.random.default_rng(1)
    counts = np.array([(one.found, one.true, one.clicked, one.boxed, one.typed) for one in singles], float)
    if not len(counts):
        return {}
    sums = np.array([counts[rng.integers(0, len(counts), len(counts))].sum(axis=0) for _ in range(DRAWS)])
    both = np.maximum(sums[:, 0] + sums[:, 1], 1)
    figures = {
        "click_f1": 2 * sums[:, 2] / both, "f1_at_50": 2 * sums[:, 3] / both,
        "type_accuracy": sums[:, 4] / np.maximum(sums[:, 3], 1),
    }  # fmt: skip
    return {name: [round(float(np.quantile(values, at)), 3) for at in (0.05, 0.95)] for name, values in figures.items()}


def text(plan: BenchPlan, say: Say) -> Report | str:
    """Scores of the reader beside its peers, on the same lines of the same screens."""
    if plan.screens is None:
        return f"{_MISSING}: give --screens"
    script = TRAINING / "reader" / "evaluate.py"
    if not script.exists():
        return f"{_MISSING}: {script.name} of the reader is part of a checkout"
    say("text: readers beside each other")
    readers = [
        f"{path.stem}={path}" for path in sorted((Path(__file__).parents[1] / "resources" / "reader").glob("*.json"))
    ]
    python = _python_with_rapidocr()
    peers = [name for name, there in (("small", python), ("tesseract", shutil.which("tesseract"))) if there]
    command = [str(script), "--screens", str(plan.screens), "--readers", *readers, "--peers", *peers]
    if plan.quick:
        command += ["--most", "400", "--screens-each", "40"]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "text.json"
        told = _ran([*command, "--out", str(out)], python or sys.executable)
        if not out.exists():
            return f"{_MISSING}: {script.name} failed ({told})"
        report: Report = json.loads(out.read_text(encoding="utf-8"))
        return report


def encoder(plan: BenchPlan, say: Say) -> Report | str:
    """How often a screen is known again, and how often layouts are told apart."""
    if plan.families is None:
        return f"{_MISSING}: give --families, a folder made by training/encoder/render_families.py and read_families.py"
    script = TRAINING / "encoder" / "evaluate.py"
    if not script.exists():
        return f"{_MISSING}: {script.name} of the encoder is part of a checkout"
    say("encoder and signatures")
    told = _ran([str(script), str(plan.families)])
    try:
        report: Report = json.loads(told)
    except json.JSONDecodeError:
        return f"{_MISSING}: {script.name} failed ({told[-300:]})"
    return report


def _ran(command: Sequence[str], python: str = sys.executable) -> str:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), str(TRAINING)])}
    done = subprocess.run([python, *command], capture_output=True, text=True, check=False, env=environment)
    return done.stdout if done.returncode == 0 else done.stderr[-300:]


def _has(module: str) -> bool:
    from importlib.util import find_spec

    return find_spec(module) is not None


def lines(report: Report) -> Iterable[str]:
    """The report for people."""
    where = report["machine"]
    yield f"{where['cpu']}, {where['cores']} cores, load {where['load']}, Python {where['python']}"
    for group in ("time_ms", "peers_time_ms"):
        for name, value in report[group].items():
            yield f"  {name:<22} {_told(value)}"
    yield f"  {'memory':<22} {report['memory_mb']} MB"
    for name, value in report["robustness"].items():
        yield f"  {name:<22} {value}"
    scores = report["elements"]
    if isinstance(scores, str):
        yield f"  elements: {scores}"
    else:
        yield f"  elements, by {scores['detector']}"
        for toolkit, value in scores.items():
            if isinstance(value, dict):
                yield (
                    f"  {toolkit:<12} click-F1 {value['click_f1']} {value['spread_90'].get('click_f1')}, "
                    f"F1@.5 {value['f1_at_50']}, type {value['type_accuracy']}, {value['screens']} screens"
                )
    for name in ("text", "encoder"):
        value = report[name]
        yield f"  {name}: {value if isinstance(value, str) else json.dumps(_short(value), ensure_ascii=False)}"


def _told(value: Report | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value['median']:g} ms ({value['least']:g} … {value['most']:g}, {value['rounds']} rounds)"


def _short(report: Report) -> Report:
    """Without the parts that fill pages."""
    readers = report.get("readers")
    if isinstance(readers, dict):
        kept = ("all", "exact_spread_90", "ms_per_line")
        return {name: {part: told[part] for part in kept if part in told} for name, told in readers.items()}
    return report
