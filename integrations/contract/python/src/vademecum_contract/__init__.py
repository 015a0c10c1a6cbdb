"""The promises of every adapter as test cases, with a real server. Needs pytest."""

from .contract import Contract, Subject
from .readme_program import ReadmeRun, run_readme
from .server import Server, server_command

__all__ = ["Contract", "ReadmeRun", "Server", "Subject", "run_readme", "server_command"]
