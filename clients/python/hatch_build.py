"""Copies the files that all clients share into the package: the stubs of `gen/python`, the service
config and the license.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SharedFilesHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        clients = Path(self.root).parent
        stubs = clients.parent / "gen" / "python" / "vademecum" / "v1"
        # A source distribution already contains the stubs.
        if not stubs.exists():
            return
        package = "src/vademecum" if self.target_name == "sdist" else "vademecum"
        build_data["force_include"][str(stubs)] = f"{package}/v1"
        build_data["force_include"][str(clients / "service-config.json")] = f"{package}/service-config.json"
        licenses = "." if self.target_name == "sdist" else f"vademecum-{self.metadata.version}.dist-info/licenses"
        build_data["force_include"][str(clients.parent / "LICENSE")] = f"{licenses}/LICENSE"
