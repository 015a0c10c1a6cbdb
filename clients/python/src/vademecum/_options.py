from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import grpc
from vademecum.v1.search_pb2 import SearchHit, SearchSummary

# The largest reply of the service, with room for what surrounds it.
_RECEIVE_MAX_BYTES = 17 * 1024 * 1024

# The longest wait before the next attempt to connect, as between the attempts of a call.
_RECONNECT_BACKOFF_MAX_MS = 2_000

DEFAULT_TIMEOUT = 30.0
"""Seconds that a call may take if neither it nor the client says otherwise."""

# gRPC takes an infinite time for one that has passed.
_LONGEST_TIMEOUT = 365 * 24 * 3600.0


@dataclass(frozen=True)
class Tls:
    """How to speak TLS."""

    root_certificates: bytes | None = None
    """Certificates to trust, in PEM form. None: those of the system."""
    private_key: bytes | None = None
    """Key of the client's own certificate, in PEM form, where the server asks for one."""
    certificate_chain: bytes | None = None
    """The client's own certificate, in PEM form."""

    def credentials(self) -> grpc.ChannelCredentials:
        return grpc.ssl_channel_credentials(self.root_certificates, self.private_key, self.certificate_chain)


@dataclass(frozen=True)
class SearchResult:
    """A whole search."""

    hits: list[SearchHit]
    """Found memories, best first."""
    summary: SearchSummary
    """The receipt: what was found, returned and left out."""


@cache
def _service_config() -> str:
    return files("vademecum").joinpath("service-config.json").read_text(encoding="utf-8")


def channel_options() -> list[tuple[str, str | int]]:
    """Retries as the service config says: safe because each mutation carries an idempotency key."""
    return [
        ("grpc.service_config", _service_config()),
        ("grpc.max_receive_message_length", _RECEIVE_MAX_BYTES),
        # gRPC's own is two minutes: for so long calls would fail after the server is back.
        ("grpc.max_reconnect_backoff_ms", _RECONNECT_BACKOFF_MAX_MS),
    ]


def call_timeout(given: float | None, default: float) -> float:
    """Seconds that a call may take."""
    return min(default if given is None else given, _LONGEST_TIMEOUT)


def call_metadata(key: str | None) -> tuple[tuple[str, str], ...]:
    """What goes along with each call. Raises ValueError if no header can hold the key."""
    if key is None:
        return ()
    if not (key.isascii() and key.isprintable()):
        raise ValueError("key: must have printable ASCII characters only, and no line end")
    return (("authorization", f"Bearer {key}"),)
