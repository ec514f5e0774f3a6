"""The one place that builds things: which adapter stands behind which port.

Heavy imports are made here, when something is built, so that the command line starts at once.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rpa_vision.app.wiring_plugins import element_finder, element_judge
from rpa_vision.errors import EnvironmentMissingError, NoDisplayError, UsageError

if TYPE_CHECKING:
    from rpa_vision.adapters.desktop.virtual import VirtualDesktop
    from rpa_vision.adapters.storage.data_directory import FileDataDirectory
    from rpa_vision.adapters.storage.datasets import FileDatasetStore
    from rpa_vision.app.detect import ImageFiles
    from rpa_vision.app.exchange import PersonsFiles
    from rpa_vision.app.migrate import Migrator
    from rpa_vision.app.run_tools import RunTools
    from rpa_vision.app.sessions import EventLogs
    from rpa_vision.app.where import Locator
    from rpa_vision.app.wiring_auto_heal import AutoHeal
    from rpa_vision.detection.screen_reader import ScreenReader
    from rpa_vision.detection.text_detector import TextDetector
    from rpa_vision.detection.ui_detector import UIDetector
    from rpa_vision.embedding.faiss_manager import FAISSManager
    from rpa_vision.embedding.screen_observer import ObservedScreen, ScreenObserver
    from rpa_vision.models.state_embedding import EmbeddingSpace
    from rpa_vision.models.workflow_graph import Workflow
    from rpa_vision.ports.batches import BatchJournal, RowFiles
    from rpa_vision.ports.desktop import Desktop
    from rpa_vision.ports.perception import ScreenEncoder, SecretFieldClassifier, TextCache, TextRecognizer
    from rpa_vision.ports.runtime import Clock, Ids

DATA_VARIABLE = "RPA_VISION_DATA"
WEBHOOK_VARIABLE = "RPA_VISION_WEBHOOK_URL"
WEBHOOK_SECRET_VARIABLE = "RPA_VISION_WEBHOOK_SECRET"
SECRET_PREFIX = "RPA_VISION_SECRET_"
NOTIFICATIONS_VARIABLE = "RPA_VISION_NOTIFICATIONS"


def data_path(given: Path | None) -> Path:
    """Where data is kept: as given, else as the environment says, else ./data."""
    if given is not None:
        return given
    return Path(os.environ.get(DATA_VARIABLE) or "data")


def data_directory(given: Path | None) -> FileDataDirectory:
    """The data directory, opened and checked."""
    from rpa_vision.adapters.storage.data_directory import FileDataDirectory

    return FileDataDirectory(data_path(given), clock=clock())


def existing_data_directory(given: Path | None) -> FileDataDirectory:
    """The data directory of whoever looks or steers. One that was never begun is most likely a slip of the pen."""
    store, root = data_directory(given), data_path(given)
    if not store.paths.marker.exists():
        what = f"there is no data directory at {root}" if not root.is_dir() else f"{root} is not a data directory"
        raise UsageError(what, remedy=f"Check --data and {DATA_VARIABLE}; `rpa-vision record` begins a new one.")
    return store


def clock() -> Clock:
    """The system's clock."""
    from rpa_vision.adapters.runtime.clock import SystemClock

    return SystemClock()


def ids() -> Ids:
    """Ids nobody had before."""
    from rpa_vision.adapters.runtime.ids import RandomIds

    return RandomIds()


def desktop(display: str | None = None) -> Desktop:
    """The desktop in front of us."""
    if sys.platform == "win32":
        from rpa_vision.adapters.desktop.windows.desktop import open_windows_desktop

        return open_windows_desktop(clock())
    if sys.platform == "darwin":
        from rpa_vision.adapters.desktop.macos.desktop import open_mac_desktop

        return open_mac_desktop(clock())
    from rpa_vision.adapters.desktop.x11.desktop import X11Desktop

    name = display or os.environ.get("DISPLAY")
    if not name:
        raise NoDisplayError("there is no display: DISPLAY is not set")
    return X11Desktop(name, clock())


def virtual_desktop(size: tuple[int, int] = (1920, 1080)) -> VirtualDesktop:
    """A desktop of our own, for machines without a screen."""
    if not sys.platform.startswith("linux"):
        raise EnvironmentMissingError("a virtual desktop needs Linux", remedy="Run on the real desktop instead.")
    from rpa_vision.adapters.desktop.virtual import VirtualDesktop

    return VirtualDesktop(size=size, clock=clock())


def text_recognizer(*, threads: int = 2) -> TextRecognizer:
    """The reader of every line, as settings name it."""
    from rpa_vision.app import wiring_reading

    return wiring_reading.text_recognizer(threads=threads)


def ui_detector(text_detector: TextDetector | None = None, *, threads: int = 2) -> UIDetector:
    """Rules, and beside them what settings name: without one, the shipped net and its judge."""
    from rpa_vision.detection.text_detector import TextDetector
    from rpa_vision.detection.ui_detector import UIDetector

    finder, judge = element_finder(threads=threads), element_judge()
    return UIDetector(text_detector or TextDetector.over(text_recognizer(threads=threads)), finder=finder, judge=judge)


def screen_reader(*, cache: TextCache | None = None, threads: int = 2) -> ScreenReader:
    """Pixels → understood screen, timed by stage. The finder has a thread less."""
    from rpa_vision.app import wiring_reading

    return wiring_reading.eyes(clock(), cache=cache, threads=threads)[0]


def screen_observer(
    space_id: str | None = None,
    *,
    cache: TextCache | None = None,
    encoder: ScreenEncoder | None = None,
    threads: int = 2,
) -> ScreenObserver:
    """Everything from pixels to a fingerprinted screen: by the encoder of the settings, or in the space asked for.

    `cache` keeps what was read for the next process; `encoder` is used instead of the one of the settings; `threads`
    read lines.
    """
    from rpa_vision.app import wiring_reading
    from rpa_vision.app.wiring_plugins import encoder_of_space, screen_encoder
    from rpa_vision.detection.stable_identity import IdentityTracker
    from rpa_vision.embedding.fusion_engine import FusionEngine
    from rpa_vision.embedding.screen_observer import ScreenObserver
    from rpa_vision.embedding.spaces import STATE_DIMENSIONS
    from rpa_vision.embedding.state_embedder import StateEmbedder

    reader, perception = wiring_reading.eyes(clock(), cache=cache, threads=threads)
    if encoder is None:
        encoder = screen_encoder() if space_id is None else encoder_of_space(space_id)
    fusion = FusionEngine(dimensions=encoder.space.dimensions or STATE_DIMENSIONS)
    observer = ScreenObserver(reader, StateEmbedder(encoder, fusion, clock()), IdentityTracker())
    observer.perception = perception
    return observer


def workflow_observer(workflow: Workflow, *, cache: TextCache | None = None) -> ScreenObserver:
    """An observer in the space of a workflow's prototypes: until they are moved to another, the old one answers."""
    spaces = {
        prototype.space_id
        for node in workflow.nodes
        if (prototype := node.screen_template.embedding_prototype) is not None
    }
    return screen_observer(spaces.pop() if len(spaces) == 1 else None, cache=cache)


def migrator(
    data: FileDataDirectory,
    heal: AutoHeal,
    on_progress: Callable[[str, int, int], None] | None = None,
    encoder: ScreenEncoder | None = None,
) -> Migrator:
    """What moves workflows to the space of an encoder, or of the one that the settings name."""
    from rpa_vision.app.migrate import Migrator

    return Migrator(
        data=data,
        observer=screen_observer(encoder=encoder),
        versions=heal.versions,
        new_index=vector_index,
        clock=clock(),
        on_progress=on_progress or (lambda what, done, total: None),
        on_update=heal.manager.on_update,
    )


def secret_fields() -> SecretFieldClassifier:
    """Who says whether a field is a password field."""
    from rpa_vision.detection.secret_fields import FieldSecrecy
    from rpa_vision.detection.text_detector import TextDetector

    return FieldSecrecy(TextDetector.over(text_recognizer()))


def vector_index(workflow_id: str, space: EmbeddingSpace) -> FAISSManager:
    """An empty index over the vectors of one workflow in one space."""
    from rpa_vision.adapters.vectors.faiss_index import FaissIndex
    from rpa_vision.embedding.faiss_manager import FAISSManager

    return FAISSManager(FaissIndex, workflow_id=workflow_id, space=space)


def locator(data: FileDataDirectory, space: EmbeddingSpace) -> Locator:
    """What knows the screens of all workflows in a space."""
    from rpa_vision.adapters.vectors.faiss_index import FaissIndex
    from rpa_vision.app.where import Locator

    return Locator(data, space, FaissIndex, vector_index)


def look_now(observer: ScreenObserver) -> ObservedScreen:
    """The desktop in front of us, once it is at rest."""
    from rpa_vision.execution.sight import Sight

    screen = desktop()
    try:
        return Sight(screen.eyes, observer, clock(), ids()).look()
    finally:
        screen.close()


def image_files() -> ImageFiles:
    """Pictures anywhere on the disk, as a person names them."""
    from rpa_vision.adapters.storage.image_files import LocalImageFiles

    return LocalImageFiles()


def dataset_store(data: FileDataDirectory) -> FileDatasetStore:
    """The datasets of a data directory."""
    from rpa_vision.adapters.storage.datasets import FileDatasetStore

    return FileDatasetStore(data.files)


def local_files() -> PersonsFiles:
    """Files anywhere on the disk, as a person names them."""
    from rpa_vision.adapters.storage.local_files import LocalFiles

    return LocalFiles()


def event_logs() -> EventLogs:
    """Event logs anywhere on the disk, as a person names them."""
    from rpa_vision.adapters.event_logs import CsvEventLogs

    return CsvEventLogs()


def row_files() -> RowFiles:
    """Tables of rows anywhere on the disk, as a person names them."""
    from rpa_vision.adapters.row_files import LocalRowFiles

    return LocalRowFiles()


def batch_journal(data: FileDataDirectory, workflow: Workflow, name: str) -> BatchJournal:
    """Which rows of a list were done by a workflow."""
    from rpa_vision.adapters.storage.batches import FileBatchJournal
    from rpa_vision.app.run_each import batch_id

    return FileBatchJournal(data.files, batch_id(workflow, name))


def run_tools(
    data: FileDataDirectory, screen: Desktop, workflow: Workflow, heal: AutoHeal, observer: ScreenObserver | None = None
) -> RunTools:
    """What a run needs, wired."""
    from rpa_vision.app import list_journal, wiring_guidance, wiring_plugins, wiring_reading, wiring_run
    from rpa_vision.app.run_tools import RunTools
    from rpa_vision.system.run_supervisor import RunSupervisor

    secrets = secrets_for(workflow, os.environ)
    return RunTools(
        data=data,
        observer=observer or workflow_observer(workflow, cache=wiring_reading.text_cache(data, secrets.values())),
        desktop=screen,
        audit=heal.audit,
        clock=clock(),
        ids=ids(),
        new_index=vector_index,
        supervisor=lambda run: RunSupervisor(heal.manager, run),
        on_failure=heal.failures.present,
        on_drift=heal.manager.on_runtime_drift,
        on_node_match=heal.manager.on_node_match,
        secrets=secrets,
        secrets_of=lambda other: secrets_for(other, os.environ),
        memory=heal.memory,
        precision=heal.precision,
        confirmer=wiring_reading.second_look(),
        vlm=wiring_plugins.model_for_runs(clock()),
        running=wiring_run.running_runs(data, screen),
        undo=wiring_run.undo_logs(data),
        lists=lambda other: batch_journal(data, other, list_journal.NAME),
        beside=wiring_guidance.beside(screen),
        questions=heal.questions.store,
        proposals=heal.proposals,
        maturity=heal.learning,
        on_anomaly=heal.pause_after_anomaly,
        hostname=platform.node(),
        language=wiring_guidance.language(),
    )


def notify(title: str, text: str, *, urgent: bool = False, sign_s: float = 0.0) -> bool:
    """Say something on the person's desktop, if it can and she wants it to; says whether it did. Where the desktop
    has no notifications, a sign says it for `sign_s`, and that long it takes."""
    from rpa_vision.adapters.machine.notifications import DesktopNotifications
    from rpa_vision.app.wiring_guidance import tell_by_sign

    if os.environ.get(NOTIFICATIONS_VARIABLE, "on") == "off":
        return False
    told = DesktopNotifications(os.environ).tell(title, text, urgent=urgent)
    return told or (sign_s > 0.0 and tell_by_sign(f"{title} — {text}", sign_s))


@dataclass(frozen=True, slots=True)
class WebhookSettings:
    """Where alerts are sent to."""

    name: str
    url: str
    secret: str | None


def webhook_settings() -> list[WebhookSettings]:
    """The webhook of the environment, if it names one."""
    url = os.environ.get(WEBHOOK_VARIABLE)
    return [WebhookSettings("webhook", url, os.environ.get(WEBHOOK_SECRET_VARIABLE))] if url else []


def secrets_for(workflow: Workflow, environment: Mapping[str, str]) -> dict[str, str]:
    """The secrets a workflow types, as far as the environment holds them."""
    wanted = {
        action.parameters.secret_ref for _, action in workflow.actions() if action.parameters.secret_ref is not None
    }
    found = {ref: environment.get(secret_variable(ref)) for ref in wanted}
    return {ref: value for ref, value in found.items() if value}


def secret_variable(secret_ref: str) -> str:
    """The environment variable in which a secret is looked for."""
    return SECRET_PREFIX + secret_ref.upper().replace("-", "_").replace(".", "_")


def parse_parameters(pairs: list[str]) -> dict[str, str]:
    """`["k=v", …]` as a mapping."""
    values: dict[str, str] = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator or not name:
            raise UsageError(f"--param {pair!r} is not of the form NAME=VALUE", remedy="Write --param name=value.")
        if name in values:
            raise UsageError(f"--param {name} is given twice", remedy="Give each variable once.")
        values[name] = value
    return values
