"""Tests of `vademecum.memory_provider` against a real server that allows resets:
`pytest tests/memory_provider --address HOST:PORT`.
"""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio
from vademecum.memory_provider import VademecumMemoryProvider, get_memory_provider

OpenProvider = Callable[[], VademecumMemoryProvider]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--address", default="127.0.0.1:50051")


@pytest.fixture
def address(request: pytest.FixtureRequest) -> str:
    """Empties the server and returns its address."""
    address = str(request.config.getoption("--address"))

    async def reset() -> None:
        async with get_memory_provider({"address": address}) as provider:
            await provider.reset()

    asyncio.run(reset())
    return address


@pytest_asyncio.fixture
async def open_provider(address: str) -> AsyncIterator[OpenProvider]:
    """Opens providers, each with a connection of its own, and closes them after the test."""
    opened: list[VademecumMemoryProvider] = []

    def open_one() -> VademecumMemoryProvider:
        opened.append(get_memory_provider({"provider": "vademecum", "address": address}))
        return opened[-1]

    yield open_one
    for provider in opened:
        await provider.close()
