from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_PROGRAM = re.compile(r"```python\n((?:(?!```).)*)```\n\n```\n(.*?)```", re.DOTALL)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class ReadmeRun:
    """What the program of a README printed, and what the README shows. Dates are `DATE`.

    `errors` is empty if the program has ended well.
    """

    printed: str
    shown: str
    errors: str


def run_readme(readme: Path, address: str, index: int = 0) -> ReadmeRun:
    """Runs a program of a README that is followed by its output.

    Args:
        readme: The README.
        address: The server that replaces `127.0.0.1:50051` in the program.
        index: Which of these programs, from 0.

    Raises:
        ValueError: The README has no such program.
    """
    programs = _PROGRAM.findall(readme.read_text(encoding="utf-8"))
    if index >= len(programs):
        raise ValueError(f"{readme} has {len(programs)} programs with their outputs")
    program, output = programs[index]
    run = subprocess.run(
        [sys.executable, "-c", program.replace("127.0.0.1:50051", address)],
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    return ReadmeRun(_DATE.sub("DATE", run.stdout), _DATE.sub("DATE", output), run.stderr if run.returncode else "")
