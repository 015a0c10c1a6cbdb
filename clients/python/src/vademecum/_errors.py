from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import grpc
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

_DETAILS_KEY = "grpc-status-details-bin"


@dataclass(frozen=True)
class FieldViolation:
    """A field of the request that breaks a rule."""

    field: str
    """Its path in the definitions, such as `filter.time_range` or `tags[3]`."""
    description: str
    """What is wrong with it and what is allowed."""


class VademecumError(Exception):
    """A call that failed.

    Decide by `code` and `reason`; the message is for people and may change.
    """

    def __init__(
        self,
        code: grpc.StatusCode,
        message: str,
        *,
        reason: str = "",
        violations: tuple[FieldViolation, ...] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{code.name}{f' ({reason})' if reason else ''}: {message}")
        self.code = code
        """The canonical gRPC code."""
        self.message = message
        """What was wrong, what is allowed, what to do."""
        self.reason = reason
        """A name that stays the same from version to version, from docs/errors.md. Empty if the transport made the error."""
        self.violations = violations
        """The fields at fault, if any."""
        self.retry_after = retry_after
        """Seconds after which a repeated call may do better. None if the service gave none."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Pools of processes pickle what their workers raise.
        details: dict[str, Any] = {"reason": self.reason, "violations": self.violations, "retry_after": self.retry_after}
        return partial(type(self), **details), (self.code, self.message), self.__dict__


def client_closed() -> VademecumError:
    """What a call of a closed client ends with."""
    return VademecumError(grpc.StatusCode.CANCELLED, "the client is closed")


def from_rpc_error(code: grpc.StatusCode, message: str | None, metadata: Iterable[Any] | None) -> VademecumError:
    """The error of a call, with the details that the service sent along."""
    details = next((value for key, value in metadata or () if key == _DETAILS_KEY and isinstance(value, bytes)), b"")
    reason = ""
    violations: tuple[FieldViolation, ...] = ()
    retry_after = None
    for detail in Status.FromString(details).details:
        info, request, retry = ErrorInfo(), BadRequest(), RetryInfo()
        if detail.Unpack(info):
            reason = info.reason
        elif detail.Unpack(request):
            violations = tuple(FieldViolation(it.field, it.description) for it in request.field_violations)
        elif detail.Unpack(retry):
            retry_after = retry.retry_delay.ToTimedelta().total_seconds()
    return VademecumError(code, message or "", reason=reason, violations=violations, retry_after=retry_after)
