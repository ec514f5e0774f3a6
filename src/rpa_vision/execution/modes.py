"""Mode × maturity: what each mode may do with a workflow of each level. One table, nothing else decides."""

from __future__ import annotations

from rpa_vision.models.execution import RunMode
from rpa_vision.models.workflow_standing import AUTO_CONFIRMED, LearningStateName, PolicyCell

_OBSERVE_ONLY = PolicyCell(allowed_actions=("observe", "log"), user_interaction="none")

MATRIX: dict[tuple[RunMode, LearningStateName], PolicyCell] = {
    ("shadow", "OBSERVATION"): _OBSERVE_ONLY,
    ("shadow", "COACHING"): _OBSERVE_ONLY,
    ("shadow", "AUTO_CANDIDATE"): _OBSERVE_ONLY,
    ("shadow", AUTO_CONFIRMED): _OBSERVE_ONLY,
    ("assist", "OBSERVATION"): PolicyCell(
        allowed_actions=("observe", "suggest_weak"), user_interaction="passive_notification"
    ),
    ("assist", "COACHING"): PolicyCell(
        allowed_actions=("observe", "suggest_strong", "highlight_ui"), user_interaction="active_guidance"
    ),
    ("assist", "AUTO_CANDIDATE"): PolicyCell(
        allowed_actions=("observe", "suggest_strong", "propose_auto"), user_interaction="confirmation_dialog"
    ),
    ("assist", AUTO_CONFIRMED): PolicyCell(
        allowed_actions=("observe", "suggest_strong", "auto_execute"), user_interaction="notification_only"
    ),
    ("auto", "OBSERVATION"): PolicyCell(
        allowed_actions=("observe",), user_interaction="notification", reason="insufficient_maturity"
    ),
    ("auto", "COACHING"): PolicyCell(
        allowed_actions=("observe",), user_interaction="notification", reason="insufficient_maturity"
    ),
    ("auto", "AUTO_CANDIDATE"): PolicyCell(
        allowed_actions=("observe", "auto_execute_supervised"),
        user_interaction="step_by_step_confirmation",
        pause_on_anomaly=True,
    ),
    ("auto", AUTO_CONFIRMED): PolicyCell(
        allowed_actions=("observe", "auto_execute"),
        user_interaction="notification_only",
        pause_on_anomaly=True,
        rollback_on_error=True,
    ),
}


def cell(mode: RunMode, state: LearningStateName) -> PolicyCell:
    """What is allowed."""
    return MATRIX[(mode, state)]
