from __future__ import annotations

import grpc

from .._credentials import Tls, resolve_credentials
from .._options import DEFAULT_TIMEOUT, Connection, channel_options
from .calls import Calls
from .handles import Handles


def connect(
    address: str, *, key: str | None = None, tls: Tls | bool | None = None, timeout: float = DEFAULT_TIMEOUT
) -> AsyncClient:
    """Returns a client for a server.

    The first call opens the connection. From then on, the client belongs to the event loop of this
    first call.

    Args:
        address: Host and port of the server's gRPC listener, such as `127.0.0.1:50051`.
        key: The API key or token for a server with credentials. The client sends a key only over
            TLS or to the same machine. An empty key means no key. Default: the key in the variable
            VADEMECUM_API_KEY, or in the file that VADEMECUM_API_KEY_FILE names.
        tls: True for TLS, a `Tls` for TLS with settings, False for plaintext. Default: TLS if
            VADEMECUM_TLS_CA or VADEMECUM_TLS_CERT is set, else plaintext.
        timeout: Timeout of calls in seconds.

    Raises:
        ValueError: The address is not a host and a port.
        ValueError: The key is invalid, or the client would send it in plaintext to another machine.
        ValueError: A certificate comes without its key, or a key without its certificate.
        ValueError: A certificate or a private key is not in PEM form.
        ValueError: An environment variable names a file that cannot be read.
    """
    credentials = resolve_credentials(address, key, tls)
    options = channel_options(credentials)

    def open_channel() -> grpc.aio.Channel:
        if credentials.channel is None:
            return grpc.aio.insecure_channel(address, options=options)
        return grpc.aio.secure_channel(address, credentials.channel, options=options)

    return AsyncClient(Calls(open_channel, Connection(address, credentials, timeout)))


class AsyncClient(Handles):
    """A connection to a server. Close it when you are done, or use it in `async with`."""

    def __repr__(self) -> str:
        return self._calls.connection.describe("AsyncClient")

    async def close(self) -> None:
        """Closes the connection. Running calls and later calls fail with CANCELLED."""
        await self._calls.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()
