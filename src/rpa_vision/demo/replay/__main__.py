"""`python -m rpa_vision.demo.replay`: do the twenty-five things, check them in the page itself, print the times."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Any

from rpa_vision.demo.drift.table import CLICK_PARTS, parts_of
from rpa_vision.demo.replay.office import ReplayOffice, open_office
from rpa_vision.demo.replay.page import DEEDS
from rpa_vision.models.execution import RunReport


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of it."""

    report: RunReport
    done: int
    wrong: tuple[str, ...]

    @property
    def second_tries(self) -> int:
        return sum(step.healing_level for step in self.report.steps)

    @property
    def click_ms(self) -> list[float]:
        return [step.duration_ms for step in self.report.steps if step.action == "mouse_click"]

    @property
    def click_parts_ms(self) -> dict[str, float]:
        """Medians of what the clicks are made of."""
        clicks = [parts_of(step.timing_ms) for step in self.report.steps if step.action == "mouse_click"]
        return {part: median(click[part] for click in clicks) for part in CLICK_PARTS} if clicks else {}


def replay(office: ReplayOffice) -> Replayed:
    """Look at the form once, then do all of it on a fresh one."""
    with office.page() as seen:
        workflow = office.learn(seen)
        report = office.run(workflow)
    return judged(report, office.server.truth)


def judged(report: RunReport, truth: Mapping[str, Any]) -> Replayed:
    """Count what the page itself says was done, and name what it says that nobody wanted."""
    done, wrong = 0, list[str]()
    for deed in DEEDS:
        if deed.kind == "text_input":
            value = truth["values"].get(deed.label, "")
            done += value == deed.text
            wrong += [f"{deed.label}: {value!r}"] if value not in ("", deed.text) else []
        elif deed.kind == "button":
            times = truth["did"].count(deed.label)
            done += times == 1
            wrong += [f"{deed.label}: {times} times"] if times > 1 else []
        else:
            done += deed.label in truth["ticked"]
    return Replayed(report, done, tuple(wrong))


def main() -> int:
    """Print what came of it; exit code 0 only if everything was done, once, at the first try."""
    with tempfile.TemporaryDirectory() as folder, open_office(Path(folder)) as office:
        made = replay(office)
    clicks, steps = made.click_ms, [step.duration_ms for step in made.report.steps]
    lines = [
        f"{made.report.status}: {made.done}/{len(DEEDS)} actions, {made.second_tries} retries, {len(made.wrong)} wrong",
        f"visual click (look, find, act, verify): mean {mean(clicks):.0f} ms, median {median(clicks):.0f} ms"
        if clicks
        else "no click",
        ", ".join(f"{part} {spent:.0f} ms" for part, spent in made.click_parts_ms.items()),
        f"all actions: mean {mean(steps):.0f} ms, together {sum(steps) / 1000:.1f} s" if steps else made.report.reason,
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    for more in (*made.wrong, *([made.report.reason] if made.report.status != "success" else [])):
        sys.stdout.write(f"{more}\n")
    return 0 if made.done == len(DEEDS) and not made.second_tries and not made.wrong else 1


if __name__ == "__main__":
    sys.exit(main())
