"""Learning that can be undone: everything learned of a workflow is one version, and any version can be had back.

A version holds the workflow, its prototypes and pictures, its index and its rows of the target memory, tied together
by a manifest of hashes; it exists when its manifest does. `Workflow.version` is its number, so the live workflow itself
says which version is in use, and replacing that one file is what switches. "Previous" follows the way the versions came
about: the one that was in use when this one was made, leaving out those that are damaged or were rolled back from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rpa_vision.errors import DocumentError, RpaVisionError, UnknownIdError, UsageError
from rpa_vision.learning.live_state import LiveState, as_stored, at_most, maturity_of, read_live
from rpa_vision.learning.version_maker import VersionMaker
from rpa_vision.learning.version_manifest import (
    RestoreJournal,
    VersionLayout,
    VersionManifest,
    essence,
    number_of,
    version_name,
)
from rpa_vision.learning.version_parts import NewIndexFor, VersionParts
from rpa_vision.learning.version_restore import VersionRestorer
from rpa_vision.learning.version_shelf import VersionShelf
from rpa_vision.models.auto_heal import VersionInfo
from rpa_vision.models.ids import checked_id
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.auto_heal import RollbackOutcome
from rpa_vision.ports.learning import Keep, MemorySnapshots, VersionFiles
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.storage import Listing, Unreadable, VectorStore

MIN_KEPT: Final = 5


class VersionedStore:
    """Implements `ports.auto_heal.VersionKeeper`. One change of a workflow at a time, in all processes."""

    def __init__(
        self,
        files: VersionFiles,
        vectors: VectorStore,
        memory: MemorySnapshots,
        new_index: NewIndexFor,
        clock: Clock,
    ) -> None:
        self._files = files
        self._memory = memory
        self._clock = clock
        self._parts = VersionParts(files, vectors, memory, new_index)
        self._shelf = VersionShelf(files)
        self._maker = VersionMaker(files, self._parts, self._shelf, clock)
        self._restorer = VersionRestorer(files, memory, self._shelf.put, self._maker.replace)

    def snapshot_version(
        self, workflow_id: str, *, reason: str = "snapshot", success_rate_before: float | None = None
    ) -> str:
        """Keep everything learned of a workflow as it is now, as the next version, which is then the one in use."""
        layout = self._known(workflow_id)
        with self._changing(layout):
            live = read_live(self._files, layout)
            return self._maker.snapshot(layout, live, reason, self._in_use(live), before=success_rate_before).version_id

    def update(self, workflow_id: str, keep: Keep, *, reason: str, success_rate_before: float | None = None) -> str:
        """Let `keep` put something newly learned in place, between a version of what was and a version of what is."""
        layout = VersionLayout(checked_id(workflow_id, what="workflow"))
        with self._changing(layout):
            parent = self._settle(layout)
            keep(self.next_number(workflow_id))
            live = read_live(self._files, layout)
            return self._maker.snapshot(layout, live, reason, parent, before=success_rate_before).version_id

    def annotate(self, workflow_id: str, change: Callable[[Workflow], Workflow]) -> None:
        """Write down something about the live workflow (how far a migration is); what was learned stays as it is."""
        layout = self._known(workflow_id)
        with self._changing(layout):
            live = read_live(self._files, layout)
            changed = change(live.workflow)
            if essence(changed) != essence(live.workflow) or changed.version != live.workflow.version:
                raise UsageError("what was learned is changed by learning only", remedy="Use `update`.")
            if changed != live.workflow:
                self._files.write(layout.live_workflow, as_stored(changed))

    @contextmanager
    def holding(self, workflow_id: str) -> Iterator[Workflow]:
        """The live workflow, which nobody changes while the block lasts."""
        layout = self._known(workflow_id)
        with self._changing(layout):
            yield read_live(self._files, layout).workflow

    def rollback_to_previous(self, workflow_id: str, version: str | None = None) -> RollbackOutcome:
        """Restore the version before the one in use, or a given one: everything or nothing."""
        layout = VersionLayout(checked_id(workflow_id, what="workflow"))
        given = version_name(number_of(version)) if version is not None else None
        if not self._shelf.numbers(layout):
            return RollbackOutcome(False, None, f"{workflow_id} has no versions")
        with self._files.alone(workflow_id):
            interrupted = self._completed_or_given_up(layout)
            live = self._live_if_readable(layout)
            changed = live is None or interrupted or self._changed(layout, live)
            skipped: list[str] = []
            for candidate in [given] if given is not None else self._candidates(layout, live, changed=changed):
                manifest, problems = self._examined(layout, candidate)
                if manifest is not None and not problems:
                    if changed and not interrupted:
                        self._set_aside(layout, live, manifest.version_id)
                    journal = self._restore(layout, live, manifest)
                    return RollbackOutcome(True, manifest.version_id, _told(manifest, journal, skipped))
                skipped.append(f"{candidate} ({problems[0]})")
        reason = f"no good version: {'; '.join(skipped)}" if skipped else "there is no version before the one in use"
        return RollbackOutcome(False, None, f"{workflow_id} stays as it is: {reason}")

    def previous_version(self, workflow_id: str, *, check: bool = False) -> str | None:
        """What `rollback_to_previous` would restore now, for whoever wants to know before.

        Checked, it is read whole, and a damaged one is left out; unchecked, that comes with the rollback.
        """
        layout = VersionLayout(checked_id(workflow_id, what="workflow"))
        live = self._live_if_readable(layout)
        changed = live is None or self._changed(layout, live)
        candidates = self._candidates(layout, live, changed=changed)
        return next((name for name in candidates if not check or not self._examined(layout, name)[1]), None)

    def is_as_learned(self, workflow_id: str) -> bool:
        """Whether what is live is the version in use and nothing else: going back to that one would change nothing."""
        layout = VersionLayout(checked_id(workflow_id, what="workflow"))
        live = self._live_if_readable(layout)
        in_use = self._in_use(live) if live is not None else None
        if live is None or in_use is None or self._changed(layout, live):
            return False
        return not self._examined(layout, in_use.version_id)[1] and not self._memory_moved(layout, in_use)

    def list_versions(self, workflow_id: str) -> list[VersionInfo]:
        """All versions with a readable manifest, the newest first. `inspect_versions` also reads what they hold."""
        return list(self._listed(workflow_id, check=False).items)

    def inspect_versions(self, workflow_id: str) -> Listing[VersionInfo]:
        """The versions that one can go back to, each file checked, and what is wrong with the others."""
        return self._listed(workflow_id, check=True)

    def verify_version(self, workflow_id: str, version: str) -> list[str]:
        """What is wrong with a version; nothing is."""
        return self._examined(VersionLayout(checked_id(workflow_id)), version_name(number_of(version)))[1]

    def workflow_of(self, workflow_id: str, version: str) -> Workflow:
        """The workflow as a version keeps it."""
        return self._parts.workflow(VersionLayout(checked_id(workflow_id)), version_name(number_of(version)))

    def note_success_rate(self, workflow_id: str, version_id: str, *, after: float) -> None:
        """Write down how well a version did."""
        if not 0.0 <= after <= 1.0:
            raise UsageError(f"a success rate is between 0 and 1, not {after}")
        layout, version_id = self._known(workflow_id), version_name(number_of(version_id))
        with self._changing(layout):
            manifest = self._shelf.get(layout, version_id)
            self._shelf.put(layout, manifest.model_copy(update={"success_rate_after": after}))

    def cleanup_old_versions(self, workflow_id: str, keep_count: int = MIN_KEPT) -> None:
        """Remove old versions, but never the one in use nor the newest five (or `keep_count`) besides it."""
        layout = self._known(workflow_id)
        with self._changing(layout):
            live = self._live_if_readable(layout)
            if live is None and self._files.has(layout.live_workflow):
                return  # nobody can say which version is in use, so none is removed
            manifests = self._shelf.readable(layout)
            newest = manifests[0].number if manifests else 0
            in_use = live.workflow.version if live is not None else newest + 1
            before = [one for one in manifests if one.number < in_use and one.abandoned_at is None]
            others = [one for one in manifests if one not in before and one.number != in_use]
            most = max(MIN_KEPT, keep_count)
            doomed = [*before[most:], *others[most:]]
            kept = [one for one in manifests if one not in doomed]
            needed = set(live.references) if live is not None else set()
            needed |= {layout.live_of(one.version_id, file.path) for one in kept for file in one.files}
            for manifest in reversed(doomed):
                self._maker.remove(layout, manifest, needed)
            for version_id in self._shelf.leftovers(layout):
                self._parts.clear(layout, version_id)

    def version_prototypes(self, workflow_id: str, version: str) -> None:
        """Lay the workflow with its prototypes and pictures where a version to be keeps them."""
        layout, version_id = self._known(workflow_id), version_name(number_of(version))
        with self._changing(layout):
            if self._shelf.has(layout, version_id):
                raise UsageError(f"{version_id} of {workflow_id} is complete", remedy="Make a new version instead.")
            live = read_live(self._files, layout)
            self._parts.lay_workflow(layout, version_id, live.numbered(number_of(version_id)))

    def version_faiss_index(self, workflow_id: str, version: str) -> None:
        """Build the index of a version from its own vectors (anew, where it was damaged)."""
        layout, version_id = self._known(workflow_id), version_name(number_of(version))
        with self._changing(layout):
            manifest = self._shelf.find(layout, version_id)
            problems = self._parts.problems(manifest) if manifest is not None else []
            worse = [problem for problem in problems if not problem.startswith(f"{layout.indexes}/")]
            if worse:
                raise DocumentError(f"{version_id} of {workflow_id} cannot be mended: {worse[0]}")
            self._maker.replace(layout, version_id, self._parts.built_index(layout, version_id))

    def version_target_memory(self, workflow_id: str, version: str) -> None:
        """Keep the target memory as it is now with a version."""
        layout, version_id = self._known(workflow_id), version_name(number_of(version))
        with self._changing(layout):
            self._maker.replace(layout, version_id, {layout.memory(version_id): self._memory.export_rows(workflow_id)})

    def next_number(self, workflow_id: str) -> int:
        """The number of the next version, for whoever builds what will be in it."""
        layout = VersionLayout(checked_id(workflow_id, what="workflow"))
        live = self._live_if_readable(layout)
        return max([*self._shelf.numbers(layout), live.workflow.version if live is not None else 0]) + 1

    def recover(self, workflow_id: str | None = None) -> list[str]:
        """Complete rollbacks that were interrupted, of one workflow or all, and say of which: for opening."""
        names = [workflow_id] if workflow_id is not None else self._files.names("learning/prototypes")
        interrupted = [name for name in names if self._files.has(VersionLayout(checked_id(name)).journal)]
        for name in interrupted:
            with self._changing(VersionLayout(name)):
                pass
        return interrupted

    def _known(self, workflow_id: str) -> VersionLayout:
        layout = VersionLayout(checked_id(workflow_id, what="workflow"))
        if not self._files.has(layout.live_workflow) and not self._shelf.numbers(layout):
            raise UnknownIdError(f"there is no workflow {workflow_id!r}", remedy="`rpa-vision workflows` lists them.")
        return layout

    @contextmanager
    def _changing(self, layout: VersionLayout) -> Iterator[None]:
        with self._files.alone(layout.workflow_id):
            journal = self._restorer.pending(layout)
            if journal is not None:
                self._complete(layout, journal)
            yield

    def _complete(self, layout: VersionLayout, journal: RestoreJournal) -> None:
        manifest, problems = self._examined(layout, journal.version_id)
        if manifest is None or problems:
            raise DocumentError(
                f"{layout.workflow_id}: an interrupted rollback cannot be completed: {problems[0]}",
                remedy=f"Roll back to another version: `rpa-vision heal rollback {layout.workflow_id}`.",
            )
        self._restorer.complete(layout, journal, manifest, self._shelf.find(layout, journal.leaving))

    def _completed_or_given_up(self, layout: VersionLayout) -> bool:
        """Complete what was interrupted. True where that failed: then the live state is of no version, and no loss."""
        try:
            journal = self._restorer.pending(layout)
            if journal is not None:
                self._complete(layout, journal)
        except DocumentError:
            return True
        return False

    def _live_if_readable(self, layout: VersionLayout) -> LiveState | None:
        try:
            return read_live(self._files, layout)
        except (DocumentError, UnknownIdError):
            return None

    def _in_use(self, live: LiveState) -> VersionManifest | None:
        return self._shelf.find(live.layout, version_name(live.workflow.version))

    def _changed(self, layout: VersionLayout, live: LiveState) -> bool:
        """Whether something was learned that no version holds."""
        manifest = self._in_use(live)
        return manifest is None or live.differs_from(self._files, manifest)

    def _candidates(self, layout: VersionLayout, live: LiveState | None, *, changed: bool) -> Iterator[str]:
        """Where to go back to, the best first. One that was given up before is no stable version."""
        given_up = {one.version_id for one in self._shelf.readable(layout) if one.abandoned_at is not None}
        stable = [name for name in map(version_name, self._shelf.numbers(layout)) if name not in given_up]
        in_use = self._in_use(live) if live is not None else None
        if in_use is None:
            yield from stable
            return
        if changed:
            yield in_use.version_id
        tried = {in_use.version_id}
        step: VersionManifest | None = in_use
        while step is not None and step.parent is not None and step.parent not in tried:
            tried.add(step.parent)
            if step.parent in stable:
                yield step.parent
            step = self._shelf.find(layout, step.parent)
        yield from (name for name in stable if name not in tried and number_of(name) < in_use.number)
        if not changed and self._memory_moved(layout, in_use):
            yield in_use.version_id  # better to forget what was remembered since than to have nothing to go back to

    def _memory_moved(self, layout: VersionLayout, manifest: VersionManifest) -> bool:
        return self._files.read(layout.memory(manifest.version_id)) != self._memory.export_rows(layout.workflow_id)

    def _examined(self, layout: VersionLayout, version_id: str) -> tuple[VersionManifest | None, list[str]]:
        try:
            manifest = self._shelf.get(layout, version_id)
            return manifest, self._parts.problems(manifest) or self._restorer.obstacles(layout, manifest)
        except RpaVisionError as error:
            return None, [str(error)]

    def _restore(self, layout: VersionLayout, live: LiveState | None, manifest: VersionManifest) -> RestoreJournal:
        in_use = self._in_use(live) if live is not None else None
        leaving = in_use if in_use is not None and in_use.version_id != manifest.version_id else None
        kept = self._parts.workflow(layout, manifest.version_id)
        broken = self._files.read(layout.live_workflow) if live is None else None
        level = live.workflow.learning_state if live is not None else maturity_of(broken)
        journal = RestoreJournal(
            workflow_id=layout.workflow_id,
            version_id=manifest.version_id,
            leaving=leaving.version_id if leaving is not None else None,
            at_most=level if at_most(kept, level) is not kept else None,
            at=self._clock.now(),
        )
        self._restorer.begin(layout, journal)
        self._restorer.complete(layout, journal, manifest, leaving)
        return journal

    def _set_aside(self, layout: VersionLayout, live: LiveState | None, target: str) -> None:
        """What no version holds is kept before it goes, as far as it can be read."""
        try:
            if live is not None:
                reason = f"changes that no version held, before going back to {target}"
                self._maker.snapshot(layout, live, reason, self._in_use(live), abandoned=True)
                return
        except RpaVisionError:
            pass  # a live state with parts missing or broken is what one wants to get away from
        document = self._files.read(layout.live_workflow)
        if document is not None:
            self._files.write(layout.live_damaged, document)

    def _settle(self, layout: VersionLayout) -> VersionManifest | None:
        """Before something new is learned, see that a version holds what is there, up to what runs wrote into it."""
        live = self._live_if_readable(layout)
        if live is None:
            document = self._files.read(layout.live_workflow)
            if document is not None:
                self._files.write(layout.live_damaged, document)
            return None
        manifest = self._in_use(live)
        if manifest is None or self._changed(layout, live):
            return self._maker.snapshot(layout, live, "as it was before learning again", manifest)
        version_id = manifest.version_id
        rows = self._memory.export_rows(layout.workflow_id)
        self._maker.replace(
            layout, version_id, {layout.workflow(version_id): live.document, layout.memory(version_id): rows}
        )
        return self._shelf.get(layout, version_id)

    def _listed(self, workflow_id: str, *, check: bool) -> Listing[VersionInfo]:
        layout = VersionLayout(checked_id(workflow_id, what="workflow"))
        live = self._live_if_readable(layout)
        items: list[VersionInfo] = []
        unreadable: list[Unreadable] = []
        for number in self._shelf.numbers(layout):
            try:
                manifest = self._shelf.get(layout, version_name(number))
                problems = self._parts.problems(manifest) if check else []
            except RpaVisionError as error:
                problems, manifest = [str(error)], None
            if manifest is None or problems:
                unreadable.append(Unreadable(name=version_name(number), problem="; ".join(problems)))
            else:
                items.append(manifest.info(in_use=live is not None and live.workflow.version == number))
        return Listing(tuple(items), tuple(unreadable))


def _told(manifest: VersionManifest, journal: RestoreJournal, skipped: list[str]) -> str:
    level = f"; it stays at {journal.at_most}" if journal.at_most is not None else ""
    left_out = f"; left out: {'; '.join(skipped)}" if skipped else ""
    return f"{manifest.workflow_id} is what it was as {manifest.version_id} ({manifest.reason}){level}{left_out}"
