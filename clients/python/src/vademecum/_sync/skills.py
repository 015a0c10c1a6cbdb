# Generated from the definitions by `npm run generate`. Do not edit.
from datetime import datetime
from collections.abc import Iterable

from google.protobuf.timestamp_pb2 import Timestamp
from vademecum.v1.memory_pb2 import Namespace
from vademecum.v1.skill_service_pb2 import DeleteSkillRequest, DeleteSkillResponse, GetSkillRequest, GetSkillResponse, ListSkillsRequest, ListSkillsResponse, PruneStaleRequest, PruneStaleResponse, RetrieveSkillsRequest, RetrieveSkillsResponse, SkillFilter, StoreSkillRequest, StoreSkillResponse, UpdateSuccessCountRequest, UpdateSuccessCountResponse
from vademecum.v1.skill_service_pb2_grpc import SkillServiceStub

from .calls import Calls
from .._idempotency_key import new_idempotency_key
from .._requests import new_request
from ..types import SkillFilterFields


class Skills:
    """Stores the lessons that agents have learned and retrieves them for a given situation. A
    worked example: docs/guides/skills.md.

    A write is atomic. When it is acknowledged, it is durable (synced to disk) and searchable.
    Mutations take an `idempotency_key`, as in MemoryProvider. No reply reveals skills of another
    namespace, with one exception: the error QUOTA_EXCEEDED says how many bytes the user would
    hold after the write.

    VADEMECUM_SKILLS=off turns the service off. A valid call then succeeds, but stores nothing.
    Its reply has no skills, and all its flags and counts are false or 0.
    """

    def __init__(self, calls: Calls, user_id: str, agent_id: str) -> None:
        self._calls = calls
        self._stub = SkillServiceStub(calls.channel)
        self._namespace = Namespace(user_id=user_id, agent_id=agent_id)
        self._user_id = user_id
        self._agent_id = agent_id

    def store(
        self,
        context: str,
        lesson: str,
        *,
        id: str | None = None,
        tool_name: str | None = None,
        embedding: Iterable[float] | None = None,
        idempotency_key: str | None = None,
        success_count: int | None = None,
        failure_count: int | None = None,
        create_time: datetime | Timestamp | None = None,
        last_used_time: datetime | Timestamp | None = None,
        timeout: float | None = None,
    ) -> StoreSkillResponse:
        """Stores a skill, or replaces the skill with the given id. Fails with PERMISSION_DENIED
        (ROLE_REQUIRED) when another principal stored that skill, and the caller does not have
        the role `curator`.

        Args:
            id: The skill's id, 1 to 128 bytes. If the namespace has a skill with this id, the
                call replaces the context, lesson and tool_name of that skill, and keeps its counts
                and times, unless the request has others. Default: the service makes a new id.
            context: The situation in which the skill was learned. Required, 1 byte to 32 KiB of
                UTF-8, not white space alone.
            lesson: The lesson. Required, 1 byte to 32 KiB of UTF-8, not white space alone.
            tool_name: The tool that the skill is about, 1 to 256 bytes. Default none.
            embedding: The vector of the skill's text (context, a space and lesson), for callers
                with their own embedder: 1 to 4,096 finite numbers, not all zero. The first vector
                fixes the dimension for the namespace's skills. From then on, these skills hold
                callers' vectors, and the server makes no vectors for them.

                Unset: if another skill of the namespace has the same text, the skill gets the
                vector of that skill. Otherwise the server makes a vector, unless the namespace's
                skills hold callers' vectors. In that case the skill has no vector.

                Fails with FAILED_PRECONDITION (EMBEDDING_MODEL_MISMATCH) when the server makes the
                vectors of the namespace's skills. Fails with INVALID_ARGUMENT
                (EMBEDDING_DIMENSION_MISMATCH) when the vector has another dimension than the
                vectors of these skills.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours.
                Default: a new key.
            success_count: Number of times that the skill has helped, 0 or more, for a skill
                from another store. Default: 0 for a new skill; an existing skill keeps its count.
            failure_count: Number of times that the skill has not helped, as success_count.
            create_time: When the skill was first stored, for a skill from another store. Must
                not be in the future. Pruning goes by this time (PruneStale). Default: now for a new
                skill; an existing skill keeps its time.
            last_used_time: When the skill was last used, for a skill from another store. Must
                not be in the future or before create_time. Default: create_time for a new skill; an
                existing skill keeps its time.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            StoreSkillRequest,
            namespace=self._namespace,
            id=id,
            context=context,
            lesson=lesson,
            tool_name=tool_name,
            embedding=embedding,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
            success_count=success_count,
            failure_count=failure_count,
            create_time=create_time,
            last_used_time=last_used_time,
        )
        return self._calls.unary("SkillService.StoreSkill", self._stub.StoreSkill, message, timeout)

    def retrieve(
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
        """Retrieves the skills for a situation, most similar first. A call counts as a use of the
        skills that it returns: it sets their last_used_time. It does not change their
        success_count.

        Args:
            query: The current situation in words. Required, 1 byte to 8 KiB of UTF-8.
            top_k: Maximum number of skills to return, 1 to 1,000. Default 5.
            min_similarity: Return only skills with at least this similarity, 0 to 1. Default
                0.7.
            tool_name: Return only skills about this tool, 1 to 256 bytes. Default: all skills.
            query_embedding: The vector of the query, if the namespace's skills hold callers'
                vectors. It has as many numbers as these vectors, all finite, and not all zero.
            include_embedding: If true, Skill.embedding and Skill.embedding_model are returned
                too. Default false.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            RetrieveSkillsRequest,
            namespace=self._namespace,
            query=query,
            top_k=top_k,
            min_similarity=min_similarity,
            tool_name=tool_name,
            query_embedding=query_embedding,
            include_embedding=include_embedding,
        )
        return self._calls.unary("SkillService.RetrieveSkills", self._stub.RetrieveSkills, message, timeout)

    def get(
        self,
        id: str,
        *,
        include_embedding: bool = False,
        timeout: float | None = None,
    ) -> GetSkillResponse:
        """Returns one skill. The call does not count as a use of the skill. On a server with
        VADEMECUM_SKILLS=off, the reply is empty.

        Fails with NOT_FOUND (SKILL_NOT_FOUND) when the namespace has no such skill.

        Args:
            id: The skill's id. Required, 1 to 128 bytes.
            include_embedding: If true, Skill.embedding and Skill.embedding_model are returned
                too. Default false.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            GetSkillRequest,
            namespace=self._namespace,
            id=id,
            include_embedding=include_embedding,
        )
        return self._calls.unary("SkillService.GetSkill", self._stub.GetSkill, message, timeout)

    def list(
        self,
        *,
        limit: int | None = None,
        page_token: str | None = None,
        include_embedding: bool = False,
        filter: SkillFilter | SkillFilterFields | None = None,
        timeout: float | None = None,
    ) -> ListSkillsResponse:
        """Lists skills, newest first, page by page. A listing does not count as a use of the
        skills.

        Args:
            limit: Maximum number of skills on a page, 1 to 1,000. Default 10. A page also ends
                before it exceeds 3 MiB.
            page_token: The next_page_token of the previous page, sent with the same namespace
                and filter. Empty: start with the newest skill.
            include_embedding: If true, Skill.embedding and Skill.embedding_model are returned
                too. Default false.
            filter: List only skills that pass this filter. Unset: all skills. The call reads
                all skills down to the last one of the page.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            ListSkillsRequest,
            namespace=self._namespace,
            limit=limit,
            page_token=page_token,
            include_embedding=include_embedding,
            filter=filter,
        )
        return self._calls.unary("SkillService.ListSkills", self._stub.ListSkills, message, timeout)

    def delete(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> DeleteSkillResponse:
        """Deletes one skill. An unknown id is not an error: `deleted` is false. Fails with
        PERMISSION_DENIED (ROLE_REQUIRED) when another principal stored the skill, and the caller
        does not have the role `curator`.

        Args:
            id: The skill's id. Required, 1 to 128 bytes.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
                retry returns the reply of the first call, `deleted` included. Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            DeleteSkillRequest,
            namespace=self._namespace,
            id=id,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return self._calls.unary("SkillService.DeleteSkill", self._stub.DeleteSkill, message, timeout)

    def update_success_count(
        self,
        id: str,
        *,
        increment: int | None = None,
        failure_increment: int | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> UpdateSuccessCountResponse:
        """Adds to the success_count and failure_count of a skill. A call counts as a use of the
        skill: it sets last_used_time. An unknown id is not an error: `updated` is false.

        Args:
            id: The skill's id. Required, 1 to 128 bytes.
            increment: Number of successes to add, 0 to 1,000,000. Default 1, or 0 if
                failure_increment is set. If both increments are 0, the call changes only
                last_used_time.
            failure_increment: Number of failures to add, 0 to 1,000,000. Default 0.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours.
                Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            UpdateSuccessCountRequest,
            namespace=self._namespace,
            id=id,
            increment=increment,
            failure_increment=failure_increment,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return self._calls.unary("SkillService.UpdateSuccessCount", self._stub.UpdateSuccessCount, message, timeout)

    def prune_stale(
        self,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> PruneStaleResponse:
        """Removes the stale skills of a namespace. A skill is stale in two cases:

        - It has not been used for 90 days.
        - It is at least 30 days old, and its success_count is 0.

        The server itself prunes all namespaces at start and once a day, unless it runs with
        --pruning off. AdminService.Prune prunes all namespaces of a tenant immediately.

        Args:
            dry_run: If true, lists the stale skills and removes none. Default false.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours.
                Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            PruneStaleRequest,
            namespace=self._namespace,
            dry_run=dry_run,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return self._calls.unary("SkillService.PruneStale", self._stub.PruneStale, message, timeout)
