package vademecum

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// Error is a failed call. Programs should check Code and Reason. Message is for people and may
// change.
type Error struct {
	// The canonical code.
	Code codes.Code
	// Says what is wrong, what is allowed and what to do.
	Message string
	// A stable name from docs/reference/errors.md. Empty if the error has none, such as a lost connection.
	Reason string
	// The invalid fields, if any.
	Violations []FieldViolation
	// How long to wait before a retry. 0 if the server named no time.
	RetryAfter time.Duration
	// The address of the server to which the user or run has moved. Set only for the reason MOVED.
	// The client does not call this server by itself: the server that it knows forwards calls, or
	// says with this error that it does not. To use the other server, connect to its address.
	MovedTo string

	cause error
}

// FieldViolation is an invalid field of the request.
type FieldViolation struct {
	// The field's path in the definitions, such as filter.time_range or tags[3].
	Field string
	// Says what is wrong and what is allowed.
	Description string
}

func (e *Error) Error() string {
	if e.Reason == "" {
		return fmt.Sprintf("%s: %s", e.Code, e.Message)
	}
	return fmt.Sprintf("%s (%s): %s", e.Code, e.Reason, e.Message)
}

// Unwrap returns the error from gRPC.
func (e *Error) Unwrap() error {
	return e.cause
}

// Is lets errors.Is recognize a cancelled call as context.Canceled. A call past its deadline is
// recognized as context.DeadlineExceeded.
func (e *Error) Is(target error) bool {
	return target == context.Canceled && e.Code == codes.Canceled ||
		target == context.DeadlineExceeded && e.Code == codes.DeadlineExceeded
}

// errorOfSending corrects the code of an error. gRPC cannot send a request with text that is not
// UTF-8, and reports Internal. errorOfSending reports InvalidArgument for such a request.
func errorOfSending(request any, failed *Error) *Error {
	if failed.Code == codes.Internal {
		if _, err := proto.Marshal(request.(proto.Message)); err != nil {
			failed.Code = codes.InvalidArgument
		}
	}
	return failed
}

func errorOf(cause error, target target) *Error {
	state := status.Convert(cause)
	converted := &Error{Code: state.Code(), Message: state.Message(), cause: cause}
	if len(state.Details()) == 0 {
		converted.Message = target.explain(state.Code(), state.Message())
	}
	for _, detail := range state.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			converted.Reason = detail.Reason
			if detail.Reason == "MOVED" {
				converted.MovedTo = withoutScheme(detail.Metadata["address"])
			}
		case *errdetails.BadRequest:
			for _, violation := range detail.FieldViolations {
				converted.Violations = append(converted.Violations, FieldViolation{violation.Field, violation.Description})
			}
		case *errdetails.RetryInfo:
			converted.RetryAfter = detail.RetryDelay.AsDuration()
		}
	}
	return converted
}
