"""Fixtures with a real server: the one in `dist/` of the repository, which must be built."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from vademecum import Client, connect
from vademecum_langgraph import VademecumStore

PROJECT_FOLDER = Path(__file__).parents[3]

# The command line of the built server.
VADEMECUM = [os.environ.get("NODE", "node"), str(PROJECT_FOLDER / "dist" / "main.js")]


class Server:
    """Runs a server on free ports. The data survives restarts."""

    def __init__(self, data: Path, *flags: str) -> None:
        self._data = data
        self._flags = flags
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    def start(self) -> None:
        listeners = ["--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--log-level", "warn"]
        command = [*VADEMECUM, "serve", "--data", str(self._data), *listeners, *self._flags]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            event = json.loads(line)
            if event.get("event") == "ready":
                self.address = event["grpc"]
                return
        raise RuntimeError("the server ended before it was ready; is it built?")

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.communicate()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("data"))
    running.start()
    yield running
    running.kill()


@pytest.fixture(scope="session")
def client(server: Server) -> Iterator[Client]:
    with connect(server.address) as connected:
        yield connected


_users = count(1)


@pytest.fixture
def new_store(client: Client) -> Callable[..., VademecumStore]:
    """Returns a function that opens a store. Each test has a namespace of its own."""
    user_id = f"user-{next(_users)}"
    return lambda **options: VademecumStore(client.memories(user_id=user_id, agent_id="graph"), **options)


@pytest.fixture
def store(new_store: Callable[..., VademecumStore]) -> VademecumStore:
    return new_store()
