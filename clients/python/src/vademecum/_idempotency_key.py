from uuid import uuid4


def new_idempotency_key() -> str:
    """Returns a unique key. The server applies mutations with the same key only once."""
    return str(uuid4())
