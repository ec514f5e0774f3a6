"""Windows and the person's clipboard on a real desktop."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rpa_vision.adapters.desktop.x11.clipboard import X11Clipboard
from rpa_vision.errors import EnvironmentMissingError, InputNotDeliveredError, UsageError

PROGRAMS = Path(__file__).parent / "programs"


def test_windows_are_listed_the_front_one_first(x11, open_window):
    """L4-7"""
    for title in ("One", "Two", "Three"):
        open_window(title)
    assert [window.title for window in x11.windows.all()] == ["Three", "Two", "One"]


def test_a_window_is_brought_to_the_front(x11, open_window):
    """L4-7"""
    open_window("Facture 12")
    open_window("Facture 13")
    assert x11.windows.activate(title_contains="facture 12").title == "Facture 12"
    assert x11.eyes.active_window().title == "Facture 12"
    assert [window.title for window in x11.windows.all()] == ["Facture 12", "Facture 13"]
    assert x11.windows.activate(app_name="paintedwindow", title_contains="13").title == "Facture 13"


def test_of_several_windows_that_fit_none_is_brought_to_the_front(x11, open_window):
    """L4-7, EX-7: what is typed next could go into the other one"""
    for title in ("Facture 12", "Facture 1", "Facture 13"):
        open_window(title)
    for named in ({"app_name": "PaintedWindow"}, {"title_contains": "facture"}):
        with pytest.raises(InputNotDeliveredError, match=r"several windows fit.*« Facture 13 »"):
            x11.windows.activate(**named)
    assert x11.eyes.active_window().title == "Facture 13"
    assert x11.windows.activate(title_contains="facture 1").title == "Facture 1"


def test_a_minimised_window_is_brought_back(x11, virtual_desktop, open_window, wait):
    open_window("Away")
    assert virtual_desktop.run([sys.executable, PROGRAMS / "minimise.py"]).wait() == 0
    wait.until(lambda: x11.eyes.active_window() is None)
    assert x11.windows.activate(app_name="PaintedWindow").title == "Away"
    assert x11.eyes.active_window().title == "Away"


def test_no_such_window_is_an_answer(x11, open_window):
    open_window("One")
    assert x11.windows.activate(title_contains="Nowhere") is None
    assert x11.windows.activate(app_name="Painted") is None
    with pytest.raises(UsageError):
        x11.windows.activate()


@pytest.mark.parametrize("text", ["Été à 12 € — œuf 𝄞", "", " two\nlines\t", "x" * 500_000])
def test_the_clipboard_gives_back_what_was_put_on_it(x11, text):
    """L4-7"""
    x11.clipboard.write(text)
    assert x11.clipboard.read() == text


def test_a_borrowed_clipboard_is_given_back(x11):
    """L4-7"""
    x11.clipboard.write("the person's own — œ")
    with x11.clipboard.borrowed():
        x11.clipboard.write("ours")
        assert x11.clipboard.read() == "ours"
    assert x11.clipboard.read() == "the person's own — œ"


def test_a_borrowed_clipboard_is_given_back_after_a_failure(x11):
    """L4-7"""
    x11.clipboard.write("precious")

    def fail():
        x11.clipboard.write("ours")
        raise RuntimeError("half way")

    with pytest.raises(RuntimeError), x11.clipboard.borrowed():
        fail()
    assert x11.clipboard.read() == "precious"


def test_a_picture_on_the_clipboard_is_no_text_and_is_given_back(x11, virtual_desktop, wait):
    picture = bytes(range(256)) * 20
    command = ["xclip", "-selection", "clipboard", "-target", "image/png"]
    subprocess.run(command, input=picture, env=virtual_desktop.env, check=True, stdout=subprocess.DEVNULL)
    wait.until(lambda: x11.clipboard.read() is None, what="the picture on the clipboard")
    with x11.clipboard.borrowed():
        x11.clipboard.write("ours")
    back = subprocess.run([*command, "-out"], env=virtual_desktop.env, check=True, capture_output=True).stdout
    assert back == picture
    x11.clipboard.write("")


def test_what_was_written_is_there_at_once(x11):
    """xclip returns before the server knows of it; we do not."""
    for number in range(30):
        x11.clipboard.write(f"text {number}")
        assert x11.clipboard.read() == f"text {number}"


def test_a_missing_xclip_is_named_with_its_package(virtual_desktop, system_clock, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EnvironmentMissingError, match="xclip") as caught:
        X11Clipboard(virtual_desktop.display, system_clock).read()
    assert "apt install xclip" in caught.value.remedy
