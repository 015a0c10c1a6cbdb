from __future__ import annotations

import hashlib

from google.protobuf.message import Message


def routing_metadata(request: Message) -> tuple[tuple[str, str], ...]:
    """Returns the header by which a load balancer sends all calls of a user to the same server, whose
    index of that user is then in memory.

    It holds the first 16 hexadecimal digits of the SHA-256 of the user id. A request without a user
    has no such header.
    """
    user_id = user_of(request)
    if user_id == "":
        return ()
    return (("x-vademecum-user", hashlib.sha256(user_id.encode()).hexdigest()[:16]),)


def user_of(request: Message) -> str:
    """Returns the user whose data a request is about: its own field, or that of its namespace."""
    names = request.DESCRIPTOR.fields_by_name
    if "user_id" in names:
        return str(getattr(request, "user_id"))
    for name in ("namespace", "search"):
        if name in names and request.HasField(name):
            return user_of(getattr(request, name))
    return ""
