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

// Error is a call that failed. Decide by Code and Reason; the message is for people and may change.
type Error struct {
	// The canonical code.
	Code codes.Code
	// What was wrong, what is allowed, what to do.
	Message string
	// A name that stays the same from version to version, from docs/errors.md. Empty if the transport made the error.
	Reason string
	// The fields at fault, if any.
	Violations []FieldViolation
	// After which a repeated call may do better. 0 if the service gave none.
	RetryAfter time.Duration

	cause error
}

// FieldViolation is a field of the request that breaks a rule.
type FieldViolation struct {
	// Its path in the definitions, such as filter.time_range or tags[3].
	Field string
	// What is wrong with it and what is allowed.
	Description string
}

func (it *Error) Error() string {
	if it.Reason == "" {
		return fmt.Sprintf("%s: %s", it.Code, it.Message)
	}
	return fmt.Sprintf("%s (%s): %s", it.Code, it.Reason, it.Message)
}

// Unwrap gives the error of the transport.
func (it *Error) Unwrap() error {
	return it.cause
}

// Is lets errors.Is take a call that was cancelled for context.Canceled, and one that missed its deadline for context.DeadlineExceeded.
func (it *Error) Is(target error) bool {
	return target == context.Canceled && it.Code == codes.Canceled ||
		target == context.DeadlineExceeded && it.Code == codes.DeadlineExceeded
}

// errorOfSending also knows a request that cannot be sent, which gRPC calls an internal error: text that is not UTF-8.
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
