"""`rpa-vision observe`: watch a person work, recognise what we know, and guide her if she likes."""

from __future__ import annotations

import signal
import threading
from contextlib import ExitStack
from typing import Annotated

import typer

from rpa_vision.cli.output import DataOption, JsonOption, note, print_json


def observe(
    guide: Annotated[
        bool, typer.Option("--guide", help="Show the next step on the screen, as far as the workflow has earned it.")
    ] = False,
    deny: Annotated[
        list[str] | None,
        typer.Option(metavar="WORD", help="Do not look at windows whose title or application holds it; repeatable."),
    ] = None,
    episode_gap: Annotated[
        float, typer.Option("--episode-gap", metavar="S", min=1.0, help="A pause that long ends a piece of work.")
    ] = 30.0,
    stop_after: Annotated[
        float | None, typer.Option("--stop-after", metavar="S", min=0.1, help="Stop by itself after S seconds.")
    ] = None,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Watch, recognise known workflows, count what was seen. Never acts unless asked to. Stop with Ctrl-C."""
    from rpa_vision.app import wiring, wiring_guidance
    from rpa_vision.app.deny_list import denied_words
    from rpa_vision.app.observe import Observer, ObserveSettings
    from rpa_vision.app.wiring_auto_heal import auto_heal
    from rpa_vision.capture.discretion import USUALLY_DENIED
    from rpa_vision.models.guidance import GuidanceEvent

    store = wiring.existing_data_directory(data)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    screen = wiring.desktop()

    def tell(event: GuidanceEvent) -> None:
        to_office(event)
        if json_output:
            print_json({name: value for name, value in event.to_json().items() if value is not None})
        elif event.kind != "step_seen":
            typer.echo(words_of(event))

    with ExitStack() as stack:
        stack.callback(screen.close)
        to_office = stack.enter_context(wiring_guidance.told_to_office(store))
        heal = stack.enter_context(auto_heal(store, quiet=True))
        watcher = wiring_guidance.observer_of_most(store)
        matchers, left_out = wiring_guidance.known_workflows(store, watcher)
        for workflow_id, why in left_out.items():
            note(f"{workflow_id} is not followed: {why}")
        tools = wiring_guidance.observe_tools(store, screen, watcher, matchers, heal)
        workflows = [store.workflows.load(workflow_id) for workflow_id in matchers]
        denied = (*USUALLY_DENIED, *denied_words(store), *(deny or ()))
        settings = ObserveSettings(denied=denied, episode_gap_s=episode_gap)
        seer = Observer(workflows, tools, tell, settings=settings)
        panes = wiring_guidance.overlay(screen) if guide else None
        if panes is not None:
            stack.callback(panes.close)
            guiding = wiring_guidance.guide(store, screen, watcher, heal, panes, tell, seer.helped)
            seer.heed(guiding.on_sighting, guiding.is_ours)
            stack.enter_context(guiding)
            stack.enter_context(screen.ears.listen(guiding.hear))
        timer = threading.Timer(stop_after, stop.set) if stop_after is not None else None

        def ready() -> None:
            count = len(workflows)
            note(f"observing; {count} workflow{'' if count == 1 else 's'} known; stop with Ctrl-C or Ctrl+Alt+End")
            if timer is not None:
                timer.daemon = True
                timer.start()

        try:
            seer.run(stop, ready)
        finally:
            if timer is not None:
                timer.cancel()


def words_of(event: object) -> str:
    """An event as a person reads it."""
    from rpa_vision.models.guidance import GuidanceEvent

    assert isinstance(event, GuidanceEvent)
    alike = f", {event.similarity:.0%} as learned" if event.similarity is not None else ""
    answer = f" ({event.answer})" if event.answer is not None else ""
    return f"{event.at:%H:%M:%S} {event.kind.replace('_', ' ')}: {event.text}{alike}{answer}"
