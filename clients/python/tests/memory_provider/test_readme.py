import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def test_the_program_of_the_readme_prints_what_the_readme_shows(address: str) -> None:
    section = README.read_text(encoding="utf-8").split("\n## As a memory provider\n", 1)[1]
    found = re.search(r"```python\n(.*?)^```\n\nprints\n\n((?:    [^\n]*\n)+)", section, re.MULTILINE | re.DOTALL)
    assert found is not None
    program, output = found.groups()
    assert "127.0.0.1:50051" in program
    command = [sys.executable, "-c", program.replace("127.0.0.1:50051", address)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed == re.sub("^    ", "", output, flags=re.MULTILINE)
