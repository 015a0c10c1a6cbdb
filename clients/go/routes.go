package vademecum

import (
	"context"
	"strings"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
)

const (
	// Maximum number of users and runs that a client remembers as moved.
	movesMax = 10_000
	// Maximum number of moves that one call follows. A move to another server and back counts twice.
	followsMax = 3
)

// scope is the user or run that a call is about. It is empty for a call about neither.
type scope struct{ kind, id string }

// routes chooses the server of each call: the home server, or the server to which the call's user
// or run has moved. Users and runs move one by one, so routes remembers each move separately.
//
// Stubs use routes as their connection. The context of a call carries the scope of the call.
type routes struct {
	// The server at the address given to Connect.
	home *grpc.ClientConn
	// Opens a connection to an address, with the key of the client. Fails if the client may not send
	// the key there.
	open func(address string) (*grpc.ClientConn, error)

	// Closed by Close.
	closed chan struct{}

	mutex sync.Mutex
	// The connections to other servers, by address.
	others map[string]*grpc.ClientConn
	moved  map[scope]*grpc.ClientConn
}

func newRoutes(home *grpc.ClientConn, open func(string) (*grpc.ClientConn, error)) *routes {
	return &routes{
		home: home, open: open, closed: make(chan struct{}),
		others: map[string]*grpc.ClientConn{}, moved: map[scope]*grpc.ClientConn{},
	}
}

func (r *routes) Invoke(ctx context.Context, method string, args, reply any, opts ...grpc.CallOption) error {
	return r.of(ctx).Invoke(ctx, method, args, reply, opts...)
}

func (r *routes) NewStream(
	ctx context.Context, desc *grpc.StreamDesc, method string, opts ...grpc.CallOption,
) (grpc.ClientStream, error) {
	return r.of(ctx).NewStream(ctx, desc, method, opts...)
}

func (r *routes) of(ctx context.Context) *grpc.ClientConn {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if connection := r.moved[scopeOf(ctx)]; connection != nil {
		return connection
	}
	return r.home
}

// follow handles the error MOVED. It remembers the new server of the call's user or run, and
// returns true if the call can be repeated there. A call cannot be repeated if it has followed too
// many moves, or if the client may not send its key to the new server.
//
// After Close, follow opens no connection. It returns true all the same, so that the call is
// repeated, and the repeated call fails with Canceled.
//
// follows is the number of moves that the call has followed so far. follow increments it.
func (r *routes) follow(ctx context.Context, err *Error, follows *int) bool {
	named := scopeOf(ctx)
	if err.MovedTo == "" || named == (scope{}) || *follows >= followsMax {
		return false
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.isClosed() {
		return true
	}
	connection := r.others[err.MovedTo]
	if connection == nil {
		opened, failure := r.open(err.MovedTo)
		if failure != nil {
			return false
		}
		connection = opened
		r.others[err.MovedTo] = opened
	}
	for other := range r.moved {
		if len(r.moved) < movesMax {
			break
		}
		delete(r.moved, other)
	}
	r.moved[named] = connection
	*follows++
	return true
}

// errorOf converts the error of a call. gRPC reports Unavailable for a running call that Close has
// ended. errorOf reports it as Canceled.
func (r *routes) errorOf(cause error) *Error {
	converted := errorOf(cause)
	if converted.Code == codes.Unavailable && converted.Reason == "" && r.isClosed() {
		converted.Code, converted.Message = codes.Canceled, "the client was closed"
	}
	return converted
}

func (r *routes) isClosed() bool {
	select {
	case <-r.closed:
		return true
	default:
		return false
	}
}

func (r *routes) Close() error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.isClosed() {
		return nil
	}
	close(r.closed)
	for _, other := range r.others {
		_ = other.Close()
	}
	return r.home.Close()
}

type scopeKey struct{}

func withScope(ctx context.Context, named scope) context.Context {
	return context.WithValue(ctx, scopeKey{}, named)
}

func scopeOf(ctx context.Context) scope {
	named, _ := ctx.Value(scopeKey{}).(scope)
	return named
}

// scopeOfRequest returns the user or run that a request names, or an empty scope.
func scopeOfRequest(request any) scope {
	if user := userOf(request); user != "" {
		return scope{"user", user}
	}
	if message, namesRun := request.(interface{ GetRunId() string }); namesRun && message.GetRunId() != "" {
		return scope{"run", message.GetRunId()}
	}
	return scope{}
}

// withoutScheme returns the host and port of an address such as http://host:port.
func withoutScheme(address string) string {
	if _, rest, hasScheme := strings.Cut(address, "://"); hasScheme {
		return rest
	}
	return address
}
