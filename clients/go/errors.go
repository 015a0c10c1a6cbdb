package vademecum

import (
	"fmt"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
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

func errorOf(cause error) error {
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
