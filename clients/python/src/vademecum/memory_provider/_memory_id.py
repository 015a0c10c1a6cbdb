from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, unquote

_PREFIX = "vademecum"


@dataclass(frozen=True)
class MemoryId:
    """A memory's id together with its namespace.

    The text form is `vademecum:USER:AGENT:ID` in printable ASCII; each part is percent-encoded. The
    text form identifies a memory on a server. It is no secret and grants no permission.
    """

    user_id: str
    agent_id: str
    id: str
    """The memory's id in the namespace."""

    def __str__(self) -> str:
        return ":".join([_PREFIX, *(quote(part, safe="") for part in (self.user_id, self.agent_id, self.id))])

    @staticmethod
    def parse(memory_id: str) -> MemoryId:
        """Parses the text form. Raises ValueError for any other text."""
        prefix, *parts = memory_id.split(":") if isinstance(memory_id, str) else [""]
        if prefix == _PREFIX and len(parts) == 3 and all(parts):
            parsed = MemoryId(*map(unquote, parts))
            # Refuses other encodings of the same parts, so that each memory has one id.
            if str(parsed) == memory_id:
                return parsed
        raise ValueError(
            f"memory_id: {memory_id!r} is not an id of this provider. Give an id that add, add_trace, search or "
            "get_all returned, in the form vademecum:USER:AGENT:ID."
        )
