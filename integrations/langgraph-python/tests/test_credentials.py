"""Tests of a store with a server that has credentials and TLS."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from vademecum import Client, Tls, VademecumError, connect
from vademecum_contract import Server, server_command
from vademecum_langgraph import VademecumStore

CERTIFICATES = Path(__file__).parents[3] / "clients" / "conformance" / "tls"
CA = CERTIFICATES / "ca.pem"
CERT = CERTIFICATES / "client-cert.pem"
CERT_KEY = CERTIFICATES / "client-key.pem"


@dataclass(frozen=True)
class SecuredServer:
    address: str
    key: str


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecuredServer]:
    """A server that knows one principal, by its key and by its certificate."""
    folder = tmp_path_factory.mktemp("secured")
    credentials = str(folder / "credentials.json")
    grants = ["--role", "writer", "--user", "*", "--agent", "*", "--certificate", "spiffe://vademecum.test/robot"]
    created = subprocess.run(
        [*server_command(), "keys", "create", "graph", "--credentials", credentials, *grants],
        check=True,
        capture_output=True,
        text=True,
    )
    tls = ["--tls-cert", CERTIFICATES / "cert.pem", "--tls-key", CERTIFICATES / "key.pem"]
    client_ca = ["--tls-client-ca", CERTIFICATES / "client-ca.pem"]
    server = Server(folder / "data", "--credentials", credentials, *map(str, [*tls, *client_ca]))
    server.start()
    yield SecuredServer(server.address, created.stdout.strip())
    server.kill()


def use_store(client: Client) -> str:
    """Puts and searches an item, and returns its text."""
    with client:
        store = VademecumStore(client.memories(user_id="ada", agent_id="graph"), fields=["text"])
        store.put(("x",), "nuts", {"text": "allergic to hazelnuts"})
        (item,) = store.search(("x",), query="hazelnuts")
        return str(item.value["text"])


def test_a_store_works_with_a_key_over_tls(secured: SecuredServer) -> None:
    client = connect(secured.address, key=secured.key, tls=Tls.from_files(ca=CA))
    assert use_store(client) == "allergic to hazelnuts"


def test_a_store_works_with_a_client_certificate(secured: SecuredServer) -> None:
    client = connect(secured.address, tls=Tls.from_files(ca=CA, cert=CERT, key=CERT_KEY))
    assert use_store(client) == "allergic to hazelnuts"


def test_a_store_takes_its_key_and_certificates_from_the_environment(
    secured: SecuredServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("VADEMECUM_TLS_CA", str(CA))
    key_file = tmp_path / "graph.key"
    key_file.write_text(f"{secured.key}\n")
    for variables in (
        {"VADEMECUM_API_KEY": secured.key},
        {"VADEMECUM_API_KEY_FILE": str(key_file)},
        {"VADEMECUM_TLS_CERT": str(CERT), "VADEMECUM_TLS_KEY": str(CERT_KEY)},
    ):
        with monkeypatch.context() as context:
            for name, value in variables.items():
                context.setenv(name, value)
            assert use_store(connect(secured.address)) == "allergic to hazelnuts"


def test_the_refusal_of_a_key_reaches_the_caller_of_the_store(secured: SecuredServer) -> None:
    with pytest.raises(VademecumError) as caught:
        use_store(connect(secured.address, key="vdm_0", tls=Tls.from_files(ca=CA)))
    assert caught.value.reason == "CREDENTIALS_REFUSED"
