from __future__ import annotations

from pathlib import Path

import pytest
from vademecum_contract import Server, run_readme


@pytest.mark.parametrize("index", [0, 1], ids=["a store", "tools of LangMem"])
def test_the_programs_of_the_readme_print_what_the_readme_shows(server: Server, index: int) -> None:
    run = run_readme(Path(__file__).parents[1] / "README.md", server.address, index)
    assert run.errors == ""
    assert run.printed == run.shown
