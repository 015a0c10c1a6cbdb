from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
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


class Calls:
    """Makes the calls of a client.

    - Sends the client's key with each call, and sets the deadline.
    - Retries a failed call if that is safe.
    - Turns failures into VademecumError.
    """

    def __init__(self, open_channel: Callable[[], grpc.aio.Channel], connection: Connection) -> None:
        self._open_channel = open_channel
        self._channel: grpc.aio.Channel | None = None
        self.connection = connection
        self._pauses: set[asyncio.Future[None]] = set()
        self.is_closed = False

    @property
    def channel(self) -> grpc.aio.Channel:
        """The channel for stubs.

        gRPC binds a connection to the event loop that opens it, so the first call opens the
        connection.
        """
        if self.is_closed:
            raise client_closed()
        if self._channel is None:
            self._channel = self._open_channel()
        return self._channel

    async def close(self) -> None:
        self.is_closed = True
        for pause in self._pauses:
            _end(pause)
        if self._channel is not None:
            await self._channel.close()

    async def unary(
        self,
        name: str,
        method: grpc.aio.UnaryUnaryMultiCallable[Request, Response],
        request: Request,
        timeout: float | None,
    ) -> Response:
        """Makes a call. `name` is its service and RPC, such as `MemoryProvider.Add`."""
        target = self.connection.target(name, timeout)
        retries = Retries(target.timeout)
        while True:
            if self.is_closed:
                raise client_closed()
            try:
                return await method(request, timeout=retries.remaining(), metadata=self._metadata_of(request))
            except grpc.aio.AioRpcError as cause:
                error = _to_vademecum_error(cause, target)
                seconds = retries.pause_after(error)
                if seconds is None:
                    raise error from cause
            except asyncio.CancelledError:
                if _is_task_cancelled() or not self.is_closed:
                    raise
                raise client_closed() from None
            await self.wait(asyncio.get_running_loop().create_future(), seconds)

    def stream(
        self,
        name: str,
        method: grpc.aio.UnaryStreamMultiCallable[Request, Response],
        request: Request,
        timeout: float | None,
    ) -> ResponseStream[Response]:
        """Makes a call with a stream of replies."""
        target = self.connection.target(name, timeout)
        retries = Retries(target.timeout)

        def start() -> grpc.aio.UnaryStreamCall[Request, Response]:
            if self.is_closed:
                raise client_closed()
            return method(request, timeout=retries.remaining(), metadata=self._metadata_of(request))

        return ResponseStream(start, retries, self, target)

    def _metadata_of(self, request: Message) -> tuple[tuple[str, str], ...]:
        return self.connection.metadata + routing_metadata(request)

    async def wait(self, pause: asyncio.Future[None], seconds: float) -> None:
        """Waits `seconds` between two attempts. Returns early if `pause` gets a result."""
        self._pauses.add(pause)
        try:
            await asyncio.wait((pause,), timeout=seconds)
        finally:
            self._pauses.discard(pause)


class ResponseStream(Generic[Response]):
    """The messages of a call as they arrive.

    Read the stream once. Leaving the loop ends the call.
    """

    def __init__(
        self,
        start: Callable[[], grpc.aio.UnaryStreamCall[Any, Response]],
        retries: Retries,
        calls: Calls,
        target: CallTarget,
    ) -> None:
        self._start = start
        self._retries = retries
        self._calls = calls
        self._target = target
        self._is_cancelled = False
        self._pause: asyncio.Future[None] | None = None
        self._call = start()

    def cancel(self) -> None:
        """Cancels the call, also on the server."""
        self._is_cancelled = True
        self._call.cancel()
        if self._pause is not None:
            _end(self._pause)

    async def __aiter__(self) -> AsyncIterator[Response]:
        has_begun = False
        try:
            while True:
                try:
                    async for response in self._call:
                        has_begun = True
                        yield response
                    return
                except grpc.aio.AioRpcError as cause:
                    error = _to_vademecum_error(cause, self._target)
                    seconds = None if has_begun else self._retries.pause_after(error)
                    if seconds is None:
                        raise error from cause
                except asyncio.CancelledError:
                    if _is_task_cancelled() or not (self._is_cancelled or self._calls.is_closed):
                        raise
                    raise self._cancellation() from None
                self._pause = asyncio.get_running_loop().create_future()
                await self._calls.wait(self._pause, seconds)
                if self._is_cancelled:
                    raise self._cancellation()
                self._call = self._start()
        finally:
            self._call.cancel()

    def _cancellation(self) -> VademecumError:
        if self._is_cancelled:
            return VademecumError(grpc.StatusCode.CANCELLED, "the caller cancelled the call")
        return client_closed()


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

    async def __aiter__(self) -> AsyncIterator[SearchHit]:
        async for response in self._responses:
            for hit in response.hits:
                yield hit
            if response.HasField("summary"):
                self.summary = response.summary

    async def collect(self) -> SearchResult:
        """Waits for all hits and the summary."""
        hits = [hit async for hit in self]
        return SearchResult(hits, self.summary or SearchSummary())


def _end(pause: asyncio.Future[None]) -> None:
    if not pause.done():
        pause.set_result(None)


def _is_task_cancelled() -> bool:
    """Whether the current task was cancelled, and not only its gRPC call.

    A cancelled task must raise CancelledError again. Python 3.10 cannot tell the two cases apart,
    so the function returns False there.
    """
    task = asyncio.current_task()
    return sys.version_info >= (3, 11) and task is not None and task.cancelling() > 0


def _to_vademecum_error(error: grpc.aio.AioRpcError, target: CallTarget) -> VademecumError:
    return from_rpc_error(error.code(), error.details(), error.trailing_metadata(), target)
