"""A real server: the one in `dist/` of the repository, which must be built."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

PROJECT_FOLDER = Path(__file__).resolve().parents[5]

# The command line of the built server.
VADEMECUM = [os.environ.get("NODE", "node"), str(PROJECT_FOLDER / "dist" / "main.js")]


class Server:
    """Runs a server on free ports. The data survives restarts."""

    def __init__(self, data: Path, *flags: str) -> None:
        self._data = data
        self._flags = flags
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    def start(self) -> None:
        listeners = ["--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--log-level", "warn"]
        command = [*VADEMECUM, "serve", "--data", str(self._data), *listeners, *self._flags]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            event = json.loads(line)
            if event.get("event") == "ready":
                self.address = event["grpc"]
                return
        raise RuntimeError("the server ended before it was ready; is it built?")

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.communicate()
