import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from omegaconf import OmegaConf
from vademecum import Tls
from vademecum.memory_provider import VademecumMemoryProvider, get_memory_provider


@pytest.mark.asyncio
@pytest.mark.parametrize("form", [dict, OmegaConf.create, lambda cfg: SimpleNamespace(**cfg)])
async def test_a_config_may_be_a_dictionary_a_hydra_config_or_an_object(address: str, form: Any) -> None:
    cfg = form({"provider": "vademecum", "address": address, "key": None, "timeout": 5, "other": "ignored"})
    async with get_memory_provider(cfg) as provider:
        memory_id = await provider.add("from a config", user_id="u1", agent_id="a1")
        assert [item.id for item in await provider.get_all(user_id="u1", agent_id="a1")] == [memory_id]


@pytest.mark.parametrize("cfg", [None, {}, {"provider": None}, OmegaConf.create({})])
def test_the_default_provider_is_vademecum(cfg: Any) -> None:
    assert isinstance(get_memory_provider(cfg), VademecumMemoryProvider)


@pytest.mark.parametrize("name", ["mock", "mem0"])
def test_the_error_for_mock_and_mem0_says_what_to_use_instead(name: str) -> None:
    with pytest.raises(NotImplementedError, match=f"'{name}'.*'vademecum'"):
        get_memory_provider({"provider": name})


@pytest.mark.parametrize("name", ["", "Vademecum", "neo4j", 3])
def test_the_error_for_an_unknown_provider_names_vademecum(name: object) -> None:
    with pytest.raises(ValueError, match=f"^Unsupported memory provider: {name}; .*vademecum"):
        get_memory_provider({"provider": name})


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("address", 50051),
        ("key", 7),
        ("tls", "yes"),
        ("tls", 1),
        ("tls_ca", 1),
        ("timeout", "30"),
        ("timeout", True),
    ],
)
def test_the_error_for_a_setting_of_the_wrong_type_names_the_setting(setting: str, value: object) -> None:
    with pytest.raises(TypeError, match=f"^{setting}: "):
        get_memory_provider({setting: value})


def test_the_error_for_a_key_of_the_wrong_type_does_not_reveal_the_key() -> None:
    with pytest.raises(TypeError) as caught:
        get_memory_provider({"key": b"secret"})
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("tls", [True, False, Tls()])
def test_tls_may_be_a_boolean_or_a_tls_object(tls: bool | Tls) -> None:
    assert isinstance(get_memory_provider({"tls": tls}), VademecumMemoryProvider)


def test_a_config_may_name_pem_files() -> None:
    tls = Path(__file__).parents[3] / "conformance" / "tls"
    files = {"tls_ca": "ca.pem", "tls_cert": "client-cert.pem", "tls_key": "client-key.pem"}
    cfg = OmegaConf.create({name: str(tls / file) for name, file in files.items()})
    assert isinstance(get_memory_provider(cfg), VademecumMemoryProvider)
    with pytest.raises(FileNotFoundError, match="nothing.pem"):
        get_memory_provider({"tls_ca": str(tls / "nothing.pem")})
    with pytest.raises(ValueError, match="^tls: must be True or absent, because tls_ca is given"):
        get_memory_provider({"tls": False, "tls_ca": str(tls / "ca.pem")})


def test_a_config_may_not_send_a_key_in_plaintext_to_another_machine() -> None:
    with pytest.raises(ValueError, match="plaintext"):
        get_memory_provider({"address": "192.0.2.1:50051", "key": "secret"})


def test_the_import_error_without_pydantic_names_the_extra() -> None:
    program = "import sys; sys.modules['pydantic'] = None; import vademecum; import vademecum.memory_provider"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "ImportError: vademecum.memory_provider needs pydantic: " in run.stderr
    assert "vademecum[memory-provider]" in run.stderr
