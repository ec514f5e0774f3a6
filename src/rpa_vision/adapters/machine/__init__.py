"""What this machine is and has, for `rpa-vision doctor`."""

from rpa_vision.adapters.machine.local_display import display_facts
from rpa_vision.adapters.machine.local_machine import LocalMachine

__all__ = ["LocalMachine", "display_facts"]
