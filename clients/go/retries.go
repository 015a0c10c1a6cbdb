package vademecum

import (
	"context"
	"math/rand/v2"
	"time"

	"google.golang.org/grpc/codes"
)

// These values are the same as in clients/service-config.json.
const (
	attemptsMax       = 4
	initialBackoff    = 100 * time.Millisecond
	backoffMax        = 2 * time.Second
	backoffMultiplier = 2
)

// retries decides whether and when one failed call is retried:
//
//   - WRITES_HELD (Unavailable): the data of the user is moving to another server, so the server takes
//     no writes. The call is retried until its deadline.
//   - Unavailable for any other reason: the fourth such failure of a call is final.
//   - QUOTA_EXCEEDED (ResourceExhausted): no retry, because waiting does not free a quota.
//   - ResourceExhausted for any other reason: if the server names a delay, the call is retried
//     until its deadline.
//   - All other errors: no retry.
//
// Retries are safe because each mutation carries an idempotency key.
type retries struct {
	// closed is closed when the client is closed.
	closed <-chan struct{}
	// outages is the number of failures with Unavailable. WRITES_HELD does not count.
	outages int
	backoff time.Duration
}

// wait counts a failed attempt. If the call may be retried, wait pauses and returns true.
// Otherwise it returns false, and the call fails with err.
func (r *retries) wait(ctx context.Context, err *Error) bool {
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
	case <-r.closed:
	}
	// If ctx has ended or the client is closed, the next attempt fails with Canceled or
	// DeadlineExceeded.
	return true
}

func (r *retries) allows(err *Error) bool {
	switch {
	case err.Reason == "WRITES_HELD":
		return true
	case err.Code == codes.Unavailable:
		r.outages++
		return r.outages < attemptsMax
	case err.Code == codes.ResourceExhausted:
		return err.RetryAfter > 0 && err.Reason != "QUOTA_EXCEEDED"
	default:
		return false
	}
}

// pause returns the pause before the next attempt, at least retryAfter. Jitter spreads the retries
// of many clients.
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
