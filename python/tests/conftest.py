"""Options of the tests."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--positions", type=int, default=20_000, help="random positions that are compared with python-chess's")
    parser.addoption("--seed", type=int, default=1, help="of random arguments")


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    number: int = request.config.getoption("--seed")
    return number


@pytest.fixture
def positions(request: pytest.FixtureRequest) -> int:
    count: int = request.config.getoption("--positions")
    return count
