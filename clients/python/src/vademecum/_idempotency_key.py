from uuid import uuid4


def new_idempotency_key() -> str:
    """Returns a unique key, which makes a repeated call safe."""
    return str(uuid4())
