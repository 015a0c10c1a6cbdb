"""Fixtures of the tests of this package. Those of the server are shared."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from vademecum import Client
from vademecum_langgraph import VademecumStore

pytest_plugins = ["vademecum_contract.fixtures"]


@pytest.fixture
def new_store(client: Client, user_id: str) -> Callable[..., VademecumStore]:
    """Returns a function that opens a store. Each test has a namespace of its own."""
    return lambda **options: VademecumStore(client.memories(user_id=user_id, agent_id="graph"), **options)


@pytest.fixture
def store(new_store: Callable[..., VademecumStore]) -> VademecumStore:
    return new_store()
