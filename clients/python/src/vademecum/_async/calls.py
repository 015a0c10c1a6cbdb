from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Generic, TypeVar

import grpc
from google.protobuf.message import Message
from vademecum.v1.memory_provider_pb2 import SearchResponse
from vademecum.v1.search_pb2 import SearchHit, SearchSummary

from .._errors import VademecumError, from_rpc_error
from .._options import SearchResult, call_metadata

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)


class Calls:
    """Makes calls with the client's key and deadline, and turns failures into VademecumError."""

    def __init__(self, channel: grpc.aio.Channel, key: str | None, timeout: float) -> None:
        self.channel = channel
        self._metadata = call_metadata(key)
        self._timeout = timeout

    async def unary(
        self, method: grpc.aio.UnaryUnaryMultiCallable[Request, Response], request: Request, timeout: float | None
    ) -> Response:
        try:
            return await method(request, timeout=self._timeout if timeout is None else timeout, metadata=self._metadata)
        except grpc.aio.AioRpcError as error:
            raise _converted(error) from error

    def stream(
        self, method: grpc.aio.UnaryStreamMultiCallable[Request, Response], request: Request, timeout: float | None
    ) -> ResponseStream[Response]:
        return ResponseStream(
            method(request, timeout=self._timeout if timeout is None else timeout, metadata=self._metadata)
        )


class ResponseStream(Generic[Response]):
    """The messages of a call, as they come. Leaving the loop before its end ends the call."""

    def __init__(self, call: grpc.aio.UnaryStreamCall[Any, Response]) -> None:
        self._call = call
        self._is_cancelled = False

    def cancel(self) -> None:
        """Ends the call; the server stops working on it."""
        self._is_cancelled = True
        self._call.cancel()

    async def __aiter__(self) -> AsyncIterator[Response]:
        try:
            async for response in self._call:
                yield response
        except grpc.aio.AioRpcError as error:
            raise _converted(error) from error
        except asyncio.CancelledError:
            # Where the task itself is cancelled, that goes on.
            if not self._is_cancelled:
                raise
            raise VademecumError(grpc.StatusCode.CANCELLED, "the caller cancelled the call") from None
        finally:
            self._call.cancel()


class SearchStream:
    """The hits of a search, best first, as they come."""

    def __init__(self, responses: ResponseStream[SearchResponse]) -> None:
        self._responses = responses
        self.summary: SearchSummary | None = None
        """The receipt. None until the last hit has come."""

    def cancel(self) -> None:
        """Ends the search; the server stops working on it."""
        self._responses.cancel()

    async def __aiter__(self) -> AsyncIterator[SearchHit]:
        async for response in self._responses:
            for hit in response.hits:
                yield hit
            if response.HasField("summary"):
                self.summary = response.summary

    async def collect(self) -> SearchResult:
        """Waits for the whole search."""
        hits = [hit async for hit in self]
        return SearchResult(hits, self.summary or SearchSummary())


def _converted(error: grpc.aio.AioRpcError) -> VademecumError:
    return from_rpc_error(error.code(), error.details(), error.trailing_metadata())
