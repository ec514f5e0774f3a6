"""Where proposals of healing are kept, with the pictures that show what changed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Protocol

from rpa_vision.models.heal_proposal import HealProposal, ProposalPicture
from rpa_vision.ports.storage import Listing


class HealProposalStore(Protocol):
    """Proposals, each whole or not there, whatever ends the process."""

    def alone(self) -> AbstractContextManager[None]:
        """Hold off everybody else who wants to change proposals, in any process."""

    def save(self, proposal: HealProposal, pictures: Mapping[ProposalPicture, bytes] | None = None) -> HealProposal:
        """Keep a proposal; its pictures first. Gives it as it is kept, with the paths of the pictures."""

    def load(self, proposal_id: str) -> HealProposal:
        """Read a proposal."""

    def list(self) -> Listing[HealProposal]:
        """All proposals, the oldest first, and those that cannot be read."""

    def picture(self, proposal_id: str, name: ProposalPicture) -> bytes | None:
        """A picture as PNG, or None where there is none."""

    def delete(self, proposal_id: str) -> None:
        """Forget a proposal."""
