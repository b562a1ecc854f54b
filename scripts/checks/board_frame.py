"""The frame of Castellan Board's page and its server: access, limits, tabs, and what happens when the server is gone."""

from __future__ import annotations

import http.client
import time

from playwright.sync_api import Page, expect

from .board import MODES, Board, Scene

SCENES: dict[str, Scene] = {}
PANELS = MODES[1:]


def test_access(board: Board) -> None:
    """Only this host, with the token, gets the page, and only the page gets a socket."""
    server = board.server
    token = server.address.rpartition("=")[2]
    host, origin = f"127.0.0.1:{server.port}", f"http://127.0.0.1:{server.port}"
    upgrade = {
        "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }  # fmt: skip
    for path, headers, expected in (
        (f"/?token={token}", {"Host": host}, 200),
        (f"/?token={token}", {"Host": f"localhost:{server.port}"}, 200),
        (f"/?token={token}", {"Host": "evil.example"}, 403),
        (f"/?token={token}", {"Host": "127.0.0.1"}, 403),
        ("/", {"Host": host}, 403),
        ("/?token=0", {"Host": host}, 403),
        ("/script.js", {"Host": "evil.example"}, 403),
        ("/elsewhere", {"Host": host}, 404),
        (f"/socket?token={token}", {"Host": host, "Origin": origin, **upgrade}, 101),
        (f"/socket?token={token}", {"Host": host, "Origin": "http://evil.example", **upgrade}, 403),
        (f"/socket?token={token}", {"Host": host, "Origin": "null", **upgrade}, 403),
        (f"/socket?token={token}", {"Host": host, **upgrade}, 403),
        ("/socket", {"Host": host, "Origin": origin, **upgrade}, 403),
    ):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        connection.request("GET", path, headers=headers)
        status = connection.getresponse().status
        connection.close()
        assert status == expected, f"{path} with {headers}: {status}, expected {expected}"


def test_bad_messages(board: Board) -> None:
    """Nonsense is answered, an oversized message ends the connection, and the server goes on."""
    page = board.open()
    outcomes = page.evaluate(
        """async () => {
            const token = new URLSearchParams(location.search).get("token");
            const outcome = (message) => new Promise((resolve) => {
                const socket = new WebSocket(`ws://${location.host}/socket?token=${token}`);
                socket.onopen = () => socket.send(message);
                socket.onmessage = (event) => {
                    const { event: { type, text } } = JSON.parse(event.data);
                    if (type === "error") { resolve(text); socket.close(); }
                };
                socket.onclose = () => resolve("closed");
            });
            const results = [];
            for (const message of ["nonsense", '{"mode":"other","request":{}}', '{"mode":"castling","request":{"type":"x"}}',
                                   new Uint8Array([1]), "x".repeat(5 << 20)]) {
                results.push(await outcome(message));
            }
            return results;
        }"""
    )
    *answered, binary, oversized = outcomes
    assert all(text.startswith("invalid request: ") for text in answered), answered
    assert (binary, oversized) == ("closed", "closed"), outcomes
    # This page goes on.
    expect(page.locator("#connection")).to_be_hidden()
    board.open()


def test_too_many_pages(board: Board) -> None:
    """The ninth page is refused until another is closed."""
    pages = [board.open() for _ in range(8)]
    ninth = pages[0].context.new_page()
    ninth.goto(board.server.address)
    expect(ninth.locator("#connection")).to_contain_text("too many pages are open")
    pages[7].close()
    expect(ninth.locator("#connection")).to_be_hidden()


def test_tabs(board: Board) -> None:
    """Tabs by click, keyboard and address; exactly one panel is shown."""
    page = board.open()

    def shows(mode: str) -> None:
        for other in PANELS:
            expect(page.locator(f"#{other}")).to_be_visible(visible=other == mode)
            expect(page.locator(f"#tab-{other}")).to_have_attribute("aria-selected", str(other == mode).lower())

    shows("play")
    for mode in PANELS:
        page.locator(f"#tab-{mode}").click()
        shows(mode)
    page.keyboard.press("ArrowRight")
    shows("play")
    page.keyboard.press("ArrowLeft")
    shows("tridim")
    page.reload()
    shows("tridim")


def test_server_restarted(board: Board) -> None:
    """The page says that the server is gone, and continues when it is back."""
    page = board.open("castling")
    board.server.kill()
    expect(page.locator("#connection")).to_contain_text("No connection to castellan-board")
    time.sleep(1)
    board.server.start()
    expect(page.locator("#connection")).to_be_hidden()
    assert_alive(page)


def assert_alive(page: Page) -> None:
    page.locator("#tab-castling").click()
    expect(page.locator("#castling")).to_be_visible()
