from __future__ import annotations

import ipaddress
import re
import ssl
from dataclasses import dataclass
from pathlib import Path

import grpc

from ._environment import environment_file, environment_key

# The Go client has the same regular expression. An IPv6 address may have a zone:
# [fe80::1%eth0]:50051.
_HOST_AND_PORT = re.compile(r"(?:[\w.-]+|\[[\da-fA-F:.]+(?:%[\w.-]+)?\]):(?P<port>\d{1,5})", re.ASCII)
_PORT_MAX = 65_535


@dataclass(frozen=True)
class Tls:
    """TLS settings, each in PEM form.

    A setting that is None has a default from the environment. The certificate and its key belong
    together: give both, or neither.
    """

    root_certificates: bytes | None = None
    """The certificates to trust. Default: the file that VADEMECUM_TLS_CA names, else the
    certificates of the system.
    """
    private_key: bytes | None = None
    """The key of the client's own certificate. Default: the file that VADEMECUM_TLS_KEY names."""
    certificate_chain: bytes | None = None
    """The client's own certificate, if the server asks for one. Default: the file that
    VADEMECUM_TLS_CERT names.
    """

    @classmethod
    def from_files(
        cls, *, ca: str | Path | None = None, cert: str | Path | None = None, key: str | Path | None = None
    ) -> Tls:
        """Reads the settings from PEM files.

        Args:
            ca: The certificates to trust.
            cert: The client's own certificate.
            key: The key of the client's own certificate.
        """

        def read(path: str | Path | None) -> bytes | None:
            return None if path is None else Path(path).read_bytes()

        return cls(root_certificates=read(ca), private_key=read(key), certificate_chain=read(cert))

    def credentials(self) -> grpc.ChannelCredentials:
        return grpc.ssl_channel_credentials(self.root_certificates, self.private_key, self.certificate_chain)


@dataclass(frozen=True)
class Credentials:
    """How a client connects: its key and its TLS settings."""

    metadata: tuple[tuple[str, str], ...]
    """The metadata of each call, which has the key."""
    channel: grpc.ChannelCredentials | None
    """The TLS settings, or None for plaintext."""


def resolve_credentials(address: str, key: str | None, tls: Tls | bool | None) -> Credentials:
    """Completes the arguments of `connect` from the environment.

    Raises ValueError in these cases:

    - The address is not a host and a port.
    - The key has characters that no header can hold.
    - The client would send the key in plaintext to another machine.
    - A certificate comes without its key, or a key without its certificate.
    - A certificate or a private key is not in PEM form.
    - An environment variable names a file that cannot be read.
    """
    if not _is_host_and_port(address):
        raise ValueError(f'address: is "{address}" and must be a host and port, such as 127.0.0.1:50051')
    key = environment_key() if key is None else key
    if not ((key or "").isascii() and (key or "").isprintable()):
        raise ValueError("key: must contain only printable ASCII characters, without a line break")
    settings = _resolve_tls(tls)
    if key and settings is None and not _is_loopback(address):
        raise ValueError(
            f"address: the API key would go to '{address}' in plaintext, so others could read it; "
            "connect with TLS, or without a key"
        )
    return Credentials(
        metadata=(("authorization", f"Bearer {key}"),) if key else (),
        channel=None if settings is None else settings.credentials(),
    )


def _resolve_tls(tls: Tls | bool | None) -> Tls | None:
    if tls is False:
        return None
    given = tls if isinstance(tls, Tls) else Tls()
    roots_name, root_certificates = "tls.root_certificates", given.root_certificates
    if root_certificates is None:
        roots_name = "VADEMECUM_TLS_CA"
        root_certificates = environment_file(roots_name)
    if root_certificates is not None:
        _require_certificate(roots_name, root_certificates)
    certificate_chain, private_key = given.certificate_chain, given.private_key
    names = ("tls.certificate_chain", "tls.private_key")
    if certificate_chain is None and private_key is None:
        names = ("VADEMECUM_TLS_CERT", "VADEMECUM_TLS_KEY")
        certificate_chain, private_key = (environment_file(name) for name in names)
    if (certificate_chain is None) != (private_key is None):
        present, absent = names if private_key is None else reversed(names)
        raise ValueError(f"{absent}: missing, but {present} is given; give both, or neither")
    if certificate_chain is not None and private_key is not None:
        _require_certificate(names[0], certificate_chain)
        # Python parses private keys only from files. This check finds a file of another kind.
        if b"PRIVATE KEY-----" not in private_key:
            raise ValueError(f"{names[1]}: has no private key in PEM form")
    if tls is None and root_certificates is None and certificate_chain is None:
        return None
    return Tls(root_certificates, private_key, certificate_chain)


def _require_certificate(name: str, pem: bytes) -> None:
    try:
        # Comments between certificates may have other characters than ASCII.
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=pem.decode("ascii", "ignore"))
    except (ssl.SSLError, ValueError) as error:
        raise ValueError(f"{name}: has no certificate in PEM form") from error


def _is_host_and_port(address: str) -> bool:
    """Whether an address has the form host:port, without a scheme, user or path."""
    match = _HOST_AND_PORT.fullmatch(address)
    return match is not None and int(match["port"]) <= _PORT_MAX


def _is_loopback(address: str) -> bool:
    """Whether an address leads to this machine: localhost or a loopback IP address."""
    host, _, _ = address.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
