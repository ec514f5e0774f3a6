"""Scenario files."""

from rpa_vision.adapters.scenarios.yaml_scenarios import YamlScenarios

__all__ = ["YamlScenarios"]
