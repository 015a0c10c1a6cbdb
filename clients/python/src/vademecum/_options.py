from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import grpc
from vademecum.v1.search_pb2 import SearchHit, SearchSummary

# The service sends replies of up to 16 MiB; the rest is for the message around them.
_RECEIVE_MAX_BYTES = 17 * 1024 * 1024

# The longest wait before reconnecting, the same as between the attempts of a call.
_RECONNECT_BACKOFF_MAX_MS = 2_000

DEFAULT_TIMEOUT = 30.0
"""Default timeout of a call in seconds."""

# gRPC treats an infinite timeout as one that has already passed.
_LONGEST_TIMEOUT = 365 * 24 * 3600.0


@dataclass(frozen=True)
class Tls:
    """TLS settings."""

    root_certificates: bytes | None = None
    """The certificates to trust, in PEM form. None: those of the system."""
    private_key: bytes | None = None
    """The key of the client's own certificate, in PEM form, if the server requires one."""
    certificate_chain: bytes | None = None
    """The client's own certificate, in PEM form."""

    def credentials(self) -> grpc.ChannelCredentials:
        return grpc.ssl_channel_credentials(self.root_certificates, self.private_key, self.certificate_chain)


@dataclass(frozen=True)
class SearchResult:
    """A complete search result."""

    hits: list[SearchHit]
    """The hits, best first."""
    summary: SearchSummary
    """The receipt: which memories matched, were returned and were left out."""


@cache
def _service_config() -> str:
    return files("vademecum").joinpath("service-config.json").read_text(encoding="utf-8")


def channel_options() -> list[tuple[str, str | int]]:
    """The retry policy of the service config. Retries are safe because each mutation carries an
    idempotency key.
    """
    return [
        ("grpc.service_config", _service_config()),
        ("grpc.max_receive_message_length", _RECEIVE_MAX_BYTES),
        # gRPC's default is two minutes. With it, calls fail for up to two minutes after the server
        # is back.
        ("grpc.max_reconnect_backoff_ms", _RECONNECT_BACKOFF_MAX_MS),
    ]


def call_timeout(timeout: float | None, default: float) -> float:
    """Returns the timeout of a call in seconds."""
    return min(default if timeout is None else timeout, _LONGEST_TIMEOUT)


def call_metadata(key: str | None) -> tuple[tuple[str, str], ...]:
    """Returns the metadata of each call. Raises ValueError if no header can hold the key."""
    if key is None:
        return ()
    if not (key.isascii() and key.isprintable()):
        raise ValueError("key: must contain only printable ASCII characters, without a line break")
    return (("authorization", f"Bearer {key}"),)
