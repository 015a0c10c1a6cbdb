from __future__ import annotations

import hashlib

from google.protobuf.message import Message


def routing_metadata(request: Message) -> tuple[tuple[str, str], ...]:
    """Returns the routing header, or nothing for a request without a user.

    The header has the first 16 hexadecimal digits of the SHA-256 of the user id. A load balancer
    can use it to send all calls about a user to one server, which then has the user's index in
    memory.
    """
    user_id = user_of(request)
    if user_id == "":
        return ()
    return (("x-vademecum-user", hashlib.sha256(user_id.encode()).hexdigest()[:16]),)


def user_of(request: Message) -> str:
    """Returns the user that a request or its namespace names, or an empty string."""
    names = request.DESCRIPTOR.fields_by_name
    if "user_id" in names:
        return str(getattr(request, "user_id"))
    for name in ("namespace", "search"):
        if name in names and request.HasField(name):
            return user_of(getattr(request, name))
    return ""
