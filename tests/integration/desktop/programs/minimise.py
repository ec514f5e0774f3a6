"""Minimise the active window, as its title bar's button would."""

from Xlib import X, display
from Xlib.protocol import event

ICONIC = 3

screen = display.Display()
root = screen.screen().root
active = root.get_full_property(screen.intern_atom("_NET_ACTIVE_WINDOW"), X.AnyPropertyType).value[0]
window = screen.create_resource_object("window", active)
change = event.ClientMessage(
    window=window, client_type=screen.intern_atom("WM_CHANGE_STATE"), data=(32, [ICONIC, 0, 0, 0, 0])
)
root.send_event(change, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
screen.sync()
