"""The engine for browsers as a Web Worker, on a page that is cross-origin isolated and on one that is not.

Needs the page that scripts/web.sh makes; the engine's files are in the folder above it.
"""

from __future__ import annotations

import functools
import http.server
import json
import os
import re
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

# Counts the workers that are ended.
FAIL = """async () => {
  let ended = 0;
  Worker.prototype.terminate = () => { ended += 1; };
  const { Castellan } = await import(new URL("index.js", document.baseURI));
  const reason = await Castellan.create().catch(({ message }) => message);
  return [reason, ended];
}"""

APP = """
import { Castellan } from "castellan";
import { loadRules } from "castellan/rules";
const [{ code }] = (await loadRules()).position().whyIllegal("Bc4").reasons;
const engine = await Castellan.create();
const { move, info } = await engine.go({ fen: "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", depth: 3 });
document.title = `${code} ${move} ${info.score.mate}`;
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


def test_a_worker_that_fails_is_ended(page: Page, files: Path, tmp_path: Path, headers: dict[str, str]) -> None:
    if not headers:
        pytest.skip("without isolation no worker starts before a search")
    shutil.copytree(files, tmp_path / "broken", ignore=shutil.ignore_patterns("board"))
    (tmp_path / "broken/inner.js").write_text('onmessage = () => { throw new Error("broken"); };')
    with served(tmp_path / "broken", headers) as address:
        page.goto(f"{address}/package.json")
        assert page.evaluate(FAIL) == ["the engine has ended with status 1", 1]


@pytest.fixture
def app(files: Path, tmp_path: Path) -> Path:
    """A folder with an app that uses the installed package."""
    shutil.copytree(files, tmp_path / "node_modules/castellan", ignore=shutil.ignore_patterns("board"))
    (tmp_path / "app.js").write_text(APP)
    (tmp_path / "index.html").write_text('<!doctype html><title>A page</title><script type="module" src="./app.js"></script>')
    return tmp_path


def bundle(tool: str, *arguments: str, app: Path) -> None:
    subprocess.run([str(ROOT / "web/node_modules/.bin" / tool), *arguments, "--log-level=error"], cwd=app, check=True)


def test_the_package_in_a_bundle(page: Page, app: Path, headers: dict[str, str]) -> None:
    """As its README says: bundled by esbuild, with its files beside the bundle."""
    shutil.copytree(app / "node_modules/castellan", app / "dist")
    bundle("esbuild", "app.js", "--bundle", "--format=esm", "--outfile=dist/app.js", app=app)
    shutil.copy(app / "index.html", app / "dist/index.html")
    with served(app / "dist", headers) as address:
        page.goto(f"{address}/index.html")
        expect(page).to_have_title("blocked a1a8 1")


def test_the_package_built_by_vite(page: Page, app: Path, headers: dict[str, str]) -> None:
    bundle("vite", "build", app=app)
    with served(app / "dist", headers) as address:
        page.goto(f"{address}/index.html")
        expect(page).to_have_title("blocked a1a8 1")


def test_the_package_served_by_vite(page: Page, app: Path, headers: dict[str, str]) -> None:
    """Pre-bundled, the scripts are far from their files; `url` says where those are."""
    shutil.copytree(app / "node_modules/castellan", app / "public/castellan")
    located = APP.replace("loadRules()", 'loadRules({ url: "/castellan/castellan-rules.wasm" })')
    (app / "app.js").write_text(located.replace("create()", 'create({}, { url: "/castellan/" })'))
    (app / "vite.config.js").write_text(f"export default {{ server: {{ headers: {json.dumps(headers)} }} }};")
    vite = [str(ROOT / "web/node_modules/.bin/vite"), "--port", "0", "--host", "127.0.0.1"]
    with subprocess.Popen(vite, cwd=app, stdout=subprocess.PIPE, text=True, env={**os.environ, "NO_COLOR": "1"}) as server:
        try:
            assert server.stdout
            lines = (re.search(r"http://[\d.]+:\d+/", line) for line in server.stdout)
            address = next(match[0] for match in lines if match)
            page.goto(address)
            expect(page).to_have_title("blocked a1a8 1")
        finally:
            server.terminate()
