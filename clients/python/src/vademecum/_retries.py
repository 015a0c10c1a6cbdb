from __future__ import annotations

import random
import time

import grpc

from ._errors import VademecumError

# These values are the same as in clients/service-config.json. Times are in seconds.
_ATTEMPTS_MAX = 4
_INITIAL_BACKOFF = 0.1
_BACKOFF_MAX = 2.0
_BACKOFF_MULTIPLIER = 2


class Retries:
    """Decides whether and when one failed call is retried.

    - WRITES_HELD (UNAVAILABLE): the data of the user is moving to another server, so the server
      takes no writes. The call is retried until its deadline.
    - UNAVAILABLE for any other reason: the fourth such failure of a call is final.
    - QUOTA_EXCEEDED (RESOURCE_EXHAUSTED): no retry, because waiting does not free a quota.
    - RESOURCE_EXHAUSTED for any other reason: if the server names a delay, the call is retried
      until its deadline.
    - All other errors: no retry.

    Retries are safe because each mutation carries an idempotency key.
    """

    def __init__(self, timeout: float) -> None:
        self._deadline = time.monotonic() + timeout
        self._attempts = 0
        # Number of failures with UNAVAILABLE. WRITES_HELD does not count.
        self._outages = 0

    def remaining(self) -> float:
        """Returns the seconds until the deadline, which limits all attempts together."""
        return max(0.0, self._deadline - time.monotonic())

    def pause_after(self, error: VademecumError) -> float | None:
        """Counts a failed attempt. Returns the seconds to wait before the next attempt.

        Returns None if the call may not be retried, or if the pause would reach the deadline. The
        call then fails with the error.
        """
        self._attempts += 1
        if not self._allows(error):
            return None
        exponent = min(self._attempts - 1, 10)
        backoff = min(_BACKOFF_MAX, _INITIAL_BACKOFF * _BACKOFF_MULTIPLIER**exponent)
        # The pause is at least the delay that the server names. Jitter spreads the retries of many
        # clients.
        pause = max(backoff * random.uniform(0.8, 1.2), (error.retry_after or 0.0) * random.uniform(1.0, 1.2))
        return pause if pause < self.remaining() else None

    def _allows(self, error: VademecumError) -> bool:
        if error.reason == "WRITES_HELD":
            return True
        if error.code is grpc.StatusCode.UNAVAILABLE:
            self._outages += 1
            return self._outages < _ATTEMPTS_MAX
        return (
            error.code is grpc.StatusCode.RESOURCE_EXHAUSTED
            and error.retry_after is not None
            and error.reason != "QUOTA_EXCEEDED"
        )
