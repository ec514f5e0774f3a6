"""Make screens of GTK 3 windows as programs have them: an editor's page, tools, documents on tabs, open menus with
keys, marks and further menus. `gtk_screens.py` draws and tells the truth; runs with the system's Python."""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from factory import gtk_screens
from factory.display import own_display

KEYS = "ABCDNOPQSVWXZ"


class GtkProgram(gtk_screens.GtkScreen):
    """One window of a program that might be."""

    def build(self):
        r, w = self.r, self.w
        self.size = r.choice([*gtk_screens.SIZES, (800, 600), (640, 480)])
        window = Gtk.OffscreenWindow()
        window.set_default_size(*self.size)
        window.set_size_request(*self.size)
        rows = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        window.add(rows)
        bar = Gtk.MenuBar()
        for _ in range(r.randint(3, 9)):
            bar.append(Gtk.MenuItem(label=w.menu()))
        rows.pack_start(bar, False, False, 0)
        for _ in range(r.choice([0, 0, 1, 1, 2])):
            rows.pack_start(self.toolbar(), False, False, 0)
        page = self._documents()
        if r.random() < 0.3:
            parts = Gtk.Paned(orientation=Gtk.Orientation.HORIZONTAL)
            parts.pack1(self.list_()[0], False, False)
            parts.pack2(page, True, False)
            page = parts
        rows.pack_start(page, True, True, 0)
        if r.random() < 0.35:
            rows.pack_start(self._search(), False, False, 0)
        if r.random() < 0.6:
            status = Gtk.Statusbar()
            status.push(0, w.phrase(2, 6))
            rows.pack_end(status, False, False, 0)
        return window

    def with_over(self, pixels):
        """With an open menu or a dialog over it; what lies below is taken out of the truth."""
        r = self.r
        pick = r.random()
        if pick > 0.8:
            return pixels
        shown = Gtk.OffscreenWindow()
        opened = self._menu() if pick < 0.55 else self._options()
        shown.add(opened)
        gtk_screens.show(shown)
        above = shown.get_pixbuf()
        wide, high = min(above.get_width(), pixels.get_width()), min(above.get_height(), pixels.get_height())
        if isinstance(opened, OpenMenu):  # the last entry does not get all its room: it is left away
            high = min(high, opened.get_children()[-1].get_allocation().y)
        x, y = r.randint(0, pixels.get_width() - wide), r.randint(0, pixels.get_height() - high)
        above.copy_area(0, 0, wide, high, pixels, x, y)
        below = (x, y, x + wide, y + high)
        self.elements = [item for item in self.elements if not _is_under(item, below)]
        self.texts = [item for item in self.texts if not _is_under(item, below)]
        elements, texts, self.elements, self.texts = self.elements, self.texts, [], []
        self.look(shown)
        self.elements = [item for item in self.elements if item["box"][3] <= high + 1]
        self.texts = [item for item in self.texts if item["box"][3] <= high + 1]
        for item in (*self.elements, *self.texts):
            left, top, right, bottom = item["box"]
            item["box"] = [left + x, top + y, right + x, bottom + y]
        if pick >= 0.55:
            self.elements.append(
                {"box": [*below], "type": "dialog", "text": "", "checked": None, "selected": None, "focused": False,
                 "enabled": None, "covered": False}
            )  # fmt: skip
        self.elements, self.texts = [*elements, *self.elements], [*texts, *self.texts]
        shown.destroy()
        return pixels

    def _documents(self):
        r, w = self.r, self.w
        if r.random() < 0.5:
            return self._editor()
        made = Gtk.Notebook()
        for _ in range(r.choice([1, 2, 3, 5])):
            made.append_page(self._editor(), Gtk.Label(label=f"{w.noun()}.{r.choice(['txt', 'csv', 'py', 'md'])}"))
        return made

    def _editor(self):
        r, w = self.r, self.w
        if r.random() < 0.2:
            return r.choice([self.table, self.list_])()[0]
        plain = r.random() < 0.5
        view = Gtk.TextView(monospace=r.random() < 0.5)
        lines = [w.sentence(3, 12) if plain else " ".join(w.value() for _ in range(4)) for _ in range(r.randint(0, 45))]
        view.get_buffer().set_text("\n".join(lines))
        return self.scrolled(view)

    def _search(self):
        r, w = self.r, self.w
        row = Gtk.Box(spacing=4, border_width=2)
        if r.random() < 0.6:
            row.pack_start(Gtk.Label(label=w.label()), False, False, 0)
        row.pack_start(Gtk.SearchEntry() if r.random() < 0.5 else Gtk.Entry(text=w.noun()), True, True, 0)
        for _ in range(r.randint(1, 4)):
            tool = Gtk.Button(image=self.image(), relief=r.choice([Gtk.ReliefStyle.NONE, Gtk.ReliefStyle.NORMAL]))
            row.pack_start(tool, False, False, 0)
        return row

    def _menu(self):
        r, w = self.r, self.w
        made = OpenMenu(pack_direction=Gtk.PackDirection.TTB, child_pack_direction=Gtk.PackDirection.LTR)
        keys = r.random() < 0.7
        for _ in range(r.randint(4, 16)):
            words, pick = w.action() + ("…" if r.random() < 0.2 else ""), r.random()
            if pick < 0.14:
                item = Gtk.CheckMenuItem(active=r.random() < 0.6, draw_as_radio=r.random() < 0.3)
            else:
                item = Gtk.MenuItem()
            row = Gtk.Box(spacing=r.choice([12, 24, 40]))
            row.pack_start(Gtk.Label(label=words, xalign=0), True, True, 0)
            if keys and r.random() < 0.6:
                row.pack_end(Gtk.Label(label=f"{r.choice(['Ctrl+', 'Shift+Ctrl+'])}{r.choice(KEYS)}"), False, False, 0)
            elif r.random() < 0.12:
                row.pack_end(Gtk.Image.new_from_icon_name("pan-end-symbolic", Gtk.IconSize.MENU), False, False, 0)
            item.add(row)
            item.set_sensitive(r.random() > 0.15)
            made.append(item)
            if r.random() < 0.2:
                made.append(Gtk.SeparatorMenuItem())
        return made

    def _options(self):
        r, w = self.r, self.w
        rows = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8, border_width=r.choice([8, 12, 18]))
        book = Gtk.Notebook()
        for _ in range(r.randint(1, 5)):
            page = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=r.choice([2, 6]), border_width=10)
            for _ in range(r.randint(2, 9)):
                page.pack_start(Gtk.CheckButton(label=w.phrase(2, 6), active=r.random() < 0.5), False, False, 0)
            page.pack_start(self.form()[0], False, False, 0)
            book.append_page(page, Gtk.Label(label=w.menu()))
        rows.pack_start(book, True, True, 0)
        row = Gtk.Box(spacing=6)
        for _ in range(r.randint(1, 3)):
            row.pack_end(Gtk.Button(label=w.action()), False, False, 0)
        rows.pack_start(row, False, False, 0)
        return rows

    def _note(self, widget, clip) -> None:
        if isinstance(widget, Gtk.SeparatorMenuItem):
            return
        if isinstance(widget, Gtk.MenuItem) and isinstance(widget.get_parent(), OpenMenu):
            self._add("menu_item", widget, self._place(widget), clip, selected=False)
            return
        super()._note(widget, clip)


def _is_under(item: dict, front: tuple[int, int, int, int]) -> bool:
    """Whether it lies below; where it only reaches below, it is marked as covered."""
    left, top, right, bottom = item["box"]
    if right <= front[0] or front[2] <= left or bottom <= front[1] or front[3] <= top:
        return False
    x, y = (left + right) / 2, (top + bottom) / 2
    item["covered"] = True
    return front[0] <= x < front[2] and front[1] <= y < front[3]


if __name__ == "__main__":
    with own_display():
        os.environ.update(GTK_OVERLAY_SCROLLING="0", NO_AT_BRIDGE="1", GDK_BACKEND="x11")
        import gi

        gi.require_version("Gtk", "3.0")
        from gi.repository import Gtk

        class OpenMenu(Gtk.MenuBar):
            """Entries below each other, in the style of a menu that opened: a real one would need a window."""

        OpenMenu.set_css_name("menu")
        gtk_screens.Gtk = Gtk
        gtk_screens.main(GtkProgram)
