from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, unquote

_PREFIX = "vademecum"


@dataclass(frozen=True)
class MemoryId:
    """A memory's id together with its namespace.

    As text, it is `vademecum:USER:AGENT:ID` in printable ASCII, with each part percent-encoded. So
    the text alone names the memory. The text is no secret and grants nothing: any caller could name
    the same namespace.
    """

    user_id: str
    agent_id: str
    id: str
    """The memory's id in the namespace."""

    def __str__(self) -> str:
        return ":".join([_PREFIX, *(quote(part, safe="") for part in (self.user_id, self.agent_id, self.id))])

    @staticmethod
    def parse(memory_id: str) -> MemoryId:
        """Reads the text form. Raises ValueError if `memory_id` has another form."""
        prefix, *parts = memory_id.split(":") if isinstance(memory_id, str) else [""]
        if prefix == _PREFIX and len(parts) == 3 and all(parts):
            parsed = MemoryId(*map(unquote, parts))
            # A memory has one id: other ways to encode the same parts are refused.
            if str(parsed) == memory_id:
                return parsed
        raise ValueError(
            f"memory_id: {memory_id!r} is not an id of this provider. Give an id that add, add_trace, search or "
            "get_all returned, in the form vademecum:USER:AGENT:ID."
        )
