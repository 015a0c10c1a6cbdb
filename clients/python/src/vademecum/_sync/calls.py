from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

import grpc
from google.protobuf.message import Message
from vademecum.v1.memory_provider_pb2 import SearchResponse
from vademecum.v1.search_pb2 import SearchHit, SearchSummary

from .._errors import VademecumError, client_closed, from_rpc_error
from .._options import SearchResult, call_metadata, call_timeout

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)
Result = TypeVar("Result")


class Calls:
    """Makes calls with the client's key and deadline, and turns failures into VademecumError."""

    def __init__(self, channel: grpc.Channel, key: str | None, timeout: float) -> None:
        self.channel = channel
        self._metadata = call_metadata(key)
        self._timeout = timeout
        self._is_closed = False

    def close(self) -> None:
        self._is_closed = True
        self.channel.close()

    def unary(
        self, method: grpc.UnaryUnaryMultiCallable[Request, Response], request: Request, timeout: float | None
    ) -> Response:
        try:
            return self._started(method, request, timeout)
        except grpc.RpcError as error:
            raise _to_vademecum_error(error) from error

    def stream(
        self, method: grpc.UnaryStreamMultiCallable[Request, Response], request: Request, timeout: float | None
    ) -> ResponseStream[Response]:
        return ResponseStream(self._started(method, request, timeout))

    def _started(self, method: Callable[..., Result], request: Message, timeout: float | None) -> Result:
        try:
            return method(request, timeout=call_timeout(timeout, self._timeout), metadata=self._metadata)
        except ValueError as error:
            # grpc raises an untyped error for a closed channel.
            if self._is_closed:
                raise client_closed() from error
            raise


class ResponseStream(Generic[Response]):
    """The messages of a call as they arrive. Read them once; leaving the loop early ends the call.
    """

    def __init__(self, call: Any) -> None:
        # grpc has no public name for this type, an iterator of messages that is also a `grpc.Call`.
        self._call = call

    def cancel(self) -> None:
        """Ends the call, also on the server."""
        self._call.cancel()

    def __iter__(self) -> Iterator[Response]:
        try:
            for response in self._call:
                yield response
        except grpc.RpcError as error:
            raise _to_vademecum_error(error) from error
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


def _to_vademecum_error(error: grpc.RpcError) -> VademecumError:
    return from_rpc_error(error.code(), error.details(), error.trailing_metadata())
