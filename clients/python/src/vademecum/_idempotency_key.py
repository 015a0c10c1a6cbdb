from uuid import uuid4


def new_idempotency_key() -> str:
    """Returns a unique key. It makes a repeated call safe."""
    return str(uuid4())
