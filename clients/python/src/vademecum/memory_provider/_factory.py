from __future__ import annotations

from collections.abc import Mapping

from .._async.client import connect
from .._credentials import Tls
from .._options import DEFAULT_TIMEOUT
from ._provider import VademecumMemoryProvider

DEFAULT_ADDRESS = "127.0.0.1:50051"

# Names of providers in other packages, and what to use instead of these providers. `mock` must not
# mean a VademecumMemoryProvider: a test that resets its mock would delete the data of a server.
_REMEDIES = {
    "mock": "start a server with --provider memory, which keeps everything in RAM, and use provider 'vademecum'",
    "mem0": "use provider 'vademecum'; `vademecum import` moves the memories of mem0",
}


def get_memory_provider(cfg: Mapping[str, object] | object | None = None) -> VademecumMemoryProvider:
    """Returns the provider that a configuration names.

    The first call of the provider opens the connection.

    Args:
        cfg: A dictionary, a Hydra config, or an object with attributes. It has these settings. A
            setting that is missing or None has its default. Unknown settings are ignored.

            - `provider`: must be `vademecum`, the default.
            - `address`: host and port of the server's gRPC listener. Default `127.0.0.1:50051`.
            - `key`, `tls`, `timeout`: as in `vademecum.aio.connect`.
            - `tls_ca`: the path of a PEM file with the certificates to trust.
            - `tls_cert`: the path of a PEM file with the client's own certificate.
            - `tls_key`: the path of a PEM file with the key of the client's own certificate.

            With one of these three files, `tls` must be True or missing.

    Raises:
        NotImplementedError: The provider is `mock` or `mem0`; the message says what to use instead.
        ValueError: The provider is unknown, or `connect` refuses a setting.
        OSError: A PEM file cannot be read.
        TypeError: A setting has a value of the wrong type.
    """
    provider = _setting(cfg, "provider", "vademecum")
    if provider != "vademecum":
        remedy = _REMEDIES.get(str(provider))
        if remedy is not None:
            raise NotImplementedError(f"memory provider '{provider}' is not in this package: {remedy}")
        raise ValueError(f"Unsupported memory provider: {provider}; the only one is vademecum")

    address = _setting(cfg, "address", DEFAULT_ADDRESS)
    if not isinstance(address, str):
        raise TypeError("address: must be a string, such as '127.0.0.1:50051'")
    key = _setting(cfg, "key", None)
    if not (key is None or isinstance(key, str)):
        raise TypeError("key: must be a string")
    tls = _tls_of(cfg)
    timeout = _setting(cfg, "timeout", DEFAULT_TIMEOUT)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float):
        raise TypeError("timeout: must be a number of seconds")
    return VademecumMemoryProvider(connect(address, key=key, tls=tls, timeout=timeout))


def _tls_of(cfg: Mapping[str, object] | object | None) -> Tls | bool | None:
    tls = _setting(cfg, "tls", None)
    if not (tls is None or isinstance(tls, bool | Tls)):
        raise TypeError("tls: must be True, False or a vademecum.Tls")
    files: dict[str, str] = {}
    for name in ("ca", "cert", "key"):
        path = _setting(cfg, f"tls_{name}", None)
        if not (path is None or isinstance(path, str)):
            raise TypeError(f"tls_{name}: must be the path of a PEM file")
        if path is not None:
            files[name] = path
    if not files:
        return tls
    if tls is False or isinstance(tls, Tls):
        raise ValueError(f"tls: must be True or absent, because tls_{next(iter(files))} is given")
    return Tls.from_files(**files)


def _setting(cfg: Mapping[str, object] | object | None, name: str, default: object) -> object:
    value = cfg.get(name) if isinstance(cfg, Mapping) else getattr(cfg, name, None)
    return default if value is None else value
