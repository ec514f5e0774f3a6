"""A person at the keyboard, in another process: `xtest_keys.py 38 +50 24 -50` taps, holds and lets go of keys."""

import sys

from Xlib import X, display


def main() -> None:
    link = display.Display()
    for token in sys.argv[1:]:
        code = int(token.lstrip("+-"))
        if not token.startswith("-"):
            link.xtest_fake_input(X.KeyPress, code)
        if not token.startswith("+"):
            link.xtest_fake_input(X.KeyRelease, code)
        link.sync()


main()
