"""`rpa-vision policy`: the thresholds of the supervisor."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rpa_vision.cli.output import DataOption, JsonOption, note, print_json, table

app = typer.Typer(help="The auto-heal policy: see it, check one, compare, change the mode.")


class Mode(StrEnum):
    """The presets."""

    HYBRID = "hybrid"
    CONSERVATIVE = "conservative"
    AGGRESSIVE = "aggressive"


@app.command("show")
def show(data: DataOption = None, json_output: JsonOption = False) -> None:
    """Show the whole policy in force, and where each key comes from."""
    from rpa_vision.app import policy as use_case
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_auto_heal import auto_heal_if_any

    with auto_heal_if_any(wiring.existing_data_directory(data)) as opened:
        told = use_case.show_policy(opened.policy if opened is not None else None)
    if json_output:
        print_json(told)
        return
    rows = [
        [key, _word(value), "the file" if told["sources"][key] == "file" else f"the preset {told['mode']}"]
        for key, value in told["policy"].items()
    ]
    table(f"The policy in force ({told['digest']})", ["key", "value", "from"], rows)
    rows = [
        [f"{state}: {what}", _word(asked["min_confidence"]), _word(asked["min_margin"])]
        for state, terms in told["effective"].items()
        for what, asked in terms.items()
    ]
    table(
        "What really holds: the robot's own floors, or more where the policy asks", ["", "confidence", "margin"], rows
    )
    typer.echo(f"file: {told['file']}" if told["file"] else "There is no file; `policy set-mode` writes one.")
    if told["problem"]:
        note(f"the file is not in force: {told['problem']}")


@app.command("validate")
def validate(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A policy file; without it, that of the data directory.")
    ] = None,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Check a policy file; a mistake is named with its key. Nothing is put in force."""
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_auto_heal import POLICY_FILE, policy_in

    path = file if file is not None else wiring.existing_data_directory(data).paths.config(POLICY_FILE)
    if file is None and not path.exists():
        if json_output:
            print_json({"valid": True, "file": None, "mode": None, "digest": None})
        else:
            typer.echo(f"There is no policy file at {path}; nothing to check, the preset hybrid holds.")
        return
    policy = policy_in(path)
    if json_output:
        print_json({"valid": True, "file": str(path), "mode": policy.mode, "digest": policy.digest})
    else:
        typer.echo(f"valid: {path}, mode {policy.mode}, digest {policy.digest}")


@app.command("diff")
def diff(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A policy file.")],
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Compare a policy file with the policy in force, and say what it would do to the thresholds."""
    from rpa_vision.app import policy as use_case
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_auto_heal import auto_heal_if_any, policy_in

    store, other = wiring.existing_data_directory(data), policy_in(file)
    with auto_heal_if_any(store) as opened:
        current = use_case.policy_in_force(opened.policy if opened is not None else None)
    told = use_case.diff_policy(current, other)
    if json_output:
        print_json(told)
    else:
        _print_diff(told, str(file))


@app.command("set-mode")
def set_mode(
    mode: Annotated[Mode, typer.Argument(metavar="MODE", help="hybrid, conservative or aggressive.")],
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Change the preset. Keys that stand in the file stay as they are; robots take it over within half a second."""
    from rpa_vision.app import policy as use_case
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_auto_heal import auto_heal, person

    with auto_heal(wiring.existing_data_directory(data), quiet=True) as opened:
        told = use_case.set_mode(opened.policy, mode.value, opened.audit, person())
    if json_output:
        print_json({"mode": mode.value, **told})
        return
    _print_diff(told, f"mode {mode.value}")
    kept = f"; kept: {', '.join(told['kept'])}" if told["kept"] else ""
    typer.echo(f"in force: mode {mode.value}, written to {told['file']}{kept}")


def _print_diff(told: dict[str, Any], name: str) -> None:
    if told["same"]:
        typer.echo(f"{name}: the same as the policy in force")
        return
    rows = [
        [one["key"], _word(one["now"]), _word(one["then"]), "" if one["direction"] == "other" else one["direction"]]
        for one in told["changes"]
    ]
    table(f"What {name} changes", ["key", "now", "then", ""], rows)
    now, then = told["thresholds"]["now"], told["thresholds"]["then"]
    effect = [
        [state, key, _word(now[state][key]), _word(then[state][key])]
        for state in now
        for key in now[state]
        if now[state][key] != then[state][key]
    ]
    if effect:
        table("What a step must reach", ["in", "threshold", "now", "then"], effect)
    else:
        typer.echo("What a step must reach stays the same.")


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else (f"{value:g}" if isinstance(value, float) else str(value))
