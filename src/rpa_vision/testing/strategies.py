"""Documents of all layers for property tests, as rich as the models allow. The one module that imports hypothesis.

Every strategy gives a valid document: references lead somewhere, templates name variables that exist. Texts are any
Unicode, numbers any finite ones, moments in any whole-minute time zone. The module is long because it is one catalogue:
a field added to a model is added here, in the same order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, get_args

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from pydantic import JsonValue

from rpa_vision.models import action as actions
from rpa_vision.models import execution as ex
from rpa_vision.models import raw_session as raw
from rpa_vision.models import screen_state as screen
from rpa_vision.models import state_embedding as emb
from rpa_vision.models import target as aim
from rpa_vision.models import ui_element as ui
from rpa_vision.models import variables as slots
from rpa_vision.models import workflow_graph as graph
from rpa_vision.models import workflow_standing as standing
from rpa_vision.models.window import WindowContext

texts = st.text(max_size=20) | st.sampled_from(
    ["Valider", "À valider", "Échec — réessayez", "N° facture", "合計", "🧾 ok"]
)
words = st.text("abcxyz_019", max_size=6).map(lambda rest: f"v{rest}")
ids = st.text("abcXYZ_-019", max_size=8).map(lambda rest: f"i{rest}") | st.sampled_from(["2025-11-21T10.123Z", "a.b"])
unit = st.floats(0.0, 1.0)
counts = st.integers(0, 10_000)
milliseconds = st.floats(0.0, 1e6)
points = st.tuples(st.integers(-4000, 8000), st.integers(-4000, 8000))
colors = st.integers(0, 0xFFFFFF).map(lambda color: f"#{color:06x}")
patterns = texts.map(re.escape) | st.sampled_from([r"^FAC-\d{4}-\d{5}$", r"\d+[,.]\d{2}", ""])
json_values: SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
metadata = st.dictionaries(texts, json_values, max_size=3)
moments = st.datetimes(
    datetime(1970, 1, 2),  # noqa: DTZ001 (hypothesis adds the zone)
    datetime(2999, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC) | st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes))),
)


def maybe(strategy: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """The value, or None."""
    return st.none() | strategy


def several(strategy: SearchStrategy[Any], most: int = 3) -> SearchStrategy[tuple[Any, ...]]:
    """A tuple of a few."""
    return st.lists(strategy, max_size=most).map(tuple)


def data_paths(suffix: str) -> SearchStrategy[str]:
    """Paths inside the data directory, with and without the leading `data/`."""
    return st.builds("{}{}/{}{}".format, st.sampled_from(["", "data/"]), words, ids, st.just(suffix))


@st.composite
def boxes(draw: DrawFn) -> tuple[int, int, int, int]:
    """Boxes with an inside."""
    x, y = draw(points)
    return (x, y, x + draw(st.integers(1, 4000)), y + draw(st.integers(1, 4000)))


windows = st.builds(
    WindowContext, title=texts, app_name=texts, pid=maybe(counts), geometry=maybe(boxes()),
    screen_resolution=maybe(points),
)  # fmt: skip


# Layer 0


def events(shots: Sequence[str]) -> SearchStrategy[raw.Event]:
    """Events that refer to some of these screenshots."""
    references = maybe(st.sampled_from(shots)) if shots else st.none()
    common: dict[str, SearchStrategy[Any]] = {
        "t": st.floats(0.0, 1e7), "type": st.sampled_from(get_args(raw.EventType)), "window": windows,
        "screenshot_id": references, "screenshot_after_id": references,
        "button": maybe(st.sampled_from(["left", "middle", "right"])), "pos": maybe(points),
        "clicks": maybe(st.integers(1, 3)), "end_pos": maybe(points), "scroll": maybe(points),
        "modifiers": several(words), "noise_flag": maybe(st.booleans()),
        "semantic_role": maybe(st.sampled_from(get_args(raw.SemanticRole))), "confidence": maybe(unit),
    }  # fmt: skip
    logged = st.builds(raw.LoggedAction, action=texts, target=texts, value=texts, row=texts, url=texts)
    plain = st.builds(raw.Event, key=maybe(texts), char=maybe(texts), text=maybe(texts), logged=maybe(logged), **common)
    hidden = st.builds(raw.LoggedAction, action=texts, target=texts)
    secret = st.builds(raw.Event, secret_ref=ids, logged=maybe(hidden), **common)
    return plain | secret


@st.composite
def recorded_sessions(draw: DrawFn) -> raw.RecordedSession:
    """Whole sessions: events, screenshots they refer to, segments over them."""
    shots = draw(st.lists(ids, unique=True, max_size=4))
    happened = draw(st.lists(events(shots), max_size=5))
    segments = []
    if happened:
        for segment_id in draw(st.lists(ids, max_size=2)):
            first, last = sorted(draw(st.tuples(*[st.integers(0, len(happened) - 1)] * 2)))
            start, end = sorted(draw(st.tuples(moments, moments)))
            segments.append(
                raw.Segment(
                    segment_id=segment_id, start_event_index=first, end_event_index=last,
                    event_indices=draw(maybe(st.just(tuple(sorted({first, last}))))), start_time=start,
                    end_time=end, label=draw(texts), workflow_id=draw(maybe(ids)), confidence=draw(unit),
                    trigger=draw(st.sampled_from(get_args(raw.SegmentTrigger))),
                )
            )  # fmt: skip
    environment = st.builds(
        raw.Environment, platform=texts, hostname=texts,
        screen=st.builds(raw.ScreenEnvironment, primary_resolution=points, scale=st.floats(0.5, 4.0),
                         monitors=several(st.tuples(counts, counts, counts, counts))),
    )  # fmt: skip
    capture = st.builds(raw.CaptureMetrics, frames_grabbed=counts, grab_ms_max=milliseconds, bytes_written=counts)
    return raw.RecordedSession(
        session_id=draw(ids),
        agent_version=draw(texts),
        environment=draw(environment),
        user=draw(st.builds(raw.UserRef, id=texts, label=texts)),
        context=draw(st.dictionaries(texts, texts, max_size=3)),
        started_at=draw(moments),
        ended_at=draw(maybe(moments)),
        events=tuple(happened),
        screenshots=tuple(
            raw.Screenshot(
                screenshot_id=shot, relative_path=f"shots/{shot}.png", captured_at=draw(moments),
                t=draw(maybe(milliseconds)), pointer=draw(maybe(points)), window=draw(maybe(windows)),
            )
            for shot in shots
        ),
        segments=tuple(segments),
        capture=draw(maybe(capture)),
    )  # fmt: skip


# Layers 1 to 3

spaces = st.builds(
    emb.EmbeddingSpace, id=ids, version=texts, model_name=texts, provider=texts, dimensions=st.just(512),
    normalization=st.sampled_from(["l2", "none"]), purpose=maybe(texts),
)  # fmt: skip
vector_refs = st.builds(
    emb.EmbeddingRef, provider=texts, vector_id=data_paths(".npy"), dimensions=st.just(512), space=maybe(spaces)
)


@st.composite
def ui_elements(draw: DrawFn, element_id: str | None = None, shot: str | None = None) -> ui.UIElement:
    """One element with everything that may be known of it."""
    x1, y1, x2, y2 = bbox = draw(boxes())
    features = st.builds(
        ui.VisualFeatures, dominant_color=colors, has_icon=st.booleans(),
        shape=st.sampled_from(["rectangle", "rounded", "circle", "line", "text", "irregular"]),
        size_category=st.sampled_from(["tiny", "small", "medium", "large"]),
    )  # fmt: skip
    flag = maybe(st.booleans())
    tracking = st.builds(
        ui.StabilityTracking, first_seen=moments, last_seen=moments, appearance_count=st.integers(1, 99),
        position_variance=milliseconds, label_variants=several(texts),
    )  # fmt: skip
    affordance = st.builds(
        ui.ActionAffordance, clickable_score=unit, primary_action_score=unit, dangerous_action_score=unit,
        factors=st.dictionaries(words, unit, max_size=2),
    )  # fmt: skip
    return ui.UIElement(
        element_id=element_id or draw(ids),
        type=draw(st.sampled_from(get_args(ui.ElementType))),
        role=draw(texts),
        bbox=bbox,
        center=(draw(st.integers(x1, x2)), draw(st.integers(y1, y2))),
        label=draw(texts),
        label_confidence=draw(unit),
        embeddings=draw(maybe(st.builds(ui.UIElementEmbeddings, image=maybe(vector_refs), text=maybe(vector_refs)))),
        visual_features=draw(maybe(features)),
        tags=draw(several(texts)),
        confidence=draw(unit),
        state=draw(maybe(st.builds(ui.ElementState, enabled=flag, checked=flag, focused=flag, selected=flag))),
        parent_id=draw(maybe(ids)),
        screenshot_id=draw(maybe(st.just(shot))) if shot else None,
        stable_id=draw(maybe(texts)),
        stability_confidence=draw(maybe(unit)),
        stability_tracking=draw(maybe(tracking)),
        action_affordance=draw(maybe(affordance)),
        interaction_history=draw(maybe(st.builds(ui.InteractionHistory, click_count=counts, success_rate=maybe(unit)))),
        metadata=draw(metadata),
    )


@st.composite
def screen_states(draw: DrawFn) -> screen.ScreenState:
    """One screen whose levels refer, where they do, to one screenshot and one moment."""
    shot, moment, session_id = draw(ids), draw(moments), draw(ids)
    level: dict[str, SearchStrategy[Any]] = {
        "screenshot_id": maybe(st.just(shot)), "captured_at": maybe(st.just(moment)),
    }  # fmt: skip
    line = st.builds(screen.TextLine, text=texts, bbox=boxes(), confidence=unit)
    trigger = st.builds(screen.TriggerEvent, event_id=counts, type=texts, role=maybe(texts))
    source = st.builds(
        screen.StateSource, session_id=st.just(session_id), screenshot_id=st.just(shot), segment_id=maybe(ids),
        event_ids=several(counts), trigger_event=maybe(trigger),
    )  # fmt: skip
    perception = st.builds(
        screen.PerceptionLevel, embedding=maybe(vector_refs), detected_text=several(texts),
        text_detection_method=texts, confidence_avg=unit, text_lines=several(line), **level,
    )  # fmt: skip
    context = st.builds(
        screen.ContextLevel, current_workflow_candidate=maybe(ids), workflow_step=maybe(counts), user_id=texts,
        tags=several(texts), business_variables=metadata, **level,
    )  # fmt: skip
    layout = st.builds(
        screen.LayoutSignature, hash=texts, method=texts, components=metadata, stability_score=maybe(unit)
    )
    content = st.builds(
        screen.ContentSignature, hash=texts, variable_fields=several(texts), static_fields=several(texts)
    )
    debug = st.builds(
        screen.DebugView, summary=texts, key_elements=several(texts), anomalies=several(texts), generated_by=texts,
        generation_time_ms=maybe(milliseconds),
    )  # fmt: skip
    names = draw(st.lists(ids, unique=True, max_size=3))
    return screen.ScreenState(
        screen_state_id=draw(ids),
        timestamp=moment,
        session_id=draw(maybe(st.just(session_id))),
        source=draw(maybe(source)),
        window=draw(windows),
        raw=draw(
            st.builds(
                screen.RawLevel, screenshot_path=data_paths(".png"), capture_method=texts, file_size_bytes=counts,
                **level,
            )
        ),
        perception=draw(perception),
        ui_elements=tuple(draw(ui_elements(name, shot)) for name in names),
        context=draw(context),
        layout_signature=draw(maybe(layout)),
        content_signature=draw(maybe(content)),
        debug=draw(maybe(debug)),
        regions_of_interest=draw(several(st.builds(screen.RegionOfInterest, name=texts, bbox=boxes()), 2)),
        metadata=draw(metadata),
    )  # fmt: skip


@st.composite
def fusion_weights(draw: DrawFn) -> dict[str, float]:
    """Weights of the four components that add up to 1, as exactly as floats allow."""
    shares = draw(st.lists(st.floats(0.01, 1.0), min_size=4, max_size=4))
    return {name: share / sum(shares) for name, share in zip(("image", "text", "title", "ui"), shares, strict=True)}


@st.composite
def state_embeddings(draw: DrawFn) -> emb.StateEmbedding:
    """Fingerprints with weights, and with two heads in two different spaces."""
    heads = draw(st.lists(spaces, min_size=2, max_size=2, unique_by=lambda space: space.id))
    primary, auxiliary = (
        draw(
            maybe(
                st.builds(
                    emb.EmbeddingHead, space=st.just(space), vector_id=data_paths(".npy"), dimensions=st.just(512),
                    computation_time_ms=maybe(milliseconds),
                )
            )
        )
        for space in heads
    )  # fmt: skip
    weights = draw(fusion_weights())
    return emb.StateEmbedding(
        embedding_id=draw(ids),
        vector_id=draw(data_paths(".npy")),
        dimensions=512,
        space=draw(spaces),
        fusion_method=draw(st.sampled_from(["weighted", "concat_projection"])),
        components={
            name: emb.EmbeddingComponent(weight=weight, provider=draw(texts)) for name, weight in weights.items()
        },
        primary=primary,
        auxiliary=auxiliary,
        computation_time_ms=draw(maybe(milliseconds)),
        metadata=draw(metadata),
    )


# Layer 4


def templates(names: Sequence[str]) -> SearchStrategy[str]:
    """Texts that may name a variable."""
    plain = texts.map(slots.literal)
    return plain | st.sampled_from(names).map(lambda name: f"${{{name}}}") if names else plain


def targets(names: Sequence[str]) -> SearchStrategy[aim.TargetSpec]:
    """Targets with everything that may be known of one."""
    directions = st.sampled_from(get_args(aim.Direction))
    neighbour = st.builds(aim.Neighbour, label=texts, direction=directions, offset=points)
    return st.builds(
        aim.TargetSpec,
        role=maybe(texts),
        type=maybe(st.sampled_from(get_args(ui.ElementType))),
        label=maybe(templates(names)),
        aliases=several(texts, 2),
        row_contains=several(templates(names), 2),
        neighbours=several(neighbour, 2),
        look=maybe(st.builds(aim.TargetLook, image_path=data_paths(".png"), size=points, dominant_color=maybe(colors))),
        anchor=maybe(st.builds(aim.Neighbour, label=templates(names), direction=directions, offset=points)),
        roi=maybe(boxes()),
        container=maybe(templates(names)),
        place=maybe(st.builds(aim.RecordedPlace, bbox=boxes(), screen_resolution=points)),
        hard_constraints=several(texts, 1),
        min_affordance_score=maybe(unit),
        min_similarity=maybe(unit),
        selection_policy=st.sampled_from(get_args(aim.SelectionPolicy)),
        fallback_strategy=st.sampled_from(get_args(aim.FallbackStrategy)),
    )


@st.composite
def workflow_actions(draw: DrawFn, names: Sequence[str] = (), depth: int = 1) -> actions.Action:
    """Actions of every type; compound ones hold others."""
    kinds = [kind for kind in get_args(actions.ActionType) if depth or kind != "compound"]
    kind = draw(st.sampled_from(kinds))
    secret = kind == "text_input" and draw(st.booleans())
    parameters = st.builds(
        actions.ActionParameters,
        click_offset=points,
        wait_after_ms=maybe(counts),
        button=st.sampled_from(["left", "middle", "right"]),
        click_count=st.integers(1, 3),
        text=templates(names) if kind == "text_input" and not secret else st.none(),
        secret_ref=ids if secret else st.none(),
        replace_existing=st.booleans(),
        scroll=maybe(points),
        drag_offset=maybe(points),
        clipboard_operation=maybe(st.sampled_from(["copy", "paste", "set"])),
        extract_to=maybe(st.sampled_from(names)) if names else st.none(),
        title_contains=maybe(texts),
    )
    aimed = kind in ("mouse_click", "drag", "extract")
    return actions.Action(
        type=kind,
        target=draw(targets(names) if aimed else maybe(targets(names))),
        parameters=draw(parameters),
        keys=draw(st.lists(words, min_size=1, max_size=3).map(tuple)) if kind == "key_press" else None,
        duration_ms=draw(counts) if kind == "wait" else None,
        target_app=draw(st.text(min_size=1, max_size=9)) if kind == "window_switch" else None,
        steps=tuple(draw(st.lists(workflow_actions(names, depth - 1), min_size=1, max_size=2)))
        if kind == "compound"
        else None,
    )


@st.composite
def workflow_variables(draw: DrawFn) -> slots.Variable:
    """Slots of every type and source."""
    value = texts | st.integers(-(10**9), 10**9) | st.floats(-1e9, 1e9) | st.booleans()
    limits = st.builds(
        slots.VariableValidation, regex=maybe(patterns), min=maybe(st.floats(-1e9, 0)), max=maybe(st.floats(0, 1e9)),
        choices=maybe(several(value)),
    )  # fmt: skip
    source = st.builds(
        slots.VariableSource,
        method=st.sampled_from(["parameter", "ui_element_extraction", "system_time", "clipboard"]),
        element_role=maybe(texts), element_label=maybe(texts), extraction_pattern=maybe(patterns),
    )  # fmt: skip
    return slots.Variable(
        type=draw(st.sampled_from(get_args(slots.VariableType))),
        subtype=draw(maybe(texts)),
        source=draw(source),
        example_values=draw(several(value)),
        required=draw(st.booleans()),
        validation=draw(maybe(limits)),
        description=draw(maybe(texts)),
    )


@st.composite
def workflow_nodes(draw: DrawFn, node_id: str, node_ids: Sequence[str], names: Sequence[str]) -> graph.WorkflowNode:
    """A screen, or an error with its ways out."""
    is_error = draw(st.booleans())
    constraint = st.builds(
        graph.UIElementConstraint, role=texts, type_any_of=several(st.sampled_from(get_args(ui.ElementType)), 2),
        label=maybe(texts), min_count=st.integers(1, 9),
    )  # fmt: skip
    prototype = st.builds(
        graph.EmbeddingPrototype, provider=texts, vector_id=data_paths(".npy"),
        min_cosine_similarity=st.floats(-1, 1), sample_count=st.integers(1, 99), space=maybe(spaces),
        samples=several(st.builds(graph.ScreenSample, image_path=data_paths(".png"), window=windows), 2),
    )  # fmt: skip
    template = st.builds(
        graph.ScreenTemplate,
        window=st.builds(
            graph.WindowConstraints, app_name_any_of=several(texts), title_contains_any_of=several(texts)
        ),
        required_text_any=several(texts), stable_texts=several(texts), occasional_texts=several(texts),
        layout_hashes=several(texts),
        required_ui_elements=several(constraint, 2), optional_elements=several(constraint, 1),
        embedding_prototype=maybe(prototype),
    )  # fmt: skip
    recovery = st.builds(
        graph.RecoveryAction,
        action=st.sampled_from(["click_ok_button", "close_dialog", "return_to_previous", "trigger_login_workflow"]),
        return_to_node=maybe(st.sampled_from(node_ids)), workflow_id=maybe(ids),
        steps=maybe(several(workflow_actions(names, 0), 1)),
    )  # fmt: skip
    return graph.WorkflowNode(
        node_id=node_id,
        label=draw(texts),
        description=draw(texts),
        screen_template=draw(template),
        is_error_node=is_error,
        error_type=draw(st.sampled_from(get_args(standing.ErrorType))) if is_error else None,
        recovery_actions=draw(several(recovery, 2)) if is_error else (),
        metadata=draw(metadata),
    )


@st.composite
def workflow_edges(
    draw: DrawFn, edge_id: str, node_ids: Sequence[str], edge_ids: Sequence[str], names: Sequence[str]
) -> graph.WorkflowEdge:
    """An action, a fork, a loop or a fallback from anywhere."""
    node, edge = st.sampled_from(node_ids), st.sampled_from(edge_ids)
    follower = edge | st.just(graph.END)
    expression = st.sampled_from(["variables.amount < 1000.0", 'status == "À valider"', "not done and n in [1, 2]"])
    fork = st.builds(
        graph.EdgeCondition, type=st.just("expression"), expression=expression,
        on_true=maybe(node), on_false=maybe(node), else_edge=maybe(follower),
    )  # fmt: skip
    likeness = st.builds(
        graph.EdgeCondition, type=st.just("screen_similarity"), target_node=node, min_similarity=maybe(unit)
    )
    loop = st.builds(
        graph.Loop, type=st.just("for_each"), iterator=texts, filter=maybe(expression),
        max_iterations=st.integers(1, 99), variable_binding=st.dictionaries(words, texts, max_size=2),
        last_edge=maybe(edge), next_page=maybe(workflow_actions(names, 0)),
    )  # fmt: skip
    seconds = st.floats(0.1, 3600.0)
    limits = st.builds(
        graph.EdgeConstraints, max_delay_seconds=maybe(seconds), pre_conditions=several(texts),
        post_conditions=several(texts),
    )  # fmt: skip
    afterwards = st.builds(
        graph.PostConditions, expected_node=maybe(node), min_similarity=unit, timeout_seconds=seconds,
        conditions=several(texts),
    )  # fmt: skip
    stats = st.builds(
        graph.EdgeStats, manual_executions=counts, success_count=counts, failure_count=counts,
        avg_execution_time_ms=maybe(milliseconds),
    )  # fmt: skip
    return graph.WorkflowEdge(
        edge_id=edge_id,
        from_node=draw(st.just(graph.ANY_NODE) | node),
        to_node=draw(node),
        action=draw(maybe(workflow_actions(names))),
        constraints=draw(maybe(limits)),
        post_conditions=draw(maybe(afterwards)),
        condition=draw(maybe(fork | likeness)),
        loop=draw(maybe(loop)),
        priority=draw(st.integers(-9, 9)),
        trigger=draw(maybe(st.just("unexpected_screen"))),
        next_edge=draw(maybe(follower)),
        stats=draw(stats),
        metadata=draw(metadata),
    )


@st.composite
def workflows(draw: DrawFn) -> graph.Workflow:
    """Whole workflows: variables, forks, loops, error nodes, policy, migration of spaces."""
    node_ids = draw(st.lists(ids.filter(lambda text: text != graph.ANY_NODE), unique=True, min_size=1, max_size=4))
    edge_ids = draw(st.lists(ids, unique=True, max_size=3))
    variables = draw(st.dictionaries(words, workflow_variables(), max_size=2))
    names = sorted(variables)
    some_nodes = several(st.sampled_from(node_ids), 2)
    levels = st.sampled_from(get_args(standing.LearningStateName))
    level = draw(levels)
    created, updated = sorted(draw(st.tuples(moments, moments)))
    cell = st.builds(
        standing.PolicyCell, allowed_actions=several(texts), user_interaction=texts, reason=maybe(texts),
        pause_on_anomaly=maybe(st.booleans()), rollback_on_error=maybe(st.booleans()),
    )  # fmt: skip
    policy = st.builds(
        standing.ExecutionPolicy, shadow_mode=cell, assist_mode=st.dictionaries(levels, cell, max_size=2),
        auto_mode=st.dictionaries(levels, cell, max_size=2),
    )  # fmt: skip
    progression = st.builds(
        standing.Progression, current_phase=levels, progress_percent=st.floats(0, 100), next_phase=maybe(levels)
    )
    transition = st.builds(
        standing.ErrorTransition, from_node=st.sampled_from(node_ids), to_node=st.sampled_from(node_ids),
        count=st.integers(1, 99),
    )  # fmt: skip
    stats = st.builds(
        standing.WorkflowStats, observed_runs=counts, success_rate_overall=maybe(unit), avg_similarity=maybe(unit),
        errors_by_type=st.dictionaries(st.sampled_from(get_args(standing.ErrorType)), counts, max_size=2),
        error_transitions=several(transition, 1), avg_duration_seconds=maybe(milliseconds),
    )  # fmt: skip
    migration = st.builds(
        graph.EmbeddingSpaces, current=ids, legacy=several(ids, 2), target=maybe(ids),
        calibration=several(st.tuples(st.floats(-1, 1), unit), 3),
        migration_status=st.sampled_from(["none", "in_progress", "done", "failed"]), migration_progress=maybe(unit),
    )  # fmt: skip
    rules = st.builds(
        graph.SafetyRules, forbidden_text_clicks=several(texts), forbidden_roles=several(texts),
        require_confirmation_for=several(texts),
    )  # fmt: skip
    return graph.Workflow(
        workflow_id=draw(ids),
        name=draw(texts),
        description=draw(texts),
        version=draw(st.integers(1, 999)),
        learning_state=level,
        created_at=created,
        updated_at=updated,
        applications=draw(several(texts)),
        variables=variables,
        entry_nodes=draw(some_nodes),
        end_nodes=draw(some_nodes),
        nodes=tuple(draw(workflow_nodes(node_id, node_ids, names)) for node_id in node_ids),
        edges=tuple(draw(workflow_edges(edge_id, node_ids, edge_ids, names)) for edge_id in edge_ids),
        safety_rules=draw(rules),
        stats=draw(stats),
        learning=standing.LearningConfig(state=level, progression=draw(maybe(progression))),
        embedding_spaces=draw(maybe(migration)),
        execution_policy=draw(maybe(policy)),
        metadata=draw(metadata),
    )


# Runs


@st.composite
def run_reports(draw: DrawFn) -> ex.RunReport:
    """Reports of runs."""
    candidate = st.builds(ex.CandidateReport, label=texts, type=texts, bbox=boxes(), score=unit, reasons=several(texts))
    step = st.builds(
        ex.StepReport, index=counts, edge_id=ids, action=texts, status=st.sampled_from(ex.ExecutionStatus),
        reason=texts, strategy=maybe(texts), score=maybe(unit), runner_up=maybe(candidate), chosen=maybe(candidate),
        point=maybe(points), healing_level=st.integers(0, 3), duration_ms=milliseconds, verified=st.booleans(),
        screenshot_before=maybe(data_paths(".png")), timing_ms=st.dictionaries(words, milliseconds, max_size=2),
    )  # fmt: skip
    started, ended = sorted(draw(st.tuples(moments, moments)))
    return ex.RunReport(
        run_id=draw(ids),
        workflow_id=draw(ids),
        workflow_name=draw(texts),
        workflow_version=draw(st.integers(1, 999)),
        mode=draw(st.sampled_from(get_args(ex.RunMode))),
        status=draw(st.sampled_from(get_args(ex.RunStatus))),
        reason=draw(texts),
        parameters=draw(metadata),
        started_at=started,
        ended_at=ended,
        duration_s=draw(milliseconds),
        steps=draw(several(step, 2)),
    )
