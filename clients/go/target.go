package vademecum

import (
	"fmt"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
)

// target is what the message of a failed call names if the server has not answered it.
type target struct {
	// The call, such as MemoryProvider.Add.
	call    string
	address string
	hasTLS  bool
	// The limit of the call with all its retries.
	limit time.Duration
}

// explain returns the message of an error that does not come from a Vademecum server.
func (t target) explain(code codes.Code, message string) string {
	switch code {
	case codes.DeadlineExceeded:
		return fmt.Sprintf("%s got no reply from %s within its limit of %s. A write may have taken effect: "+
			"repeat it with the same idempotency key. Or give the call a longer timeout.", t.call, t.address, t.seconds())
	case codes.Unavailable:
		way, advice := "without", "it does not require TLS"
		if t.hasTLS {
			way, advice = "with", "it uses TLS with a certificate that the client trusts"
		}
		return fmt.Sprintf("%s got no answer from %s %s TLS (limit %s): %s. Check that a server runs there, that the "+
			"port is its gRPC port (50051 by default), and that %s.", t.call, t.address, way, t.seconds(), message, advice)
	default:
		return message
	}
}

func (t target) seconds() string {
	text := fmt.Sprintf("%.3f", t.limit.Seconds())
	return strings.TrimRight(strings.TrimRight(text, "0"), ".") + " s"
}
