from __future__ import annotations


def check_ids(user_id: str, agent_id: str) -> None:
    """Raises ValueError if an id is empty."""
    for name, value in (("user_id", user_id), ("agent_id", agent_id)):
        if not value:
            raise ValueError(f"{name} is missing; there is no default")
