"""A person in a process of their own: reads steps as JSON from the command line and does them through XTEST.

`[["click", 10, 20], ["type", "Noël"], ["press", "CTRL", "A"], ["pause", 0.5]]`
"""

import json
import sys

from rpa_vision.adapters.desktop.x11 import X11Desktop
from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.models.input import MouseButton


def main() -> None:
    clock = SystemClock()
    with X11Desktop(None, clock) as desktop:
        hands = desktop.hands
        for what, *details in json.loads(sys.argv[1]):
            if what == "pause":
                clock.sleep(details[0])
            elif what == "move":
                hands.move((details[0], details[1]))
            elif what == "click":
                hands.click((details[0], details[1]), count=details[2] if len(details) > 2 else 1)
            elif what == "right":
                hands.click((details[0], details[1]), button=MouseButton.RIGHT)
            elif what == "drag":
                hands.drag((details[0], details[1]), (details[2], details[3]))
            elif what == "scroll":
                hands.scroll((details[0], details[1]), down=details[2])
            elif what == "type":
                hands.type_text(details[0])
            elif what == "press":
                hands.press(details)


main()
