"""Memory and conversations of Pydantic AI, kept in the memory service Vademecum."""

from .capability import VademecumCapability
from .conversation_store import VademecumConversationStore

__all__ = ["VademecumCapability", "VademecumConversationStore"]
