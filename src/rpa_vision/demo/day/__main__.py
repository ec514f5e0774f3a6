"""`python -m rpa_vision.demo.day`: record a day, learn from it, and let what was learned work alone."""

from __future__ import annotations

import sys

from rpa_vision.demo.day.command import main

if __name__ == "__main__":
    sys.exit(main())
