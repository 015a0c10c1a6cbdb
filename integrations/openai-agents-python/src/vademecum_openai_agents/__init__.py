"""Sessions of the OpenAI Agents SDK, kept in the memory service Vademecum."""

from .session import VademecumSession

__all__ = ["VademecumSession"]
