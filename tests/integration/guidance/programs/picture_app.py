"""An application made of pictures: `picture_app.py FOLDER` fills the screen with one and goes to others when used.

`script.json` in the folder: the first picture, and for each what a click into a box or a typed text leads to.
"""

import json
import os
import sys
from pathlib import Path

import cv2
from Xlib import X, Xatom, display


def main() -> None:
    folder = Path(sys.argv[1])
    script = json.loads((folder / "script.json").read_text())
    link = display.Display()
    screen = link.screen()
    pictures = {
        name: cv2.cvtColor(cv2.imread(str(folder / f"{name}.png"), cv2.IMREAD_COLOR), cv2.COLOR_BGR2BGRA)
        for name in script["pictures"]
    }
    width, height = screen.width_in_pixels, screen.height_in_pixels
    window = screen.root.create_window(
        0, 0, width, height, 0, screen.root_depth, X.InputOutput, X.CopyFromParent,
        event_mask=X.ButtonReleaseMask | X.KeyPressMask | X.ExposureMask,
    )  # fmt: skip
    window.set_wm_name("Pictures")
    window.set_wm_class("pictures", "Pictures")
    window.change_property(link.get_atom("_NET_WM_PID"), Xatom.CARDINAL, 32, [os.getpid()])
    full = link.get_atom("_NET_WM_STATE_FULLSCREEN")
    window.change_property(link.get_atom("_NET_WM_STATE"), Xatom.ATOM, 32, [full])
    gc = window.create_gc()
    at, typed = script["first"], ""

    def paint() -> None:
        picture = pictures[at]
        for top in range(0, height, 40):
            part = picture[top : top + 40]
            window.put_image(gc, 0, top, width, len(part), X.ZPixmap, screen.root_depth, 0, part.tobytes())
        link.flush()

    window.map()
    while True:
        event = link.next_event()
        before = at
        if event.type == X.ButtonRelease:
            for x1, y1, x2, y2, to in script["clicks"].get(at, []):
                if x1 <= event.event_x < x2 and y1 <= event.event_y < y2:
                    at, typed = to, ""
        elif event.type == X.KeyPress:
            sym = link.keycode_to_keysym(event.detail, 1 if event.state & X.ShiftMask else 0)
            typed += chr(sym) if 0x20 <= sym < 0x7F else ""
            at = script["texts"].get(at, {}).get(typed, at)
        if at != before or event.type == X.Expose:
            paint()


main()
