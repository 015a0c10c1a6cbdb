from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any, Generic, TypeVar

import grpc
from google.protobuf.message import Message
from vademecum.v1.memory_provider_pb2 import SearchResponse
from vademecum.v1.search_pb2 import SearchHit, SearchSummary

from .._errors import VademecumError, client_closed, from_rpc_error
from .._options import SearchResult, call_metadata, call_timeout

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)


class Calls:
    """Makes calls with the client's key and deadline, and turns failures into VademecumError."""

    def __init__(self, open_channel: Callable[[], grpc.aio.Channel], key: str | None, timeout: float) -> None:
        self._open_channel = open_channel
        self._channel: grpc.aio.Channel | None = None
        self._metadata = call_metadata(key)
        self._timeout = timeout
        self.is_closed = False

    @property
    def channel(self) -> grpc.aio.Channel:
        """The first call opens the channel, because a channel belongs to the event loop it is
        opened in.
        """
        if self.is_closed:
            raise client_closed()
        if self._channel is None:
            self._channel = self._open_channel()
        return self._channel

    async def close(self) -> None:
        self.is_closed = True
        if self._channel is not None:
            await self._channel.close()

    async def unary(
        self, method: grpc.aio.UnaryUnaryMultiCallable[Request, Response], request: Request, timeout: float | None
    ) -> Response:
        if self.is_closed:
            raise client_closed()
        try:
            return await method(
                request, timeout=call_timeout(timeout, self._timeout), metadata=self._metadata
            )
        except grpc.aio.AioRpcError as error:
            raise _to_vademecum_error(error) from error
        except asyncio.CancelledError:
            if _is_task_cancelled() or not self.is_closed:
                raise
            raise client_closed() from None

    def stream(
        self, method: grpc.aio.UnaryStreamMultiCallable[Request, Response], request: Request, timeout: float | None
    ) -> ResponseStream[Response]:
        if self.is_closed:
            raise client_closed()
        call = method(request, timeout=call_timeout(timeout, self._timeout), metadata=self._metadata)
        return ResponseStream(call, self)


class ResponseStream(Generic[Response]):
    """The messages of a call as they arrive. Read them once; leaving the loop early ends the call.
    """

    def __init__(self, call: grpc.aio.UnaryStreamCall[Any, Response], calls: Calls) -> None:
        self._call = call
        self._calls = calls
        self._is_cancelled = False

    def cancel(self) -> None:
        """Ends the call, also on the server."""
        self._is_cancelled = True
        self._call.cancel()

    async def __aiter__(self) -> AsyncIterator[Response]:
        try:
            async for response in self._call:
                yield response
        except grpc.aio.AioRpcError as error:
            raise _to_vademecum_error(error) from error
        except asyncio.CancelledError:
            if _is_task_cancelled() or not (self._is_cancelled or self._calls.is_closed):
                raise
            if self._is_cancelled:
                raise VademecumError(grpc.StatusCode.CANCELLED, "the caller cancelled the call") from None
            raise client_closed() from None
        finally:
            self._call.cancel()


class SearchStream:
    """The hits of a search as they arrive, best first. Read them once; leaving the loop early ends
    the search.
    """

    def __init__(self, responses: ResponseStream[SearchResponse]) -> None:
        self._responses = responses
        self.summary: SearchSummary | None = None
        """The receipt. None until the last hit has arrived."""

    def cancel(self) -> None:
        """Ends the search, also on the server."""
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


def _is_task_cancelled() -> bool:
    """Whether the task was cancelled, not only its call. A cancelled task must re-raise. Python
    3.10 cannot tell the two apart.
    """
    task = asyncio.current_task()
    return sys.version_info >= (3, 11) and task is not None and task.cancelling() > 0


def _to_vademecum_error(error: grpc.aio.AioRpcError) -> VademecumError:
    return from_rpc_error(error.code(), error.details(), error.trailing_metadata())
