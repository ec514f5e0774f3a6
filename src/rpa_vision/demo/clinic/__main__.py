"""`python -m rpa_vision.demo.clinic`: serve the clinic until SIGTERM or SIGINT.

Prints one JSON line with the address when the first request can be answered.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from rpa_vision.demo.clinic.drift import Drift
from rpa_vision.demo.clinic.serve import ClinicServer
from rpa_vision.errors import RpaVisionError


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until told to stop; 2 when asked for something impossible."""
    options = _parser().parse_args(arguments)
    over = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: over.set())
    try:
        server = ClinicServer(
            seed=options.seed,
            drift=Drift.parse(options.drift),
            port=options.port,
            database=options.database,
            report_layout=not options.no_layout,
            accounts=options.accounts,
        )
        with server:
            sys.stdout.write(json.dumps({"url": server.url}) + "\n")
            sys.stdout.flush()
            over.wait()
    except RpaVisionError as error:
        sys.stderr.write(f"{error}\n{error.remedy}\n")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m rpa_vision.demo.clinic", description="The demo application.")
    parser.add_argument("--port", type=int, default=0, help="0 takes any free port")
    parser.add_argument("--seed", type=int, default=7, help="which set of invoices")
    parser.add_argument(
        "--drift", nargs="*", action="extend", default=[], metavar="NAME=VALUE", help="what has changed since"
    )
    parser.add_argument("--database", type=Path, help="keep the database in this file (made anew); default: memory")
    parser.add_argument("--no-layout", action="store_true", help="pages do not report where their controls are")
    parser.add_argument("--accounts", action="store_true", help="with the accounting module: slips and refund claims")
    return parser


if __name__ == "__main__":
    sys.exit(main())
