"""The clinic as a server: on loopback, ready when it says so, and gone when told."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from urllib.request import urlopen

import pytest

from rpa_vision.demo.clinic.drift import Drift
from rpa_vision.demo.clinic.serve import ClinicServer, PortTakenError


def test_server_answers_as_soon_as_it_is_started() -> None:
    """No polling is needed, and drift can be changed while it runs."""
    with ClinicServer(seed=3, drift=Drift(theme="dark")) as server:
        assert server.url.startswith("http://127.0.0.1:")
        assert server.truth()["drift"]["theme"] == "dark"
        assert server.change_drift(theme="light")["theme"] == "light"


def test_port_in_use_is_said() -> None:
    """The error names the port and what to do."""
    with ClinicServer() as server:
        port = int(server.url.rsplit(":", 1)[1])
        with pytest.raises(PortTakenError, match=str(port)):
            ClinicServer(port=port)


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_process_prints_its_address_and_ends_cleanly(end: signal.Signals) -> None:
    """One JSON line when ready; exit 0 on SIGTERM and SIGINT."""
    command = [sys.executable, "-m", "rpa_vision.demo.clinic", "--seed", "3", "--drift", "theme=dark", "zoom=150"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = json.loads(process.stdout.readline())["url"]
        with urlopen(url + "/truth", timeout=5) as answer:
            assert json.load(answer)["drift"]["zoom"] == 150
        process.send_signal(end)
        _, complaints = process.communicate(timeout=10)
        assert process.returncode == 0
        assert complaints == ""


def test_process_refuses_a_wrong_switch() -> None:
    """Exit 2, a line of cause and a line of remedy."""
    command = [sys.executable, "-m", "rpa_vision.demo.clinic", "--drift", "zoom=999"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    assert ended.returncode == 2
    assert "between 80 and 200" in ended.stderr
    assert len(ended.stderr.splitlines()) == 2
