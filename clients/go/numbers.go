package vademecum

import (
	"fmt"
	"math"
	"strconv"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

const (
	// From here on, a double cannot hold every whole number.
	wholeNumberMax = 1 << 53
	// A double gives back every number of so many digits, however large.
	digitsOfDouble = 15
)

// numbersFault returns an error if a Struct of the request has a whole number that has probably
// lost digits: one beyond 2^53 with more digits than a double keeps. A Struct holds doubles, so the
// number that the caller meant is gone.
func numbersFault(request proto.Message) *Error {
	path, number := lostNumber(request.ProtoReflect(), "")
	if path == "" {
		return nil
	}
	description := fmt.Sprintf("is %.0f, but JSON numbers are doubles, which hold whole numbers exactly only up to "+
		"9007199254740991. Give ids and other long numbers as texts.", number)
	return &Error{
		Code:       codes.InvalidArgument,
		Message:    path + ": " + description,
		Reason:     "INVALID_FIELD",
		Violations: []FieldViolation{{path, description}},
	}
}

// lostNumber returns the first number of a message that has lost digits, with its path.
func lostNumber(message protoreflect.Message, path string) (lostAt string, number float64) {
	isJSON := message.Descriptor().FullName().Parent() == "google.protobuf"
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		inner := path
		if !isJSON {
			inner = joined(path, field.TextName())
		}
		switch {
		case field.FullName() == "google.protobuf.Value.number_value":
			if hasLostDigits(value.Float()) {
				lostAt, number = inner, value.Float()
			}
		case field.IsMap() && field.MapValue().Message() != nil:
			value.Map().Range(func(key protoreflect.MapKey, item protoreflect.Value) bool {
				lostAt, number = lostNumber(item.Message(), joined(inner, key.String()))
				return lostAt == ""
			})
		case field.IsList() && field.Message() != nil:
			for index := 0; index < value.List().Len() && lostAt == ""; index++ {
				lostAt, number = lostNumber(value.List().Get(index).Message(), fmt.Sprintf("%s[%d]", inner, index))
			}
		case !field.IsMap() && field.Message() != nil:
			lostAt, number = lostNumber(value.Message(), inner)
		}
		return lostAt == ""
	})
	return lostAt, number
}

func hasLostDigits(number float64) bool {
	if math.IsInf(number, 0) || number != math.Trunc(number) || math.Abs(number) < wholeNumberMax {
		return false
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(number, 'g', digitsOfDouble, 64), 64)
	return err != nil || short != number
}

func joined(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
