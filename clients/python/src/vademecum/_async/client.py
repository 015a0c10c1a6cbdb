from __future__ import annotations

import grpc

from .._credentials import Tls, resolve_credentials
from .._options import DEFAULT_TIMEOUT, channel_options
from .._routes import Routes
from .calls import Calls
from .handles import Handles


def connect(
    address: str, *, key: str | None = None, tls: Tls | bool | None = None, timeout: float = DEFAULT_TIMEOUT
) -> AsyncClient:
    """Returns a client for the server at an address.

    The first call opens the connection; from then on the client belongs to the event loop of that
    call.

    Args:
        address: Host and port of the server's gRPC listener, such as `127.0.0.1:50051`.
        key: The API key or token, for a server with credentials. Default: that of VADEMECUM_API_KEY,
            or of the file that VADEMECUM_API_KEY_FILE names. An empty key sends none. A key is sent
            only over TLS, or to this machine.
        tls: True for TLS, or TLS settings. False for plaintext. Default: TLS if VADEMECUM_TLS_CA,
            or VADEMECUM_TLS_CERT and VADEMECUM_TLS_KEY, name PEM files.
        timeout: Default timeout of a call in seconds.

    Raises:
        ValueError: The key cannot be sent, or would cross a network in plaintext; a certificate
            lacks its key; or a file of the environment cannot be read.
    """

    def open_channel(place: str) -> grpc.aio.Channel:
        credentials = resolve_credentials(place, key, tls)
        options = channel_options(credentials)
        if credentials.channel is None:
            return grpc.aio.insecure_channel(place, options=options)
        return grpc.aio.secure_channel(place, credentials.channel, options=options)

    metadata = resolve_credentials(address, key, tls).metadata
    return AsyncClient(Calls(Routes(address, open_channel), metadata, timeout))


class AsyncClient(Handles):
    """A connection to a server. Close it when you are done, or use it in `async with`."""

    async def close(self) -> None:
        """Closes the connection and ends running calls."""
        await self._calls.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()
