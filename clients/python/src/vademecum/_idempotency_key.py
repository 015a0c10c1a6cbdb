from uuid import uuid4


def new_idempotency_key() -> str:
    """Returns a unique key. With a key, the server applies a repeated mutation once."""
    return str(uuid4())
