"""The engine for browsers as a Web Worker, on a page that is cross-origin isolated and on one that is not.

Needs the page that scripts/web.sh makes; the engine's files are in the folder above it.
"""

from __future__ import annotations

import functools
import http.server
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from checks.wasm import DIALOGUE
from conftest import ROOT

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.static
ISOLATION = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}
# Sends the lines of a dialogue to a worker; the result is what it posted, up to the last answer or for half a minute.
TALK = """(dialogue) => new Promise((resolve) => {
  const worker = new Worker("castellan.js");
  const posted = [];
  let step = 0;
  const next = () => dialogue[step][0].split("\\n").forEach((line) => worker.postMessage(line));
  const end = () => { worker.terminate(); resolve({ posted, step, isolated: crossOriginIsolated }); };
  setTimeout(end, 30000);
  worker.onerror = (error) => { posted.push(error.message); end(); };
  worker.onmessage = ({ data }) => {
    posted.push(data);
    if (new RegExp("^" + dialogue[step][1]).test(data)) { step += 1; if (step < dialogue.length) next(); else end(); }
  };
  next();
})"""

APP = """
import { Castellan } from "castellan";
const engine = await Castellan.create();
const { move, info } = await engine.go({ fen: "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", depth: 3 });
document.title = `${move} ${info.score.mate}`;
"""


@pytest.fixture(params=[ISOLATION, {}], ids=["isolated", "not isolated"])
def headers(request: pytest.FixtureRequest) -> dict[str, str]:
    headers: dict[str, str] = request.param
    return headers


@contextmanager
def served(folder: Path, headers: dict[str, str]) -> Iterator[str]:
    """The address of a folder."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def end_headers(self) -> None:
            for name, value in headers.items():
                self.send_header(name, value)
            super().end_headers()

        def log_message(self, format: str, *values: object) -> None:
            pass

    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def files(pytestconfig: pytest.Config) -> Path:
    board: Path = pytestconfig.getoption("board")
    return board.parent


def test_a_dialogue(page: Page, files: Path, headers: dict[str, str]) -> None:
    with served(files, headers) as address:
        page.goto(f"{address}/package.json")
        report = page.evaluate(TALK, DIALOGUE)
    assert report["isolated"] == bool(headers)
    assert report["step"] == len(DIALOGUE), report["posted"][-5:]


def test_the_package_in_a_bundle(page: Page, files: Path, headers: dict[str, str], tmp_path: Path) -> None:
    """As its README says: bundled, with its files beside the bundle."""
    shutil.copytree(files, tmp_path / "node_modules/castellan", ignore=shutil.ignore_patterns("board"))
    shutil.copytree(tmp_path / "node_modules/castellan", tmp_path / "dist")
    (tmp_path / "app.js").write_text(APP)
    (tmp_path / "dist/index.html").write_text(
        '<!doctype html><title>A page</title><script type="module" src="app.js"></script>'
    )
    esbuild = [str(ROOT / "web/node_modules/.bin/esbuild"), "app.js", "--bundle", "--format=esm", "--outfile=dist/app.js"]
    subprocess.run([*esbuild, "--log-level=error"], cwd=tmp_path, check=True)
    with served(tmp_path / "dist", headers) as address:
        page.goto(f"{address}/index.html")
        expect(page).to_have_title("a1a8 1")
