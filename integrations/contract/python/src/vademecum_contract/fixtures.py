"""Fixtures for the tests of a package: `pytest_plugins = ["vademecum_contract.fixtures"]`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import pytest
from vademecum import Client, connect

from .breaking_proxy import BreakingProxy
from .server import Server
from .setting import Setting


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests."""
    running = Server(tmp_path_factory.mktemp("data"))
    running.start()
    yield running
    running.kill()


@pytest.fixture(scope="session")
def client(server: Server) -> Iterator[Client]:
    """A blocking client of the server."""
    with connect(server.address) as connected:
        yield connected


@pytest.fixture(scope="class")
def setting(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Setting]:
    """The server of a contract, and a key with the roles of the contract in the environment."""
    started = Setting(Server(tmp_path_factory.mktemp("contract")), BreakingProxy())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VADEMECUM_API_KEY", started.server.create_key(request.cls.roles))
        started.start()
        yield started
    started.stop()


_users = count(1)


@pytest.fixture
def user_id() -> str:
    """A user that no other test has."""
    return f"user-{next(_users)}"


@pytest.fixture
def new_user_id() -> Callable[[], str]:
    """Returns users that no other test has."""
    return lambda: f"user-{next(_users)}"
