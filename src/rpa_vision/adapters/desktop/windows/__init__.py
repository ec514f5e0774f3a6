"""The Windows desktop behind the port: user32, gdi32, kernel32 and dwmapi through ctypes, nothing else."""

from rpa_vision.adapters.desktop.windows.api import WindowsApi, load_windows_api
from rpa_vision.adapters.desktop.windows.desktop import WindowsDesktop

__all__ = ["WindowsApi", "WindowsDesktop", "load_windows_api"]
