"""No modules of a crate import each other. A module counts with all below it; parent and child may import each other,
in knots of at most LARGEST modules."""

import re
from collections import defaultdict
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
LARGEST = 7

Module = tuple[str, ...]
Graph = dict[Module, set[Module]]

TEST = re.compile(r"^#\[cfg\(test\)\]\n(?:pub\S* )?(?:mod \w+ \{.*?^\}|use [^;]+;)", re.M | re.S)
USE = re.compile(r"^ *(pub\S* )?use ([\w:{},*\s]+);", re.M)


def module_of(source: Path, file: Path) -> Module:
    parts = file.relative_to(source).with_suffix("").parts
    return () if parts in (("lib",), ("main",)) else parts


def uses(statement: str) -> Iterator[tuple[str, list[str]]]:
    """The paths of a `use`, each with the name that it gets."""
    statement = re.sub(r"(\w+)\s+as\s+(\w+)", r"\1=\2", re.sub(r",\s*}", "}", statement))
    prefixes: list[list[str]] = [[]]
    paths = []
    for token in [*re.findall(r"[\w=]+|[{},]", statement), "}"]:
        match token:
            case "{":
                prefixes.append(prefixes[-1].copy())
            case "}" | ",":
                paths.append(prefixes.pop())
                if token == ",":
                    prefixes.append(prefixes[-1].copy())
                elif prefixes:
                    prefixes[-1] = []
            case word:
                prefixes[-1].append(word)
    for path in filter(None, paths):
        *parents, last = path if path[-1] != "self" else path[:-1]
        original, _, name = last.partition("=")
        yield name or original, [*parents, original]


class Crate:
    """The modules of a crate without their tests, and what each imports. A name that a module exports again counts as
    one of the module that it comes from; a module imports those that it declares, but for the root."""

    def __init__(self, source: Path) -> None:
        files = {module_of(source, file): file for file in source.rglob("*.rs")}
        texts = {module: file.read_text() for module, file in files.items() if "tests" not in module}
        self.modules = {module: re.sub(r"//.*", "", TEST.sub("", text)) for module, text in texts.items()}
        self.exports = {
            module: dict(pair for public, statement in USE.findall(text) if public for pair in uses(statement))
            for module, text in self.modules.items()
        }
        self.graph: Graph = {module: set(self.imports(module)) - {module} for module in self.modules}

    def imports(self, module: Module) -> Iterator[Module]:
        text = self.modules[module]
        paths = [path for _, statement in USE.findall(text) for _, path in uses(statement)]
        paths += [path.split("::") for path in re.findall(r"(?<![\w:])\w+(?:::\w+)+", USE.sub("", text))]
        for path in paths:
            if path[0] in ("crate", "super", "self") or (*module, path[0]) in self.modules:
                yield self.target(module, path)
        if module:
            yield from (other for other in self.modules if other and other[:-1] == module)

    def target(self, module: Module, path: list[str]) -> Module:
        while path and path[0] in ("crate", "super", "self"):
            module = {"crate": (), "super": module[:-1], "self": module}[path[0]]
            path = path[1:]
        while path and (*module, path[0]) in self.modules:
            module, path = (*module, path[0]), path[1:]
        origin = self.exports.get(module, {}).get(path[0], path) if path else path
        known = origin != path[:1] and ((*module, origin[0]) in self.modules or origin[0] in ("crate", "super", "self"))
        return self.target(module, origin) if path and known else module


def circles(crate: Crate) -> Iterator[str]:
    graphs: dict[Module, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for module, others in crate.graph.items():
        for other in others:
            common = next((n for n, (a, b) in enumerate(zip(module, other, strict=False)) if a != b), None)
            if common is not None:
                graphs[module[:common]][module[common]].add(other[common])
    for parent, graph in graphs.items():
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            yield f"{'::'.join(parent)}: {' <- '.join(error.args[1])}"


def reachable(graph: Graph, module: Module) -> set[Module]:
    found: set[Module] = set()
    left = [module]
    while left:
        new = graph[left.pop()] - found
        found |= new
        left += new
    return found


def knots(crate: Crate) -> set[frozenset[Module]]:
    """Modules that all import each other, some by way of others."""
    reached = {module: reachable(crate.graph, module) for module in crate.modules}
    return {frozenset(other for other in found if module in reached[other]) for module, found in reached.items()}


def large_knots(crate: Crate) -> list[list[str]]:
    return [sorted("::".join(module) for module in knot) for knot in knots(crate) if len(knot) > LARGEST]


CRATES = sorted([*REPOSITORY.glob("*/src"), REPOSITORY / "web" / "rules" / "src"])


def test_there_are_none() -> None:
    assert len(CRATES) > 9
    found = {source: [*circles(crate), *large_knots(crate)] for source in CRATES for crate in [Crate(source)]}
    assert {source: problems for source, problems in found.items() if problems} == {}


def test_one_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.rs").write_text("use crate::{c::{X, Y as Z}, d};")
    (tmp_path / "c").mkdir()
    (tmp_path / "c.rs").touch()
    (tmp_path / "c" / "b.rs").write_text("fn f() { super::super::a::g() }")
    assert len(list(circles(Crate(tmp_path)))) == 1


def test_knots_are_of_parents_and_children(tmp_path: Path) -> None:
    (tmp_path / "lib.rs").write_text("pub use a::{A as B};\npub struct Root;\nfn f() { e::g() }")
    (tmp_path / "a.rs").write_text("mod b;\npub(crate) use b::Inner;\npub struct A;")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.rs").write_text("use super::A;\n#[cfg(test)]\nmod tests {\n    use crate::Root;\n}\n")
    (tmp_path / "d.rs").write_text("use crate::{a::Inner, B,\n};")
    (tmp_path / "e.rs").write_text("use crate::Root;")
    crate = Crate(tmp_path)
    assert crate.graph["d",] == {("a",), ("a", "b")}
    assert {knot for knot in knots(crate) if knot} == {frozenset({("a",), ("a", "b")}), frozenset({(), ("e",)})}
