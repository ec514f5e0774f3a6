"""A window that reacts slowly: `slow_window.py TITLE SECONDS` shows the next shade of blue so long after a click.

The class is SlowWindow. It stands at 100, 100 and is 400 × 300; shade n is blue 100 + n.
"""

import os
import select
import sys

from Xlib import X, Xutil, display


def main() -> None:
    title, slow_s = sys.argv[1], float(sys.argv[2])
    link = display.Display()
    screen = link.screen()
    window = screen.root.create_window(
        100, 100, 400, 300, 0, screen.root_depth, X.InputOutput, X.CopyFromParent,
        background_pixel=100, event_mask=X.ButtonReleaseMask | X.ExposureMask,
    )  # fmt: skip
    window.set_wm_name(title)
    window.change_property(link.get_atom("_NET_WM_PID"), link.get_atom("CARDINAL"), 32, [os.getpid()])
    window.set_wm_class("slow", "SlowWindow")
    window.set_wm_normal_hints(flags=Xutil.PPosition | Xutil.PSize | Xutil.USPosition, x=100, y=100)
    window.map()
    shade = 0
    while True:
        if link.next_event().type == X.ButtonRelease:
            select.select([], [], [], slow_s)
            shade += 1
            window.change_attributes(background_pixel=100 + shade)
            window.clear_area(0, 0, 0, 0)
            link.flush()


main()
