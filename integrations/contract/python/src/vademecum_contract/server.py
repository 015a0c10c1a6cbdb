"""A real server."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path


def server_command() -> list[str]:
    """Returns the command line of the server: Node, from the variable `NODE` or the path, and `main.js`.

    The program `main.js` is the first of these: the one that the variable `CONTRACT_SERVER` names;
    that of the npm package `vademecum` in `node_modules` of this folder or one above; the built one
    of a clone, from a folder inside it.

    Raises:
        RuntimeError: There is no such program.
    """
    return [os.environ.get("NODE", "node"), os.environ.get("CONTRACT_SERVER") or _find_main()]


def _find_main() -> str:
    here = Path.cwd()
    for folder in (here, *here.parents):
        installed = folder / "node_modules" / "vademecum" / "dist" / "main.js"
        if installed.exists():
            return str(installed)
        built = folder / "dist" / "main.js"
        if built.exists() and (folder / "integrations" / "contract").exists():
            return str(built)
    raise RuntimeError("no server found: install the npm package vademecum, or set CONTRACT_SERVER to its dist/main.js")


class Server:
    """Runs a server on free ports. The data survives restarts."""

    def __init__(self, data: Path, *flags: str) -> None:
        self._data = data
        self._flags = list(flags)
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    def create_key(self, roles: Sequence[str]) -> str:
        """Creates a key for all users and agents.

        From its next start on, the server refuses calls without a key.

        Args:
            roles: The roles of the key, such as `writer`.
        """
        credentials = ["--credentials", str(self._data.parent / f"{self._data.name}-credentials.json")]
        self._flags += credentials
        grants = [it for role in roles for it in ("--role", role)]
        command = [*server_command(), "keys", "create", "adapter", *credentials, *grants, "--user", "*", "--agent", "*"]
        return subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip()

    def start(self) -> None:
        listeners = ["--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--log-level", "warn"]
        command = [*server_command(), "serve", "--data", str(self._data), *listeners, *self._flags]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            event = json.loads(line)
            if event.get("event") == "ready":
                self.address = event["grpc"]
                return
        raise RuntimeError("the server ended before it was ready")

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.communicate()
