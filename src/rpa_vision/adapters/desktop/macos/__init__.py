"""The macOS desktop behind the port: ApplicationServices and CoreFoundation through ctypes, pbcopy and pbpaste."""

from rpa_vision.adapters.desktop.macos.api import MacApi, MacDisplay, MacEvent, MacWindow
from rpa_vision.adapters.desktop.macos.desktop import MacDesktop
from rpa_vision.adapters.desktop.macos.native import load_mac_api, run_program

__all__ = ["MacApi", "MacDesktop", "MacDisplay", "MacEvent", "MacWindow", "load_mac_api", "run_program"]
