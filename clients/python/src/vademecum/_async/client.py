from __future__ import annotations

import grpc

from .._options import DEFAULT_TIMEOUT, Tls, channel_options
from .calls import Calls
from .handles import Handles


def connect(
    address: str, *, key: str | None = None, tls: Tls | bool = False, timeout: float = DEFAULT_TIMEOUT
) -> AsyncClient:
    """Returns a client for the server at an address.

    The first call opens the connection; from then on the client belongs to the event loop of that
    call.

    Args:
        address: Host and port of the server's gRPC listener, such as `127.0.0.1:50051`.
        key: The API key, if the server requires one. Without TLS, the key can be read on the
            network.
        tls: True for TLS with the certificates of the system, or TLS settings.
        timeout: Default timeout of a call in seconds.
    """
    credentials = Tls() if tls is True else tls

    def open_channel() -> grpc.aio.Channel:
        if isinstance(credentials, Tls):
            return grpc.aio.secure_channel(address, credentials.credentials(), options=channel_options())
        return grpc.aio.insecure_channel(address, options=channel_options())

    return AsyncClient(Calls(open_channel, key, timeout))


class AsyncClient(Handles):
    """A connection to a server. Close it when you are done, or use it in `async with`."""

    async def close(self) -> None:
        """Closes the connection and ends running calls."""
        await self._calls.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()
