from __future__ import annotations

import grpc

from .._options import DEFAULT_TIMEOUT, Tls, channel_options
from .calls import Calls
from .handles import Handles


def connect(
    address: str, *, key: str | None = None, tls: Tls | bool = False, timeout: float = DEFAULT_TIMEOUT
) -> Client:
    """A client of the server at an address. It connects with its first call.

    Args:
        address: Host and port of the server's gRPC listener, such as `127.0.0.1:50051`.
        key: The key to show, if the server wants one. Without TLS it can be read on the way.
        tls: Whether to speak TLS; a `Tls` says which certificates to trust and to show.
        timeout: Seconds that a call may take unless it says otherwise.
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
