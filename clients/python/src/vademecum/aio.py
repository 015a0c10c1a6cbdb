"""The client for asyncio."""

from ._async.blocks import Blocks
from ._async.calls import ResponseStream, SearchStream
from ._async.client import AsyncClient, connect
from ._async.inbox import Inbox
from ._async.key_values import KeyValues
from ._async.memories import Memories
from ._async.proposals import Proposals
from ._async.skills import Skills
from ._async.threads import Threads
from ._async.tools import Tools

__all__ = [
    "AsyncClient",
    "Blocks",
    "Inbox",
    "KeyValues",
    "Memories",
    "Proposals",
    "ResponseStream",
    "SearchStream",
    "Skills",
    "Threads",
    "Tools",
    "connect",
]
