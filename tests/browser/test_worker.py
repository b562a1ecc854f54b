"""The engine for browsers as a Web Worker, on a page that is cross-origin isolated and on one that is not.

Needs the page that scripts/web.sh makes; the engine's files are in the folder above it.
"""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

from checks.wasm import DIALOGUE

import pytest
from playwright.sync_api import Page

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


@pytest.fixture(params=[ISOLATION, {}], ids=["isolated", "not isolated"])
def headers(request: pytest.FixtureRequest) -> dict[str, str]:
    headers: dict[str, str] = request.param
    return headers


@pytest.fixture
def address(headers: dict[str, str], pytestconfig: pytest.Config) -> Iterator[str]:
    class Handler(http.server.SimpleHTTPRequestHandler):
        def end_headers(self) -> None:
            for name, value in headers.items():
                self.send_header(name, value)
            super().end_headers()

        def log_message(self, format: str, *values: object) -> None:
            pass

    folder: Path = pytestconfig.getoption("board").parent
    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_dialogue(page: Page, address: str, headers: dict[str, str]) -> None:
    page.goto(f"{address}/package.json")
    report = page.evaluate(TALK, DIALOGUE)
    assert report["isolated"] == bool(headers)
    assert report["step"] == len(DIALOGUE), report["posted"][-5:]
