"""Every search for a target is told, those of an attempt that was interrupted too."""

from __future__ import annotations

from list_office import ListOffice, click_on, error_node, invoices, run, validating
from run_by_hand import Overseer, Robot, click, edge

from rpa_vision.execution.target_search import RETRIES
from rpa_vision.models.geometry import Box
from rpa_vision.models.workflow_graph import RecoveryAction
from rpa_vision.testing.screens import AnyItem, ScreenBook
from rpa_vision.testing.scripted_desktop import Deed

LOGIN = (420, 430, 560, 460)
EXPIRED: list[AnyItem] = [
    ("heading", "title", "Session expirée", (300, 200, 640, 240)),
    ("label", "data_display", "Veuillez vous reconnecter", (300, 280, 640, 306)),
    ("button", "submit", "Connexion", LOGIN),
]


def test_a_step_that_is_tried_again_after_an_interruption_tells_both_searches() -> None:
    """EX-6, P002-7: in the audit trail, from which the metrics are made"""
    office, interrupted = ListOffice(invoices("10,00")), list[Deed]()
    office.show("error", office.book.draw("error", EXPIRED, title="Clinique").pixels)

    def interrupt(screen: str, deed: Deed) -> str | None:
        at = deed.at or (0, 0)
        if screen == "error":
            return office.show_list() if Box(*LOGIN).contains(at) else None
        if screen == "list" and deed.verb == "click" and not interrupted:
            interrupted.append(deed)
            return "error"
        return None

    office.interrupts = interrupt
    workflow = validating(office=office, more_nodes={"error": "error"})
    way = RecoveryAction(action="demonstrated", steps=(click_on("Connexion"),), return_to_node="list")
    nodes = tuple(error_node(one, recovery_actions=(way,)) if one.node_id == "error" else one for one in workflow.nodes)
    line = tuple(one.model_copy(update={"loop": None}) for one in workflow.edges)
    overseer = Overseer()
    done = run(office, workflow.model_copy(update={"nodes": nodes, "edges": line}), {"numero": "FAC-2026-00001"},
               overseer=overseer)  # fmt: skip
    assert (done.outcome.status, len(done.recoveries)) == ("success", 1), done.outcome.reason
    assert [one.success for one in done.outcome.steps[0].outcome.healing] == [True, True]
    (told,) = [one for one in overseer.told if len(one.attempts) > 1]
    assert [(one.attempt_level, one.success) for one in told.attempts] == [(0, True), (0, True)]


def test_a_step_that_a_person_interrupted_tells_both_searches(book: ScreenBook) -> None:
    """EX-6, P002-7, L4-12: she worked while it was looked for, and it was looked for again"""
    robot, overseer, asked = Robot(book, edges=[edge(click("Introuvable"))]), Overseer(), list[int]()

    def traffic() -> tuple[int, int]:
        asked.append(1)
        return (0 if len(asked) == 1 else 1, 0)

    robot.loop(overseer, traffic=traffic).run({})
    (told,) = overseer.told
    assert [one.attempt_level for one in told.attempts] == [*range(RETRIES + 1)] * 2
