package vademecum

import (
	"context"
	"math/rand/v2"
	"time"

	"google.golang.org/grpc/codes"
)

// The values of clients/service-config.json.
const (
	attemptsMax       = 4
	initialBackoff    = 100 * time.Millisecond
	backoffMax        = 2 * time.Second
	backoffMultiplier = 2
)

// retries decides whether and when a failed call is retried. Each call has its own retries.
//
// Retries are safe because each mutation carries an idempotency key. A call that fails with
// Unavailable is tried at most four times. A call that fails with ResourceExhausted is retried
// until its deadline if the service names a delay. An exhausted quota is not retried, because
// waiting does not help.
type retries struct {
	attempts int
	backoff  time.Duration
}

// wait counts a failed attempt, and waits before the next one. It returns false if there is no next
// attempt: the call then fails with the error.
func (r *retries) wait(ctx context.Context, err *Error) bool {
	r.attempts++
	if !r.allows(err) {
		return false
	}
	pause := r.pause(err.RetryAfter)
	if deadline, hasDeadline := ctx.Deadline(); hasDeadline && time.Until(deadline) <= pause {
		return false
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	// If ctx has ended, the next attempt fails with Canceled or DeadlineExceeded.
	return true
}

func (r *retries) allows(err *Error) bool {
	switch err.Code {
	case codes.Unavailable:
		return r.attempts < attemptsMax
	case codes.ResourceExhausted:
		return err.RetryAfter > 0 && err.Reason != "QUOTA_EXCEEDED"
	default:
		return false
	}
}

// pause returns the pause before the next attempt. Jitter keeps clients from all returning at the
// same time. The pause is never shorter than retryAfter.
func (r *retries) pause(retryAfter time.Duration) time.Duration {
	if r.backoff == 0 {
		r.backoff = initialBackoff
	} else {
		r.backoff = min(backoffMax, r.backoff*backoffMultiplier)
	}
	return max(scaled(r.backoff, 0.8, 1.2), scaled(retryAfter, 1, 1.2))
}

func scaled(duration time.Duration, least, most float64) time.Duration {
	return time.Duration(float64(duration) * (least + (most-least)*rand.Float64()))
}
