"""Client for the memory service Vademecum.

`connect` returns a blocking client. `vademecum.aio.connect` returns a client for asyncio. Both have
the same calls.
"""

from importlib.metadata import version as _version

from ._credentials import Tls
from ._errors import FieldViolation, VademecumError
from ._options import SearchResult
from ._sync.blocks import Blocks
from ._sync.calls import ResponseStream, SearchStream
from ._sync.client import Client, connect
from ._sync.inbox import Inbox
from ._sync.key_values import KeyValues
from ._sync.memories import Memories
from ._sync.proposals import Proposals
from ._sync.skills import Skills
from ._sync.threads import Threads
from ._sync.tools import Tools

__all__ = [
    "Blocks",
    "Client",
    "FieldViolation",
    "Inbox",
    "KeyValues",
    "Memories",
    "Proposals",
    "ResponseStream",
    "SearchResult",
    "SearchStream",
    "Skills",
    "Threads",
    "Tls",
    "Tools",
    "VademecumError",
    "__version__",
    "connect",
]

__version__ = _version("vademecum")
