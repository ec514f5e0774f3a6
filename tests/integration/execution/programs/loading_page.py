"""A window on which something turns for a while; then what it was loading is there. Seconds are the only argument."""

from __future__ import annotations

import sys
import tkinter as tk

window = tk.Tk()
window.title("Dossiers")
window.geometry("640x400+60+60")
window.configure(bg="white")
tk.Label(window, text="Liste des dossiers", font=("DejaVu Sans", 18), bg="white").place(x=30, y=20)
canvas = tk.Canvas(window, width=60, height=60, bg="white", highlightthickness=0)
canvas.place(x=290, y=170)
arc = canvas.create_arc(8, 8, 52, 52, start=0, extent=80, style="arc", width=5, outline="#2266cc")


def turn(angle: int = 0) -> None:
    canvas.itemconfigure(arc, start=angle)
    window.after(40, turn, (angle - 24) % 360)


def arrive() -> None:
    canvas.place_forget()
    tk.Button(window, text="Consulter", font=("DejaVu Sans", 14), width=14).place(x=220, y=180)


turn()
window.after(int(1000 * float(sys.argv[1])), arrive)
window.mainloop()
