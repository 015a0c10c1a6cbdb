# Made from the definitions by `npm run generate`: do not edit.
from .calls import Calls
from .memories import Memories
from .skills import Skills
from .blocks import Blocks
from .proposals import Proposals
from .key_values import KeyValues
from .tools import Tools


class Handles:
    """The services of a server."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def memories(self, user_id: str, agent_id: str) -> Memories:
        """Calls of MemoryProvider.

        Args:
            user_id: The user, 1 to 256 bytes.
            agent_id: The agent, 1 to 256 bytes.
        """
        return Memories(self._calls, user_id, agent_id)

    def skills(self, user_id: str, agent_id: str) -> Skills:
        """Calls of SkillService.

        Args:
            user_id: The user, 1 to 256 bytes.
            agent_id: The agent, 1 to 256 bytes.
        """
        return Skills(self._calls, user_id, agent_id)

    def blocks(self, user_id: str) -> Blocks:
        """Calls of BlockService.

        Args:
            user_id: The user, 1 to 256 bytes.
        """
        return Blocks(self._calls, user_id)

    def proposals(self, user_id: str) -> Proposals:
        """Calls of ProposalService.

        Args:
            user_id: The user, 1 to 256 bytes.
        """
        return Proposals(self._calls, user_id)

    def key_values(self, run_id: str) -> KeyValues:
        """Calls of KeyValueService.

        Args:
            run_id: The run, 1 to 256 bytes.
        """
        return KeyValues(self._calls, run_id)

    def tools(self) -> Tools:
        """Calls of ToolService."""
        return Tools(self._calls)
