from __future__ import annotations

import socket
import threading
from contextlib import suppress


class BreakingProxy:
    """Forwards connections to a server, whose address may change.

    On request, it breaks all connections in place of passing on a chunk of a reply.
    """

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._target = ""
        self._is_open = threading.Event()
        self._lock = threading.Lock()
        self._chunks_left: int | None = None
        self._sockets: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def hold(self) -> None:
        """Keeps new connections waiting until `forward_to`."""
        self._is_open.clear()

    def forward_to(self, address: str) -> None:
        """Forwards all connections to an address from now on."""
        self._target = address
        self._is_open.set()

    def break_after(self, chunks: int) -> None:
        """Passes on `chunks` more chunks of replies. Breaks all connections in place of the next one."""
        with self._lock:
            self._chunks_left = chunks

    def has_broken(self) -> bool:
        """Cancels a break that has not happened. Returns whether it has happened."""
        with self._lock:
            has_broken = self._chunks_left is None
            self._chunks_left = None
            return has_broken

    def stop(self) -> None:
        # A waiting `accept` ends only with a shutdown.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._break_all()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._forward, args=(client,), daemon=True).start()

    def _forward(self, client: socket.socket) -> None:
        self._is_open.wait()
        host, _, port = self._target.rpartition(":")
        try:
            server = socket.create_connection((host, int(port)))
        except OSError:
            client.close()
            return
        with self._lock:
            self._sockets += [client, server]
        threading.Thread(target=self._pump, args=(client, server, False), daemon=True).start()
        self._pump(server, client, True)

    def _pump(self, source: socket.socket, target: socket.socket, is_reply: bool) -> None:
        with suppress(OSError):
            while chunk := source.recv(65536):
                if is_reply and self._is_to_break():
                    self._break_all()
                    return
                target.sendall(chunk)
        _close(source)
        _close(target)

    def _is_to_break(self) -> bool:
        with self._lock:
            if self._chunks_left is None:
                return False
            is_last = self._chunks_left == 0
            self._chunks_left = None if is_last else self._chunks_left - 1
            return is_last

    def _break_all(self) -> None:
        with self._lock:
            broken, self._sockets = self._sockets, []
        for each in broken:
            _close(each)


def _close(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
