"""The command line of the day: `record`, `score`, or both with `all`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rpa_vision.demo.day.agenda import SMALL, TASKS, DaySize
from rpa_vision.demo.day.bench import measure, record, so_many, whole_day
from rpa_vision.demo.day.table import table
from rpa_vision.errors import RpaVisionError


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what is asked; 1 with a line of reason when the day did not take place."""
    options = _parser().parse_args(arguments)
    folder, alone = options.folder, so_many(options.alone)
    try:
        if options.what == "record":
            truth = record(folder, options.seed, _size(options), options.speed)
            _say(f"recorded {truth.session_id}: {len(truth.events)} events, {truth.noise_share:.0%} noise")
            return 0
        if options.what == "score":
            result = measure(folder, alone=alone, say=_say)
        else:
            result = whole_day(folder, options.seed, _size(options), speed=options.speed, alone=alone, say=_say)
    except RpaVisionError as problem:
        sys.stderr.write(f"{problem}\n{problem.remedy}\n")
        return 1
    sys.stdout.write((json.dumps(result.as_json(), ensure_ascii=False) if options.json else table(result)) + "\n")
    return 0


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def _size(options: argparse.Namespace) -> DaySize:
    size = SMALL if options.small else DaySize()
    if options.only:
        size = replace(size, **{task: 0 for task in TASKS if task != options.only}, interruptions=0)
        size = replace(size, expiries=size.expiries if options.only == "journal" else 0)
        size = replace(size, broken_off=size.broken_off if options.only == "claims" else 0)
    return size if options.noise is None else replace(size, noise_share=options.noise)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m rpa_vision.demo.day", description="One day at the office.")
    parser.add_argument("what", choices=("record", "score", "all"), help="record a day, score what is learned, or both")
    parser.add_argument("folder", type=Path, help="where recording, truth and what is learned are kept")
    parser.add_argument("--seed", type=int, default=1, help="which day: other data, order and noise")
    parser.add_argument("--speed", type=float, default=2.0, help="2 works twice as fast as a person (0.2 to 4)")
    parser.add_argument("--small", action="store_true", help="the smallest day that shows everything")
    parser.add_argument("--only", choices=TASKS, help="only this task, undisturbed by the others")
    parser.add_argument("--noise", type=float, metavar="SHARE", help="how much of all input is noise (0.2)")
    parser.add_argument("--alone", type=int, default=3, metavar="N", help="goes of each task done alone; 0: none")
    parser.add_argument("--json", action="store_true", help="one line for scripts")
    return parser
