from __future__ import annotations

import random
import time

import grpc

from ._errors import VademecumError

# The figures of clients/service-config.json.
_ATTEMPTS_MAX = 4
_INITIAL_BACKOFF = 0.1
_BACKOFF_MAX = 2.0
_BACKOFF_MULTIPLIER = 2


class Retries:
    """Decides whether a failed call is tried again, and when. One for each call.

    Retries are safe because each mutation carries an idempotency key. UNAVAILABLE is tried four
    times in all. RESOURCE_EXHAUSTED is tried until the deadline, if the service says when; an
    exhausted quota is not, because waiting does not help.
    """

    def __init__(self, timeout: float) -> None:
        self._deadline = time.monotonic() + timeout
        self._attempts = 0
        self.follows = 0
        """How often the call has followed a move to another server."""

    def remaining(self) -> float:
        """Returns the seconds until the deadline, which covers all attempts together."""
        return max(0.0, self._deadline - time.monotonic())

    def pause_after(self, error: VademecumError) -> float | None:
        """Counts a failed attempt. Returns the seconds to wait before the next one, or None if there
        is none: the error is the call's.
        """
        self._attempts += 1
        if not self._allows(error):
            return None
        exponent = min(self._attempts - 1, 10)
        backoff = min(_BACKOFF_MAX, _INITIAL_BACKOFF * _BACKOFF_MULTIPLIER**exponent)
        # Jitter, so that clients do not all return at once. Never before the service's time.
        pause = max(backoff * random.uniform(0.8, 1.2), (error.retry_after or 0.0) * random.uniform(1.0, 1.2))
        return pause if pause < self.remaining() else None

    def _allows(self, error: VademecumError) -> bool:
        if error.code is grpc.StatusCode.UNAVAILABLE:
            return self._attempts < _ATTEMPTS_MAX
        return (
            error.code is grpc.StatusCode.RESOURCE_EXHAUSTED
            and error.retry_after is not None
            and error.reason != "QUOTA_EXCEEDED"
        )
