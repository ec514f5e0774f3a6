"""Make screens of Qt windows as programs have them: tools without frames, documents on tabs, an editor's page, menus
with icons and keys, options on tabs. `qt_screens.py` draws and tells the truth."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

# Qt comes with `qt_screens`, which chooses its platform first.
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QPlainTextEdit,
    QSplitter,
    QTabBar,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)  # fmt: skip

from factory.qt_screens import SIZES, QtScreen, main

ICONS = Path("/usr/share/icons")
DRAWN = {
    "light": ("breeze/actions/22", "breeze/actions/16", "Papirus/22x22/actions", "Tango/scalable/actions", "Tango/22x22/actions"),
    "dark": ("breeze-dark/actions/22", "Papirus-Dark/22x22/actions", "Tango/22x22/actions"),
}  # fmt: skip
KNOWN = (
    "document",
    "edit",
    "view",
    "go",
    "format",
    "zoom",
    "list",
    "media",
    "mail",
    "process",
    "tab",
    "window",
    "system",
)
"""What the names of tools begin with."""


@cache
def tools(folder: str) -> list[str]:
    """The pictures of tools in a folder of an icon theme."""
    return sorted(str(path) for path in (ICONS / folder).glob("*.*") if path.stem.split("-")[0] in KNOWN)


class QtProgram(QtScreen):
    """One window of a program that might be."""

    def icon(self) -> QIcon:
        if not hasattr(self, "_icons"):
            folders = [folder for folder in DRAWN["dark" if self.dark else "light"] if tools(folder)]
            self._icons = tools(self.r.choice(folders)) if folders else []
        return QIcon(self.r.choice(self._icons)) if self._icons else super().icon()

    def build(self) -> QWidget:
        r, w = self.r, self.w
        window = QMainWindow()
        window.resize(*r.choice([*SIZES, (800, 600), (640, 480)]))
        if r.random() < 0.9:
            for _ in range(r.randint(3, 9)):
                window.menuBar().addMenu(w.menu())
        for _ in range(r.choice([0, 1, 1, 1, 2])):
            bar = window.addToolBar("tools")
            bar.setMovable(r.random() < 0.4)
            side = r.choice([16, 16, 22, 22, 24, 32])
            bar.setIconSize(QSize(side, side))
            for _ in range(r.randint(4, 16)):
                if r.random() < 0.18:
                    bar.addSeparator()
                    continue
                action = bar.addAction(self.icon(), w.action())
                action.setEnabled(r.random() > 0.2)
                action.setCheckable(r.random() < 0.15)
                action.setChecked(r.random() < 0.5)
        page = QWidget()
        rows = QVBoxLayout(page)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(r.choice([0, 2, 4]))
        rows.addWidget(self._documents(), 1)
        for _ in range(r.choice([0, 0, 1, 1, 2])):
            rows.addWidget(self._search())
        window.setCentralWidget(page)
        if r.random() < 0.7:
            window.statusBar().showMessage(w.phrase(2, 6))
            if r.random() < 0.5:
                window.statusBar().addPermanentWidget(self._tool())
        return window

    def over(self) -> QWidget | None:
        pick = self.r.random()
        if pick < 0.3:
            return self._options()
        return self._menu() if pick < 0.65 else None

    def _documents(self) -> QWidget:
        r, w = self.r, self.w
        made: QWidget = self._editor()
        if r.random() < 0.65:
            tabs = QTabWidget()
            tabs.setDocumentMode(r.random() < 0.6)
            tabs.setTabsClosable(r.random() < 0.7)
            for _ in range(r.choice([1, 1, 2, 3, 5])):
                words = f"{w.noun()}.{r.choice(['txt', 'csv', 'py', 'md'])}" if r.random() < 0.6 else w.phrase(1, 3)
                tabs.addTab(self._editor(), words)
            made = tabs
        if r.random() < 0.35:
            split = QSplitter()
            split.addWidget(r.choice([self.list_, self.tree])())
            split.addWidget(made)
            split.setSizes([r.randint(120, 280), 900])
            made = split
        return made

    def _editor(self) -> QWidget:
        r, w = self.r, self.w
        pick = r.random()
        if pick < 0.25:
            return r.choice([self.table, self.list_, self.form])()
        lines = [
            w.sentence(3, 12) if pick < 0.6 else " ".join(w.value() for _ in range(4)) for _ in range(r.randint(0, 45))
        ]
        made = QPlainTextEdit("\n".join(lines))
        if r.random() < 0.5:
            made.setFrameShape(QPlainTextEdit.NoFrame)
        if r.random() < 0.5:
            font = made.font()
            font.setFamily(r.choice(["DejaVu Sans Mono", "Liberation Mono", "Noto Sans Mono"]))
            made.setFont(font)
        return made

    def _tool(self) -> QToolButton:
        made = QToolButton()
        made.setIcon(self.icon())
        made.setAutoRaise(self.r.random() < 0.8)
        made.setCheckable(self.r.random() < 0.3)
        return made

    def _search(self) -> QWidget:
        r, w = self.r, self.w
        row = QWidget()
        parts = QHBoxLayout(row)
        parts.setContentsMargins(3, 1, 3, 1)
        if r.random() < 0.6:
            parts.addWidget(QLabel(w.label()))
        field: QWidget = QLineEdit(w.noun() if r.random() < 0.4 else "")
        field.setPlaceholderText(w.phrase(1, 2))
        if r.random() < 0.3:
            field = QComboBox()
            field.setEditable(True)
            field.addItem(w.noun())
        parts.addWidget(field, 1)
        for _ in range(r.randint(1, 5)):
            parts.addWidget(self._tool())
        return row

    def _menu(self) -> QMenu:
        r, w = self.r, self.w
        made, icons, keys = QMenu(), r.random() < 0.5, r.random() < 0.7
        for _ in range(r.randint(4, 16)):
            action = made.addAction(w.action() + ("…" if r.random() < 0.2 else ""))
            if icons and r.random() < 0.8:
                action.setIcon(self.icon())
            if keys and r.random() < 0.6:
                action.setShortcut(QKeySequence(r.choice(["Ctrl+", "Ctrl+Shift+", "Alt+"]) + r.choice("ABCDNOPQSVWXZ")))
                action.setShortcutVisibleInContextMenu(True)
            if r.random() < 0.12:
                action.setCheckable(True)
                action.setChecked(r.random() < 0.6)
            elif r.random() < 0.12:
                action.setMenu(QMenu(made))
                action.menu().addAction(w.noun())
            action.setEnabled(r.random() > 0.15)
            if r.random() < 0.2:
                made.addSeparator()
        return made

    def _options(self) -> QDialog:
        r, w = self.r, self.w
        dialog = QDialog()
        rows = QVBoxLayout(dialog)
        tabs = QTabWidget()
        for _ in range(r.randint(2, 6)):
            page = QWidget()
            parts = QFormLayout(page)
            for _ in range(r.randint(3, 14)):
                if r.random() < 0.6:
                    mark = QCheckBox(w.phrase(2, 6))
                    mark.setChecked(r.random() < 0.5)
                    mark.setEnabled(r.random() > 0.1)
                    parts.addRow(mark)
                else:
                    parts.addRow(w.label(), self.field())
            tabs.addTab(page, w.menu())
        rows.addWidget(tabs)
        choices = [QDialogButtonBox.Ok | QDialogButtonBox.Cancel, QDialogButtonBox.Close | QDialogButtonBox.Help]
        rows.addWidget(QDialogButtonBox(r.choice(choices)))
        return dialog

    def _note(self, widget: QWidget) -> None:
        super()._note(widget)
        if isinstance(widget, QAbstractButton) and isinstance(widget.parent(), QTabBar):
            before = len(self.elements)
            self._add("button", widget)  # the cross of a tab: a thing of its own, or the tab's
            for item in self.elements[before:]:
                item["covered"] = True


if __name__ == "__main__":
    main(QtProgram)
