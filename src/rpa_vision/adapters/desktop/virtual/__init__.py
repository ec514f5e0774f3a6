"""A desktop that nobody sees: an X server in memory, with its own home, session bus and window manager."""

from rpa_vision.adapters.desktop.virtual.desktop import VirtualDesktop

__all__ = ["VirtualDesktop"]
