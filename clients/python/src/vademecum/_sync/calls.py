from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

import grpc
from google.protobuf.message import Message
from vademecum.v1.memory_provider_pb2 import SearchResponse
from vademecum.v1.search_pb2 import SearchHit, SearchSummary

from .._errors import CallTarget, VademecumError, client_closed, from_rpc_error
from .._options import Connection, SearchResult
from .._retries import Retries
from .._routing import routing_metadata

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)
Result = TypeVar("Result")


class Calls:
    """Makes the calls of a client.

    - Sends the client's key with each call, and sets the deadline.
    - Retries a failed call if that is safe.
    - Turns failures into VademecumError.
    """

    def __init__(self, channel: grpc.Channel, connection: Connection) -> None:
        self.channel = channel
        self.connection = connection
        self._is_closed = False
        self._ended = threading.Condition()

    def close(self) -> None:
        self._is_closed = True
        self.wake()
        self.channel.close()

    def unary(
        self,
        name: str,
        method: grpc.UnaryUnaryMultiCallable[Request, Response],
        request: Request,
        timeout: float | None,
    ) -> Response:
        """Makes a call. `name` is its service and RPC, such as `MemoryProvider.Add`."""
        target = self.connection.target(name, timeout)
        retries = Retries(target.timeout)
        while True:
            try:
                return self._started(method, request, retries)
            except grpc.RpcError as cause:
                error = _to_vademecum_error(cause, target)
                pause = retries.pause_after(error)
                if pause is None:
                    raise error from cause
            self.wait(pause)

    def stream(
        self,
        name: str,
        method: grpc.UnaryStreamMultiCallable[Request, Response],
        request: Request,
        timeout: float | None,
    ) -> ResponseStream[Response]:
        """Makes a call with a stream of replies."""
        target = self.connection.target(name, timeout)
        retries = Retries(target.timeout)
        return ResponseStream(lambda: self._started(method, request, retries), retries, self, target)

    def wait(self, pause: float, is_over: Callable[[], bool] = lambda: False) -> None:
        """Waits `pause` seconds between two attempts. Returns early if the client is closed, or if
        `is_over` is true when another thread calls `wake`.
        """
        with self._ended:
            self._ended.wait_for(lambda: self._is_closed or is_over(), pause)

    def wake(self) -> None:
        """Wakes all waiting calls. Each call then checks whether its wait is over."""
        with self._ended:
            self._ended.notify_all()

    def _started(self, method: Callable[..., Result], request: Message, retries: Retries) -> Result:
        if self._is_closed:
            raise client_closed()
        try:
            metadata = self.connection.metadata + routing_metadata(request)
            return method(request, timeout=retries.remaining(), metadata=metadata)
        except ValueError as error:
            # A call on a closed channel of grpc raises a ValueError instead of an RpcError.
            if self._is_closed:
                raise client_closed() from error
            raise


class ResponseStream(Generic[Response]):
    """The messages of a call as they arrive.

    Read the stream once. Leaving the loop ends the call.
    """

    def __init__(
        self,
        start: Callable[[], Any],
        retries: Retries,
        calls: Calls,
        target: CallTarget,
    ) -> None:
        self._start = start
        self._retries = retries
        self._calls = calls
        self._target = target
        self._is_cancelled = False
        # An iterator of messages that is also a `grpc.Call`. grpc has no type for such a value.
        self._call = start()

    def cancel(self) -> None:
        """Cancels the call, also on the server."""
        self._is_cancelled = True
        self._call.cancel()
        self._calls.wake()

    def __iter__(self) -> Iterator[Response]:
        has_begun = False
        try:
            while True:
                try:
                    for response in self._call:
                        has_begun = True
                        yield response
                    return
                except grpc.RpcError as cause:
                    error = _to_vademecum_error(cause, self._target)
                    pause = None if has_begun else self._retries.pause_after(error)
                    if pause is None:
                        raise error from cause
                self._calls.wait(pause, lambda: self._is_cancelled)
                self._call = self._start()
                if self._is_cancelled:
                    self._call.cancel()
        finally:
            self._call.cancel()


class SearchStream:
    """The hits of a search as they arrive, best first.

    Read the stream once. Leaving the loop ends the search.
    """

    def __init__(self, responses: ResponseStream[SearchResponse]) -> None:
        self._responses = responses
        self.summary: SearchSummary | None = None
        """Says how many memories matched, how many of them were returned, and which were left out.
        May be None until the loop over the hits has ended.
        """

    def cancel(self) -> None:
        """Cancels the search, also on the server."""
        self._responses.cancel()

    def __iter__(self) -> Iterator[SearchHit]:
        for response in self._responses:
            for hit in response.hits:
                yield hit
            if response.HasField("summary"):
                self.summary = response.summary

    def collect(self) -> SearchResult:
        """Waits for all hits and the summary."""
        hits = list(self)
        return SearchResult(hits, self.summary or SearchSummary())


def _to_vademecum_error(error: grpc.RpcError, target: CallTarget) -> VademecumError:
    return from_rpc_error(error.code(), error.details(), error.trailing_metadata(), target)
