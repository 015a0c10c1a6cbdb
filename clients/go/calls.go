package vademecum

import (
	"context"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
)

// calls holds the key, the timeout and the connection of a client. All handles share them.
type calls struct {
	key        string
	timeout    time.Duration
	connection *connection
	address    string
	hasTLS     bool
}

// target describes a call for its errors. The context is that of the call.
func (c *calls) target(ctx context.Context, name string) target {
	described := target{call: name, address: c.address, hasTLS: c.hasTLS, limit: c.timeout}
	if deadline, hasDeadline := ctx.Deadline(); hasDeadline {
		described.limit = time.Until(deadline)
	}
	return described
}

// context returns the context of a call. It adds:
//
//   - the headers with the API key and for routing
//   - the client's timeout, if the caller set no deadline
func (c *calls) context(ctx context.Context, request any) (context.Context, context.CancelFunc) {
	if user := userOf(request); user != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, routingHeader, userDigest(user))
	}
	if c.key != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+c.key)
	}
	if _, hasDeadline := ctx.Deadline(); hasDeadline {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, c.timeout)
}

type unaryMethod[Request, Response any] func(context.Context, *Request, ...grpc.CallOption) (*Response, error)

func unary[Request, Response any](
	ctx context.Context, calls *calls, name string, method unaryMethod[Request, Response], request *Request,
) (*Response, error) {
	if fault := numbersFault(any(request).(proto.Message)); fault != nil {
		return nil, fault
	}
	target := calls.target(ctx, name)
	ctx, cancel := calls.context(ctx, request)
	defer cancel()
	attempts := retries{closed: calls.connection.closed}
	for {
		response, err := method(ctx, request)
		if err == nil {
			return response, nil
		}
		failed := errorOfSending(request, calls.connection.errorOf(err, target))
		if !attempts.wait(ctx, failed) {
			return nil, failed
		}
	}
}

type streamMethod[Request, Response any] func(
	context.Context, *Request, ...grpc.CallOption,
) (grpc.ServerStreamingClient[Response], error)

func stream[Request, Response any](
	ctx context.Context, calls *calls, name string, method streamMethod[Request, Response], request *Request,
) *ResponseStream[Response] {
	target := calls.target(ctx, name)
	ctx, cancel := calls.context(ctx, request)
	fault := numbersFault(any(request).(proto.Message))
	start := func() (grpc.ServerStreamingClient[Response], *Error) {
		if fault != nil {
			return nil, fault
		}
		messages, err := method(ctx, request)
		if err != nil {
			return nil, errorOfSending(request, calls.connection.errorOf(err, target))
		}
		return messages, nil
	}
	messages, err := start()
	return &ResponseStream[Response]{
		ctx: ctx, cancel: cancel, connection: calls.connection, target: target, start: start, messages: messages, err: err,
	}
}

// copyOf returns a copy of a message, so that the caller's message stays unchanged. For nil, it
// returns an empty message.
func copyOf[Message proto.Message](message Message) Message {
	if !message.ProtoReflect().IsValid() {
		return message.ProtoReflect().New().Interface().(Message)
	}
	return proto.CloneOf(message)
}

// newIdempotencyKey returns a unique key. The server applies mutations with the same key only once.
func newIdempotencyKey() *string {
	return proto.String(uuid.NewString())
}
