"""Builds requests from the arguments of a call. Refuses a wrong argument with an error that names it."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, TypeVar

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct, Value
from google.protobuf.timestamp_pb2 import Timestamp

Request = TypeVar("Request", bound=Message)

# From here on, a double cannot hold every whole number.
_WHOLE_NUMBER_MAX = 2**53
# The classes of scalar values, and what an error calls them.
_SCALAR_KINDS: dict[int, tuple[type, str]] = {
    FieldDescriptor.CPPTYPE_STRING: (str, "a text"),
    FieldDescriptor.CPPTYPE_BOOL: (numbers.Integral, "True or False"),
    FieldDescriptor.CPPTYPE_DOUBLE: (numbers.Real, "a number"),
    FieldDescriptor.CPPTYPE_FLOAT: (numbers.Real, "a number"),
    FieldDescriptor.CPPTYPE_INT32: (numbers.Integral, "a whole number"),
    FieldDescriptor.CPPTYPE_INT64: (numbers.Integral, "a whole number"),
    FieldDescriptor.CPPTYPE_UINT32: (numbers.Integral, "a whole number"),
    FieldDescriptor.CPPTYPE_UINT64: (numbers.Integral, "a whole number"),
    FieldDescriptor.CPPTYPE_ENUM: (numbers.Integral, "the name of a value"),
}
# A double gives back every number of so many digits, however large.
_DIGITS_OF_DOUBLE = 15


def new_request(kind: type[Request], /, **arguments: Any) -> Request:
    """Returns a request with the given fields. An argument that is None stays unset.

    Raises:
        TypeError: An argument has a type that its field cannot hold, such as a text for a list.
        ValueError: An argument has a value that its field cannot hold, such as an unknown name of
            an enum. Or the caller sets several fields of which the request can have only one.
    """
    request = kind()
    _set_fields(request, arguments, "")
    return request


def _set_fields(message: Message, values: Mapping[str, Any], path: str) -> None:
    """Sets the fields of a message. `path` leads to the message and ends with a dot, or is empty."""
    given = {name: value for name, value in values.items() if value is not None}
    # The types of protobuf mix the classes of two implementations.
    fields: Any = message.DESCRIPTOR.fields_by_name
    for name, value in given.items():
        if name not in fields:
            raise ValueError(f'{path}{name}: is unknown; the fields are {", ".join(fields)}')
        _set_field(message, fields[name], value, path + name)
    for oneof in message.DESCRIPTOR.oneofs:
        names = [field.name for field in oneof.fields]
        if sum(name in given for name in names) > 1:
            raise ValueError(f"{path}{oneof.name}: give only one of {', '.join(names)}")


def _set_field(message: Message, field: FieldDescriptor, value: Any, path: str) -> None:
    if not field.is_repeated:
        _set_single(message, field, value, path)
        return
    if isinstance(value, (str, bytes, bytearray, Mapping)) or not isinstance(value, Iterable):
        raise TypeError(f"{path}: is {_kind_of(value)} and must be a list, such as [{_shown(value)}]")
    target, items = getattr(message, field.name), list(value)
    if field.message_type is None and field.enum_type is None:
        try:
            # The fast way for vectors. If it fails, the loop below finds the wrong item.
            target.extend(items)
            return
        except (TypeError, ValueError, OverflowError):
            del target[:]
    for index, item in enumerate(items):
        item_path = f"{path}[{index}]"
        if field.message_type is not None:
            _fill(target.add(), item, item_path)
        else:
            scalar = _scalar(field, item, item_path)
            _try(item_path, lambda: target.append(scalar))


def _set_single(message: Message, field: FieldDescriptor, value: Any, path: str) -> None:
    if field.message_type is not None:
        target = getattr(message, field.name)
        # An empty message is also set.
        target.SetInParent()
        _fill(target, value, path)
        return
    scalar = _scalar(field, value, path)
    _try(path, lambda: setattr(message, field.name, scalar))


def _scalar(field: FieldDescriptor, value: Any, path: str) -> Any:
    if field.enum_type is not None and isinstance(value, str):
        return _enum_number(field.enum_type, value, path)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return value
    expected = _SCALAR_KINDS.get(field.cpp_type)
    if expected is not None and not isinstance(value, expected[0]):
        raise TypeError(f"{path}: is {_kind_of(value)} and must be {expected[1]}")
    return value


def _enum_number(enum: EnumDescriptor, name: str, path: str) -> int:
    """Returns the number of an enum value. The name may lack the prefix, and case does not matter."""
    prefix = enum.values[0].name.removesuffix("UNSPECIFIED")
    upper = name.upper()
    value = enum.values_by_name.get(upper) or enum.values_by_name.get(prefix + upper)
    if value is None:
        known = ", ".join(it.name.removeprefix(prefix).lower() for it in enum.values if it.number != 0)
        raise ValueError(f'{path}: is "{name}" and must be one of {known}')
    return int(value.number)


def _fill(target: Message, value: Any, path: str) -> None:
    """Copies a value into a message that is a field of a request."""
    name = target.DESCRIPTOR.full_name
    if isinstance(value, Message):
        if value.DESCRIPTOR.full_name != name:
            raise TypeError(f"{path}: is {_kind_of(value)} and must be a {target.DESCRIPTOR.name}")
        _require_whole_numbers(value, path)
        target.CopyFrom(value)
    elif isinstance(target, Timestamp):
        if not isinstance(value, datetime):
            raise TypeError(f"{path}: is {_kind_of(value)} and must be a datetime")
        _try(path, lambda: target.FromDatetime(value))
    elif name == "google.protobuf.FieldMask" and not isinstance(value, Mapping):
        _set_fields(target, {"paths": value}, f"{path}.")
    elif not isinstance(value, Mapping):
        raise TypeError(f"{path}: is {_kind_of(value)} and must be a dictionary or a {target.DESCRIPTOR.name}")
    elif isinstance(target, Struct):
        _fill_struct(target, value, path)
    else:
        _set_fields(target, value, f"{path}.")


def _fill_struct(struct: Struct, values: Mapping[Any, Any], path: str) -> None:
    for key, value in values.items():
        if not isinstance(key, str):
            raise TypeError(f"{path}: has the key {key!r}, and all keys must be texts")
        _fill_json(struct.fields[key], value, f"{path}.{key}")


def _fill_json(target: Value, value: Any, path: str) -> None:
    if value is None:
        target.null_value = 0  # type: ignore[assignment]
    elif isinstance(value, bool):
        target.bool_value = value
    elif isinstance(value, numbers.Real):
        target.number_value = _double(value, path)
    elif isinstance(value, str):
        _try(path, lambda: setattr(target, "string_value", value))
    elif isinstance(value, Mapping):
        target.struct_value.SetInParent()
        _fill_struct(target.struct_value, value, path)
    elif isinstance(value, (list, tuple)):
        target.list_value.SetInParent()
        for index, item in enumerate(value):
            _fill_json(target.list_value.values.add(), item, f"{path}[{index}]")
    else:
        raise TypeError(f"{path}: is {_kind_of(value)}, which JSON cannot hold; give it as a text")


def _double(value: numbers.Real, path: str) -> float:
    try:
        double = float(value)
        is_exact = not isinstance(value, numbers.Integral) or int(double) == value
    except OverflowError:
        is_exact = False
    if not is_exact:
        raise _beyond_doubles(path, str(value))
    return double


def _require_whole_numbers(message: Message, path: str) -> None:
    """Refuses a Struct in which a whole number has probably lost digits: one beyond 2^53 with more
    digits than a double keeps. A Struct holds doubles, so the number that the caller meant is gone.
    """
    for field, value in message.ListFields():
        if field.full_name == "google.protobuf.Value.number_value":
            is_whole = value.is_integer() and abs(value) >= _WHOLE_NUMBER_MAX
            if is_whole and float(f"{value:.{_DIGITS_OF_DOUBLE}g}") != value:
                raise _beyond_doubles(path, str(int(value)))
        elif field.message_type is not None:
            _require_whole_numbers_of_field(field, value, path)


def _require_whole_numbers_of_field(field: FieldDescriptor, value: Any, path: str) -> None:
    if field.full_name == "google.protobuf.Struct.fields":
        for key, item in value.items():
            _require_whole_numbers(item, f"{path}.{key}")
        return
    is_json = field.full_name.startswith("google.protobuf.")
    inner = path if is_json else f"{path}.{field.name}"
    if not field.is_repeated:
        _require_whole_numbers(value, inner)
        return
    for index, item in enumerate(value):
        _require_whole_numbers(item, f"{inner}[{index}]")


def _beyond_doubles(path: str, number: str) -> ValueError:
    shown = number if len(number) <= 40 else f"{number[:20]}… with {len(number)} digits"
    return ValueError(
        f"{path}: is {shown}, but JSON numbers are doubles, which hold whole numbers exactly only up to "
        "9007199254740991. Give ids and other long numbers as texts."
    )


def _try(path: str, action: Callable[[], object]) -> None:
    """Runs an action of protobuf. Adds the path of the field to its errors."""
    try:
        action()
    except (TypeError, ValueError, OverflowError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{path}: {error}") from None


def _kind_of(value: Any) -> str:
    kinds = {str: "a text", int: "a number", float: "a number", bool: "a boolean", dict: "a dictionary", list: "a list"}
    return kinds.get(type(value), f"a {type(value).__name__}")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else "..."
