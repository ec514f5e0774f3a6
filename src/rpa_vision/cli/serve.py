"""`rpa-vision serve` and `rpa-vision work`: the dashboard and the API, and the workers that do queued runs."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from rpa_vision.cli.output import DataOption, JsonOption, note, print_json

PORT = 5001


def serve(
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Where to listen; only this machine unless told otherwise.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="Port; 0 for any that is free.")
    ] = PORT,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="A name browsers reach this server by; may be repeated."),
    ] = None,
    display: Annotated[
        list[str] | None,
        typer.Option("--display", metavar="NAME", help="Do queued runs there; may be repeated (default: $DISPLAY)."),
    ] = None,
    workers: Annotated[
        bool, typer.Option("--workers/--no-workers", help="Whether this server starts the workers of its displays.")
    ] = True,
    certificate: Annotated[
        Path | None, typer.Option("--certificate", metavar="FILE", help="TLS certificate (PEM); needs --key.")
    ] = None,
    key: Annotated[Path | None, typer.Option("--key", metavar="FILE", help="TLS key (PEM).")] = None,
    link: Annotated[
        str | None,
        typer.Option("--link", metavar="ACCOUNT", help="Only print a new one-time link for an account, and leave."),
    ] = None,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Serve the dashboard and the API. The first start prints a link that lets the administrator in once."""
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_office import open_office, own_displays, worker_processes, yield_to_robots
    from rpa_vision.errors import UsageError
    from rpa_vision.server.running import Address, listening_socket, run_server

    if (certificate is None) != (key is None):
        raise UsageError("TLS needs --certificate and --key", remedy="Give both, or neither.")
    address = Address(host, port, tuple(allow_host or ()), certificate, key)
    store = wiring.data_directory(data)
    store.claim()
    displays = tuple(display or ()) or own_displays()
    with open_office(store, displays) as office:
        if link is not None:
            url = address.link(office.accounts.link_for(link, who="command line"))
            print_json({"link": url}) if json_output else typer.echo(url)
            return
        socket = listening_socket(address)
        bound = address.bound(socket)
        code = office.accounts.first_link()
        if json_output:
            print_json({"url": bound.url, "link": bound.link(code) if code else None, "displays": list(displays)})
        else:
            typer.echo(f"RPA Vision is served at {bound.url}")
            if code:
                typer.echo(f"Open this link once, within the hour, to come in as admin:\n  {bound.link(code)}")
            if not displays:
                note("no display: runs wait until `rpa-vision work --display NAME` is started where the desktop is")
        sys.stdout.flush()
        started = worker_processes(wiring.data_path(data).absolute(), displays) if workers and displays else None
        if started is not None:
            started.start()
        yield_to_robots()
        try:
            run_server(office, bound, socket)
        finally:
            if started is not None:
                started.close()


def work(
    display: Annotated[
        str | None, typer.Option("--display", metavar="NAME", help="The display to work on (default: $DISPLAY).")
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Leave when nothing is left to be done.")] = False,
    attached: Annotated[
        bool, typer.Option("--attached", help="Leave when standard input closes, as it does when the server ends.")
    ] = False,
    release: Annotated[
        bool, typer.Option("--release", help="Only let the queue go on where a person stopped the robot, and leave.")
    ] = False,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Do queued runs on a display, one at a time; those of a file, a schedule or the dashboard."""
    from rpa_vision.app import wiring
    from rpa_vision.app.held_displays import release as release_display
    from rpa_vision.app.queue_worker import QueueWorker
    from rpa_vision.app.stop_ears import StopEars
    from rpa_vision.app.wiring_auto_heal import audit_log, auto_heal, person
    from rpa_vision.app.wiring_guidance import attention_settings
    from rpa_vision.app.wiring_office import own_displays, run_queue
    from rpa_vision.app.work import do_queued
    from rpa_vision.errors import NoDisplayError

    name = display or next(iter(own_displays()), None)
    if name is None:
        raise NoDisplayError("there is no display: give --display, or set DISPLAY")
    store = wiring.existing_data_directory(data)
    if release:
        with audit_log(store) as audit, closing(run_queue(store)) as held:
            release_display(held, audit, wiring.clock(), name, who=person())
        print_json({"display": name, "released": True}) if json_output else typer.echo(f"{name}: its queue goes on")
        return
    queue, stopping = run_queue(store), threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    if attached:
        threading.Thread(target=_until_closed, args=(stopping,), daemon=True).start()
    screen = wiring.desktop(name)
    try:
        with auto_heal(store, quiet=True) as heal:
            do = do_queued(store, lambda workflow: wiring.run_tools(store, screen, workflow, heal))
            ears = StopEars(screen.ears, attention_settings().stop_key)
            worker = QueueWorker(
                queue, heal, name, wiring.ids().new("worker"), wiring.clock(), do, ears, stopping=stopping
            )
            done = worker.work(until_empty=once)
        for one in queue.held_displays():
            if one.display == name:
                note(one.told())
    finally:
        screen.close()
        queue.close()
    print_json({"display": name, "runs": done}) if json_output else note(f"{name}: {done} runs were done")


def _until_closed(stopping: threading.Event) -> None:
    source = sys.stdin.fileno()
    # Not through the buffer: whoever waits in it breaks an interpreter that ends by a signal.
    while os.read(source, 1024):
        pass
    stopping.set()
