from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from google.protobuf.struct_pb2 import Struct, Value

# A double can hold every whole number up to this one.
_WHOLE_NUMBER_MAX = 2**53


def checked_json(value: Any, place: str = "value") -> Any:
    """Returns a value in the form in which the server stores it.

    Raises:
        ValueError: JSON cannot represent the value, or a double cannot hold a number.
    """
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        if abs(value) > _WHOLE_NUMBER_MAX:
            raise ValueError(f"{place}: whole numbers beyond 2^53 would be rounded; store {value} as text")
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{place}: numbers must be finite")
        return value
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise ValueError(f"{place}: keys must be strings, and {key!r} is not")
        return {key: checked_json(item, f"{place}.{key}") for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [checked_json(item, f"{place}[{index}]") for index, item in enumerate(value)]
    raise ValueError(f"{place}: {type(value).__name__} is not a JSON value")


def plain_object(struct: Struct) -> dict[str, Any]:
    """Converts a Struct to a dictionary. Whole numbers become integers."""
    return {key: _plain(value) for key, value in struct.fields.items()}


def _plain(value: Value) -> Any:
    kind = value.WhichOneof("kind")
    if kind == "struct_value":
        return plain_object(value.struct_value)
    if kind == "list_value":
        return [_plain(item) for item in value.list_value.values]
    if kind == "number_value":
        number = value.number_value
        return int(number) if number.is_integer() and abs(number) <= _WHOLE_NUMBER_MAX else number
    if kind == "string_value":
        return value.string_value
    return value.bool_value if kind == "bool_value" else None
