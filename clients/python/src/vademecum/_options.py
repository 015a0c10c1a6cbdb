from __future__ import annotations

from dataclasses import dataclass

from vademecum.v1.search_pb2 import SearchHit, SearchSummary

from ._credentials import Credentials

# The service sends messages of at most 16 MiB; the rest of the 17 MiB is a margin.
_RECEIVE_MAX_BYTES = 17 * 1024 * 1024

# Maximum wait before reconnecting. Equal to the maximum pause between the attempts of a call.
_RECONNECT_BACKOFF_MAX_MS = 2_000

DEFAULT_TIMEOUT = 30.0
"""Default timeout of a call in seconds."""

# gRPC treats an infinite timeout as one that has already passed.
_LONGEST_TIMEOUT = 365 * 24 * 3600.0


@dataclass(frozen=True)
class SearchResult:
    """A complete search result."""

    hits: list[SearchHit]
    """The hits, best first."""
    summary: SearchSummary
    """How many memories matched and were returned, and which matches were left out (at most 100)."""


def channel_options(credentials: Credentials) -> list[tuple[str, str | int]]:
    """Returns the options of a channel."""
    return [
        ("grpc.max_receive_message_length", _RECEIVE_MAX_BYTES),
        # gRPC's default is two minutes. With it, calls fail for up to two minutes after the server
        # is back.
        ("grpc.max_reconnect_backoff_ms", _RECONNECT_BACKOFF_MAX_MS),
        # A proxy of the environment must not read a key that is meant for this machine.
        ("grpc.enable_http_proxy", int(credentials.channel is not None or not credentials.metadata)),
    ]


def call_timeout(timeout: float | None, default: float) -> float:
    """Returns the timeout of a call in seconds."""
    return min(default if timeout is None else timeout, _LONGEST_TIMEOUT)
