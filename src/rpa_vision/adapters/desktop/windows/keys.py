"""The keys by name: virtual-key codes of Windows against the names of the port."""

from __future__ import annotations

VK_LBUTTON, VK_RBUTTON = 0x01, 0x02
VK_BACK, VK_TAB, VK_RETURN = 0x08, 0x09, 0x0D
VK_SHIFT, VK_CONTROL, VK_MENU, VK_CAPITAL = 0x10, 0x11, 0x12, 0x14
VK_LWIN, VK_RWIN = 0x5B, 0x5C
VK_LSHIFT, VK_RSHIFT, VK_LCONTROL, VK_RCONTROL, VK_LMENU, VK_RMENU = 0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5
VK_PACKET = 0xE7
"""The "key" that carries a Unicode unit in place of a scan code."""

VK_BY_NAME: dict[str, int] = {
    "CTRL": VK_LCONTROL, "ALT": VK_LMENU, "SHIFT": VK_LSHIFT, "ALTGR": VK_RMENU, "SUPER": VK_LWIN,
    "ENTER": VK_RETURN, "TAB": VK_TAB, "ESCAPE": 0x1B, "BACKSPACE": VK_BACK, "DELETE": 0x2E, "INSERT": 0x2D,
    "SPACE": 0x20, "HOME": 0x24, "END": 0x23, "PAGE_UP": 0x21, "PAGE_DOWN": 0x22,
    "LEFT": 0x25, "RIGHT": 0x27, "UP": 0x26, "DOWN": 0x28,
    "CAPS_LOCK": VK_CAPITAL, "NUM_LOCK": 0x90, "PRINT": 0x2C, "MENU": 0x5D, "PAUSE": 0x13,
    **{f"F{number}": 0x6F + number for number in range(1, 13)},
    # Letters and digits have the same codes on every layout, also where the digit needs Shift (AZERTY).
    **{chr(code): code for code in (*range(ord("0"), ord("9") + 1), *range(ord("A"), ord("Z") + 1))},
}  # fmt: skip

_NUMPAD = {0x6A: "*", 0x6B: "+", 0x6C: ",", 0x6D: "-", 0x6E: ".", 0x6F: "/"}

NAME_BY_VK: dict[int, str] = {
    **{code: name for name, code in VK_BY_NAME.items()},
    VK_SHIFT: "SHIFT", VK_RSHIFT: "SHIFT",
    VK_CONTROL: "CTRL", VK_RCONTROL: "CTRL",
    VK_MENU: "ALT",
    VK_RMENU: "ALT",  # a right Alt alone; with the left Ctrl it is AltGr, which the listener sees
    VK_RWIN: "SUPER",
    **{0x60 + digit: str(digit) for digit in range(10)},
    **_NUMPAD,
}  # fmt: skip

EXTENDED_VKS = frozenset({
    VK_RCONTROL, VK_RMENU, VK_LWIN, VK_RWIN, 0x5D,  # right Ctrl and Alt, Windows keys, menu key
    0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x2D, 0x2E,  # the block of arrows, Home, Insert…
    0x90, 0x2C, 0x6F,  # Num Lock, Print, the numeric pad's slash
})  # fmt: skip
"""Keys whose scan code has the E0 prefix. Without the flag Windows takes them for keys of the numeric pad."""

MODIFIER_VKS: dict[str, tuple[int, ...]] = {
    "CTRL": (VK_LCONTROL, VK_RCONTROL),
    "ALT": (VK_LMENU, VK_RMENU),
    "SHIFT": (VK_LSHIFT, VK_RSHIFT),
    "SUPER": (VK_LWIN, VK_RWIN),
}
