"""The promises of every adapter as test cases, with a real server. Needs pytest."""

from .contract import Contract, Subject
from .readme_program import ReadmeRun, run_readme
from .server import PROJECT_FOLDER, VADEMECUM, Server

__all__ = ["PROJECT_FOLDER", "VADEMECUM", "Contract", "ReadmeRun", "Server", "Subject", "run_readme"]
