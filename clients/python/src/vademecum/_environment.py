from __future__ import annotations

import os
from pathlib import Path


def environment_key() -> str | None:
    """Returns the API key in VADEMECUM_API_KEY, or in the file that VADEMECUM_API_KEY_FILE names.

    Returns None if neither variable is set. Raises ValueError if the file cannot be read.
    """
    key = os.environ.get("VADEMECUM_API_KEY") or None
    if key is not None:
        return key
    content = environment_file("VADEMECUM_API_KEY_FILE")
    return None if content is None else content.decode(errors="replace").strip()


def environment_file(name: str) -> bytes | None:
    """Returns the content of the file that a variable names.

    Returns None if the variable is not set or empty. Raises ValueError if the file cannot be read.
    """
    path = os.environ.get(name)
    if not path:
        return None
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ValueError(f"{name}: cannot read '{path}': {error.strerror}") from error
