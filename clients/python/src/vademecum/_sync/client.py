from __future__ import annotations

import grpc

from .._options import DEFAULT_TIMEOUT, Tls, channel_options
from .calls import Calls
from .handles import Handles


def connect(
    address: str, *, key: str | None = None, tls: Tls | bool = False, timeout: float = DEFAULT_TIMEOUT
) -> Client:
    """Returns a client for the server at an address. The first call opens the connection.

    Args:
        address: Host and port of the server's gRPC listener, such as `127.0.0.1:50051`.
        key: The API key, if the server requires one. Without TLS, the key can be read on the
            network.
        tls: True for TLS with the certificates of the system, or TLS settings.
        timeout: Default timeout of a call in seconds.
    """
    credentials = Tls() if tls is True else tls
    channel = (
        grpc.secure_channel(address, credentials.credentials(), options=channel_options())
        if isinstance(credentials, Tls)
        else grpc.insecure_channel(address, options=channel_options())
    )
    return Client(Calls(channel, key, timeout))


class Client(Handles):
    """A connection to a server. Close it when you are done, or use it in `with`."""

    def close(self) -> None:
        """Closes the connection and ends running calls."""
        self._calls.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
