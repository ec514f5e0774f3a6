"""Make screens of GTK 3 windows with their truth, from the widgets' allocations and Pango's line boxes.

Runs with the system's Python (python3-gi) on a display of its own. The Arc themes are held out.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from factory.screen_files import write_screen
from factory.words import Words

THEMES = {
    "train": [
        "Adwaita",
        "Adwaita-dark",
        "Greybird",
        "Greybird-dark",
        "Materia",
        "Materia-dark",
        "Materia-compact",
        "Materia-light",
        "Breeze",
        "Breeze-Dark",
        "Blackbird",
        "Clearlooks-3.4",
        "Raleigh",
        "Numix",
        "Adwaita",
        "Greybird",
    ],
    "held_out": ["Arc", "Arc-Dark", "Arc-Darker"],
}
ICON_THEMES = ("Adwaita", "Papirus", "Tango", "breeze", "Papirus-Dark")
ICONS = [
    "document-open",
    "document-save",
    "document-new",
    "edit-cut",
    "edit-copy",
    "edit-paste",
    "edit-delete",
    "edit-undo",
    "edit-redo",
    "go-next",
    "go-previous",
    "go-up",
    "view-refresh",
    "list-add",
    "list-remove",
    "folder",
    "user-home",
    "mail-unread",
    "system-search",
    "preferences-system",
    "help-about",
    "printer",
    "window-close",
    "format-text-bold",
    "format-text-italic",
    "zoom-in",
    "zoom-out",
    "media-playback-start",
    "dialog-information",
    "dialog-warning",
]
SIZES = ((1920, 1080), (1366, 768), (1280, 800), (1600, 900), (1024, 768))


class GtkScreen:
    """One window with chance-made contents."""

    def __init__(self, seed: int, theme: str) -> None:
        self.r = random.Random(f"gtk-{seed}")
        self.lang = self.r.choice(["fr", "fr", "en"])
        self.w = Words(random.Random(f"gtk-content-{seed * 100}"), self.lang)
        self.elements: list[dict] = []
        self.texts: list[dict] = []
        settings = Gtk.Settings.get_default()
        settings.set_property("gtk-theme-name", theme)
        settings.set_property("gtk-icon-theme-name", self.r.choice(ICON_THEMES))
        settings.set_property(
            "gtk-font-name",
            f"{self.r.choice(['DejaVu Sans', 'Liberation Sans', 'Noto Sans', 'Cantarell', 'Open Sans', 'Roboto', 'Inter', 'Carlito', 'Lato'])} {self.r.choice([8, 9, 10, 10, 11, 12, 14])}",
        )
        settings.set_property("gtk-enable-animations", False)
        settings.set_property("gtk-overlay-scrolling", False)

    def image(self):
        return Gtk.Image.new_from_icon_name(
            self.r.choice(ICONS),
            self.r.choice([Gtk.IconSize.MENU, Gtk.IconSize.SMALL_TOOLBAR, Gtk.IconSize.LARGE_TOOLBAR]),
        )

    def build(self):
        r, w = self.r, self.w
        self.size = r.choice(SIZES)
        window = Gtk.OffscreenWindow()
        window.set_default_size(*self.size)
        window.set_size_request(*self.size)
        rows = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        window.add(rows)
        if r.random() < 0.3:
            bar = Gtk.HeaderBar(
                title=w.menu(), subtitle=w.phrase(1, 3) if r.random() < 0.5 else None, show_close_button=False
            )
            for _ in range(r.randint(1, 4)):
                (bar.pack_start if r.random() < 0.5 else bar.pack_end)(self.button())
            rows.pack_start(bar, False, False, 0)
        if r.random() < 0.7:
            bar = Gtk.MenuBar()
            for _ in range(r.randint(3, 9)):
                bar.append(Gtk.MenuItem(label=w.menu()))
            rows.pack_start(bar, False, False, 0)
        for _ in range(r.randint(0, 2)):
            rows.pack_start(self.toolbar(), False, False, 0)
        columns = Gtk.Box(spacing=r.choice([4, 8, 14]), border_width=r.choice([0, 4, 10]))
        for _ in range(r.randint(1, 3)):
            column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=r.choice([2, 6, 12]))
            for _ in range(r.randint(1, 3)):
                made, grow = r.choices([self.form, self.table, self.list_, self.tabs, self.text], [6, 3, 2, 3, 1])[0]()
                column.pack_start(made, grow, grow, 0)
            columns.pack_start(column, True, True, 0)
        rows.pack_start(columns, True, True, 0)
        if r.random() < 0.4:
            bar = Gtk.Statusbar()
            bar.push(0, w.phrase(2, 6))
            rows.pack_end(bar, False, False, 0)
        return window

    def button(self):
        r = self.r
        pick = r.random()
        made = Gtk.Button(label=self.w.action()) if pick < 0.65 else Gtk.Button()
        if pick >= 0.65:
            made.add(self.image())
        if r.random() < 0.15:
            made.get_style_context().add_class(r.choice(["suggested-action", "destructive-action"]))
        if r.random() < 0.1:
            made.set_relief(Gtk.ReliefStyle.NONE)
        made.set_sensitive(r.random() > 0.08)
        return made

    def toolbar(self):
        r = self.r
        bar = Gtk.Toolbar()
        bar.set_style(
            r.choice(
                [Gtk.ToolbarStyle.ICONS, Gtk.ToolbarStyle.ICONS, Gtk.ToolbarStyle.BOTH, Gtk.ToolbarStyle.BOTH_HORIZ]
            )
        )
        for _ in range(r.randint(4, 14)):
            if r.random() < 0.12:
                bar.insert(Gtk.SeparatorToolItem(), -1)
            else:
                item = (
                    Gtk.ToolButton(icon_widget=self.image(), label=self.w.action())
                    if r.random() < 0.85
                    else Gtk.ToggleToolButton(icon_widget=self.image(), label=self.w.action(), active=r.random() < 0.5)
                )
                item.set_is_important(True)
                bar.insert(item, -1)
        return bar

    def form(self):
        r, w = self.r, self.w
        grid = Gtk.Grid(row_spacing=r.choice([2, 6, 10]), column_spacing=10, border_width=r.choice([4, 8, 12]))
        for row in range(r.randint(3, 10)):
            label = Gtk.Label(label=w.label(), xalign=r.choice([0, 1]))
            grid.attach(label, 0, row, 1, 1)
            field = self.field()
            field.set_hexpand(True)
            field.set_halign(
                Gtk.Align.START
                if isinstance(field, (Gtk.Switch, Gtk.CheckButton))
                else r.choice([Gtk.Align.FILL, Gtk.Align.FILL, Gtk.Align.START])
            )
            grid.attach(field, 1, row, 1, 1)
        if r.random() < 0.5:
            frame = Gtk.Frame(label=w.noun())
            frame.add(grid)
            return frame, False
        return grid, False

    def field(self):
        r, w = self.r, self.w
        kind = r.choices(range(12), [9, 5, 2, 4, 3, 4, 2, 2, 3, 1, 1, 1])[0]
        if kind == 0:
            made = Gtk.Entry(text=w.value() if r.random() < 0.6 else "", placeholder_text=w.phrase(1, 3))
        elif kind == 1:
            made = Gtk.ComboBoxText() if r.random() < 0.8 else Gtk.ComboBoxText.new_with_entry()
            for _ in range(3):
                made.append_text(w.noun())
            made.set_active(0)
        elif kind == 2:
            made = Gtk.SpinButton.new_with_range(0, 99999, 1)
            made.set_value(r.randint(0, 9999))
        elif kind == 3:
            made = Gtk.CheckButton(label=w.phrase(1, 4), active=r.random() < 0.5)
        elif kind == 4:
            made = Gtk.Box(spacing=8, orientation=r.choice([Gtk.Orientation.HORIZONTAL, Gtk.Orientation.VERTICAL]))
            first = None
            chosen = r.randrange(3)
            for index in range(r.randint(2, 3)):
                one = Gtk.RadioButton.new_with_label_from_widget(first, w.noun())
                first = first or one
                one.set_active(index == chosen)
                made.add(one)
        elif kind == 5:
            made = Gtk.Box(spacing=r.choice([0, 4, 8]))
            for _ in range(r.randint(1, 4)):
                made.add(self.button())
        elif kind == 6:
            made = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1)
            made.set_value(r.randint(0, 100))
            made.set_draw_value(r.random() < 0.3)
        elif kind == 7:
            made = Gtk.Entry(text="x" * r.randint(6, 12), visibility=False)
        elif kind == 8:
            made = Gtk.Switch(active=r.random() < 0.5)
        elif kind == 9:
            made = Gtk.ProgressBar(fraction=r.random())
        elif kind == 10:
            made = Gtk.LinkButton.new_with_label("about:blank", w.phrase(1, 3))
            made.set_halign(Gtk.Align.START)
        else:
            made = Gtk.SearchEntry(text=w.noun() if r.random() < 0.4 else "")
        made.set_sensitive(r.random() > 0.07)
        return made

    def scrolled(self, inner):
        made = Gtk.ScrolledWindow(
            shadow_type=self.r.choice([Gtk.ShadowType.IN, Gtk.ShadowType.NONE]),
            min_content_height=self.r.choice([120, 200, 300]),
        )
        made.add(inner)
        return made

    def table(self):
        r, w = self.r, self.w
        count = r.randint(3, 7)
        model = Gtk.ListStore(*([str] * count))
        for _ in range(r.randint(3, 25)):
            model.append([w.value() for _ in range(count)])
        view = Gtk.TreeView(
            model=model,
            enable_grid_lines=r.choice(
                [Gtk.TreeViewGridLines.NONE, Gtk.TreeViewGridLines.BOTH, Gtk.TreeViewGridLines.HORIZONTAL]
            ),
        )
        for index in range(count):
            view.append_column(Gtk.TreeViewColumn(w.noun(), Gtk.CellRendererText(), text=index))
        view.is_table = True
        return self.scrolled(view), True

    def list_(self):
        r, w = self.r, self.w
        if r.random() < 0.5:
            view = Gtk.ListBox()
            on = r.randrange(6)
            for index in range(r.randint(3, 9)):
                row = Gtk.ListBoxRow()
                box = Gtk.Box(spacing=8, border_width=r.choice([2, 5, 9]))
                if r.random() < 0.4:
                    box.add(self.image())
                box.add(Gtk.Label(label=w.phrase(1, 4), xalign=0))
                if r.random() < 0.2:
                    box.pack_end(Gtk.Switch(active=r.random() < 0.5, valign=Gtk.Align.CENTER), False, False, 0)
                row.add(box)
                view.add(row)
                if index == on:
                    view.select_row(row)
            return self.scrolled(view), True
        model = Gtk.TreeStore(str, str)
        for _ in range(r.randint(3, 9)):
            top = model.append(None, [r.choice(ICONS), w.menu()])
            for _ in range(r.randint(0, 4)):
                model.append(top, [r.choice(ICONS), w.noun()])
        view = Gtk.TreeView(model=model, headers_visible=r.random() < 0.3)
        column = Gtk.TreeViewColumn(w.noun())
        picture, words = Gtk.CellRendererPixbuf(), Gtk.CellRendererText()
        column.pack_start(picture, False)
        column.pack_start(words, True)
        column.add_attribute(picture, "icon-name", 0)
        column.add_attribute(words, "text", 1)
        view.append_column(column)
        view.is_table = False
        if r.random() < 0.6:
            view.expand_all()
        return self.scrolled(view), True

    def tabs(self):
        made = Gtk.Notebook()
        count = self.r.randint(2, 6)
        for _ in range(count):
            inner, _ = self.r.choice([self.form, self.table, self.list_])()
            made.append_page(inner, Gtk.Label(label=self.w.menu()))
        return made, True

    def text(self):
        view = Gtk.TextView(wrap_mode=Gtk.WrapMode.WORD, border_width=2)
        view.get_buffer().set_text(" ".join(self.w.sentence(8, 30) for _ in range(self.r.randint(1, 5))))
        return self.scrolled(view), True

    def with_over(self, pixels):
        """The picture of the window, with what opened over it: nothing."""
        return pixels

    # -- truth

    def look(self, window) -> None:
        self.window = window
        size = window.get_allocation()
        self._walk(window, (0, 0, size.width, size.height))

    def _walk(self, widget, clip) -> None:
        if not widget.get_mapped() or not widget.get_child_visible():
            return
        if isinstance(widget, (Gtk.ScrolledWindow, Gtk.Viewport)):
            x, y, w, h = self._place(widget)
            clip = (max(clip[0], x), max(clip[1], y), min(clip[2], x + w), min(clip[3], y + h))
        self._note(widget, clip)
        if isinstance(widget, Gtk.Container) and not isinstance(widget, (Gtk.ComboBox, Gtk.SpinButton)):
            inside: list = []
            widget.forall(inside.append)
            for child in inside:
                self._walk(child, clip)

    def _place(self, widget):
        found = widget.translate_coordinates(self.window, 0, 0)
        size = widget.get_allocation()
        return (*(found or (0, 0)), size.width, size.height)

    def _add(self, kind, widget, rect, clip, *, words="", checked=None, selected=None) -> None:
        x, y, w, h = rect
        box = [int(max(x, clip[0])), int(max(y, clip[1])), int(min(x + w, clip[2])), int(min(y + h, clip[3]))]
        if box[2] - box[0] < 5 or box[3] - box[1] < 5 or (box[2] - box[0]) * (box[3] - box[1]) < 0.4 * w * h:
            return
        self.elements.append(
            {
                "box": box,
                "type": kind,
                "text": words,
                "checked": checked,
                "selected": selected,
                "focused": False,
                "enabled": widget.is_sensitive(),
                "covered": False,
            }
        )

    def _say(self, label, clip) -> None:
        layout, (ox, oy) = label.get_layout(), label.get_layout_offsets()
        place, own = label.translate_coordinates(self.window, 0, 0), label.get_allocation()
        if place is None or label.get_layout().is_ellipsized():
            return
        words = layout.get_text()
        step = layout.get_iter()
        while True:
            line, rect = step.get_line_readonly(), step.get_line_extents()[1]
            text = words.encode()[line.start_index : line.start_index + line.length].decode()
            x, y = place[0] + ox - own.x + rect.x / 1024, place[1] + oy - own.y + rect.y / 1024
            box = [round(x), round(y), round(x + rect.width / 1024), round(y + rect.height / 1024)]
            inside = box[0] >= clip[0] and box[1] >= clip[1] and box[2] <= clip[2] and box[3] <= clip[3]
            if text.strip() and inside:
                size = label.get_pango_context().get_font_description().get_size() / 1024 * 96 / 72
                self.texts.append({"box": box, "text": text.strip(), "size_px": round(size, 1), "covered": False})
            if not step.next_line():
                break

    def _note(self, widget, clip) -> None:
        place = self._place(widget)
        name = type(widget).__name__
        if isinstance(widget, Gtk.Label):
            self._say(widget, clip)
        elif isinstance(widget, (Gtk.RadioButton, Gtk.CheckButton)):
            inside: list = []
            widget.forall(inside.append)
            text = widget.get_label() or ""
            label_at = self._place(inside[0]) if inside else None
            side = int(max(self._mark(widget), 8))
            left = place[0] + 1
            if label_at:
                left = label_at[0] - 4 - side if label_at[0] - 4 - side > place[0] - 2 else place[0]
            top = place[1] + (place[3] - side) // 2
            self._add(
                "radio" if isinstance(widget, Gtk.RadioButton) else "checkbox",
                widget,
                (left, top, side, side),
                clip,
                words=text,
                checked=widget.get_active(),
            )
        elif isinstance(widget, Gtk.LinkButton):
            self._add("link", widget, place, clip, words=widget.get_label())
        elif isinstance(widget, Gtk.Switch):
            self._add("toggle", widget, place, clip, checked=widget.get_active())
        elif isinstance(widget, Gtk.ToggleButton):
            self._add("button", widget, place, clip, words=widget.get_label() or "", selected=widget.get_active())
        elif isinstance(widget, Gtk.Button):
            if isinstance(widget.get_parent(), Gtk.TreeView):
                return  # the head of a column
            self._add("button", widget, place, clip, words=widget.get_label() or "")
        elif isinstance(widget, Gtk.SpinButton):
            self._add("text_input", widget, place, clip, words=widget.get_text())
        elif isinstance(widget, Gtk.Entry):
            hidden = not widget.get_visibility()
            self._add(
                "password_input" if hidden else "text_input",
                widget,
                place,
                clip,
                words="" if hidden else widget.get_text() or widget.get_placeholder_text() or "",
            )
        elif isinstance(widget, Gtk.ComboBox):
            self._add("dropdown", widget, place, clip, words=widget.get_active_text() or "")
        elif isinstance(widget, Gtk.Scale):
            self._add("slider", widget, place, clip)
        elif isinstance(widget, Gtk.Scrollbar):
            if widget.get_adjustment().get_upper() > widget.get_adjustment().get_page_size():
                self._add("scrollbar", widget, place, clip)
        elif isinstance(widget, Gtk.MenuItem):
            self._add("menu_item", widget, place, clip, words=widget.get_label(), selected=False)
        elif isinstance(widget, Gtk.ListBoxRow):
            self._add("list_item", widget, place, clip, selected=widget.is_selected())
        elif isinstance(widget, Gtk.Notebook):
            for index in range(widget.get_n_pages()):
                label = widget.get_tab_label(widget.get_nth_page(index))
                if label.get_mapped():
                    x, y, w, h = self._place(label)
                    self._add(
                        "tab",
                        widget,
                        (x - 8, y - 4, w + 16, h + 8),
                        clip,
                        words=label.get_text(),
                        selected=index == widget.get_current_page(),
                    )
        elif isinstance(widget, Gtk.TextView):
            self._add("textarea", widget, place, clip)
        elif isinstance(widget, Gtk.TreeView):
            self._rows(widget, place, clip)
        elif name == "Image" or isinstance(widget, Gtk.Image):
            self._add("icon", widget, place, clip)

    def _mark(self, widget) -> int:
        value = widget.style_get_property("indicator-size")
        return int(value) if value else 16

    def _rows(self, view, place, clip) -> None:
        table = getattr(view, "is_table", False)
        x, y, w, _h = place
        if table:
            self._add("table", view, place, clip)
        columns = view.get_columns()
        shown = view.get_visible_range()
        if not shown:
            return
        path = shown[0]
        while path is not None and path <= shown[1]:
            found = None
            for index, column in enumerate(columns):
                cell = view.get_cell_area(path, column)
                bx, by = view.convert_bin_window_to_widget_coords(cell.x, cell.y)
                if table:
                    self._add(
                        "cell",
                        view,
                        (x + bx, y + by, cell.width, cell.height),
                        clip,
                        words=str(view.get_model()[path][index]),
                    )
                found = (x, y + by, w, cell.height)
            if not table and found:
                self._add(
                    "list_item",
                    view,
                    found,
                    clip,
                    words=str(view.get_model()[path][1]),
                    selected=view.get_selection().path_is_selected(path),
                )
            path = self._next(view, path)

    def _next(self, view, path):
        model = view.get_model()
        if view.row_expanded(path):
            down = path.copy()
            down.down()
            return down
        while path.get_depth():
            step = model.iter_next(model.get_iter(path))
            if step:
                return model.get_path(step)
            if path.get_depth() == 1:
                return None
            path.up()
        return None


def show(window) -> None:
    """Have a window laid out and drawn."""
    window.show_all()
    for _ in range(60):
        while Gtk.events_pending():
            Gtk.main_iteration_do(False)


def main(make: type[GtkScreen] = GtkScreen) -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--count", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--split", choices=("train", "held_out"), default="train")
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    for index in range(given.count):
        seed = given.seed * 1_000_000 + index
        theme = random.Random(seed).choice(THEMES[given.split])
        if (given.out / f"gtk-{theme}-{seed}.json").exists():
            continue
        screen = make(seed, theme)
        window = screen.build()
        show(window)
        screen.look(window)
        pixels = screen.with_over(window.get_pixbuf())
        width, height = pixels.get_width(), pixels.get_height()
        inside = [item for item in screen.elements if item["box"][2] <= width and item["box"][3] <= height]
        _, data = pixels.save_to_bufferv("png", ["compression"], ["1"])
        about = {
            "toolkit": "gtk",
            "kit": f"gtk-{theme}",
            "split": given.split,
            "width": width,
            "height": height,
            "lang": screen.lang,
            "theme": "dark" if "ark" in theme or theme == "Blackbird" else "light",
            "zoom": 1.0,
            "kind": "mixed",
            "layout_seed": seed,
            "content_seed": seed * 100,
            "family": f"gtk-{seed}",
            "variation": 0,
        }
        write_screen(given.out, f"gtk-{theme}-{seed}", bytes(data), about, inside, screen.texts)
        window.destroy()
    print(f"{given.count} screens in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    from factory.display import own_display

    with own_display():
        os.environ.update(GTK_OVERLAY_SCROLLING="0", NO_AT_BRIDGE="1", GDK_BACKEND="x11")
        import gi

        gi.require_version("Gtk", "3.0")
        from gi.repository import Gtk

        main()
