"""The classes of the design, built as it writes them: each with its default adapters behind its ports.

Every class here *is* the one of the same name in its room, which takes ports; only the constructor differs. Whoever
wants other adapters uses that one. `rpa_vision` offers these under their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any, Self

import structlog

from rpa_vision.adapters.decisions.maturity_book import SqliteMaturityBook
from rpa_vision.adapters.learning.sqlite_target_memory import SqliteTargetMemory
from rpa_vision.adapters.learning.version_files import FileVersionFiles
from rpa_vision.adapters.vectors.faiss_index import FaissIndex
from rpa_vision.adapters.vectors.index_file import IndexFile
from rpa_vision.app import wiring
from rpa_vision.app.maturity import document_keeper, own_thresholds
from rpa_vision.app.wiring_auto_heal import auto_heal
from rpa_vision.app.wiring_plugins import element_finder, element_judge
from rpa_vision.detection import ui_detector
from rpa_vision.detection.text_detector import TextDetector
from rpa_vision.embedding import faiss_manager
from rpa_vision.embedding.faiss_manager import SavedIndex
from rpa_vision.learning import learning_manager, versioned_store
from rpa_vision.learning.target_memory_store import TargetMemoryStore
from rpa_vision.models.auto_heal import FailureEvent
from rpa_vision.models.policy import MAX_GLOBAL_FAILURES, AutoHealPolicy
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.system import auto_heal_manager, circuit_breaker, failure_window

_log = structlog.get_logger(__name__)

DATA = Path("data")
POLICY = DATA / "config" / "auto_heal_policy.json"
EMBEDDED = "embedded"


class AutoHealManager(auto_heal_manager.AutoHealManager):
    """The supervisor of a data directory: the one whose `config` folder the policy lies in.

    A policy that lies elsewhere supervises the data directory that is given, else that of the environment, else
    `./data`. It holds files and a thread until it is closed.
    """

    def __init__(self, policy_path: Path = POLICY, *, data: Path | None = None) -> None:
        policy_path = Path(policy_path)
        inside = policy_path.absolute().parent
        root = data if data is not None or inside.name != "config" else inside.parent
        self._open = ExitStack()
        self._open.enter_context(auto_heal(wiring.data_directory(root), policy_path=policy_path, build=self._built))

    def _built(self, **ports: Any) -> Self:
        super().__init__(**ports)
        return self

    def close(self) -> None:
        """Let go of the files. What was decided is on the disk already."""
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class CircuitBreaker(circuit_breaker.CircuitBreaker):
    """Counts by the system's clock, against a policy written as its file is; keys that are left out have defaults."""

    def __init__(self, policy: Mapping[str, Any] | AutoHealPolicy) -> None:
        given = policy if isinstance(policy, AutoHealPolicy) else AutoHealPolicy.from_json(dict(policy), where="policy")
        super().__init__(given, wiring.clock())


class FailureWindow(failure_window.FailureWindow):
    """Slides by the system's clock. What failed before `window_start` is not taken over."""

    def __init__(
        self,
        window_start: datetime | None = None,
        window_duration_s: int = 600,
        failures: Iterable[FailureEvent] = (),
    ) -> None:
        inside = (one for one in failures if window_start is None or one.at >= window_start)
        super().__init__(window_duration_s, wiring.clock(), capacity=MAX_GLOBAL_FAILURES, failures=inside)

    @property
    def failures(self) -> tuple[FailureEvent, ...]:
        """What is in the window now."""
        return self.snapshot().failures


class VersionedStore(versioned_store.VersionedStore):
    """The versions below a data directory; an interrupted rollback is completed on opening.

    It holds the target memory's file until it is closed.
    """

    def __init__(self, base_path: Path = DATA) -> None:
        data = wiring.data_directory(Path(base_path))
        self._table = SqliteTargetMemory(data.files, wiring.clock())
        memory = TargetMemoryStore(self._table, wiring.clock())
        super().__init__(FileVersionFiles(data.files), data.vectors, memory, wiring.vector_index, wiring.clock())
        self.recover()

    def close(self) -> None:
        """Let go of the file."""
        self._table.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class LearningManager(learning_manager.LearningManager):
    """The levels of all workflows of a data directory. It holds files until it is closed."""

    def __init__(self, base_path: Path = DATA) -> None:
        self._open = ExitStack()
        data = wiring.data_directory(Path(base_path))
        heal = self._open.enter_context(auto_heal(data, quiet=True))
        book = SqliteMaturityBook(data.paths.audit.with_name("maturity.sqlite"), heal.audit)
        self._open.callback(book.close)
        super().__init__(
            book,
            wiring.clock(),
            wiring.ids(),
            thresholds=own_thresholds(data),
            on_change=document_keeper(heal.versions, lambda what, write: write()),
        )

    def close(self) -> None:
        """Let go of the files. What was counted is on the disk already."""
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class FAISSManager(faiss_manager.FAISSManager):
    """An index with a file of its own, read if it is there; its metadata lies beside it. `save` writes both."""

    def __init__(self, index_path: str | Path, dimension: int = 512, *, workflow_id: str = "default") -> None:
        self._file = IndexFile(Path(index_path))
        space = EmbeddingSpace(id=f"{EMBEDDED}-{dimension}", dimensions=dimension, provider=EMBEDDED)
        super().__init__(FaissIndex, workflow_id=workflow_id, space=space)
        kept = self._file.read()
        if kept is not None:
            known = self.from_bytes(
                SavedIndex(*kept),
                new_index=FaissIndex,
                restore=FaissIndex.restore,
                workflow_id=workflow_id,
                space=space,
            )
            self.take_over(known)

    @property
    def index_path(self) -> Path:
        """The file of the index."""
        return self._file.path

    @property
    def metadata_path(self) -> Path:
        """Beside the index."""
        return self._file.metadata_path

    def save(self) -> None:
        """Write the index and what is known about its vectors. A crash in between asks for a rebuild on opening."""
        saved = self.to_bytes()
        self._file.write(saved.index, saved.metadata)


class UIDetector(ui_detector.UIDetector):
    """The detector that settings name. Other models are preferences: what is not there is said once, not waited for."""

    def __init__(self, vlm_model: str = EMBEDDED, clip_model: str = EMBEDDED) -> None:
        for kind, model in (("vlm_model", vlm_model), ("clip_model", clip_model)):
            if model != EMBEDDED:
                _log.warning("model not configured, the shipped detector is used", kind=kind, model=model)
        text_detector = TextDetector.over(wiring.text_recognizer())
        super().__init__(text_detector, finder=element_finder(), judge=element_judge())
