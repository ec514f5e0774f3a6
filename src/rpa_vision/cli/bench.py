"""`rpa-vision bench`: how well and how fast it sees, on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rpa_vision.cli.bench_day import day
from rpa_vision.cli.bench_episodes import episodes
from rpa_vision.cli.bench_serve import serve
from rpa_vision.cli.output import EXIT_FAILED, EXIT_OK, JsonOption, progress, tell

app = typer.Typer(help="Measure, on this machine, with spread.", no_args_is_help=True, rich_markup_mode=None)
app.command("day")(day)
app.command("serve")(serve)
app.command("episodes")(episodes)


@app.callback()
def _bench() -> None:
    """Measure, on this machine, with spread."""


@app.command("perception")
def perception(
    screens: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Screens with truth, drawn by training/factory: scores elements and text."),
    ] = None,
    families: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Families of screens of training/encoder: scores encoder and signatures."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Few rounds and few screens: minutes instead of an hour.")
    ] = False,
    json_output: JsonOption = False,
) -> None:
    """Score what is seen and read, and how long it takes, beside peers."""
    from rpa_vision.testing.perception_bench import BenchPlan, lines, measure

    with progress("measuring") as shown:
        report = measure(BenchPlan(screens, families, quick), shown.say)
    tell(report, lines(report), json_output=json_output)


@app.command("drift")
def drift(
    application: Annotated[
        str, typer.Option("--app", metavar="APP", help="clinic; mousepad or gnumeric: programs that are not ours.")
    ] = "clinic",
    folder: Annotated[
        Path, typer.Option(metavar="DIR", help="Where the campaign is kept; it goes on where it stopped.")
    ] = Path("drift-campaign"),
    seed: Annotated[int, typer.Option(metavar="N", help="Data of the clinic, person and choice of invoices.")] = 7,
    seeds: Annotated[int, typer.Option(metavar="N", min=1, help="So many seeds, counted from --seed.")] = 1,
    only: Annotated[
        list[str] | None, typer.Option(metavar="DRIFT", help="Only this drift or group of drifts; repeatable.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A few drifts of each group.")] = False,
    minutes: Annotated[
        float | None, typer.Option(metavar="M", min=0, help="Begin no run after so long; call again to go on.")
    ] = None,
    json_output: JsonOption = False,
) -> None:
    """Run the demo workflow after every way in which the clinic can change; its own data says what was done."""
    from rpa_vision.demo.drift.campaign import OpenOffice, Plan, run_campaign
    from rpa_vision.demo.drift.notes import open_notes, open_sheets
    from rpa_vision.demo.drift.office import open_office
    from rpa_vision.demo.drift.overhead import healing_overhead_us
    from rpa_vision.demo.drift.points import chosen
    from rpa_vision.demo.drift.table import lines, summary
    from rpa_vision.errors import UsageError

    offices: dict[str, OpenOffice] = {"clinic": open_office, "mousepad": open_notes, "gnumeric": open_sheets}
    if application not in offices:
        raise UsageError(f"there is no application '{application}'", remedy=f"Known: {', '.join(offices)}.")
    points = chosen(only or (), quick=quick, app=application)
    with progress(f"opening {application}") as shown:
        plan = Plan(offices[application], points, range(seed, seed + seeds), minutes)
        runs = run_campaign(folder, plan, shown.say, shown.done)
    overhead = healing_overhead_us()
    tell(summary(runs, overhead), lines(runs, overhead), json_output=json_output)
    raise typer.Exit(EXIT_FAILED if any(run.verdict == "wrong" for run in runs) else EXIT_OK)


@app.command("stop")
def stop(
    trials: Annotated[int, typer.Option(metavar="N", min=1, max=10000, help="How often, each way.")] = 100,
    json_output: JsonOption = False,
) -> None:
    """How fast the stop key and another person's mouse tie the robot's hands, on a desktop of its own."""
    from rpa_vision.testing.stop_bench import lines, measure

    with progress("measuring") as shown:
        report = measure(trials, shown.say)
    tell(report, lines(report), json_output=json_output)


@app.command("overlay")
def overlay(
    trials: Annotated[int, typer.Option(metavar="N", min=1, max=10000, help="How often, each way.")] = 100,
    json_output: JsonOption = False,
) -> None:
    """How fast highlight and bubble are gone when the person acts, on a desktop of its own."""
    from rpa_vision.testing.overlay_bench import lines, measure

    with progress("measuring") as shown:
        report = measure(trials, shown.say)
    tell(report, lines(report), json_output=json_output)


@app.command("observe")
def observe(
    folder: Annotated[
        Path, typer.Option(metavar="DIR", help="Where the day that is learned from is kept; made if it is not there.")
    ] = Path("observed-day"),
    seed: Annotated[int, typer.Option(metavar="N", help="Which days: other data, order and noise.")] = 21,
    speed: Annotated[float, typer.Option(metavar="X", min=0.2, max=4.0, help="2 works twice as fast.")] = 1.0,
    quick: Annotated[bool, typer.Option("--quick", help="Four goes instead of thirteen.")] = False,
    json_output: JsonOption = False,
) -> None:
    """Watch a scripted day with two known workflows and other work: what is recognised, how soon, at what cost."""
    from rpa_vision.demo.day.watched import lines, quick_size, watched_day

    with progress("opening the office") as shown:
        report = watched_day(
            folder, seed=seed, size=quick_size(quick=quick), speed=speed, idle_s=10.0 if quick else 30.0, say=shown.say
        )
    tell(report, lines(report), json_output=json_output)


@app.command("promotion")
def promotion(
    workflows: Annotated[int, typer.Option(metavar="N", min=10, max=100000, help="So many of each kind.")] = 1000,
    runs: Annotated[int, typer.Option(metavar="N", min=35, max=10000, help="So many runs of each.")] = 200,
    seed: Annotated[int, typer.Option(metavar="N", help="Which luck.")] = 7,
    json_output: JsonOption = False,
) -> None:
    """Simulate how often workflows of a known success rate come to run alone, and how soon broken ones go back."""
    from rpa_vision.testing.promotion_bench import lines, measure

    with progress("simulating"):
        report = measure(workflows, runs, seed)
    tell(report, lines(report), json_output=json_output)


@app.command("relocate")
def relocate(
    pairs: Annotated[
        Path, typer.Argument(metavar="DIR", help="Pairs, as benchmarks/relocate/render_pairs.py makes them.")
    ],
    limit: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the first N pairs.")] = None,
    only_read: Annotated[
        bool, typer.Option("--only-read", help="Leave out pairs whose screens nobody has read yet: seconds.")
    ] = False,
    no_rivals: Annotated[bool, typer.Option("--no-rivals", help="Ask only RPA Vision.")] = False,
    answers: Annotated[
        list[str] | None, typer.Option(metavar="NAME=FILE", help="Points another tool has given, as lines of JSON.")
    ] = None,
    json_output: JsonOption = False,
) -> None:
    """Find targets again on rendered pairs of screens, beside simpler tools."""
    from rpa_vision.testing.relocate_bench import RelocatePlan, lines, measure

    with progress("asking about every pair"):
        told = measure(RelocatePlan(pairs, limit, only_read, not no_rivals, tuple(answers or ())))
    tell(told, lines(told), json_output=json_output)
