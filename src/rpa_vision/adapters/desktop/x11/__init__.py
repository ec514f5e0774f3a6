"""A Linux desktop through X11: seen with XShm, watched with DAMAGE, heard with RECORD, moved with XTEST."""

from rpa_vision.adapters.desktop.x11.desktop import X11Desktop

__all__ = ["X11Desktop"]
