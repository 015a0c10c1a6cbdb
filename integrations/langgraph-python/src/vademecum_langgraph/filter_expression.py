from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

_MAX_BYTES = 2048

_COMPARISONS = {"$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}


def filter_expression(filter: Mapping[str, Any] | None) -> str | None:
    """Converts a LangGraph filter to a CEL expression.

    The server counts and ranks only items for which the expression is true.

    Raises:
        ValueError: An operator is unknown, a value is not JSON, or the expression is larger than
            2 KiB.
    """
    if not filter:
        return None
    expression = _entries(filter, "metadata.value")
    size = len(expression.encode())
    if size > _MAX_BYTES:
        raise ValueError(f"filter: makes an expression of {size} bytes; at most {_MAX_BYTES} are allowed")
    return expression


def _entries(filter: Mapping[str, Any], place: str) -> str:
    return " && ".join(f"({_condition(key, expected, place)})" for key, expected in filter.items())


def _condition(key: str, expected: Any, place: str) -> str:
    name = _literal(str(key))
    is_there = f"{name} in {place}"
    value = f"{place}[{name}]"
    if not isinstance(expected, Mapping):
        return _operation("$eq", expected, is_there, value)
    if any(str(name).startswith("$") for name in expected):
        return " && ".join(_operation(operator, operand, is_there, value) for operator, operand in expected.items())
    # A nested filter ignores entries that it does not name.
    nested = f" && {_entries(expected, value)}" if expected else ""
    return f"{is_there} && type({value}) == map{nested}"


def _operation(operator: str, operand: Any, is_there: str, value: str) -> str:
    """Returns the CEL expression of one operation.

    An absent entry has these rules: it equals None, it differs from every other value, and it is
    never greater or less.

    Args:
        operator: The operator, such as `$eq`.
        operand: The value in the filter.
        is_there: The CEL expression that is true if the entry exists.
        value: The CEL expression of the entry.
    """
    literal = _literal(operand)
    if operator == "$eq":
        return f"!({is_there}) || {value} == null" if operand is None else f"{is_there} && {value} == {literal}"
    if operator == "$ne":
        return f"{is_there} && {value} != null" if operand is None else f"(!({is_there}) || {value} != {literal})"
    if operator in _COMPARISONS:
        return f"{is_there} && {value} {_COMPARISONS[operator]} {literal}"
    raise ValueError(f"filter: {operator} is unknown; use $eq, $ne, $gt, $gte, $lt or $lte")


def _literal(value: Any) -> str:
    """Converts a JSON value to a CEL literal. Numbers are doubles, as in stored metadata."""
    if value is None or isinstance(value, (bool, str)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (int, float)):
        if not math.isfinite(value):
            raise ValueError("filter: numbers must be finite")
        return repr(float(value))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_literal(str(key))}: {_literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_literal(item) for item in value) + "]"
    raise ValueError(f"filter: {type(value).__name__} is not a JSON value")
