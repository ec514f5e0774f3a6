"""Cut a session into episodes (L0-4) and say of every event what it is good for (L0-5).

A completed pattern is the best witness: whoever does a task for the third time shows where it begins and ends, pauses
or no pauses. Whether something was repeated is asked of a `PatternOracle`. What was not repeated is cut where people
cut: at a pause of more than 30 s, at the return to the desktop, at a change of application that lasts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from rpa_vision.capture.session_noise import judge_events
from rpa_vision.models.raw_session import Event, RecordedSession, Segment, SegmentTrigger
from rpa_vision.models.wording import folded
from rpa_vision.ports.patterns import Episode, PatternOracle

PAUSE_S = 30.0
MIN_EVENTS = 3
"""Fewer events that were never repeated are no episode."""
CANDIDATE = "workflow_candidate"
_LASTING_EVENTS = 5
"""An application that is left again sooner was only visited."""
_DESKTOP_APPS = frozenset({"explorer", "explorer.exe", "desktop", "finder", "xfdesktop", "nautilus-desktop", "pcmanfm"})
_DESKTOP_TITLES = frozenset({"program manager", "desktop", "bureau"})


@dataclass(frozen=True, slots=True)
class Segmentation:
    """A session with its episodes: `segment_of[i]` and `routine_of[i]` are of event i, None = noise, none."""

    session: RecordedSession
    segment_of: tuple[str | None, ...]
    routine_of: tuple[str | None, ...]
    incomplete: frozenset[str]
    """Segments that were broken off."""
    variants: dict[str, int]


def segment(session: RecordedSession, oracle: PatternOracle) -> Segmentation:
    """Say which events belong together, and which are noise."""
    judged = judge_events(session)
    ignored = frozenset(index for index, judgement in enumerate(judged) if judgement.noise_flag)
    found = oracle.patterns(session, ignored)
    kept = sorted(found.episodes, key=lambda episode: episode.events[0])
    taken = {index for episode in kept for index in episode.events}
    loose = _loose_episodes(session, taken, ignored)
    segments: list[Segment] = []
    segment_of: list[str | None] = [None] * len(session.events)
    routine_of: list[str | None] = [None] * len(session.events)
    incomplete, variants = set(), {}
    for number, (episode, trigger) in enumerate(_in_order(session, kept, loose), start=1):
        segment_id = f"seg_{number:03d}"
        segments.append(_segment(session, segment_id, episode, trigger))
        if not episode.is_complete:
            incomplete.add(segment_id)
        if episode.routine != CANDIDATE:
            variants[segment_id] = episode.variant
        for index in episode.events:
            segment_of[index] = segment_id
            routine_of[index] = episode.routine if episode.routine != CANDIDATE else None
    events = []
    for index, (event, judgement) in enumerate(zip(session.events, judged, strict=True)):
        is_noise = segment_of[index] is None and (judgement.noise_flag or bool(kept))
        sureness = found.sureness.get(index, judgement.confidence)
        role = judgement.semantic_role
        update = {"noise_flag": is_noise, "semantic_role": role, "confidence": round(_sure(sureness), 3)}
        events.append(event.model_copy(update=update))
    cut = session.model_copy(update={"events": tuple(events), "segments": tuple(segments)})
    return Segmentation(cut, tuple(segment_of), tuple(routine_of), frozenset(incomplete), variants)


def is_desktop(event: Event) -> bool:
    """Whether the person was on the desktop, with no application in front."""
    app, title = folded(event.window.app_name), folded(event.window.title)
    return title in _DESKTOP_TITLES or (app in _DESKTOP_APPS and title in ("", *_DESKTOP_TITLES))


def pauses_before(events: Sequence[Event]) -> list[float]:
    """For each event the seconds since anything was done; a clock that jumps back tells of no pause."""
    latest = events[0].t if events else 0.0
    pauses = []
    for event in events:
        pauses.append(max(0.0, event.t - latest))
        latest = max(latest, event.t)
    return pauses


def _sure(value: float | None) -> float:
    return 0.5 if value is None else min(1.0, max(0.0, value))


def _loose_episodes(
    session: RecordedSession, taken: set[int], ignored: frozenset[int]
) -> list[tuple[Episode, SegmentTrigger]]:
    """Stretches in which nothing was repeated, between the cuts that people make."""
    triggers = cuts(session.events)
    stretches: list[tuple[list[int], SegmentTrigger]] = []
    current: list[int] = []
    spoiled = False
    for index in range(len(session.events) + 1):
        trigger = triggers.get(index)
        if index == len(session.events) or trigger is not None:
            if current and not spoiled:
                stretches.append((current, trigger or "pattern_complete"))
            current, spoiled = [], False
        if index < len(session.events):
            spoiled = spoiled or index in taken
            if index not in ignored and index not in taken and not is_desktop(session.events[index]):
                current.append(index)
    # The last stretch has no cut behind it: the recording ended, which is the longest of all pauses.
    ends = [(events, trigger if trigger != "pattern_complete" else "long_pause") for events, trigger in stretches]
    return [(Episode(tuple(events), CANDIDATE, 0.5), trigger) for events, trigger in ends if len(events) >= MIN_EVENTS]


def cuts(events: Sequence[Event]) -> dict[int, SegmentTrigger]:
    """Where people cut: event → why what came before it ended there."""
    found: dict[int, SegmentTrigger] = {}
    pauses = pauses_before(events)
    stays = _lasting_applications(events)
    for index in range(1, len(events)):
        if pauses[index] > PAUSE_S:
            found[index] = "long_pause"
        elif is_desktop(events[index]) and not is_desktop(events[index - 1]):
            found[index] = "return_to_desktop"
        elif stays[index] and stays[index - 1] and stays[index] != stays[index - 1]:
            found[index] = "window_change"
    return found


def _lasting_applications(events: Sequence[Event]) -> list[str]:
    """The application of each event, visits of a few events left out: those count as the one before."""
    names = [event.window.app_name for event in events]
    lasting: list[str] = []
    start = 0
    current = ""
    while start < len(names):
        end = start
        while end < len(names) and names[end] == names[start]:
            end += 1
        if end - start >= _LASTING_EVENTS or not current:
            current = names[start]
        lasting += [current] * (end - start)
        start = end
    return lasting


def _in_order(
    session: RecordedSession, kept: Sequence[Episode], loose: Sequence[tuple[Episode, SegmentTrigger]]
) -> list[tuple[Episode, SegmentTrigger]]:
    triggers = cuts(session.events)
    told: list[tuple[Episode, SegmentTrigger]] = [
        (episode, triggers.get(episode.events[-1] + 1, "pattern_complete")) for episode in kept
    ]
    return sorted([*told, *loose], key=lambda item: item[0].events[0])


def _segment(session: RecordedSession, segment_id: str, episode: Episode, trigger: SegmentTrigger) -> Segment:
    first, last = episode.events[0], episode.events[-1]
    times = [session.events[index].t for index in episode.events]
    has_holes = last - first + 1 != len(episode.events)
    return Segment(
        segment_id=segment_id,
        start_event_index=first,
        end_event_index=last,
        event_indices=episode.events if has_holes else None,
        start_time=session.started_at + timedelta(seconds=min(times)),
        end_time=session.started_at + timedelta(seconds=max(times)),
        label=episode.routine,
        confidence=round(_sure(episode.confidence), 3),
        trigger=trigger,
    )
