"""Builds what is plugged in by settings: a detector's file, an encoder, a vision-language model.

Each is chosen by name from a table; without a setting the embedded one is used, and no model is asked anything. A
setting that cannot be honoured is an error with its remedy, never a silent fall back to something else.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from rpa_vision.errors import PluginError, RpaVisionError
from rpa_vision.models.machine import PluginFacts
from rpa_vision.models.perception import RULES

if TYPE_CHECKING:
    from rpa_vision.adapters.perception.vlm_guard import GuardedVlm
    from rpa_vision.adapters.perception.vlm_ollama import OllamaVlm
    from rpa_vision.adapters.perception.vlm_openai import OpenAiVlm
    from rpa_vision.ports.perception import ElementFinder, ElementJudge, ScreenEncoder
    from rpa_vision.ports.runtime import Clock
    from rpa_vision.ports.vlm import VisionLanguageModel

DETECTOR_VARIABLE = "RPA_VISION_DETECTOR"
DETECTOR_SHEET_VARIABLE = "RPA_VISION_DETECTOR_SHEET"
ENCODER_VARIABLE = "RPA_VISION_ENCODER"
OPENCLIP_MODEL_VARIABLE = "RPA_VISION_OPENCLIP_MODEL"
OPENCLIP_WEIGHTS_VARIABLE = "RPA_VISION_OPENCLIP_WEIGHTS"
VLM_VARIABLE = "RPA_VISION_VLM"
VLM_URL_VARIABLE = "RPA_VISION_VLM_URL"
VLM_MODEL_VARIABLE = "RPA_VISION_VLM_MODEL"
VLM_KEY_VARIABLE = "RPA_VISION_VLM_API_KEY"
VLM_PLAIN_VARIABLE = "RPA_VISION_VLM_PLAIN_HTTP"
VLM_TIMEOUT_VARIABLE = "RPA_VISION_VLM_TIMEOUT_S"
VLM_CALLS_VARIABLE = "RPA_VISION_VLM_CALLS"
VLM_SECONDS_VARIABLE = "RPA_VISION_VLM_SECONDS"

EMBEDDED: Final = "embedded"
"""What the package brings with it and uses unless told otherwise; of detectors, the trained one."""
OFF: Final = "off"
TRAINED: Final = "trained"
JUDGED: Final = "judged"
HASHED: Final = "hashed"
_DESCRIPTION: Final = ".json"
Environment = Mapping[str, str]
Choice = TypeVar("Choice")


def element_finder(environment: Environment = os.environ, *, threads: int = 2) -> ElementFinder | None:
    """The detector beside boxes and lines: the shipped net, none, or the file that a setting names."""
    return _DETECTORS.get(environment.get(DETECTOR_VARIABLE) or TRAINED, _detector_file)(environment, threads)


def element_judge(environment: Environment = os.environ) -> ElementJudge | None:
    """Who decides between rules and the shipped net; it was not trained to hear other detectors."""
    from rpa_vision.adapters.perception.onnx_judge import OnnxElementJudge

    return OnnxElementJudge.shipped() if (environment.get(DETECTOR_VARIABLE) or TRAINED) in _WITH_JUDGE else None


def screen_encoder(environment: Environment = os.environ) -> ScreenEncoder:
    """The encoder of screens: one of the table, or our own net trained further, by the file that describes it."""
    given = environment.get(ENCODER_VARIABLE) or EMBEDDED
    if given.endswith(_DESCRIPTION):
        return encoder_file(Path(given))
    return chosen(_ENCODERS, environment, ENCODER_VARIABLE, EMBEDDED)(environment)


def encoder_file(description: Path) -> ScreenEncoder:
    """Our own net with the weights that a file describes (`rpa-vision dataset deploy`)."""
    from rpa_vision.adapters.perception.onnx_pictures import OnnxPictureEncoder
    from rpa_vision.embedding.encoders import TrainedScreenEncoder

    return TrainedScreenEncoder(OnnxPictureEncoder(description))


def encoder_of_space(space_id: str, environment: Environment = os.environ) -> ScreenEncoder:
    """The encoder whose fused vectors lie in that space: the one of the settings, or another that is there.

    So a workflow goes on in the space it was learned in until it is moved, whatever the settings say meanwhile.
    """
    from rpa_vision.embedding.fusion_engine import FusionEngine
    from rpa_vision.embedding.spaces import SpaceMismatchError

    configured = environment.get(ENCODER_VARIABLE) or EMBEDDED
    asked: list[str] = []
    for name in dict.fromkeys((configured, *_ENCODERS)):
        try:
            encoder = screen_encoder({**environment, ENCODER_VARIABLE: name})
        except (RpaVisionError, ImportError):
            if name == configured:
                raise
            continue
        own = FusionEngine(dimensions=encoder.space.dimensions or 1).space(encoder.space).id
        if own == space_id:
            return encoder
        asked.append(own)
    raise SpaceMismatchError(
        f"no encoder here makes vectors of the space {space_id!r}, only of {', '.join(asked)}",
        remedy=f"Set {ENCODER_VARIABLE} to the encoder it was moved to, or move it: rpa-vision workflows migrate.",
    )


def vision_model(clock: Clock, environment: Environment = os.environ) -> GuardedVlm | None:
    """The vision-language model, guarded, if one is configured; give each run its own `for_run()`."""
    from rpa_vision.adapters.perception.vlm_guard import GuardedVlm, VlmLimits

    model = _vlm(clock, environment)
    if model is None:
        return None
    usual = VlmLimits()
    limits = VlmLimits(
        timeout_s=_number(environment, VLM_TIMEOUT_VARIABLE, usual.timeout_s, most=600),
        calls_per_run=int(_number(environment, VLM_CALLS_VARIABLE, usual.calls_per_run, most=10_000, whole=True)),
        seconds_per_run=_number(environment, VLM_SECONDS_VARIABLE, usual.seconds_per_run, most=86_400),
    )
    return GuardedVlm(model, clock, limits)


def model_for_runs(clock: Clock, environment: Environment = os.environ) -> Callable[[], VisionLanguageModel] | None:
    """Gives each run the vision-language model with a budget of its own, if one is configured."""
    guarded = vision_model(clock, environment)
    return guarded.for_run if guarded is not None else None


def plugin_facts(clock: Clock, environment: Environment = os.environ) -> tuple[PluginFacts, ...]:
    """What is plugged in and whether it answers: everything is loaded, and the model's server is asked what it has."""
    checks: tuple[Callable[[], PluginFacts], ...] = (
        lambda: _detector_facts(environment),
        lambda: _encoder_facts(environment),
        lambda: _vlm_facts(clock, environment),
    )
    return tuple(check() for check in checks)


def _no_detector(environment: Environment, threads: int) -> ElementFinder | None:
    """Boxes and lines find what they find; nothing is proposed beside them."""
    return None


def _trained_detector(environment: Environment, threads: int) -> ElementFinder:
    from rpa_vision.adapters.perception.onnx_elements import OnnxElementFinder

    return OnnxElementFinder.shipped(threads=threads, faint=True)


def _detector_file(environment: Environment, threads: int) -> ElementFinder:
    from rpa_vision.adapters.perception.onnx_detector import OnnxDetector
    from rpa_vision.adapters.perception.onnx_elements import OnnxElementFinder

    sheet = environment.get(DETECTOR_SHEET_VARIABLE)
    if environment[DETECTOR_VARIABLE].endswith(_DESCRIPTION):  # our own net, trained further (`dataset deploy`)
        return OnnxElementFinder(Path(environment[DETECTOR_VARIABLE]), threads=threads)
    return OnnxDetector(Path(environment[DETECTOR_VARIABLE]), Path(sheet) if sheet else None)


def _embedded_encoder(environment: Environment) -> ScreenEncoder:
    from rpa_vision.adapters.perception.onnx_pictures import OnnxPictureEncoder
    from rpa_vision.embedding.encoders import TrainedScreenEncoder

    return TrainedScreenEncoder(OnnxPictureEncoder.shipped())


def _hashed_encoder(environment: Environment) -> ScreenEncoder:
    from rpa_vision.embedding.encoders import HashedScreenEncoder

    return HashedScreenEncoder()


def _openclip(environment: Environment) -> ScreenEncoder:
    from rpa_vision.adapters.perception.openclip_encoder import DEFAULT_MODEL, OpenClipEncoder

    weights = environment.get(OPENCLIP_WEIGHTS_VARIABLE)
    name = environment.get(OPENCLIP_MODEL_VARIABLE) or DEFAULT_MODEL
    return OpenClipEncoder(Path(weights) if weights else None, model_name=name)


def _vlm(clock: Clock, environment: Environment) -> OllamaVlm | OpenAiVlm | None:
    return chosen(_VLMS, environment, VLM_VARIABLE, OFF)(clock, environment)


def _no_vlm(clock: Clock, environment: Environment) -> None:
    return None


def _ollama(clock: Clock, environment: Environment) -> OllamaVlm:
    from rpa_vision.adapters.perception.vlm_ollama import DEFAULT_MODEL, DEFAULT_URL, OllamaVlm

    return OllamaVlm(
        clock,
        url=environment.get(VLM_URL_VARIABLE) or DEFAULT_URL,
        model=environment.get(VLM_MODEL_VARIABLE) or DEFAULT_MODEL,
        key=environment.get(VLM_KEY_VARIABLE) or None,
        allow_plain=environment.get(VLM_PLAIN_VARIABLE) == "1",
    )


def _openai(clock: Clock, environment: Environment) -> OpenAiVlm:
    from rpa_vision.adapters.perception.vlm_openai import OpenAiVlm

    url = environment.get(VLM_URL_VARIABLE)
    if not url:
        # Screens are shown to nobody whom nobody named.
        raise PluginError(
            f"{VLM_VARIABLE} is openai, but nothing says where the server is",
            remedy=f"Set {VLM_URL_VARIABLE} to its address.",
        )
    return OpenAiVlm(
        clock,
        url=url,
        model=environment.get(VLM_MODEL_VARIABLE, ""),
        key=environment.get(VLM_KEY_VARIABLE) or None,
        allow_plain=environment.get(VLM_PLAIN_VARIABLE) == "1",
    )


_DETECTORS: Final[Mapping[str, Callable[[Environment, int], ElementFinder | None]]] = {
    TRAINED: _trained_detector,
    EMBEDDED: _trained_detector,
    JUDGED: _no_detector,
    RULES: _no_detector,
}
"""Any other value is the path of a file."""
_WITH_JUDGE: Final = frozenset({TRAINED, EMBEDDED, JUDGED})
_ENCODERS: Final[Mapping[str, Callable[[Environment], ScreenEncoder]]] = {
    EMBEDDED: _embedded_encoder,
    HASHED: _hashed_encoder,
    "openclip": _openclip,
}
_VLMS: Final[Mapping[str, Callable[[Clock, Environment], OllamaVlm | OpenAiVlm | None]]] = {
    OFF: _no_vlm,
    "ollama": _ollama,
    "openai": _openai,
}


def chosen(table: Mapping[str, Choice], environment: Environment, variable: str, usual: str) -> Choice:
    """What a setting names in a table; an error with its remedy where it names nothing."""
    name = environment.get(variable) or usual
    if name not in table:
        raise PluginError(f"{variable} is {name!r}", remedy=f"Set it to one of {', '.join(table)}, or not at all.")
    return table[name]


def _number(environment: Environment, variable: str, usual: float, *, most: float, whole: bool = False) -> float:
    given = environment.get(variable)
    if not given:
        return usual
    try:
        value = float(given)
    except ValueError:
        value = math.nan
    if not 0 < value <= most or (whole and value != int(value)):
        what = "a whole number" if whole else "a number"
        raise PluginError(
            f"{variable} is {given!r}", remedy=f"Set it to {what} above 0, up to {most:g}, or not at all."
        )
    return value


def _detector_facts(environment: Environment) -> PluginFacts:
    try:
        finder, judge = element_finder(environment), element_judge(environment)
    except (RpaVisionError, ImportError) as error:
        return PluginFacts("detector", "", str(error), is_broken=True, remedy=_remedy(error))
    beside = ", ".join(part.name for part in (finder, judge) if part is not None)
    return PluginFacts("detector", f"{RULES}, beside them {beside}" if beside else RULES)


def _encoder_facts(environment: Environment) -> PluginFacts:
    from rpa_vision.embedding.fusion_engine import FusionEngine
    from rpa_vision.embedding.similarity import CALIBRATIONS

    try:
        space = screen_encoder(environment).space
    except (RpaVisionError, ImportError) as error:
        return PluginFacts("encoder", "", str(error), is_broken=True, remedy=_remedy(error))
    fused = FusionEngine(dimensions=space.dimensions or 1).space(space)
    if fused.id not in CALIBRATIONS:
        return PluginFacts(
            "encoder",
            space.id,
            f"{space.id}: nobody has measured yet what a likeness means in its space, so screens are not matched by it",
            remedy="Use the embedded encoder to learn and run; see docs/limits.md.",
        )
    return PluginFacts("encoder", space.id)


def _vlm_facts(clock: Clock, environment: Environment) -> PluginFacts:
    try:
        model = _vlm(clock, environment)
        if model is None:
            return PluginFacts("vlm", "none configured")
        vision_model(clock, environment)  # its limits are read, too
    except (RpaVisionError, ImportError) as error:
        return PluginFacts("vlm", "", str(error), is_broken=True, remedy=_remedy(error))
    problem = model.problem()
    remedy = "Runs go on without it. Start its server and see that it has the model; docs/plugins.md says how."
    return PluginFacts("vlm", f"{model.name} at {model.where}", problem, remedy=remedy if problem else "")


def _remedy(error: Exception) -> str:
    return error.remedy if isinstance(error, RpaVisionError) else "Reinstall the package."
