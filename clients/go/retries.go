package vademecum

import (
	"context"
	"math/rand/v2"
	"time"

	"google.golang.org/grpc/codes"
)

// The figures of clients/service-config.json.
const (
	attemptsMax       = 4
	initialBackoff    = 100 * time.Millisecond
	backoffMax        = 2 * time.Second
	backoffMultiplier = 2
)

// retries decides whether a failed call is tried again, and when. One for each call.
//
// Retries are safe because each mutation carries an idempotency key. Unavailable is tried four
// times in all. ResourceExhausted is tried until the deadline, if the service says when; an
// exhausted quota is not, because waiting does not help.
type retries struct {
	attempts int
	backoff  time.Duration
}

// wait counts a failed attempt, and waits for the next one. It returns false when there is none: the
// error is the call's.
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
	// After ctx has ended, the next attempt fails with the right code.
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

// pause has jitter, so that clients do not all return at once. The pause is never shorter than
// the service's time.
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
