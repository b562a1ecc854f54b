"""No modules of a crate import each other. A module counts with all below it; parent and child may import each other."""

import re
from collections import defaultdict
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]

Module = tuple[str, ...]


def module_of(source: Path, file: Path) -> Module:
    parts = file.relative_to(source).with_suffix("").parts
    return () if parts in (("lib",), ("main",)) else parts


def imports(text: str) -> Iterator[list[str]]:
    """The paths that follow `crate` or `super`, and those in each list in braces."""
    text = re.sub(r"//.*", "", text)
    for statement in re.findall(r"\buse\s+((?:crate|super|self)::[^;]+);", text):
        prefixes: list[list[str]] = [[]]
        for token in re.findall(r"\w+|[{},]", re.sub(r"\bas\s+\w+", "", statement)):
            match token:
                case "{":
                    prefixes.append(prefixes[-1].copy())
                case "}":
                    yield prefixes.pop()
                case ",":
                    yield prefixes[-1]
                    prefixes[-1] = prefixes[-2].copy()
                case word:
                    prefixes[-1].append(word)
        yield prefixes[0]
    yield from (path.split("::") for path in re.findall(r"\b(?:crate|super)(?:::\w+)+", text))


def target(module: Module, path: list[str], modules: set[Module]) -> Module:
    while path and path[0] in ("crate", "super", "self"):
        module = {"crate": (), "super": module[:-1], "self": module}[path[0]]
        path = path[1:]
    while path and (*module, path[0]) in modules:
        module, path = (*module, path[0]), path[1:]
    return module


def circles(source: Path) -> Iterator[str]:
    files = {module_of(source, file): file for file in source.rglob("*.rs")}
    files = {module: file for module, file in files.items() if "tests" not in module}
    graphs: dict[Module, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for module, file in files.items():
        for path in imports(file.read_text()):
            other = target(module, path, set(files))
            common = next((n for n, (a, b) in enumerate(zip(module, other, strict=False)) if a != b), None)
            if common is not None:
                graphs[module[:common]][module[common]].add(other[common])
    for parent, graph in graphs.items():
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            yield f"{source.joinpath(*parent)}: {' <- '.join(error.args[1])}"


def test_there_are_none() -> None:
    sources = sorted(REPOSITORY.glob("*/src"))
    assert len(sources) > 8
    assert [circle for source in sources for circle in circles(source)] == []


def test_one_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.rs").write_text("use crate::{c::{X, Y as Z}, d};")
    (tmp_path / "c").mkdir()
    (tmp_path / "c.rs").touch()
    (tmp_path / "c" / "b.rs").write_text("fn f() { super::super::a::g() }")
    assert len(list(circles(tmp_path))) == 1
