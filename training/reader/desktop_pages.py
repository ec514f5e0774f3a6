"""Pages drawn as desktop toolkits draw them: Qt's painter and style, and Pango as GTK uses it.

    python training/reader/desktop_pages.py qt|pango --out PAGES --seed 1 --pages 20 [--faces]

Writes `{id}.png` and `{id}.json` (words with boxes) for `cut_pages.py`. Qt needs PySide6, Pango the system's Python with
gi and cairo; neither needs a display. Cells of a grid hold a text each, in a frame, beside a mark, or bare.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vocabulary import line

FAMILIES = ("DejaVu Sans", "Liberation Sans", "Noto Sans", "Roboto", "Inter", "Lato", "Carlito", "Open Sans", "Nimbus Sans", "FreeSans", "DejaVu Sans Mono", "Liberation Serif", "DejaVu Serif",
            "Karla", "Hack", "Liberation Mono", "Noto Serif", "Roboto Slab", "Quicksand", "Fira Code", "Caladea", "Tinos", "Arimo", "DejaVu Sans Condensed")  # fmt: skip
HELD_OUT = ("Cantarell", "PT Sans", "Clear Sans", "B612", "Cabin", "Play")
STRANGE = ("Symbol", "Dingbat", "Emoji", "Z003", "Math", "Music", "Ecolier", "D050000L", "Sans Sym")
WEIGHTS = (400, 400, 400, 400, 700)
ALL_WEIGHTS = (100, 200, 300, 400, 400, 400, 500, 600, 700, 700, 800, 900, 900)
FRAMES = ("", "", "", "button", "button", "field", "field", "check", "radio", "combo", "select", "tab")


def faces(folder: Path) -> tuple[str, ...]:
    """Every typeface with French letters that fontconfig knows, and those of a folder, but none kept for scoring."""
    asked = [["fc-list", ":lang=fr", "family"], ["fc-scan", "--format", "%{family}\\n", str(folder)]]
    listed = [subprocess.run(command, capture_output=True, text=True, check=True).stdout for command in asked]
    names = {row.split(",")[0].strip().replace("\\", "") for row in "\n".join(listed).splitlines() if row.strip()}
    unwanted = (*STRANGE, *HELD_OUT, "Ubuntu", "Oxygen", "Manrope", "Comfortaa", "Gentium", "mononoki")
    return tuple(name for name in sorted(names) if not any(part in name for part in unwanted))


@dataclass(frozen=True)
class Cell:
    """A text and how it is to be drawn."""

    x: int
    y: int
    width: int
    height: int
    text: str
    frame: str
    paper: tuple[int, int, int]
    ink: tuple[int, int, int]


@dataclass(frozen=True)
class Band:
    """Cells of one font on one paper."""

    top: int
    height: int
    family: str
    size: float
    weight: int
    italic: bool
    paper: tuple[int, int, int]
    cells: tuple[Cell, ...]
    rules: bool


def plan(
    chance: random.Random, width: int, height: int, families: tuple[str, ...], weights: tuple[int, ...] = WEIGHTS
) -> list[Band]:
    """Bands from top to bottom."""
    bands, top = [], 0
    while top < height - 40:
        size = chance.choice((9, 10, 11, 11, 12, 12, 13, 13, 13, 14, 14, 15, 16, 17, 18, 20, 24, 28))
        tall = round(size * chance.choice((1.35, 1.5, 1.7, 2.0, 2.4))) + 2
        paper, ink = colours(chance)
        rows = min(chance.randint(1, 5), (height - top) // tall)
        if rows < 1:
            break
        columns = max(2, round(width / (size * chance.uniform(8, 18))))
        cells = []
        for row in range(rows):
            for column in range(columns):
                frame = chance.choice(FRAMES)
                back, front = (paper, ink) if frame != "select" else colours(chance, loud=True)
                x = column * width // columns + chance.randint(2, 8)
                cells.append(
                    Cell(
                        x,
                        top + row * tall + 1,
                        width // columns - 12,
                        tall - 2,
                        line(chance)[:40].strip() or "OK",
                        frame,
                        back,
                        front,
                    )
                )
        bands.append(
            Band(
                top,
                rows * tall,
                chance.choice(families),
                size,
                chance.choice(weights),
                chance.random() < 0.08,
                paper,
                tuple(cells),
                chance.random() < 0.3,
            )
        )
        top += rows * tall
    return bands


def colours(chance: random.Random, *, loud: bool = False) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    dice = 1.0 if loud else chance.random()
    while True:
        if dice < 0.55:
            paper, ink = [chance.randint(225, 255)] * 3, [chance.randint(0, 90)] * 3
        elif dice < 0.8:
            paper, ink = [chance.randint(15, 70)] * 3, [chance.randint(160, 255)] * 3
        else:
            paper = [chance.randint(0, 255) for _ in range(3)]
            ink = chance.choice(([255] * 3, [20] * 3))
        if abs(sum(paper) - sum(ink)) > 240:
            return (paper[0], paper[1], paper[2]), (ink[0], ink[1], ink[2])


class QtPainter:
    """Draws with Qt: its text, and the frames and marks of one of its styles."""

    def __init__(self, chance: random.Random) -> None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        from PySide6 import QtWidgets

        self.r = chance
        self.nones = [None] * 8_000_000  # PySide6 6.12 gives back one reference to None too many with each call
        self.app = QtWidgets.QApplication.instance() or QtWidgets.QApplication([])

    def draw(self, bands: list[Band], width: int, height: int, path: Path) -> list[list[Any]]:
        from PySide6 import QtCore, QtGui, QtWidgets

        image = QtGui.QImage(width, height, QtGui.QImage.Format.Format_RGB32)
        image.fill(QtGui.QColor(255, 255, 255))
        painter = QtGui.QPainter(image)
        hint = self.r.choice(
            (
                QtGui.QFont.HintingPreference.PreferDefaultHinting,
                QtGui.QFont.HintingPreference.PreferNoHinting,
                QtGui.QFont.HintingPreference.PreferFullHinting,
            )
        )
        strategy = self.r.choice(
            (
                QtGui.QFont.StyleStrategy.PreferDefault,
                QtGui.QFont.StyleStrategy.PreferAntialias,
                QtGui.QFont.StyleStrategy.NoSubpixelAntialias,
            )
        )
        style = QtWidgets.QStyleFactory.create("Fusion")  # the Windows style is held out
        words: list[list[Any]] = []
        for band in bands:
            font = QtGui.QFont(band.family)
            font.setPixelSize(round(band.size))
            font.setWeight(QtGui.QFont.Weight(band.weight))
            font.setItalic(band.italic)
            font.setHintingPreference(hint)
            font.setStyleStrategy(strategy)
            painter.setFont(font)
            metrics = QtGui.QFontMetricsF(font, image)
            painter.fillRect(0, band.top, width, band.height, QtGui.QColor(*band.paper))
            for cell in band.cells:
                painter.setClipping(False)
                box = QtCore.QRect(cell.x, cell.y, cell.width, cell.height)
                start = cell.x + self._frame(painter, style, cell, box, metrics)
                text = _fitting(
                    cell.text,
                    lambda t, m=metrics: m.horizontalAdvance(t),
                    cell.x + cell.width - start - (24 if cell.frame == "combo" else 4),
                )
                if cell.frame == "button":
                    start += max(0.0, (cell.width - metrics.horizontalAdvance(text)) / 2 - 8)
                painter.setPen(QtGui.QColor(*cell.ink))
                baseline = cell.y + (cell.height + metrics.ascent() - metrics.descent()) / 2
                painter.drawText(QtCore.QPointF(start, baseline if self.r.random() < 0.5 else round(baseline)), text)
                top = baseline - metrics.ascent()
                for word, before in _words(text):
                    left = start + metrics.horizontalAdvance(text[:before])
                    right = start + metrics.horizontalAdvance(text[: before + len(word)])
                    words.append([word, left, top, right, top + metrics.height(), 0])
                if band.rules:
                    painter.setPen(QtGui.QColor(128, 128, 128, 110))
                    painter.drawLine(cell.x - 3, cell.y + cell.height, cell.x + cell.width + 9, cell.y + cell.height)
        painter.end()
        image.save(str(path))
        return words

    def _frame(self, painter: Any, style: Any, cell: Cell, box: Any, metrics: Any) -> float:
        """Draw what stands around or before the text; where the text begins."""
        from PySide6 import QtGui, QtWidgets

        widgets = QtWidgets.QStyle
        if cell.frame == "button":
            option = QtWidgets.QStyleOptionButton()
            option.rect, option.palette = box, _palette(cell)
            option.state = widgets.StateFlag.State_Enabled | widgets.StateFlag.State_Raised
            style.drawControl(widgets.ControlElement.CE_PushButtonBevel, option, painter)
            return 8
        if cell.frame == "field":
            option = QtWidgets.QStyleOptionFrame()
            option.rect, option.palette, option.lineWidth = box, _palette(cell), 1
            option.state = widgets.StateFlag.State_Enabled | widgets.StateFlag.State_Sunken
            style.drawPrimitive(widgets.PrimitiveElement.PE_PanelLineEdit, option, painter)
            return 5
        if cell.frame in ("check", "radio"):
            option = QtWidgets.QStyleOptionButton()
            size = min(box.height(), 16)
            option.rect = box.adjusted(2, (box.height() - size) // 2, 0, 0)
            option.rect.setSize(QtGui.QPixmap(size, size).size())
            option.palette = _palette(cell)
            option.state = widgets.StateFlag.State_Enabled | (
                widgets.StateFlag.State_On if self.r.random() < 0.5 else widgets.StateFlag.State_Off
            )
            which = (
                widgets.PrimitiveElement.PE_IndicatorCheckBox
                if cell.frame == "check"
                else widgets.PrimitiveElement.PE_IndicatorRadioButton
            )
            style.drawPrimitive(which, option, painter)
            return size + 2 + self.r.randint(3, 7)
        if cell.frame == "combo":
            option = QtWidgets.QStyleOptionComboBox()
            option.rect, option.palette, option.state = box, _palette(cell), widgets.StateFlag.State_Enabled
            style.drawComplexControl(widgets.ComplexControl.CC_ComboBox, option, painter)
            painter.setClipRect(box.adjusted(0, 0, -22, 0))
            return 6
        if cell.frame in ("select", "tab"):
            painter.fillRect(box, QtGui.QColor(*cell.paper))
        return 3


def _palette(cell: Cell) -> Any:
    from PySide6 import QtGui

    palette = QtGui.QPalette()
    for role in (QtGui.QPalette.ColorRole.Button, QtGui.QPalette.ColorRole.Window, QtGui.QPalette.ColorRole.Base):
        palette.setColor(role, QtGui.QColor(*cell.paper))
    for role in (
        QtGui.QPalette.ColorRole.ButtonText,
        QtGui.QPalette.ColorRole.WindowText,
        QtGui.QPalette.ColorRole.Text,
    ):
        palette.setColor(role, QtGui.QColor(*cell.ink))
    return palette


class PangoPainter:
    """Draws with Pango and cairo, as GTK does."""

    def __init__(self, chance: random.Random) -> None:
        import gi

        gi.require_version("Pango", "1.0")
        gi.require_version("PangoCairo", "1.0")
        self.r = chance

    def draw(self, bands: list[Band], width: int, height: int, path: Path) -> list[list[Any]]:
        import cairo
        from gi.repository import Pango, PangoCairo

        surface = cairo.ImageSurface(cairo.FORMAT_RGB24, width, height)
        context = cairo.Context(surface)
        options = cairo.FontOptions()
        options.set_antialias(self.r.choice((cairo.ANTIALIAS_GRAY, cairo.ANTIALIAS_GRAY, cairo.ANTIALIAS_SUBPIXEL)))
        options.set_hint_style(
            self.r.choice(
                (cairo.HINT_STYLE_NONE, cairo.HINT_STYLE_SLIGHT, cairo.HINT_STYLE_MEDIUM, cairo.HINT_STYLE_FULL)
            )
        )
        options.set_hint_metrics(self.r.choice((cairo.HINT_METRICS_ON, cairo.HINT_METRICS_OFF)))
        words: list[list[Any]] = []
        for band in bands:
            context.set_source_rgb(*(v / 255 for v in band.paper))
            context.rectangle(0, band.top, width, band.height)
            context.fill()
            font = Pango.FontDescription.from_string(f"{band.family}, {'Italic ' if band.italic else ''}")
            font.set_weight(band.weight)
            font.set_absolute_size(band.size * Pango.SCALE)
            for cell in band.cells:
                start = cell.x + self._frame(context, cell, cairo)
                layout = PangoCairo.create_layout(context)
                PangoCairo.context_set_font_options(layout.get_context(), options)
                layout.set_font_description(font)

                def wide(text: str, layout: Any = layout) -> float:
                    layout.set_text(text, -1)
                    return float(layout.get_pixel_size()[0])

                text = _fitting(cell.text, wide, cell.x + cell.width - start - (24 if cell.frame == "combo" else 4))
                if not text:
                    continue
                layout.set_text(text, -1)
                if cell.frame == "button":
                    start += max(0.0, (cell.width - layout.get_pixel_size()[0]) / 2 - 8)
                top = cell.y + (cell.height - layout.get_pixel_size()[1]) / 2
                top = top if self.r.random() < 0.4 else round(top)
                context.set_source_rgb(*(v / 255 for v in cell.ink))
                context.move_to(start, top)
                PangoCairo.show_layout(context, layout)
                for word, before in _words(text):
                    first = layout.index_to_pos(len(text[:before].encode()))
                    last = layout.index_to_pos(len(text[: before + len(word) - 1].encode()))
                    words.append(
                        [
                            word,
                            start + first.x / Pango.SCALE,
                            top,
                            start + (last.x + last.width) / Pango.SCALE,
                            top + first.height / Pango.SCALE,
                            0,
                        ]
                    )
                if band.rules:
                    context.set_source_rgba(0.5, 0.5, 0.5, 0.5)
                    context.rectangle(cell.x - 3, cell.y + cell.height, cell.width + 12, 1)
                    context.fill()
        surface.write_to_png(str(path))
        return words

    def _frame(self, context: Any, cell: Cell, cairo: Any) -> float:
        x, y, w, h = cell.x, cell.y, cell.width, cell.height
        context.set_source_rgb(*(v / 255 for v in cell.ink))
        context.set_line_width(self.r.choice((1, 1, 1.5)))
        if cell.frame in ("button", "field", "combo"):
            shade = self.r.uniform(-0.05, 0.06)
            self._round(context, x + 0.5, y + 0.5, w - 1, h - 1, self.r.choice((0, 3, 5)))
            context.set_source_rgb(*(min(1, max(0, v / 255 + shade)) for v in cell.paper))
            context.fill_preserve()
            context.set_source_rgba(0.5, 0.5, 0.5, 0.8)
            context.stroke()
            if cell.frame == "combo":
                context.set_source_rgb(*(v / 255 for v in cell.ink))
                context.move_to(x + w - 16, y + h / 2 - 2)
                context.line_to(x + w - 12, y + h / 2 + 2)
                context.line_to(x + w - 8, y + h / 2 - 2)
                context.stroke() if self.r.random() < 0.6 else context.fill()
            return 8
        if cell.frame in ("check", "radio"):
            size = min(h - 2, 15)
            middle = y + h / 2
            if cell.frame == "check":
                self._round(context, x + 0.5, middle - size / 2 + 0.5, size - 1, size - 1, 2)
            else:
                context.new_sub_path()
                context.arc(x + size / 2, middle, size / 2 - 0.5, 0, 6.2832)
            on = self.r.random() < 0.5
            context.stroke_preserve()
            context.fill() if on and self.r.random() < 0.5 else context.new_path()
            if on and cell.frame == "check":
                context.set_source_rgb(*(v / 255 for v in (cell.paper if self.r.random() < 0.5 else cell.ink)))
                context.move_to(x + 3, middle)
                context.line_to(x + size / 2 - 1, middle + 3)
                context.line_to(x + size - 3, middle - 4)
                context.stroke()
            return size + self.r.randint(4, 8)
        if cell.frame == "select":
            context.set_source_rgb(*(v / 255 for v in cell.paper))
            context.rectangle(x, y, w, h)
            context.fill()
        return 3

    def _round(self, context: Any, x: float, y: float, w: float, h: float, radius: float) -> None:
        context.new_sub_path()
        for cx, cy, turn in (
            (x + w - radius, y + radius, -1.5708),
            (x + w - radius, y + h - radius, 0),
            (x + radius, y + h - radius, 1.5708),
            (x + radius, y + radius, 3.1416),
        ):
            context.arc(cx, cy, radius, turn, turn + 1.5708)
        context.close_path()


def _fitting(text: str, wide: Any, room: float) -> str:
    while text and wide(text) > room:
        text = text[: max(0, len(text) - max(1, len(text) // 6))].strip()
    return text


def _words(text: str) -> list[tuple[str, int]]:
    found, at = [], 0
    for word in text.replace("\u202f", " ").replace("\u00a0", " ").split(" "):
        if word:
            found.append((word, at))
        at += len(word) + 1
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("toolkit", choices=("qt", "pango"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--held-out", action="store_true", help="the typefaces kept for scoring")
    parser.add_argument("--faces", type=Path, help="also the typefaces of fetch_faces.py there, in every weight")
    arguments = parser.parse_args()
    chance = random.Random(f"{arguments.toolkit}-{arguments.seed}")
    families, weights = (HELD_OUT if arguments.held_out else FAMILIES), WEIGHTS
    if arguments.faces:
        os.environ["FONTCONFIG_FILE"] = str(arguments.faces / "fonts.conf")
        families, weights = faces(arguments.faces), ALL_WEIGHTS
    painter = QtPainter(chance) if arguments.toolkit == "qt" else PangoPainter(chance)
    arguments.out.mkdir(parents=True, exist_ok=True)
    for number in range(arguments.pages):
        width, height = chance.choice(((1600, 1000), (1280, 800), (1920, 1080)))
        name = f"{arguments.toolkit}-{arguments.seed:04d}-{number:03d}"
        words = painter.draw(
            plan(chance, width, height, families, weights),
            width,
            height,
            arguments.out / f"{name}.png",
        )
        (arguments.out / f"{name}.json").write_text(json.dumps(words, ensure_ascii=False), encoding="utf-8")
    print(f"{arguments.pages} pages in {arguments.out}", flush=True)
    os._exit(0)  # PySide6 may abort while Python takes it apart; everything is written


if __name__ == "__main__":
    main()
