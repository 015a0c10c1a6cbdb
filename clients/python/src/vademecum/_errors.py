from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypedDict

import grpc
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

_DETAILS_KEY = "grpc-status-details-bin"


@dataclass(frozen=True)
class FieldViolation:
    """An invalid field of the request."""

    field: str
    """The field's path in the definitions, such as `filter.time_range` or `tags[3]`."""
    description: str
    """Says what is wrong and what is allowed."""


class VademecumError(Exception):
    """A failed call.

    Programs should check `code` and `reason`. The message is for people and may change.
    """

    def __init__(
        self,
        code: grpc.StatusCode,
        message: str,
        *,
        reason: str = "",
        violations: tuple[FieldViolation, ...] = (),
        retry_after: float | None = None,
        moved_to: str | None = None,
    ) -> None:
        super().__init__(f"{code.name}{f' ({reason})' if reason else ''}: {message}")
        self.code = code
        """The canonical gRPC code."""
        self.message = message
        """Says what is wrong, what is allowed and what to do."""
        self.reason = reason
        """A stable name from docs/reference/errors.md. Empty if the error has none, such as a lost
        connection.
        """
        self.violations = violations
        """The invalid fields, if any."""
        self.retry_after = retry_after
        """Seconds to wait before a retry. None if the server named no time."""
        self.moved_to = moved_to
        """The address of the server to which the user or run has moved. Set only for the reason
        `MOVED`. The client does not call this server by itself: the server that it knows forwards
        calls, or says with this error that it does not. To use the other server, connect to its
        address.
        """

    def __reduce__(self) -> tuple[Any, ...]:
        # Makes errors picklable, because process pools pickle the exceptions of their workers.
        details: dict[str, Any] = {"reason": self.reason, "violations": self.violations, "retry_after": self.retry_after}
        details["moved_to"] = self.moved_to
        return partial(type(self), **details), (self.code, self.message), self.__dict__


def client_closed() -> VademecumError:
    """Returns the error of a call on a closed client."""
    return VademecumError(grpc.StatusCode.CANCELLED, "the client is closed")


def from_rpc_error(
    code: grpc.StatusCode, message: str | None, metadata: Iterable[Any] | None, target: CallTarget
) -> VademecumError:
    """Converts the error of a call, with the details that the server sent."""
    status = next((value for key, value in metadata or () if key == _DETAILS_KEY and isinstance(value, bytes)), b"")
    details = details_of(Status.FromString(status))
    text = message or ""
    return VademecumError(code, text if details.get("reason") else target.explain(code, text), **details)


class ErrorDetails(TypedDict, total=False):
    """The details of an error, as VademecumError takes them."""

    reason: str
    violations: tuple[FieldViolation, ...]
    retry_after: float
    moved_to: str


def details_of(status: Status) -> ErrorDetails:
    """Returns the details that the server sent with an error."""
    details: ErrorDetails = {}
    for detail in status.details:
        info, request, retry = ErrorInfo(), BadRequest(), RetryInfo()
        if detail.Unpack(info):
            details["reason"] = info.reason
            if info.reason == "MOVED":
                details["moved_to"] = info.metadata["address"].rpartition("://")[2]
        elif detail.Unpack(request):
            details["violations"] = tuple(FieldViolation(it.field, it.description) for it in request.field_violations)
        elif detail.Unpack(retry):
            details["retry_after"] = retry.retry_delay.ToTimedelta().total_seconds()
    return details


@dataclass(frozen=True)
class CallTarget:
    """What the message of a failed call names if the server has not answered it."""

    call: str
    """The call, such as `MemoryProvider.Add`."""
    address: str
    """The address of the server."""
    has_tls: bool
    """Whether the client uses TLS."""
    timeout: float
    """The limit of the call in seconds, with all its retries."""

    def explain(self, code: grpc.StatusCode, message: str) -> str:
        """Returns the message of an error that has no reason, so that it may not come from the server."""
        if code is grpc.StatusCode.DEADLINE_EXCEEDED:
            return (
                f"{self.call} got no reply from {self.address} within its limit of {self.timeout:g} s. A write may have "
                "taken effect: repeat it with the same idempotency key. Or give the call a longer timeout."
            )
        if code is grpc.StatusCode.UNAVAILABLE:
            way = "with TLS" if self.has_tls else "without TLS"
            advice = "it uses TLS with a certificate that the client trusts" if self.has_tls else "it does not require TLS"
            return (
                f"{self.call} got no answer from {self.address} {way} (limit {self.timeout:g} s): {message}. Check that "
                f"a server runs there, that the port is its gRPC port (50051 by default), and that {advice}."
            )
        return message
