"""Rules of the house that no type checker knows."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

from project_files import PACKAGE, ROOT, project_files, sources


def offenders(pattern: str, paths: list[Path]) -> list[str]:
    found = []
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if re.search(pattern, line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    return found


def test_imports_go_one_way() -> None:
    """The contracts of import-linter in pyproject.toml hold."""
    ended = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_only_the_clock_adapter_reads_the_clock_or_waits() -> None:
    """Demonstrations are the world outside: they have time of their own."""
    allowed = (PACKAGE / "adapters" / "runtime", PACKAGE / "demo")
    paths = [path for path in sources() if not any(path.is_relative_to(folder) for folder in allowed)]
    assert offenders(r"\btime\.sleep\b|\btime\.time\b|\bdatetime\.now\b|\bdatetime\.utcnow\b", paths) == []


def test_nothing_is_left_to_be_written() -> None:
    """L0-3"""
    assert offenders(r"NotImplementedError|\bTODO\b|\bFIXME\b|\bXXX\b", sources()) == []


def test_only_adapters_and_the_outside_open_files_sockets_and_processes() -> None:
    """Demo and testing are outside; the report's template is a part of the package."""
    rooms = ("app", "capture", "cli", "detection", "embedding", "execution", "graph", "imaging", "learning", "models",
             "ports", "system")  # fmt: skip
    forbidden = {"socket", "subprocess", "sqlite3", "tempfile", "shutil", "mss", "Xlib", "urllib", "http"}
    found = []
    for path in sources():
        if path.relative_to(PACKAGE).parts[0] not in rooms or path == PACKAGE / "app" / "report.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and node.level == 0 else []
            found += [f"{path.relative_to(ROOT)}: {name}" for name in names if name.split(".")[0] in forbidden]
            opens = isinstance(node, ast.Call) and (
                (isinstance(node.func, ast.Name) and node.func.id == "open")
                or (isinstance(node.func, ast.Attribute) and node.func.attr in ("read_text", "read_bytes", "write_text",
                                                                                 "write_bytes"))
            )  # fmt: skip
            found += [f"{path.relative_to(ROOT)}:{node.lineno}: opens a file"] if opens else []
    assert found == []


def test_whoever_learns_into_versions_keeps_as_many_as_the_policy_says() -> None:
    """AH-4.6: the number has a default, so that forgetting it would go unnoticed."""
    calls = [
        (path, {keyword.arg for keyword in node.keywords})
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and "learn" in (getattr(node.func, "id", ""), getattr(node.func, "attr", ""))
    ]
    versioned = [(path, names) for path, names in calls if "versions" in names]
    assert versioned
    assert [str(path.relative_to(ROOT)) for path, names in versioned if "keep_versions" not in names] == []


def test_no_file_knows_the_machine_it_was_written_on() -> None:
    pattern = r"(?<![\w.~$}-])/(?:work|root|home|Users)" + r"/"
    paths = [path for path in project_files() if not _is_binary(path)]
    assert offenders(pattern, paths) == []


def test_no_locked_dependency_names_an_index() -> None:
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if "://" in line or line.startswith(("-i", "--index", "--extra-index"))] == []


def test_expressions_are_never_handed_to_python() -> None:
    """L4-4"""
    found = []
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("eval", "exec"):
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert found == []


def test_modules_stay_small() -> None:
    """A god class is never split later. Past 400 lines a module needs a reason, given here."""
    with_reason = {
        "testing/desktop_conformance.py": "one suite, read from top to bottom, shared by every desktop adapter",
        "testing/strategies.py": "one table of generators for all documents",
        "testing/scripted_desktop.py": "one desktop in memory: eyes, ears and hands share its state",
    }
    long = {path.relative_to(PACKAGE).as_posix() for path in sources() if len(path.read_text().splitlines()) > 400}
    assert long - with_reason.keys() == set()


def _is_binary(path: Path) -> bool:
    return b"\0" in path.read_bytes()[:4096] or path.suffix in (".onnx", ".png", ".jpg", ".npy")
