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

// Error is a failed call. Decide by Code and Reason; the message is for people and may change.
type Error struct {
	// The canonical code.
	Code codes.Code
	// The problem, the allowed values and the remedy.
	Message string
	// A stable name from docs/errors.md. Empty if the transport made the error.
	Reason string
	// The invalid fields, if any.
	Violations []FieldViolation
	// How long to wait before a retry. 0 if the service gave no time.
	RetryAfter time.Duration
	// The address of the server to which the user or the run has moved, for the reason MOVED. The
	// client goes on there by itself, unless its key may not be sent there.
	MovedTo string

	cause error
}

// FieldViolation is an invalid field of the request.
type FieldViolation struct {
	// The field's path in the definitions, such as filter.time_range or tags[3].
	Field string
	// The problem and the allowed values.
	Description string
}

func (e *Error) Error() string {
	if e.Reason == "" {
		return fmt.Sprintf("%s: %s", e.Code, e.Message)
	}
	return fmt.Sprintf("%s (%s): %s", e.Code, e.Reason, e.Message)
}

// Unwrap returns the error of the transport.
func (e *Error) Unwrap() error {
	return e.cause
}

// Is lets errors.Is match a cancelled call with context.Canceled, and a call past its deadline with
// context.DeadlineExceeded.
func (e *Error) Is(target error) bool {
	return target == context.Canceled && e.Code == codes.Canceled ||
		target == context.DeadlineExceeded && e.Code == codes.DeadlineExceeded
}

// errorOfSending is errorOf for a call whose request may be invalid: gRPC reports text that is not
// UTF-8 as an internal error.
func errorOfSending(request any, cause error) *Error {
	converted := errorOf(cause)
	if converted.Code == codes.Internal {
		if _, err := proto.Marshal(request.(proto.Message)); err != nil {
			converted.Code = codes.InvalidArgument
		}
	}
	return converted
}

func errorOf(cause error) *Error {
	state := status.Convert(cause)
	converted := &Error{Code: state.Code(), Message: state.Message(), cause: cause}
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
