"""What a day came to, as one table for people."""

from __future__ import annotations

from rpa_vision.demo.day.bench import DayResult


def table(result: DayResult) -> str:
    """One line per task, and the day as a whole above."""
    found, true, foreign = result.steps
    exactly = not result.foreign_workflows and all(task.workflow_id for task in result.tasks)
    lines = [
        f"day {result.seed}: {result.goes} goes, {result.events} events, {result.noise_share:.0%} noise; "
        f"learned in {result.learn_s:.0f} s",
        f"workflows {result.workflows} of {len(result.tasks)}{'' if exactly else ' (not exactly these)'} | "
        f"boundary F1 {_share(result.boundary_f1)} (±1: {_share(result.near_boundary_f1)}) | "
        f"variables P {result.variable_precision:.2f} R {result.variable_recall:.2f} | "
        f"steps {found}/{true}, {foreign} foreign",
        "",
        f"{'task':9}{'steps':>7}{'foreign':>9}  {'variables':28}{'particular':34}{'completed/halted/wrong':>24}",
    ]
    for task in result.tasks:
        variables = ", ".join(task.variables) or "-"
        if task.extra_variables:
            variables += f" +{len(task.extra_variables)} extra"
        particular = ", ".join(f"{name} {'yes' if ok else 'NO'}" for name, ok in task.particular.items()) or "-"
        verdicts = "/".join(str(result.verdicts(one, task.task)) for one in ("completed", "halted", "wrong"))
        lines.append(
            f"{task.task:9}{task.steps_found:>4}/{task.steps_true:<2}{task.steps_foreign:>9}  {variables:28}"
            f"{particular:34}{verdicts:>24}"
        )
        if task.missing and task.workflow_id is not None:
            lines.append(f"{'':9}missing: {', '.join(task.missing)}")
        if task.extra_variables:
            lines.append(f"{'':9}extra variables: {', '.join(task.extra_variables)}")
    lines += [f"not a task: {name}" for name in result.foreign_workflows]
    lines += [
        f"  {run.verdict:9} {run.task} {run.subject}{' (session ended)' if run.expired else ''}: {run.reason}"
        for run in result.runs
        if run.verdict != "completed"
    ]
    if result.problem:
        lines.append(f"learning failed: {result.problem}")
    return "\n".join(lines)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
