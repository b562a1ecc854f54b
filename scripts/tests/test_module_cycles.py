"""The import cycles of small crates made here."""

from __future__ import annotations

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import support  # noqa: F401  (makes the scripts importable)

import module_cycles


def edges_found(files: dict[str, str]) -> tuple[int, set[str]]:
    """The exit status for a crate of these files, and the edges printed."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            file = Path(folder, "src", name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
            status = module_cycles.main([folder])
    return status, {line.strip().replace("crate::", "") for line in out.getvalue().splitlines() if " -> " in line}


class ModuleCycles(unittest.TestCase):
    def check(self, files: dict[str, str], *edges: str) -> None:
        files = {"lib.rs": ""} | files
        self.assertEqual(edges_found(files), (1 if edges else 0, set(edges)))

    def test_every_kind_of_path_is_an_edge(self) -> None:
        for path in (
            "use crate::b::X;",
            "use crate::{c, b::{self, deep::Y}};",
            "use super::b as other;",
            "use self::super::b;",
            "pub(crate) use crate::b::*;",
            "fn f() -> crate::b::X { todo!() }",
            "fn f() { super::b::f() }",
            "mod inner { use super::super::b; }",
            "fn f<'a>(x: &'a str) { let quote = '\"'; crate::b::f() }",
        ):
            with self.subTest(path=path):
                self.check({"a.rs": path, "b.rs": "use crate::a;", "c.rs": ""}, "a -> b", "b -> a")

    def test_what_is_no_reference(self) -> None:
        for text in (
            "// use crate::b;\n/* use crate::b; /* nested */ use crate::b; */",
            'const TEXT: &str = "crate::b::X"; const RAW: &str = r#""crate::b::X"#;',
            "#[cfg(test)]\nmod tests { use crate::b; fn f() { let x = [1; 2]; } }",
            "#[cfg(test)]\n#[allow(unused)]\nuse crate::b;",
            "pub(in crate::b) fn f() {}",
            "use b::X; fn f() { b::f() }",
        ):
            with self.subTest(text=text):
                self.check({"a.rs": text, "b.rs": "use crate::a;"})

    def test_a_file_that_only_tests_have_does_not_count(self) -> None:
        files = {"a.rs": "#[cfg(test)]\nmod tests;", "a/tests.rs": "use crate::b;", "b.rs": "use crate::a;"}
        self.check(files)
        self.check(files | {"a.rs": "mod tests;"})
        self.check(files | {"a.rs": "mod tests; use tests::X;"}, "a -> a::tests", "a::tests -> b", "b -> a")

    def test_a_module_and_its_descendants_may_import_each_other(self) -> None:
        family = {
            "lib.rs": "mod a; pub use a::X; pub struct Y;",
            "a/mod.rs": "mod b; use b::c::Z;",
            "a/b.rs": "use super::X; mod c;",
            "a/b/c.rs": "use crate::Y; use crate::a::X;",
        }
        self.check(family)
        self.check(
            family | {"a/d.rs": "use super::b::c;", "a/b/c.rs": "use crate::a::d;"},
            "a::d -> a::b::c",
            "a::b::c -> a::d",
        )

    def test_a_re_export_in_an_ancestor_is_followed(self) -> None:
        for ancestor, path in (
            ("pub use b::deep::X;", "use crate::X;"),
            ("use crate::b::deep::X as Y;", "use super::Y;"),
            ("pub use b::deep;", "fn f() { crate::deep::f() }"),
            ("use b::deep::X;", "use super::*; fn f(x: X) {}"),
        ):
            with self.subTest(path=path):
                self.check(
                    {"lib.rs": ancestor, "a.rs": path, "b.rs": "", "b/deep.rs": "use crate::a;"},
                    "a -> b::deep", "b::deep -> a",
                )  # fmt: skip

    def test_a_folder_without_a_crate(self) -> None:
        self.assertEqual(edges_found({"other.rs": ""})[0], 2)


if __name__ == "__main__":
    unittest.main()
