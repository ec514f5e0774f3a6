"""Proposals of healing as folders: heal_proposals/<proposal_id>/ with proposal.json, before.png, after.png, look.png.

proposal.json is written last when a proposal is made and removed first when it is forgotten, each time by one
replacement, so that a proposal is whole or not there.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from rpa_vision.adapters.storage.atomic import AppendFile
from rpa_vision.adapters.storage.data_files import MAX_PICTURE_BYTES, DataFiles, unknown
from rpa_vision.errors import RpaVisionError, StorageError
from rpa_vision.models.heal_proposal import HealProposal, ProposalPicture
from rpa_vision.ports.storage import Listing, Unreadable

_DOCUMENT = "proposal.json"
_FOLDER = "heal_proposals"


class FileHealProposals:
    """Implements `ports.heal_proposals.HealProposalStore`."""

    def __init__(self, files: DataFiles) -> None:
        self._files = files
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        self._files.claim()
        with self._lock, AppendFile(self._files.paths.heal_proposal_lock) as lock, lock.alone():
            yield

    def save(self, proposal: HealProposal, pictures: Mapping[ProposalPicture, bytes] | None = None) -> HealProposal:
        places = dict(proposal.pictures)
        for name, png in (pictures or {}).items():
            path = self._path(proposal.proposal_id, f"{name}.png")
            self._files.write(path, png)
            places[name] = self._files.paths.relative(path)
        kept = proposal.model_copy(update={"pictures": places})
        self._files.write_document(self._path(proposal.proposal_id, _DOCUMENT), kept)
        return kept

    def load(self, proposal_id: str) -> HealProposal:
        path = self._path(proposal_id, _DOCUMENT)
        if not self._files.has(path):
            known = self._files.paths.names(_FOLDER)
            raise unknown("proposal", proposal_id, known, command="rpa-vision heal proposals")
        return self._files.read_document(path, HealProposal, key="proposal_id", expected=proposal_id)

    def list(self) -> Listing[HealProposal]:
        proposals: list[HealProposal] = []
        unreadable: list[Unreadable] = []
        for name in self._files.paths.names(_FOLDER):
            try:
                if self._files.has(self._path(name, _DOCUMENT)):  # else whoever made it was stopped before it was done
                    proposals.append(self.load(name))
            except RpaVisionError as error:
                unreadable.append(Unreadable(name=f"{_FOLDER}/{name}", problem=str(error)))
        proposals.sort(key=lambda one: (one.created_at, one.proposal_id))
        return Listing(tuple(proposals), tuple(unreadable))

    def picture(self, proposal_id: str, name: ProposalPicture) -> bytes | None:
        path = self._path(proposal_id, f"{name}.png")
        return self._files.read(path, limit=MAX_PICTURE_BYTES) if self._files.has(path) else None

    def delete(self, proposal_id: str) -> None:
        document = self._path(proposal_id, _DOCUMENT)
        try:
            document.unlink(missing_ok=True)
            for path in document.parent.iterdir():
                path.unlink(missing_ok=True)
            document.parent.rmdir()
        except FileNotFoundError:
            return
        except OSError as error:
            raise StorageError(f"{_FOLDER}/{proposal_id}: cannot be removed ({error.strerror})") from error

    def _path(self, proposal_id: str, name: str) -> Path:
        return self._files.paths.heal_proposal_file(proposal_id, name)
