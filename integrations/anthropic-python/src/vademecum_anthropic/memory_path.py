from __future__ import annotations

from collections.abc import Mapping

from anthropic.lib.tools import ToolError

_ROOT = "/memories"
_UNITS = "BKMG"


def label_of(path: str) -> str:
    """Returns the label of the block for a path. Empty for the root.

    A label is a text: no part of it is resolved.

    Raises:
        ToolError: The path is not below `/memories`, or has an empty part, `.` or `..`.
    """
    if path.rstrip("/") == _ROOT:
        return ""
    if not path.startswith(f"{_ROOT}/"):
        raise ToolError(f"Path must start with {_ROOT}, got: {path}")
    label = path[len(_ROOT) + 1 :].removesuffix("/")
    if any(part in ("", ".", "..") for part in label.split("/")):
        raise ToolError(f"Path {path} would escape {_ROOT} directory")
    return label


def listing_of(path: str, prefix: str, sizes: Mapping[str, int]) -> str:
    """Lists files and directories up to two levels deep, as the file tool of the SDK does.

    Args:
        path: The path of the directory.
        prefix: The label of the directory with a slash at its end. Empty for the root.
        sizes: The sizes in bytes of all files of the directory, by their labels.
    """
    shown: dict[str, int] = {}
    total = 0
    for label, size in sizes.items():
        parts = label[len(prefix) :].split("/")
        if any(part.startswith(".") for part in parts):
            continue
        total += size
        names = ["/".join(parts[: depth + 1]) + "/" for depth in range(len(parts) - 1)][:2]
        names += ["/".join(parts)] if len(parts) <= 2 else []
        for name in names:
            shown[name] = shown.get(name, 0) + size
    lines = [f"{_size_text(total)}\t{path}"]
    # The content of a directory comes before other names that begin with its name.
    lines += [f"{_size_text(shown[name])}\t{path}/{name}" for name in sorted(shown, key=lambda it: it.split("/"))]
    header = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
    return "\n".join([header, *lines])


def _size_text(size: int) -> str:
    """Returns a size as the file tool of the SDK writes it, such as `1.5K`."""
    power = min(max(size.bit_length() - 1, 0) // 10, len(_UNITS) - 1)
    scaled = size / 1024**power
    return f"{int(scaled) if scaled == int(scaled) else f'{scaled:.1f}'}{_UNITS[power]}"
