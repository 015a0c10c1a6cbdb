# Made from the definitions by `npm run generate`: do not edit.
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from vademecum.v1.memory_pb2 import Namespace
from vademecum.v1.skill_service_pb2 import DeleteSkillRequest, DeleteSkillResponse, ListSkillsRequest, ListSkillsResponse, PruneStaleRequest, PruneStaleResponse, RetrieveSkillsRequest, RetrieveSkillsResponse, StoreSkillRequest, StoreSkillResponse, UpdateSuccessCountRequest, UpdateSuccessCountResponse
from vademecum.v1.skill_service_pb2_grpc import SkillServiceStub

from .calls import Calls
from .._idempotency_key import new_idempotency_key

if TYPE_CHECKING:
    from vademecum.v1.skill_service_pb2_grpc import SkillServiceAsyncStub


class Skills:
    """Keeps what agents have learned to do, and finds it again by the situation at hand. A worked example: docs/skills.md.

    A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`, as those of MemoryProvider do. An id that is not in the namespace is the same as one that never was.

    On a server that was started with VADEMECUM_SKILLS=off every call that is well formed is answered as if there were no skills: empty, false or zero, and nothing is stored.
    """

    def __init__(self, calls: Calls, user_id: str, agent_id: str) -> None:
        self._calls = calls
        self._namespace = Namespace(user_id=user_id, agent_id=agent_id)
        self._user_id = user_id
        self._agent_id = agent_id

    @cached_property
    def _stub(self) -> "SkillServiceAsyncStub":
        return SkillServiceStub(self._calls.channel)

    async def store_skill(
        self,
        context: str,
        lesson: str,
        *,
        id: str | None = None,
        tool_name: str | None = None,
        embedding: Iterable[float] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> StoreSkillResponse:
        """Stores a skill, or replaces the one of the given id.

        Args:
            id: The skill's id, 1 to 128 bytes. If the namespace has a skill of this id, its context, lesson and tool_name are replaced by those given, and its counts and times stay. Default: a new id.
            context: The situation in which it was learned. Required, 1 byte to 32 KiB of UTF-8.
            lesson: What was learned. Required, 1 byte to 32 KiB of UTF-8.
            tool_name: The tool that it is about, 1 to 256 bytes. Default none.
            embedding: The vector of the text `context lesson`, for callers with an embedder of their own: 1 to 4,096 finite numbers, not all zero. The first one decides that the namespace's skills have the caller's vectors, and their dimension; the server then makes none there. Refused where the server makes them. Default: the server's model makes it, unless a skill of the namespace has the same text already: then that one's is taken.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = StoreSkillRequest(
            namespace=self._namespace,
            id=id,
            context=context,
            lesson=lesson,
            tool_name=tool_name,
            embedding=embedding,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary(self._stub.StoreSkill, request, timeout)

    async def retrieve_skills(
        self,
        query: str,
        *,
        top_k: int | None = None,
        min_similarity: float | None = None,
        tool_name: str | None = None,
        query_embedding: Iterable[float] | None = None,
        include_embedding: bool = False,
        timeout: float | None = None,
    ) -> RetrieveSkillsResponse:
        """Finds skills for a situation, best first. That counts as use of those that are returned: it sets their last_used_time, not their success_count.

        Args:
            query: The situation at hand, in words. Required, 1 byte to 8 KiB of UTF-8.
            top_k: Most skills to return, 1 to 1,000. Default 5.
            min_similarity: Least similarity of what is returned, 0 to 1. Default 0.7.
            tool_name: Only skills about this tool, 1 to 256 bytes. Default: all.
            query_embedding: The query's vector, where the namespace's skills have the caller's vectors: of their dimension, finite, not all zero.
            include_embedding: Return `embedding` and `embedding_model` too. Default false.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = RetrieveSkillsRequest(
            namespace=self._namespace,
            query=query,
            top_k=top_k,
            min_similarity=min_similarity,
            tool_name=tool_name,
            query_embedding=query_embedding,
            include_embedding=include_embedding,
        )
        return await self._calls.unary(self._stub.RetrieveSkills, request, timeout)

    async def list_skills(
        self,
        *,
        limit: int | None = None,
        page_token: str | None = None,
        include_embedding: bool = False,
        timeout: float | None = None,
    ) -> ListSkillsResponse:
        """Lists skills, newest first, page by page. That does not count as use.

        Args:
            limit: Most skills a page, 1 to 1,000. Default 10. A page ends earlier before it grows beyond 3 MiB.
            page_token: Where to go on: next_page_token of the page before, with the same namespace. Empty: from the newest.
            include_embedding: Return `embedding` and `embedding_model` too. Default false.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = ListSkillsRequest(
            namespace=self._namespace,
            limit=limit,
            page_token=page_token,
            include_embedding=include_embedding,
        )
        return await self._calls.unary(self._stub.ListSkills, request, timeout)

    async def delete_skill(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> DeleteSkillResponse:
        """Deletes one skill. An id that is not in the namespace is no error: `deleted` is false.

        Args:
            id: Its id. Required, 1 to 128 bytes.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. A replay answers as the first call did, so `deleted` stays true. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = DeleteSkillRequest(
            namespace=self._namespace,
            id=id,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary(self._stub.DeleteSkill, request, timeout)

    async def update_success_count(
        self,
        id: str,
        *,
        increment: int | None = None,
        failure_increment: int | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> UpdateSuccessCountResponse:
        """Tells that a skill has helped, or has not. Counts as use. An id that is not in the namespace is no error: `updated` is false.

        Args:
            id: Its id. Required, 1 to 128 bytes.
            increment: How often it has helped since, 0 to 1,000,000. 0 only sets last_used_time. Default 1; 0 where failure_increment is given.
            failure_increment: How often it has not, 0 to 1,000,000. Default 0.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = UpdateSuccessCountRequest(
            namespace=self._namespace,
            id=id,
            increment=increment,
            failure_increment=failure_increment,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary(self._stub.UpdateSuccessCount, request, timeout)

    async def prune_stale(
        self,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> PruneStaleResponse:
        """Removes the skills of a namespace that have outlived their use: not used for 90 days or more, or without a success although 30 days old or more. The server does so for all namespaces at its start and every day (--pruning); for all at once there is AdminService.Prune.

        Args:
            dry_run: True: only tell what would be removed. Default false.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = PruneStaleRequest(
            namespace=self._namespace,
            dry_run=dry_run,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary(self._stub.PruneStale, request, timeout)
