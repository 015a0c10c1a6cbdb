from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.struct_pb2 import Struct

# A double can hold every whole number up to this one.
_WHOLE_NUMBER_MAX = 2**53


def to_json_values(
    name: str, values: Mapping[str, Any], convert: Callable[[Any], Any] | None = None
) -> dict[str, Any]:
    """Returns the values of an argument as the server stores them.

    Args:
        name: The name of the argument, for error messages.
        values: The values.
        convert: Converts a value that JSON cannot represent.

    Raises:
        ValueError: JSON cannot represent a value.
    """
    try:
        plain: dict[str, Any] = json.loads(json.dumps(dict(values), default=convert, allow_nan=False))
        return plain
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"{name}: must be JSON: {error}") from error


def to_dict(struct: Struct) -> dict[str, Any]:
    """Converts a Struct to a dictionary. All numbers of a Struct are doubles. Whole numbers up to
    2^53 become integers.
    """
    return {key: _with_integers(value) for key, value in MessageToDict(struct).items()}


def _with_integers(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer() and abs(value) <= _WHOLE_NUMBER_MAX:
        return int(value)
    if isinstance(value, dict):
        return {key: _with_integers(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_with_integers(inner) for inner in value]
    return value
