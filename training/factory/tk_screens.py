"""Make screens of Tk windows with their truth, from the toolkit's geometry. The whole toolkit is held out: it is only for scoring."""

from __future__ import annotations

import argparse
import io
import random
import sys
import time
import tkinter as tk
from pathlib import Path
from tkinter import ttk

sys.path.insert(0, str(Path(__file__).parents[1]))

import mss
import mss.tools

from factory.display import own_display
from factory.screen_files import write_screen
from factory.words import Words

SIZES = ((1280, 800), (1366, 768), (1600, 900), (1024, 768))


class TkScreen:
    """One window with chance-made contents."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(f"tk-{seed}")
        self.lang = self.r.choice(["fr", "fr", "en"])
        self.w = Words(random.Random(f"tk-content-{seed * 100}"), self.lang)
        self.elements: list[dict] = []
        self.known: list[tuple[tk.Widget, str, dict]] = []
        self.keep: list[tk.Variable] = []
        self.root = tk.Tk()
        self.size = self.r.choice(SIZES)
        self.root.geometry(f"{self.size[0]}x{self.size[1]}+0+0")
        self.root.overrideredirect(True)
        self.look = ttk.Style(self.root)
        self.theme = self.r.choice(self.look.theme_names())
        self.look.theme_use(self.theme)
        family, size = (
            self.r.choice(["DejaVu Sans", "Liberation Sans", "Noto Sans", "Cantarell"]),
            self.r.choice([9, 10, 11, 12]),
        )
        self.root.option_add("*Font", (family, size))
        self.look.configure(".", font=(family, size))
        self.classic = self.r.random() < 0.3
        self.build()

    def note(self, widget: tk.Widget, kind: str, **more) -> tk.Widget:
        self.known.append((widget, kind, more))
        return widget

    def build(self) -> None:
        r, w = self.r, self.w
        if r.random() < 0.7:
            bar = tk.Frame(self.root, bd=1, relief="raised")
            for _ in range(r.randint(3, 8)):
                entry = tk.Menubutton(bar, text=w.menu(), padx=6, pady=2)
                entry.pack(side="left")
                self.note(entry, "menu_item", selected=False)
            bar.pack(fill="x")
        if r.random() < 0.5:
            bar = ttk.Frame(self.root)
            for _ in range(r.randint(3, 9)):
                self.note(self.button(bar), "button").pack(side="left", padx=r.choice([0, 2, 4]), pady=2)
            bar.pack(fill="x")
        panes = ttk.Frame(self.root)
        panes.pack(fill="both", expand=True)
        for _ in range(r.randint(1, 3)):
            column = ttk.Frame(panes)
            column.pack(side="left", fill="both", expand=True, padx=6, pady=6)
            for _ in range(r.randint(1, 3)):
                r.choices([self.form, self.table, self.list_, self.tabs], [6, 3, 2, 3])[0](column)

    def button(self, parent):
        off = "disabled" if self.r.random() < 0.08 else "normal"
        return (tk.Button if self.classic else ttk.Button)(parent, text=self.w.action(), state=off)

    def form(self, parent) -> None:
        r, w = self.r, self.w
        box = ttk.LabelFrame(parent, text=w.noun()) if r.random() < 0.6 else ttk.Frame(parent)
        box.pack(fill="x", pady=6)
        box.columnconfigure(1, weight=1)
        for row in range(r.randint(3, 9)):
            ttk.Label(box, text=w.label()).grid(
                row=row, column=0, sticky=r.choice(["w", "e"]), padx=4, pady=r.choice([1, 3, 6])
            )
            kind = r.choices(
                ["entry", "combo", "spin", "check", "radio", "buttons", "scale", "password", "text"],
                [9, 5, 2, 4, 3, 3, 2, 2, 1],
            )[0]
            cell = ttk.Frame(box)
            cell.grid(row=row, column=1, sticky="we", padx=4)
            self.field(cell, kind)

    def field(self, cell, kind: str) -> None:
        r, w = self.r, self.w
        if kind in ("entry", "password"):
            made = (tk.Entry if self.classic else ttk.Entry)(cell, show="•" if kind == "password" else "")
            made.insert(0, w.value() if r.random() < 0.7 else "")
            self.note(made, "password_input" if kind == "password" else "text_input").pack(fill="x")
        elif kind == "combo":
            made = ttk.Combobox(cell, values=[w.noun()])
            made.set(w.noun())
            self.note(made, "dropdown").pack(fill="x" if r.random() < 0.6 else "none", anchor="w")
        elif kind == "spin":
            made = (tk.Spinbox if self.classic else ttk.Spinbox)(cell, from_=0, to=9999)
            self.note(made, "text_input").pack(anchor="w")
        elif kind == "check":
            state = tk.IntVar(value=r.randint(0, 1))
            self.keep.append(state)
            made = ttk.Checkbutton(cell, text=w.phrase(1, 3), variable=state)
            self.note(made, "checkbox", checked=bool(state.get())).pack(anchor="w")
        elif kind == "radio":
            state = tk.IntVar(value=r.randint(0, 2))
            self.keep.append(state)
            for index in range(r.randint(2, 3)):
                made = ttk.Radiobutton(cell, text=w.noun(), variable=state, value=index)
                self.note(made, "radio", checked=state.get() == index).pack(side="left", padx=4)
        elif kind == "buttons":
            for _ in range(r.randint(1, 4)):
                self.note(self.button(cell), "button").pack(side="left", padx=3)
        elif kind == "scale":
            self.note(ttk.Scale(cell, from_=0, to=100, value=r.randint(0, 100)), "slider").pack(fill="x")
        else:
            made = tk.Text(cell, height=3, width=30, wrap="word")
            made.insert("1.0", w.sentence(5, 20))
            self.note(made, "textarea").pack(fill="x")

    def table(self, parent) -> None:
        r, w = self.r, self.w
        columns = [f"c{index}" for index in range(r.randint(3, 6))]
        frame = ttk.Frame(parent)
        frame.pack(fill="both", expand=True, pady=6)
        made = ttk.Treeview(frame, columns=columns, show="headings", height=r.randint(4, 12))
        for name in columns:
            made.heading(name, text=w.noun())
            made.column(name, width=110)
        for _ in range(r.randint(3, 25)):
            made.insert("", "end", values=[w.value() for _ in columns])
        bar = (tk.Scrollbar if self.classic else ttk.Scrollbar)(frame, command=made.yview)
        made.configure(yscrollcommand=bar.set)
        bar.pack(side="right", fill="y")
        made.pack(side="left", fill="both", expand=True)
        self.note(made, "table")
        self.note(bar, "scrollbar")

    def list_(self, parent) -> None:
        made = tk.Listbox(parent, height=self.r.randint(4, 10))
        for _ in range(self.r.randint(4, 14)):
            made.insert("end", self.w.phrase(1, 4))
        made.selection_set(self.r.randrange(4))
        made.pack(fill="x", pady=6)
        self.note(made, "listbox")

    def tabs(self, parent) -> None:
        made = ttk.Notebook(parent)
        for _ in range(self.r.randint(2, 5)):
            page = ttk.Frame(made)
            made.add(page, text=self.w.menu())
            if made.index("end") == 1:
                self.form(page)
        made.pack(fill="both", expand=True, pady=6)
        self.note(made, "notebook")

    # -- truth

    def read(self) -> None:
        self.root.update()
        for widget, kind, more in self.known:
            if not widget.winfo_viewable():
                continue
            x, y, w, h = widget.winfo_rootx(), widget.winfo_rooty(), widget.winfo_width(), widget.winfo_height()
            on = widget.winfo_containing(x + w // 2, y + h // 2)
            if (
                on is None
                or x < 0
                or y < 0
                or x + w > self.size[0]
                or y + h > self.size[1]
                or not str(on).startswith(str(widget))
            ):
                continue
            state = str(widget.cget("state")) != "disabled" if "state" in widget.keys() else True  # noqa: SIM118 - a widget is no mapping
            if kind == "notebook":
                for index in range(widget.index("end")):
                    spots = [px for px in range(2, w, 3) if _tab_at(widget, px, 12) == index]
                    if spots:
                        tall = [py for py in range(0, 60, 2) if _tab_at(widget, spots[len(spots) // 2], py) == index]
                        self.add(
                            [x + spots[0] - 1, y + tall[0], x + spots[-1] + 2, y + tall[-1] + 2],
                            "tab",
                            text=widget.tab(index, "text"),
                            selected=index == widget.index("current"),
                        )
            elif kind == "listbox":
                for index in range(widget.size()):
                    box = widget.bbox(index)
                    if box and box[1] + box[3] <= h:
                        self.add(
                            [x + 3, y + box[1], x + w - 3, y + box[1] + box[3]],
                            "list_item",
                            text=widget.get(index),
                            selected=index in widget.curselection(),
                        )
            elif kind in ("checkbox", "radio"):
                mark = _mark(widget, w, h)
                if mark:
                    self.add([x + mark[0], y + mark[1], x + mark[2], y + mark[3]], kind, enabled=state, **more)
            else:
                text = (
                    str(widget.cget("text"))
                    if "text" in widget.keys()  # noqa: SIM118 - a widget is no mapping
                    else str(widget.get())
                    if isinstance(widget, (tk.Entry, ttk.Entry)) and kind != "password_input"
                    else ""
                )
                self.add([x, y, x + w, y + h], kind, text=text, enabled=state, **more)

    def add(self, box, kind, *, text="", checked=None, selected=None, enabled=True) -> None:
        self.elements.append(
            {
                "box": [int(v) for v in box],
                "type": kind,
                "text": text,
                "checked": checked,
                "selected": selected,
                "focused": False,
                "enabled": enabled,
                "covered": False,
            }
        )


def _tab_at(widget, x: int, y: int) -> int:
    try:
        return widget.index(f"@{x},{y}")
    except tk.TclError:
        return -1


def _mark(widget, width: int, height: int) -> tuple[int, int, int, int] | None:
    """Where the toolkit says the indicator is."""
    spots = [(x, y) for x in range(0, min(width, 40)) for y in range(0, height) if "indicator" in widget.identify(x, y)]
    if not spots:
        return None
    return (
        min(x for x, _ in spots),
        min(y for _, y in spots),
        max(x for x, _ in spots) + 1,
        max(y for _, y in spots) + 1,
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--count", type=int, default=60)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    with own_display(), mss.MSS() as camera:
        for index in range(given.count):
            seed = given.seed * 1_000_000 + index
            screen = TkScreen(seed)
            for _ in range(5):
                screen.root.update()
            screen.read()
            width, height = screen.size
            shot = camera.grab({"left": 0, "top": 0, "width": width, "height": height})
            picture = io.BytesIO(mss.tools.to_png(shot.rgb, shot.size, level=1))
            about = {
                "toolkit": "tk",
                "kit": f"tk-{screen.theme}{'-classic' if screen.classic else ''}",
                "split": "held_out",
                "width": width,
                "height": height,
                "lang": screen.lang,
                "theme": "light",
                "zoom": 1.0,
                "kind": "mixed",
                "layout_seed": seed,
                "content_seed": seed * 100,
                "family": f"tk-{seed}",
                "variation": 0,
            }
            write_screen(given.out, f"tk-{screen.theme}-{seed}", picture.getvalue(), about, screen.elements, [])
            screen.root.destroy()
    print(f"{given.count} screens in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
