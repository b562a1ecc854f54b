#!/usr/bin/env python3
"""Lists import cycles between the modules of Rust crates.

    scripts/module_cycles.py engine search movegen

A module is a file under CRATE_DIR/src. It imports another one if a path in it (`use` or inline, starting with `crate`,
`super`, `self` or a child module) leads there; a path to a re-export in an ancestor counts as a path to what is re-exported.
Items under #[cfg(test)] do not count. A cycle of a module and its own descendants is allowed; each other strongly connected
component is printed with its edges.
Exit status: 0 no cycles, 1 cycles, 2 a crate cannot be read.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

Name = tuple[str, ...]
Graph = dict[Name, set[Name]]

TOKEN = re.compile(
    r"""(?P<comment>/\*)|\s+|//[^\n]*"""
    r"""|b?c?r(?P<hashes>\#*)".*?"(?P=hashes)|[bc]?"(?:\\.|[^"\\])*"|b?'(?:\\[^\n]+?|[^\\'])'"""
    r"""|(?P<token>'?(?:r\#)?[A-Za-z_]\w*|\d\w*|::|.)""",
    re.DOTALL,
)
COMMENT_MARK = re.compile(r"/\*|\*/")
CLOSING = {"{": "}", "(": ")", "[": "]"}


@dataclass
class Module:
    """What one source file names: the paths in it, the imports of its top level, its words, the modules only tests have."""

    paths: list[Name] = field(default_factory=list)
    imports: dict[str, Name] = field(default_factory=dict)
    globs: list[Name] = field(default_factory=list)
    words: set[str] = field(default_factory=set)
    test_children: set[str] = field(default_factory=set)


def tokens_of(text: str) -> list[str]:
    """The tokens of Rust source, without comments and literals."""
    tokens, at = [], 0
    while found := TOKEN.match(text, at):
        at = found.end()
        if found["token"]:
            tokens.append(found["token"])
        elif found["comment"]:
            depth = 1
            while depth and (mark := COMMENT_MARK.search(text, at)):
                depth += 1 if mark.group() == "/*" else -1
                at = mark.end()
    return tokens


def end_of_group(tokens: list[str], start: int) -> int:
    """The index after the bracket that closes the one at `start`."""
    stack: list[str] = []
    for index in range(start, len(tokens)):
        if tokens[index] in CLOSING:
            stack.append(CLOSING[tokens[index]])
        elif stack and tokens[index] == stack[-1]:
            stack.pop()
            if not stack:
                return index + 1
    return len(tokens)


def end_of_item(tokens: list[str], start: int) -> int:
    """The index after the item at `start`: behind its `;` or its braces."""
    index = start
    while index < len(tokens):
        if tokens[index] == ";":
            return index + 1
        if tokens[index] == "{":
            end = end_of_group(tokens, index)
            if tokens[end : end + 1] != [";"]:
                return end
            index = end
        elif tokens[index] in CLOSING:
            index = end_of_group(tokens, index)
        else:
            index += 1
    return index


def use_tree(tokens: list[str], prefix: Name) -> Iterator[tuple[Name, str]]:
    """The paths of a use tree, each with the name it gets; `*` is the name of a glob."""
    path, alias, index = list(prefix), "", 0
    while index < len(tokens):
        token = tokens[index]
        if token == "{":
            end = end_of_group(tokens, index)
            for part in split_at_commas(tokens[index + 1 : end - 1]):
                yield from use_tree(part, tuple(path))
            return
        if token == "as":
            alias = tokens[index + 1]
            break
        if token == "*":
            alias = "*"
        elif token != "::" and not (token == "self" and path):
            path.append(token)
        index += 1
    if path:
        yield tuple(path), alias or path[-1]


def split_at_commas(tokens: list[str]) -> Iterator[list[str]]:
    part: list[str] = []
    depth = 0
    for token in tokens:
        depth += (token == "{") - (token == "}")
        if token == "," and depth == 0:
            yield part
            part = []
        else:
            part.append(token)
    yield part


def read_module(text: str, name: Name, children: set[str]) -> Module:
    """Everything in a file that leads to another module. Paths are absolute: `super` and `self` are replaced."""
    module = Module()
    tokens = tokens_of(text)
    module.words = set(tokens)
    inline: list[tuple[str, int]] = []  # the modules written out in this file around the current token, with their ends
    index = 0

    def absolute(path: Name) -> Name | None:
        here = (*name, *(inner for inner, _ in inline))
        if path[0] == "crate":
            return path[1:]
        if path[0] not in ("self", "super"):
            return (*here, *path) if not inline and path[0] in children else None
        path = path[path[0] == "self" :]
        while path[:1] == ("super",):
            here, path = here[:-1], path[1:]
        return (*here, *path)

    while index < len(tokens):
        while inline and index >= inline[-1][1]:
            inline.pop()
        token = tokens[index]
        if token == "#" and tokens[index + 1] in ("[", "!"):
            start = index + 1 + (tokens[index + 1] == "!")
            end = end_of_group(tokens, start)
            attribute = tokens[start:end]
            if attribute[1:2] == ["cfg"] and "test" in attribute and not {"not", "any"} & set(attribute):
                after = end
                while tokens[after : after + 1] == ["#"]:
                    after = end_of_group(tokens, after + 1)
                index = end_of_item(tokens, after)
                item = tokens[after:index]
                if "mod" in item and item[-1] == ";":
                    module.test_children.add(item[item.index("mod") + 1])
            else:
                index = end
        elif token == "pub" and tokens[index + 1] == "(":
            index = end_of_group(tokens, index + 1)
        elif token == "mod" and tokens[index + 2] == "{":
            inline.append((tokens[index + 1], end_of_group(tokens, index + 2)))
            index += 3
        elif token == "use":
            end = tokens.index(";", index)
            for relative, alias in use_tree(tokens[index + 1 : end], ()):
                path = absolute(relative)
                if path is None:
                    continue
                module.paths.append(path)
                if alias == "*":
                    module.globs.append(path)
                elif not inline:
                    module.imports[alias] = path
            index = end + 1
        elif (token in ("crate", "super", "self") or token in children) and tokens[index + 1 : index + 2] == ["::"]:
            end = index + 1
            while tokens[end : end + 1] == ["::"] and (tokens[end + 1].isidentifier()):
                end += 2
            path = absolute(tuple(part for part in tokens[index:end] if part != "::"))
            if path is not None and tokens[index - 1] not in ("::", "."):
                module.paths.append(path)
            index = end
        else:
            index += 1
    return module


def is_ancestor(upper: Name, lower: Name) -> bool:
    return upper == lower[: len(upper)]


def imports_of(crate: Path) -> Graph:
    """Each module of a crate with the modules it imports."""
    source = crate / "src"
    files: dict[Name, Path] = {}
    roots = [root for root in (source / "lib.rs", source / "main.rs") if root.is_file()]
    if not roots:
        raise OSError(f"{source}: no lib.rs or main.rs")
    for file in sorted(source.rglob("*.rs")):
        parts = file.relative_to(source).with_suffix("").parts
        name = parts[:-1] if parts[-1] == "mod" else parts
        if parts[0] == "bin" or name in (("lib",), ("main",)):
            continue
        files[name] = file
    files[()] = roots[0]
    modules = {
        name: read_module(file.read_text(), name, {other[-1] for other in files if other and other[:-1] == name})
        for name, file in files.items()
    }
    tests = [(*name, child) for name, module in modules.items() for child in module.test_children]
    modules = {name: module for name, module in modules.items() if not any(is_ancestor(test, name) for test in tests)}
    return {name: set(targets(modules, name)) - {name} for name in modules}


def targets(modules: dict[Name, Module], name: Name) -> Iterator[Name]:
    for path in modules[name].paths:
        yield from resolve(modules, path, name, set())
    for ancestor in modules[name].globs:
        if ancestor in modules and is_ancestor(ancestor, name):
            for alias in modules[ancestor].imports.keys() & modules[name].words:
                yield from resolve(modules, (*ancestor, alias), name, set())


def resolve(modules: dict[Name, Module], path: Name, source: Name, seen: set[Name]) -> Iterator[Name]:
    """The deepest module file on a path; behind a re-export in an ancestor of `source`, the one re-exported."""
    if path in seen:
        return
    seen.add(path)
    target = next(path[:length] for length in range(len(path), -1, -1) if path[:length] in modules)
    yield target
    rest = path[len(target) :]
    if rest and is_ancestor(target, source) and rest[0] in modules[target].imports:
        yield from resolve(modules, (*modules[target].imports[rest[0]], *rest[1:]), source, seen)


def components(graph: Graph) -> Iterator[set[Name]]:
    """The strongly connected components of more than one module."""

    def reached(start: Name, edges: Graph) -> set[Name]:
        seen, waiting = {start}, [start]
        while waiting:
            new = edges[waiting.pop()] - seen
            seen |= new
            waiting += new
        return seen

    backwards: Graph = {name: set() for name in graph}
    for name, others in graph.items():
        for other in others:
            backwards[other].add(name)
    left = set(graph)
    while left:
        start = min(left)
        component = reached(start, graph) & reached(start, backwards)
        left -= component
        if len(component) > 1:
            yield component


def cycles(graph: Graph) -> Iterator[Graph]:
    """The cyclic parts of a graph that are more than a module and its own descendants."""
    for component in components(graph):
        part = {name: graph[name] & component for name in component}
        top = min(component, key=len)
        if all(is_ancestor(top, name) for name in component):
            yield from cycles({name: others - {top} for name, others in part.items() if name != top})
        else:
            yield part


def shown(name: Name) -> str:
    return "::".join(("crate", *name))


def report(crate: str, found: Iterable[Graph]) -> list[str]:
    lines = []
    for part in found:
        edges = sorted((name, other) for name, others in part.items() for other in others)
        lines.append(f"{crate}: cycle of {len(part)} modules, {len(edges)} edges")
        lines += [f"  {shown(name)} -> {shown(other)}" for name, other in edges]
    return lines


def main(words: list[str] | None = None) -> int:
    summary, _, rest = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(description=summary, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("crates", nargs="+", type=Path, metavar="CRATE_DIR", help="a folder with src/lib.rs or src/main.rs")
    lines = []
    for crate in parser.parse_args(words).crates:
        try:
            lines += report(str(crate), cycles(imports_of(crate)))
        except (OSError, UnicodeDecodeError) as error:
            print(f"module_cycles: {error}", file=sys.stderr)
            return 2
    print("\n".join(lines) or "no import cycles")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
