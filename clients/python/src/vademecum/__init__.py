"""Client of the memory service Vademecum.

`connect` gives a client that blocks; `vademecum.aio.connect` one for asyncio. Both have the same calls.
"""

from ._errors import FieldViolation, VademecumError
from ._options import SearchResult, Tls
from ._sync.client import Client, connect
from ._sync.memories import Memories

__all__ = ["Client", "FieldViolation", "Memories", "SearchResult", "Tls", "VademecumError", "connect"]
