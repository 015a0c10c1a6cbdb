from __future__ import annotations

from collections.abc import Sequence

from anthropic.lib.tools import ToolError


def numbered(lines: Sequence[str], first: int) -> str:
    """Returns lines with their numbers, as Claude expects them."""
    return "\n".join(f"{number:6}\t{line}" for number, line in enumerate(lines, first))


def replace_once(path: str, body: str, old: str, new: str) -> tuple[str, str]:
    """Replaces the only occurrence of a text.

    Returns the new body, and the lines around the change with their numbers.

    Raises:
        ToolError: The text occurs never, or several times. Occurrences may overlap.
    """
    places = _occurrences(old, body)
    if not places:
        raise ToolError(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
    lines = [body.count("\n", 0, place) + 1 for place in places]
    if len(places) > 1:
        raise ToolError(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: "
            f"{', '.join(map(str, lines))}. Please ensure it is unique"
        )
    edited = body[: places[0]] + new + body[places[0] + len(old) :]
    first = max(1, lines[0] - 2)
    return edited, numbered(edited.split("\n")[first - 1 : lines[0] + 2], first)


def insert_after(body: str, line: int, text: str) -> str:
    """Inserts a text after a line. 0: at the beginning.

    Raises:
        ToolError: There is no such line.
    """
    lines = body.removesuffix("\n").split("\n") if body else []
    if not 0 <= line <= len(lines):
        raise ToolError(f"Invalid `insert_line` parameter: {line}. It should be within the range [0, {len(lines)}].")
    lines.insert(line, text.rstrip("\n"))
    return "\n".join(lines) + "\n"


def _occurrences(text: str, body: str) -> list[int]:
    places: list[int] = []
    place = body.find(text) if text else -1
    while place != -1:
        places.append(place)
        place = body.find(text, place + 1)
    return places
