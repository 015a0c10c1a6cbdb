"""Implements the Python protocol `MemoryProvider` with a Vademecum server.

Memory services of any vendor can implement this protocol. The protocol has nothing to do with the
gRPC service `vademecum.v1.MemoryProvider`, which only has the same name.

`get_memory_provider` makes a provider from a configuration. This module needs the extra
`memory-provider`: `pip install 'vademecum[memory-provider]'`.
"""

try:
    import pydantic as _pydantic
except ImportError as error:
    raise ImportError(
        "vademecum.memory_provider needs pydantic: pip install 'vademecum[memory-provider]'"
    ) from error

from ._factory import get_memory_provider
from ._memory_id import MemoryId
from ._protocol import MemoryItem, MemoryProvider
from ._provider import VademecumMemoryProvider

__all__ = ["MemoryId", "MemoryItem", "MemoryProvider", "VademecumMemoryProvider", "get_memory_provider"]
