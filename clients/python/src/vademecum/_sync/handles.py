# Generated from the definitions by `npm run generate`. Do not edit.
from .calls import Calls
from .memories import Memories
from .skills import Skills
from .blocks import Blocks
from .threads import Threads
from .proposals import Proposals
from .inbox import Inbox
from .key_values import KeyValues
from .tools import Tools


class Handles:
    """Creates handles. A handle makes the calls of one service, and fills in the ids with which it
    was created. AdminService has no handle.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def memories(self, user_id: str, agent_id: str) -> Memories:
        """Returns a handle for the calls of MemoryProvider.

        Args:
            user_id: The id of the user, 1 to 256 bytes.
            agent_id: The id of the agent, 1 to 256 bytes.
        """
        return Memories(self._calls, user_id, agent_id)

    def skills(self, user_id: str, agent_id: str) -> Skills:
        """Returns a handle for the calls of SkillService.

        Args:
            user_id: The id of the user, 1 to 256 bytes.
            agent_id: The id of the agent, 1 to 256 bytes.
        """
        return Skills(self._calls, user_id, agent_id)

    def blocks(self, user_id: str) -> Blocks:
        """Returns a handle for the calls of BlockService.

        Args:
            user_id: The id of the user, 1 to 256 bytes.
        """
        return Blocks(self._calls, user_id)

    def threads(self, user_id: str, agent_id: str) -> Threads:
        """Returns a handle for the calls of ThreadService.

        Args:
            user_id: The id of the user, 1 to 256 bytes.
            agent_id: The id of the agent, 1 to 256 bytes.
        """
        return Threads(self._calls, user_id, agent_id)

    def proposals(self, user_id: str) -> Proposals:
        """Returns a handle for the calls of ProposalService.

        Args:
            user_id: The id of the user, 1 to 256 bytes.
        """
        return Proposals(self._calls, user_id)

    def inbox(self) -> Inbox:
        """Returns a handle for the calls of ProposalService."""
        return Inbox(self._calls)

    def key_values(self, run_id: str) -> KeyValues:
        """Returns a handle for the calls of KeyValueService.

        Args:
            run_id: The id of the run, 1 to 256 bytes.
        """
        return KeyValues(self._calls, run_id)

    def tools(self) -> Tools:
        """Returns a handle for the calls of ToolService."""
        return Tools(self._calls)
