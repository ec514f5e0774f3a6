"""Two runs in one process heal independently: each its own levels, its own names, its own proposals."""

from __future__ import annotations

import threading

from office import Office
from renamed_office import renamed, run_once, teach

from rpa_vision.app.wiring_auto_heal import AutoHeal
from rpa_vision.models.execution import RunReport
from rpa_vision.testing.manual_clock import ManualClock


def test_two_runs_at_a_time_heal_independently(office: Office, heal: AutoHeal) -> None:
    """EX-3, EX-6: no shared counter, no shared names"""
    teach(office, heal)
    workflow = office.data.workflows.load("WF_patients")
    words, reports = ("Sauvegarder", "Sauver", "Enregistrer"), dict[str, RunReport]()
    desktops = {word: renamed(office, word) for word in words}
    for desktop in desktops.values():
        desktop.clock = ManualClock()
    together = threading.Barrier(len(words))

    def run(word: str) -> None:
        together.wait()
        reports[word] = run_once(office, heal, desktops[word], workflow)

    threads = [threading.Thread(target=run, args=(word,)) for word in words]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {word: report.status for word, report in reports.items()} == dict.fromkeys(words, "success")
    assert {word: report.steps[1].healing_level for word, report in reports.items()} == {
        "Sauvegarder": 1,
        "Sauver": 1,
        "Enregistrer": 0,
    }
    proposed = {view.proposal.after.aliases: view.proposal.proofs[0].run_id for view in heal.proposals.views().items}
    assert proposed == {(word,): reports[word].run_id for word in words[:2]}
