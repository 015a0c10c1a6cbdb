from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message

from ._errors import VademecumError, client_closed
from ._retries import Retries
from ._routing import routing_metadata, user_of

# Maximum number of users and runs that a client remembers as moved.
_MOVES_MAX = 10_000

# Maximum number of moves that one call follows. A move to another server and back counts twice.
_FOLLOWS_MAX = 3

Channel = TypeVar("Channel")
Scope = tuple[str, str]


class Routes(Generic[Channel]):
    """Chooses the server of each call.

    The server is the home server, or the server to which the call's user or run has moved. Users
    and runs move one by one, so this class remembers each move separately.
    """

    def __init__(self, address: str, open_channel: Callable[[str], Channel]) -> None:
        """
        Args:
            address: The address of the home server, as given to `connect`.
            open_channel: Opens a connection to an address, with the key of the client. Raises
                ValueError if the client may not send the key there.
        """
        self._address = address
        self._open_channel = open_channel
        self._channels: dict[str, Channel] = {}
        self._addresses: dict[Scope, str] = {}
        self._is_closed = False
        self._lock = threading.Lock()

    @property
    def home(self) -> Channel:
        """The channel to the home server. The first use opens it."""
        return self._channel_at(self._address)

    def close(self) -> list[Channel]:
        """Opens no more channels. Returns the open channels, which the caller must close.

        A later call that needs another channel raises VademecumError with CANCELLED.
        """
        with self._lock:
            self._is_closed = True
            return list(self._channels.values())

    def channel_of(self, request: Message) -> Channel:
        """Returns the channel to the server of a request's user or run."""
        scope = _scope_of(request)
        with self._lock:
            address = self._address if scope is None else self._addresses.get(scope, self._address)
        return self._channel_at(address)

    def follow(self, request: Message, error: VademecumError, retries: Retries) -> bool:
        """Handles the error MOVED. Remembers the new server of the call's user or run.

        Returns True if the call can be repeated there. A call cannot be repeated if it has followed
        too many moves, or if the client may not send its key to the new server.
        """
        scope = _scope_of(request)
        if error.moved_to is None or scope is None or retries.follows >= _FOLLOWS_MAX:
            return False
        try:
            self._channel_at(error.moved_to)
        except ValueError:
            return False
        retries.follows += 1
        with self._lock:
            self._addresses.pop(scope, None)
            self._addresses[scope] = error.moved_to
            if len(self._addresses) > _MOVES_MAX:
                del self._addresses[next(iter(self._addresses))]
        return True

    def _channel_at(self, address: str) -> Channel:
        with self._lock:
            channel = self._channels.get(address)
            if channel is None:
                if self._is_closed:
                    raise client_closed()
                channel = self._channels[address] = self._open_channel(address)
            return channel


class RoutedChannel:
    """A channel for stubs. It sends each call to the server of the request's user or run, and adds
    the routing header.
    """

    def __init__(self, routes: Routes[Any]) -> None:
        self._routes = routes

    def unary_unary(self, *args: Any, **options: Any) -> _RoutedMethod:
        return _RoutedMethod(self._routes, lambda channel: channel.unary_unary(*args, **options))

    def unary_stream(self, *args: Any, **options: Any) -> _RoutedMethod:
        return _RoutedMethod(self._routes, lambda channel: channel.unary_stream(*args, **options))

    def stream_stream(self, *args: Any, **options: Any) -> Any:
        return self._routes.home.stream_stream(*args, **options)


class _RoutedMethod:
    def __init__(self, routes: Routes[Any], open_method: Callable[[Any], Callable[..., Any]]) -> None:
        self._routes = routes
        self._open_method = open_method
        self._methods: dict[int, tuple[Any, Callable[..., Any]]] = {}

    def __call__(self, request: Message, *, timeout: float, metadata: tuple[tuple[str, str], ...]) -> Any:
        channel = self._routes.channel_of(request)
        _, method = self._methods.get(id(channel), (None, None))
        if method is None:
            method = self._open_method(channel)
            self._methods[id(channel)] = (channel, method)
        return method(request, timeout=timeout, metadata=metadata + routing_metadata(request))


def _scope_of(request: Message) -> Scope | None:
    """Returns the user or run that a request names, if any."""
    user_id = user_of(request)
    if user_id:
        return ("user", user_id)
    run_id = str(getattr(request, "run_id", ""))
    return ("run", run_id) if run_id else None
