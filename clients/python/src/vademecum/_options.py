from __future__ import annotations

from dataclasses import dataclass

from vademecum.v1.search_pb2 import SearchHit, SearchSummary

from ._credentials import Credentials
from ._errors import CallTarget

# The server sends messages of at most 16 MiB. The limit of the client is slightly higher.
_RECEIVE_MAX_BYTES = 17 * 1024 * 1024

# Maximum wait before a client reconnects. With gRPC's default of two minutes, calls would fail for
# up to two minutes after the server is back.
_RECONNECT_BACKOFF_MAX_MS = 2_000

DEFAULT_TIMEOUT = 30.0
"""Default timeout of a call in seconds."""

# In seconds. gRPC treats an infinite timeout as a deadline that has already passed, so the
# limit of a call is at most this value.
_LONGEST_TIMEOUT = 365 * 24 * 3600.0


@dataclass(frozen=True)
class SearchResult:
    """A complete search result."""

    hits: list[SearchHit]
    """The hits, best first."""
    summary: SearchSummary
    """Says how many memories matched, and how many of them were returned. Lists up to 100 of the
    matches that were left out.
    """


def channel_options(credentials: Credentials) -> list[tuple[str, str | int]]:
    """Returns the options of a channel."""
    return [
        ("grpc.max_receive_message_length", _RECEIVE_MAX_BYTES),
        ("grpc.max_reconnect_backoff_ms", _RECONNECT_BACKOFF_MAX_MS),
        # Without TLS, a client with a key uses no proxy: an HTTP proxy could read the key.
        ("grpc.enable_http_proxy", int(credentials.channel is not None or not credentials.metadata)),
    ]


@dataclass(frozen=True)
class Connection:
    """What all calls of a client have in common."""

    address: str
    credentials: Credentials
    timeout: float
    """The timeout of a call without one of its own, in seconds."""

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """The metadata of each call."""
        return self.credentials.metadata

    def target(self, call: str, timeout: float | None) -> CallTarget:
        """Describes a call for its errors. `timeout` is the call's own timeout, if it has one."""
        limit = min(self.timeout if timeout is None else timeout, _LONGEST_TIMEOUT)
        return CallTarget(call, self.address, self.credentials.channel is not None, limit)

    def describe(self, kind: str) -> str:
        """Returns the text of `repr` for a client: its address and its options, without the key."""
        options = ("key=..." if self.metadata else "", "tls=..." if self.credentials.channel else "")
        return f"{kind}({', '.join([repr(self.address), *filter(None, options)])})"
