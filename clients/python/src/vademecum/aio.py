"""The client for asyncio."""

from ._async.client import AsyncClient, connect

__all__ = ["AsyncClient", "connect"]
