from uuid import uuid4


def new_idempotency_key() -> str:
    """A key that no other call has: what makes a repeated call change nothing twice."""
    return str(uuid4())
