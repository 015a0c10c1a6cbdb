from __future__ import annotations

from dataclasses import dataclass

from .breaking_proxy import BreakingProxy
from .server import Server


@dataclass
class Setting:
    """A server behind a proxy, so that its address stays the same when it restarts."""

    server: Server
    proxy: BreakingProxy

    def start(self) -> None:
        self.server.start()
        self.proxy.forward_to(self.server.address)

    def restart(self) -> None:
        """Kills the server and starts it again. Meanwhile, connections wait."""
        self.proxy.hold()
        self.server.kill()
        self.start()

    def stop(self) -> None:
        self.proxy.stop()
        self.server.kill()
