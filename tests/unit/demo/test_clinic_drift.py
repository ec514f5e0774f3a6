"""Drift switches are read strictly: a typing mistake must not silently test the undrifted application."""

from __future__ import annotations

import pytest

from rpa_vision.demo.clinic.drift import SWITCHES, Drift, DriftError


def test_several_switches_can_be_set_together() -> None:
    """One by one or together."""
    drift = Drift.parse(["theme=dark", "zoom=150", "renamed", "device_scale=1.5", "moved=bottom"])
    assert drift == Drift(theme="dark", zoom=150, renamed=True, device_scale=1.5, moved="bottom")


def test_nothing_set_is_the_application_as_it_was_learned() -> None:
    """The defaults are the undrifted state."""
    assert Drift.parse([]) == Drift()


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("colour=dark", "unknown drift switch 'colour'"),
        ("theme=pink", "must be one of light, dark, high-contrast"),
        ("zoom=400", "between 80 and 200 %"),
        ("zoom=1.5", "between 80 and 200 %"),
        ("zoom=big", "must be a number"),
        ("font_size=12.5", "whole number of px"),
        ("font_size=40", "between 12 and 20 px"),
        ("slow=-5", "between 0 and 20000 ms"),
        ("slow=nan", "between 0 and 20000 ms"),
        ("renamed=perhaps", "must be on or off"),
        ("lang=de", "must be one of fr, en"),
    ],
)
def test_wrong_settings_are_refused_with_the_reason(setting: str, said: str) -> None:
    """An unknown switch or absurd value names itself and what is allowed."""
    with pytest.raises(DriftError, match=said) as refusal:
        Drift.parse([setting])
    assert refusal.value.remedy


def test_switches_can_be_put_back() -> None:
    """At run time, values come as JSON."""
    drift = Drift().changed({"renamed": True, "zoom": 125}).changed({"renamed": False, "zoom": 100})
    assert drift == Drift()


def test_every_switch_takes_its_own_default() -> None:
    """The table of switches and the dataclass cannot drift apart."""
    defaults = Drift().as_dict()
    assert set(SWITCHES) == set(defaults)
    assert Drift().changed(defaults) == Drift()
