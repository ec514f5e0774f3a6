"""Builds what `rpa-vision doctor` judges: the facts of this machine, asked of everything that would do the work."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from rpa_vision.app import wiring
from rpa_vision.errors import ModelMissingError, RpaVisionError
from rpa_vision.models.machine import LearnedFacts, MachineFacts, ModelFacts


def machine_facts(data: Path | None) -> MachineFacts:
    """What `doctor` wants to know about this machine."""
    from rpa_vision.adapters.machine import LocalMachine, display_facts
    from rpa_vision.app.doctor import ALL_PROGRAMS, EXTENSIONS
    from rpa_vision.app.wiring_plugins import plugin_facts

    machine = LocalMachine()
    kept = machine.data_directory(wiring.data_path(data))
    return MachineFacts(
        platform=sys.platform,
        system=machine.system,
        display=display_facts(sys.platform, os.environ, wiring.desktop, EXTENSIONS),
        programs=machine.installed(ALL_PROGRAMS),
        french_fonts=machine.french_fonts() if sys.platform.startswith("linux") else None,
        models=(_reader_facts(),),
        packages=machine.packages(),
        python=machine.python,
        data=kept,
        cores=machine.cores,
        memory_bytes=machine.free_memory_bytes(),
        now=wiring.clock().now(),
        plugins=plugin_facts(wiring.clock()),
        learned=_learned_facts(data) if kept.state == "ours" and not kept.problem else LearnedFacts(),
    )


def _learned_facts(data: Path | None) -> LearnedFacts:
    """With which eyes the workflows were learned, beside those of the settings."""
    from rpa_vision.app.learned_with import others
    from rpa_vision.app.wiring_reading import perception

    try:
        workflows = wiring.existing_data_directory(data).workflows.list().items
        found = others(workflows, perception()) if workflows else []
    except (RpaVisionError, ImportError) as error:
        return LearnedFacts(problem=f"not checked: {error}")
    return LearnedFacts(
        known=len(workflows) - len(found),
        other=tuple((one.told, one.remedy) for one in found if one.verdict == "other"),
        unknown=tuple(one.workflow.workflow_id for one in found if one.verdict == "unknown"),
    )


def _reader_facts() -> ModelFacts:
    """Load the reader for real: that it is there, whole and usable cannot be told any other way."""
    try:
        return ModelFacts(wiring.text_recognizer().name)
    except (ModelMissingError, ImportError) as error:
        return ModelFacts("reader", problem=str(error))
