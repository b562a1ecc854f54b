"""Examples run, and the stubs are complete: `python python/tests/test_docs.py` writes their docstrings."""

from __future__ import annotations

import ast
import doctest
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import castellan as c
import castellan.errors

import pytest

REPOSITORY = Path(__file__).parents[2]
STUBS = REPOSITORY / "python/castellan/_castellan.pyi"


def documented() -> list[tuple[str, object]]:
    """The modules, classes, methods and functions that have examples."""
    found: dict[int, tuple[str, object]] = {}

    def add(name: str, value: object) -> None:
        if id(value) in found or ">>>" not in (inspect.getdoc(value) or ""):
            return
        found[id(value)] = (name, value)

    modules: list[ModuleType] = [c, c.chess, c.tridim, castellan.errors]
    for module in modules:
        add(module.__name__, module)
        for name, value in vars(module).items():
            add(name, value)
            for member, inner in vars(value).items() if inspect.isclass(value) else []:
                add(f"{name}.{member}", inner)
    return list(found.values())


@pytest.mark.parametrize(("name", "value"), documented(), ids=[name for name, _ in documented()])
def test_examples_of_docstrings(name: str, value: object) -> None:
    names = {**vars(c), **(vars(value) if isinstance(value, ModuleType) else {})}
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(value) or "", names, name, None, None)
    output: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=output.append)
    assert result.failed == 0, "".join(output)


def test_enough_is_documented() -> None:
    assert len(documented()) > 25


def scripts(path: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["docs/python.md", "docs/scale.md", "docs/tridim.md", "python/README.md"])
def test_scripts_of_documents(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.pgn").write_text('[White "Ann"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n1. f3 e5 2. g4 Qh4# 0-1\n')
    (tmp_path / "fens.txt").write_text("6k1/5ppp/8/8/8/8/8/R3K3\n8/8/8/8/8/5k2/8/5K1q w\n")
    mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - -"
    (tmp_path / "suite.epd").write_text(f'{mate} bm Ra8; id "1";\n{mate} bm Kf2; id "2";\n{mate} am Kf2; id "3";\n')
    found = scripts(REPOSITORY / page)
    assert found
    for script in found:
        exec(compile(script, page, "exec"), {})
    if page == "docs/python.md":
        assert "2 of 3 solved; not: ['2']" in capsys.readouterr().out


def test_scripts_of_documents_are_typed(tmp_path: Path) -> None:
    for number, script in enumerate(scripts(REPOSITORY / "docs/python.md")):
        (tmp_path / f"script_{number}.py").write_text(script)
    environment = {**os.environ, "MYPYPATH": str(REPOSITORY / "python")}
    command = [sys.executable, "-m", "mypy", "--strict", "--allow-untyped-calls", str(tmp_path)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert checked.returncode == 0, checked.stdout


def with_docstrings(stubs: str) -> str:
    """The stubs with the first paragraph of each docstring of the compiled part."""
    lines = stubs.splitlines()
    found: list[tuple[ast.ClassDef | ast.FunctionDef, object]] = []
    for node in ast.parse(stubs).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            found.append((node, getattr(castellan._castellan, node.name)))
        if isinstance(node, ast.ClassDef):
            kind = found[-1][1]
            members = [member for member in node.body if isinstance(member, ast.FunctionDef) and member.name[0] != "_"]
            found += [(member, getattr(kind, member.name)) for member in members]
    for node, value in sorted(found, key=lambda one: one[0].lineno, reverse=True):
        first, indent = node.body[0], " " * (node.col_offset + 4)
        text = (inspect.getdoc(value) or "").partition("\n\n")[0].replace("\n", f"\n{indent}")
        written = f'{indent}"""{text}"""'
        if ast.get_docstring(node) is not None:
            lines[first.lineno - 1 : first.end_lineno] = [written]
        elif text and isinstance(node, ast.ClassDef):
            lines.insert(node.lineno, written)
        elif text:
            # In place of `...`.
            lines[first.lineno - 1 : first.lineno] = [lines[first.lineno - 1][: first.col_offset].rstrip(), written]
    return "\n".join(lines) + "\n"


def test_the_docstrings_of_the_stubs_are_those_of_the_module() -> None:
    stubs = STUBS.read_text()
    assert with_docstrings(stubs) == stubs


def test_the_stubs_are_complete() -> None:
    command = [sys.executable, "-m", "mypy.stubtest", "castellan", "--concise"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False, cwd=REPOSITORY)
    assert checked.returncode == 0, checked.stdout + checked.stderr


if __name__ == "__main__":
    STUBS.write_text(with_docstrings(STUBS.read_text()))
