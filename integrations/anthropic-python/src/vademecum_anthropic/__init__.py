"""The memory tool of Claude over the memory service Vademecum."""

from .memory_tool import AsyncVademecumMemoryTool, VademecumMemoryTool

__all__ = ["AsyncVademecumMemoryTool", "VademecumMemoryTool"]
