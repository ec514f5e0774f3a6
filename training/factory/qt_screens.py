"""Make screens of Qt windows with their truth, from the widgets' own geometry. Styles: Fusion and style sheets to train on, Windows held out."""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[1]))

from PySide6.QtCore import QBuffer, QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QDateEdit,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QGroupBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMainWindow,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QScrollBar,
    QSlider,
    QSpinBox,
    QSplitter,
    QStyle,
    QStyleFactory,
    QStyleOptionButton,
    QTabBar,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)  # fmt: skip

from factory.screen_files import write_screen
from factory.words import Words

SIZES = ((1920, 1080), (1366, 768), (1280, 800), (1600, 900), (1024, 768))
HELD_OUT = ("windows",)


class QtScreen:
    """One window with chance-made contents."""

    def __init__(self, app: QApplication, layout_seed: int, content_seed: int, kit: str) -> None:
        self.app, self.kit = app, kit
        self.r = random.Random(f"qt-{layout_seed}")
        self.lang = self.r.choice(["fr", "fr", "en"])
        self.w = Words(random.Random(f"qt-content-{content_seed}"), self.lang)
        self.dark = self.r.random() < 0.4
        self.elements: list[dict] = []
        self.texts: list[dict] = []
        self.unsure: list[dict] = []
        self._style()

    def _style(self) -> None:
        r, app = self.r, self.app
        app.setStyleSheet("")
        app.setStyle("Windows" if self.kit == "windows" else "Fusion")
        families = [
            name
            for name in QFontDatabase.families()
            if not any(bad in name for bad in ("Math", "Symbol", "Emoji", "D05", "Z003", "Mono", "Dingbat", "Standard"))
            and QFontDatabase.isScalable(name)
            and "Noto Sans " not in name
            and "Noto Serif " not in name
            and "Noto Naskh" not in name
        ]
        app.setFont(
            QFont(
                r.choice([*families, "DejaVu Sans", "Liberation Sans", "Noto Sans", "Cantarell"]),
                r.choice([8, 9, 9, 10, 10, 11, 12, 14]),
            )
        )
        palette = QPalette()
        accent = QColor.fromHsv(r.randint(0, 359), r.randint(120, 220), r.randint(140, 220))
        if self.dark:
            base = r.randint(20, 60)
            colours = {
                QPalette.Window: base + 12,
                QPalette.Base: base,
                QPalette.AlternateBase: base + 7,
                QPalette.Button: base + 20,
            }
            for role, value in colours.items():
                palette.setColor(role, QColor(value, value, min(255, value + r.choice([0, 0, 3, 10]))))
            for role in (QPalette.Text, QPalette.WindowText, QPalette.ButtonText):
                palette.setColor(role, QColor(225, 225, 225))
        else:
            window = r.choice(
                [
                    QColor(239, 239, 239),
                    QColor(212, 208, 200),
                    QColor(246, 245, 244),
                    QColor(236, 233, 216),
                    QColor(225, 230, 240),
                    QColor(255, 255, 255),
                ]
            )
            palette = QPalette(window)
            palette.setColor(QPalette.Window, window)
            palette.setColor(QPalette.Base, QColor(255, 255, 255))
        palette.setColor(QPalette.Highlight, accent)
        app.setPalette(palette)
        if self.kit == "sheet":
            edge = "#666" if self.dark else r.choice(["#aaa", "#ccc", "#888", accent.name()])
            radius, pad = r.choice([0, 2, 4, 6, 10]), r.choice([2, 4, 6, 9])
            fill = r.choice([accent.name(), "transparent", "#444" if self.dark else "#eee"])
            ink = "white" if fill == accent.name() or self.dark else "#222"
            mark = r.choice([12, 14, 16, 18])
            app.setStyleSheet(
                f"QPushButton{{border:1px solid {edge};border-radius:{radius}px;padding:{pad}px {pad * 2 + 4}px;background:{fill};color:{ink}}}QPushButton:disabled{{color:#999;background:#888}}"
                f"QLineEdit,QSpinBox,QDateEdit,QPlainTextEdit,QComboBox{{border:{r.choice(['1px', '2px'])} solid {edge};border-radius:{radius}px;padding:{max(1, pad - 2)}px;background:{'#2a2a2a' if self.dark else 'white'}}}"
                f"QTabBar::tab{{padding:{pad + 2}px {pad + 8}px;border-bottom:2px solid transparent}}QTabBar::tab:selected{{border-bottom:2px solid {accent.name()}}}"
                f"QToolButton{{border:0;padding:{r.choice([2, 4, 6])}px}}QHeaderView::section{{padding:{pad}px;border:0;border-bottom:1px solid {edge};background:{'#333' if self.dark else '#f3f3f3'}}}"
                f"QCheckBox::indicator{{width:{mark}px;height:{mark}px;border:1px solid {edge};border-radius:2px}}QCheckBox::indicator:checked{{background:{accent.name()}}}"
                f"QRadioButton::indicator{{width:{mark}px;height:{mark}px;border:1px solid {edge};border-radius:{mark // 2}px}}QRadioButton::indicator:checked{{background:{accent.name()}}}"
                f"QListWidget::item,QTreeWidget::item{{padding:{r.choice([1, 3, 6])}px}}QMenuBar::item{{padding:{r.choice([2, 4, 6])}px 9px}}"
            )

    # -- making

    def icon(self):
        names = [name for name in QStyle.StandardPixmap if name.name.startswith("SP_")][:60]
        return self.app.style().standardIcon(self.r.choice(names))

    def build(self) -> QWidget:
        r, w = self.r, self.w
        window = QMainWindow()
        window.resize(*r.choice(SIZES))
        if r.random() < 0.8:
            for _ in range(r.randint(3, 9)):
                window.menuBar().addMenu(w.menu())
        for _ in range(r.randint(0, 2)):
            bar = window.addToolBar("tools")
            side = r.choice([16, 20, 22, 24, 32])
            bar.setIconSize(QSize(side, side))
            bar.setToolButtonStyle(
                r.choice(
                    [
                        Qt.ToolButtonIconOnly,
                        Qt.ToolButtonIconOnly,
                        Qt.ToolButtonTextBesideIcon,
                        Qt.ToolButtonTextUnderIcon,
                    ]
                )
            )
            for _ in range(r.randint(4, 14)):
                pick = r.random()
                if pick < 0.12:
                    bar.addSeparator()
                elif pick < 0.2:
                    box = QComboBox()
                    box.addItems([w.noun()])
                    bar.addWidget(box)
                else:
                    action = bar.addAction(self.icon(), w.action())
                    action.setCheckable(pick > 0.9)
                    action.setChecked(pick > 0.95)
                    action.setEnabled(r.random() > 0.1)
        split = QSplitter()
        for _ in range(r.randint(1, 3)):
            column = QWidget()
            stack = QVBoxLayout(column)
            for _ in range(r.randint(1, 3)):
                stack.addWidget(
                    r.choices([self.form, self.table, self.list_, self.tree, self.tabs], [6, 3, 2, 2, 3])[0]()
                )
            if r.random() < 0.4:
                stack.addStretch()
            split.addWidget(column)
        window.setCentralWidget(split)
        if r.random() < 0.6:
            window.statusBar().showMessage(w.phrase(2, 6))
        return window

    def over(self) -> QWidget | None:
        """What opened over the window, if anything did."""
        pick = self.r.random()
        if pick < 0.15:
            buttons = [
                QDialogButtonBox.Ok | QDialogButtonBox.Cancel,
                QDialogButtonBox.Yes | QDialogButtonBox.No,
                QDialogButtonBox.Save | QDialogButtonBox.Discard | QDialogButtonBox.Cancel,
            ]
            dialog = QDialog()
            rows = QVBoxLayout(dialog)
            rows.addWidget(self.form())
            rows.addWidget(QDialogButtonBox(self.r.choice(buttons)))
            return dialog
        if pick >= 0.3:
            return None
        menu = QMenu()
        for _ in range(self.r.randint(4, 12)):
            menu.addAction(self.icon(), self.w.action()) if self.r.random() < 0.4 else menu.addAction(self.w.action())
            if self.r.random() < 0.15:
                menu.addSeparator()
        return menu

    def form(self) -> QWidget:
        r, w = self.r, self.w
        box: QWidget = QGroupBox(w.noun()) if r.random() < 0.6 else QWidget()
        rows = QFormLayout(box) if r.random() < 0.7 else QVBoxLayout(box)
        for _ in range(r.randint(3, 10)):
            field = self.field()
            rows.addRow(w.label(), field) if isinstance(rows, QFormLayout) else rows.addWidget(field)
        return box

    def field(self) -> QWidget:
        r, w = self.r, self.w
        kind = r.choices(range(12), [9, 5, 2, 4, 3, 4, 2, 2, 1, 2, 2, 1])[0]
        if kind == 0:
            made: QWidget = QLineEdit(w.value() if r.random() < 0.6 else "")
            made.setPlaceholderText(w.phrase(1, 3) if r.random() < 0.4 else "")
        elif kind == 1:
            made = QComboBox()
            made.addItems([w.noun() for _ in range(3)])
            made.setEditable(r.random() < 0.2)
        elif kind == 2:
            made = QSpinBox()
            made.setMaximum(99999)
            made.setValue(r.randint(0, 9999))
        elif kind == 3:
            made = QCheckBox(w.phrase(1, 4))
            made.setChecked(r.random() < 0.5)
        elif kind == 4:
            made = QWidget()
            row = QHBoxLayout(made) if r.random() < 0.5 else QVBoxLayout(made)
            row.setContentsMargins(0, 0, 0, 0)
            chosen = r.randrange(3)
            for index in range(r.randint(2, 3)):
                one = QRadioButton(w.noun())
                one.setChecked(index == chosen)
                row.addWidget(one)
        elif kind == 5:
            made = QWidget()
            row = QHBoxLayout(made)
            row.setContentsMargins(0, 0, 0, 0)
            for _ in range(r.randint(1, 4)):
                button = QPushButton(w.action())
                if r.random() < 0.3:
                    button.setIcon(self.icon())
                button.setFlat(r.random() < 0.1)
                row.addWidget(button)
            if r.random() < 0.5:
                row.addStretch()
        elif kind == 6:
            made = QSlider(Qt.Horizontal)
            made.setValue(r.randint(0, 99))
        elif kind == 7:
            made = QLineEdit("x" * r.randint(6, 12))
            made.setEchoMode(QLineEdit.Password)
        elif kind == 8:
            made = QPlainTextEdit(w.sentence(5, 40))
            made.setMaximumHeight(110)
        elif kind == 9:
            made = QDateEdit()
            made.setCalendarPopup(r.random() < 0.5)
        elif kind == 10:
            made = QLabel(w.sentence(3, 8))
        else:
            made = QProgressBar()
            made.setValue(r.randint(0, 100))
        made.setEnabled(r.random() > 0.08)
        return made

    def table(self) -> QWidget:
        r, w = self.r, self.w
        made = QTableWidget(r.randint(3, 25), r.randint(3, 9))
        made.setAlternatingRowColors(r.random() < 0.4)
        made.setShowGrid(r.random() < 0.7)
        made.verticalHeader().setVisible(r.random() < 0.5)
        made.setHorizontalHeaderLabels([w.noun() for _ in range(made.columnCount())])
        for row in range(made.rowCount()):
            for column in range(made.columnCount()):
                made.setItem(row, column, QTableWidgetItem(w.value()))
        made.resizeColumnsToContents()
        return made

    def list_(self) -> QWidget:
        r, w = self.r, self.w
        made = QListWidget()
        icons = r.random() < 0.5
        for _ in range(r.randint(4, 30)):
            made.addItem(QListWidgetItem(self.icon(), w.phrase(1, 4)) if icons else QListWidgetItem(w.phrase(1, 4)))
        made.setCurrentRow(r.randint(-1, 3))
        return made

    def tree(self) -> QWidget:
        r, w = self.r, self.w
        made = QTreeWidget()
        made.setHeaderLabels([w.noun()])
        made.setHeaderHidden(r.random() < 0.4)
        for _ in range(r.randint(3, 9)):
            top = QTreeWidgetItem([w.menu()])
            top.setIcon(0, self.icon())
            for _ in range(r.randint(0, 5)):
                top.addChild(QTreeWidgetItem([w.noun()]))
            made.addTopLevelItem(top)
        if r.random() < 0.7:
            made.expandAll()
        return made

    def tabs(self) -> QWidget:
        made = QTabWidget()
        for _ in range(self.r.randint(2, 6)):
            made.addTab(self.r.choice([self.form, self.table, self.list_])(), self.w.menu())
        return made

    # -- truth

    def look(self, window: QWidget, shift: QPoint, front: QRect | None = None) -> None:
        """Note every visible widget of a window; what lies below `front` is left out."""
        self.window, self.shift, self.front = window, shift, front
        for widget in [window, *window.findChildren(QWidget)]:
            if widget.isVisible():
                self._note(widget)

    def _rect(self, widget: QWidget, rect: QRect | None = None) -> list[int] | None:
        rect = rect or widget.rect()
        seen = widget.visibleRegion().boundingRect()
        cut = rect.intersected(seen) if not seen.isEmpty() else QRect()
        if cut.width() < 5 or cut.height() < 5 or cut.width() * cut.height() < 0.4 * rect.width() * rect.height():
            return None
        at = widget.mapTo(self.window, cut.topLeft()) + self.shift
        box = QRect(at, cut.size())
        if self.front is not None and self.front.contains(box.center()):
            return None
        self._hidden = self.front is not None and self.front.intersects(box)
        return [box.x(), box.y(), box.x() + box.width(), box.y() + box.height()]

    def _add(
        self, kind: str, widget: QWidget, rect: QRect | None = None, *, words: str = "", checked=None, selected=None
    ) -> None:
        box = self._rect(widget, rect)
        if box:
            self.elements.append(
                {
                    "box": box,
                    "type": kind,
                    "text": words.replace("&", ""),
                    "checked": checked,
                    "selected": selected,
                    "focused": False,
                    "enabled": widget.isEnabled(),
                    "covered": self._hidden,
                }
            )

    def _say(
        self, widget: QWidget, rect: QRect, words: str, middle: bool = False, font_of: QWidget | None = None
    ) -> None:
        words = words.replace("&", "")
        metrics = (font_of or widget).fontMetrics()
        wide, high = metrics.horizontalAdvance(words), metrics.height()
        if not words:
            return
        if wide > rect.width() + 1:
            self._doubt(widget, rect, "cut")
            return
        x = rect.x() + (rect.width() - wide) // 2 if middle else rect.x()
        line = QRect(x, rect.y() + (rect.height() - high) // 2, wide, high)
        box = self._rect(widget, line)
        ink = metrics.tightBoundingRect(words).translated(line.x(), line.y() + metrics.ascent())
        inked = widget.visibleRegion().boundingRect().intersected(ink)
        if not box:
            self._doubt(widget, line, "hidden")
        elif self._overlaid(widget, line):
            self.unsure.append({"box": box, "text": words, "why": "covered"})
        elif box[2] - box[0] < wide - 1 or inked.height() < ink.height() or self._hidden:
            self.unsure.append({"box": box, "text": words, "why": "covered" if self._hidden else "cut"})
        else:
            self.texts.append(
                {
                    "box": box,
                    "text": words,
                    "size_px": round((font_of or widget).fontInfo().pixelSize(), 1),
                    "covered": False,
                }
            )

    def _overlaid(self, widget: QWidget, line: QRect) -> bool:
        """Whether another widget lies over a line: a tab bar's arrows, an unfolded part."""
        for x in range(line.left() + 1, line.right(), max(3, line.height() // 2)):
            over = self.window.childAt(widget.mapTo(self.window, QPoint(x, line.center().y())))
            if over is not None and over is not widget and not over.isAncestorOf(widget):
                return True
        return False

    def _doubt(self, widget: QWidget, rect: QRect | None, why: str) -> None:
        """Note a place where words are drawn that cannot be read whole, or whose place inside is not known."""
        whole = rect or widget.rect()
        seen = whole.intersected(widget.visibleRegion().boundingRect())
        if seen.isEmpty():
            return
        at = widget.mapTo(self.window, seen.topLeft()) + self.shift
        box = QRect(at, seen.size())
        if self.front is None or not self.front.contains(box):
            corner = [box.x(), box.y(), box.x() + box.width(), box.y() + box.height()]
            self.unsure.append({"box": corner, "text": "", "why": why})

    def _note(self, widget: QWidget) -> None:
        style = self.app.style()
        if isinstance(widget, QPushButton):
            self._add("button", widget, words=widget.text())
            if widget.icon().isNull():
                self._say(widget, widget.rect(), widget.text(), True)
            else:
                self._doubt(widget, None, "place")
        elif isinstance(widget, QToolButton):
            if not isinstance(widget.parent(), (QTabBar, QLineEdit)):
                self._add(
                    "button",
                    widget,
                    words=widget.text() if widget.toolButtonStyle() != Qt.ToolButtonIconOnly else "",
                    selected=widget.isChecked() if widget.isCheckable() else None,
                )
        elif isinstance(widget, (QCheckBox, QRadioButton)):
            option = QStyleOptionButton()
            widget.initStyleOption(option)
            box = isinstance(widget, QCheckBox)
            self._add(
                "checkbox" if box else "radio",
                widget,
                style.subElementRect(
                    QStyle.SE_CheckBoxIndicator if box else QStyle.SE_RadioButtonIndicator, option, widget
                ),
                checked=widget.isChecked(),
            )
            self._say(
                widget,
                style.subElementRect(
                    QStyle.SE_CheckBoxContents if box else QStyle.SE_RadioButtonContents, option, widget
                ),
                widget.text(),
            )
        elif isinstance(widget, QComboBox):
            self._add("dropdown", widget, words=widget.currentText())
            self._doubt(widget, None, "place")
        elif isinstance(widget, QAbstractSpinBox):
            self._add("text_input", widget, words=widget.text())
            self._doubt(widget, None, "place")
        elif isinstance(widget, QLineEdit):
            if not isinstance(widget.parent(), (QAbstractSpinBox, QComboBox)):
                secret = widget.echoMode() == QLineEdit.Password
                self._add(
                    "password_input" if secret else "text_input",
                    widget,
                    words="" if secret else widget.text() or widget.placeholderText(),
                )
                if not secret:
                    inner = widget.cursorRect()
                    self._say(
                        widget,
                        QRect(inner.x() if not widget.text() else 6, 0, widget.width() - 12, widget.height()),
                        widget.text(),
                    )
        elif isinstance(widget, QPlainTextEdit):
            self._add("textarea", widget, words=widget.toPlainText())
            self._doubt(widget, None, "place")
        elif isinstance(widget, QSlider):
            self._add("slider", widget)
        elif isinstance(widget, QScrollBar):
            if widget.maximum() > widget.minimum():
                self._add("scrollbar", widget)
        elif isinstance(widget, QLabel):
            self._say(widget, widget.contentsRect(), widget.text())
        elif isinstance(widget, QTabBar):
            for index in range(widget.count()):
                self._add(
                    "tab",
                    widget,
                    widget.tabRect(index),
                    words=widget.tabText(index),
                    selected=index == widget.currentIndex(),
                )
                self._say(widget, widget.tabRect(index), widget.tabText(index), True)
        elif isinstance(widget, QMenuBar):
            for action in widget.actions():
                self._add("menu_item", widget, widget.actionGeometry(action), words=action.text(), selected=False)
                self._say(widget, widget.actionGeometry(action), action.text(), True)
        elif isinstance(widget, QMenu):
            for action in widget.actions():
                if not action.isSeparator():
                    self._add("menu_item", widget, widget.actionGeometry(action), words=action.text(), selected=False)
                    self._doubt(widget, widget.actionGeometry(action), "place")
        elif isinstance(widget, QTableWidget):
            self._add("table", widget)
            for row in range(widget.rowCount()):
                for column in range(widget.columnCount()):
                    rect = widget.visualRect(widget.model().index(row, column))
                    self._add("cell", widget.viewport(), rect, words=widget.item(row, column).text())
                    self._say(
                        widget.viewport(), rect.adjusted(4, 0, -3, 0), widget.item(row, column).text(), font_of=widget
                    )
        elif isinstance(widget, QHeaderView):
            for index in range(widget.count()):
                words = str(widget.model().headerData(index, widget.orientation()) or "")
                at = widget.sectionViewportPosition(index)
                rect = (
                    QRect(at, 0, widget.sectionSize(index), widget.height())
                    if widget.orientation() == Qt.Horizontal
                    else QRect(0, at, widget.width(), widget.sectionSize(index))
                )
                if isinstance(widget.parent(), QTableWidget):
                    self._say(widget.viewport(), rect, words, True)
        elif isinstance(widget, (QListWidget, QTreeWidget)):
            view, y = widget.viewport(), 0
            while y < view.height():
                index = widget.indexAt(QPoint(view.width() // 2, y + 2))
                rect = widget.visualRect(index)
                if not index.isValid() or rect.height() < 4:
                    break
                self._add(
                    "list_item", view, rect, words=str(index.data()), selected=widget.selectionModel().isSelected(index)
                )
                self._doubt(view, rect, "place")
                y = rect.bottom() + 1


def main(make: type[QtScreen] = QtScreen) -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--count", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--split", choices=("train", "held_out"), default="train")
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    app = QApplication([])
    assert "Fusion" in QStyleFactory.keys()  # noqa: SIM118 — it is no mapping
    start = time.monotonic()
    for index in range(given.count):
        seed = given.seed * 1_000_000 + index
        if list(given.out.glob(f"qt-*-{seed}.json")):
            continue
        kit = "windows" if given.split == "held_out" else random.Random(seed).choice(["fusion", "fusion", "sheet"])
        screen = make(app, seed, seed * 100, kit)
        window = screen.build()
        window.show()
        app.processEvents()
        app.processEvents()
        over = screen.over()
        picture = window.grab()
        if over is not None:
            over.show()
            over.adjustSize()
            app.processEvents()
            at = QPoint(
                screen.r.randint(20, max(21, window.width() - over.width() - 20)),
                screen.r.randint(30, max(31, window.height() - over.height() - 20)),
            )
            front = QRect(at, over.size())
            screen.look(window, QPoint(0, 0), front)
            painter = QPainter(picture)
            painter.drawPixmap(at, over.grab())
            painter.drawRect(front)
            painter.end()
            screen.look(over, at)
            if isinstance(over, QDialog):
                screen.elements.append(
                    {
                        "box": [front.x(), front.y(), front.x() + front.width(), front.y() + front.height()],
                        "type": "dialog",
                        "text": "",
                        "checked": None,
                        "selected": None,
                        "focused": False,
                        "enabled": None,
                        "covered": False,
                    }
                )
            over.close()
        else:
            screen.look(window, QPoint(0, 0))
        buffer = QBuffer()
        buffer.open(QBuffer.OpenModeFlag.WriteOnly)
        picture.save(buffer, "PNG")
        about = {
            "toolkit": "qt",
            "kit": f"qt-{kit}",
            "split": given.split,
            "width": window.width(),
            "height": window.height(),
            "lang": screen.lang,
            "theme": "dark" if screen.dark else "light",
            "zoom": 1.0,
            "kind": "mixed",
            "layout_seed": seed,
            "content_seed": seed * 100,
            "family": f"qt-{seed}",
            "variation": 0,
        }
        write_screen(
            given.out,
            f"qt-{kit}-{seed}",
            bytes(buffer.data().data()),
            about,
            screen.elements,
            screen.texts,
            screen.unsure,
        )
        window.close()
        window.deleteLater()
        if over is not None:
            over.deleteLater()
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        app.processEvents()
    print(f"{given.count} screens in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
