"""A window that shows a shade of blue, red while a button is pressed, and the next shade when it is let go.

`painted_window.py TITLE X Y WIDTH HEIGHT`; the class is PaintedWindow. Shade n is blue 100 + n.
"""

import os
import sys

from Xlib import X, Xutil, display

RED = 0xC00000


def main() -> None:
    title = sys.argv[1]
    x, y, width, height = (int(value) for value in sys.argv[2:6])
    link = display.Display()
    screen = link.screen()
    window = screen.root.create_window(
        x, y, width, height, 0, screen.root_depth, X.InputOutput, X.CopyFromParent,
        background_pixel=100, event_mask=X.ButtonPressMask | X.ButtonReleaseMask | X.ExposureMask,
    )  # fmt: skip
    window.set_wm_name(title.encode("ascii", "replace").decode())
    window.change_property(link.get_atom("_NET_WM_NAME"), link.get_atom("UTF8_STRING"), 8, title.encode())
    window.change_property(link.get_atom("_NET_WM_PID"), link.get_atom("CARDINAL"), 32, [os.getpid()])
    window.set_wm_class("painted", "PaintedWindow")
    window.set_wm_normal_hints(flags=Xutil.PPosition | Xutil.PSize | Xutil.USPosition, x=x, y=y)
    window.map()
    shade = 0
    while True:
        event = link.next_event()
        if event.type in (X.ButtonPress, X.ButtonRelease) and event.detail <= 3:
            shade += event.type == X.ButtonRelease
            window.change_attributes(background_pixel=RED if event.type == X.ButtonPress else 100 + shade)
            window.clear_area(0, 0, 0, 0)
            link.flush()


main()
