package vademecum

import (
	"strings"
	"sync"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
)

// connection is the connection to the server. It knows whether the client is closed.
type connection struct {
	*grpc.ClientConn
	isClosed atomic.Bool
	// Closed after the connection, so that calls that wait for a retry do not send it.
	closed chan struct{}
	once   sync.Once
}

func newConnection(opened *grpc.ClientConn) *connection {
	return &connection{ClientConn: opened, closed: make(chan struct{})}
}

// errorOf converts the error of a call. gRPC reports Unavailable for a running call that Close has
// ended. errorOf reports it as Canceled.
func (c *connection) errorOf(cause error, target target) *Error {
	converted := errorOf(cause, target)
	if converted.Code == codes.Unavailable && converted.Reason == "" && c.isClosed.Load() {
		converted.Code, converted.Message = codes.Canceled, "the client was closed"
	}
	return converted
}

// Close may be called twice.
func (c *connection) Close() (err error) {
	c.once.Do(func() {
		c.isClosed.Store(true)
		err = c.ClientConn.Close()
		close(c.closed)
	})
	return err
}

// withoutScheme returns the host and port of an address such as http://host:port.
func withoutScheme(address string) string {
	if _, rest, hasScheme := strings.Cut(address, "://"); hasScheme {
		return rest
	}
	return address
}
