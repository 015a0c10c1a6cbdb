// Generated from the definitions by `npm run generate`. Do not edit.
use super::v1::*;

impl AddManyRequest {
    /// Returns a message with its required fields.
    pub fn new(memories: impl IntoIterator<Item = impl Into<AddRequest>>) -> Self {
        Self::default().with_memories(memories)
    }

    /// Sets `memories`. The memories, 1 to 500. The fields have the limits of Add, with two
    /// differences:
    pub fn with_memories(mut self, memories: impl IntoIterator<Item = impl Into<AddRequest>>) -> Self {
        self.memories = memories.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
    /// retry returns the ids of the memories that the first call stored. It tries again to store
    /// the memories that failed, and those that were deleted since.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl AddRequest {
    /// Returns a message with its required fields.
    pub fn new(content: impl Into<String>) -> Self {
        Self::default().with_content(content)
    }

    /// Sets `content`. The text. Required, 1 byte to 64 KiB of UTF-8, not white space alone.
    pub fn with_content(mut self, content: impl Into<String>) -> Self {
        self.content = content.into();
        self
    }

    /// Sets `memory_type`. The purpose of the memory. Default MEMORY_TYPE_EPISODIC.
    pub fn with_memory_type(mut self, memory_type: MemoryType) -> Self {
        self.memory_type = memory_type.into();
        self
    }

    /// Sets `kind`. Free text that refines the type, 1 to 256 bytes. Default none.
    pub fn with_kind(mut self, kind: impl Into<String>) -> Self {
        self.kind = Some(kind.into());
        self
    }

    /// Sets `tags`. Labels: at most 32, each 1 to 128 bytes. Duplicates are dropped.
    pub fn with_tags(mut self, tags: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.tags = tags.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `importance`. How much the memory matters, 0 to 1. Default 0.5.
    pub fn with_importance(mut self, importance: f64) -> Self {
        self.importance = Some(importance);
        self
    }

    /// Sets `status`. Whether the memory still needs attention. Default MEMORY_STATUS_ACTIVE.
    pub fn with_status(mut self, status: MemoryStatus) -> Self {
        self.status = status.into();
        self
    }

    /// Sets `restricted`. If true, tools cannot read the memory through QueryMemory (see
    /// Memory.restricted), and the memory belongs to no conversation thread (see thread_id).
    /// Default false.
    pub fn with_restricted(mut self, restricted: bool) -> Self {
        self.restricted = restricted;
        self
    }

    /// Sets `source`. The origin of the text: a tool, a document or a channel. 1 to 256 bytes.
    /// Default none.
    pub fn with_source(mut self, source: impl Into<String>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Sets `author`. The speaker or writer of the text, 1 to 256 bytes. Ranking uses the author
    /// (Scores.author).
    pub fn with_author(mut self, author: impl Into<String>) -> Self {
        self.author = Some(author.into());
        self
    }

    /// Sets `thread_id`. The conversation, run or document that contains the memory, 1 to 256
    /// bytes. Memories with the same thread_id belong to one conversation thread, ordered by time.
    /// The time of a memory is its event_time, or its create_time if there is no event_time.
    pub fn with_thread_id(mut self, thread_id: impl Into<String>) -> Self {
        self.thread_id = Some(thread_id.into());
        self
    }

    /// Sets `metadata`. The caller's own data: at most 16 KiB as JSON, 16 levels deep, all numbers
    /// finite.
    pub fn with_metadata(mut self, metadata: impl IntoIterator<Item = (impl Into<String>, impl Into<::prost_types::Value>)>) -> Self {
        self.metadata = Some(::prost_types::Struct { fields: metadata.into_iter().map(|(key, value)| (key.into(), value.into())).collect() });
        self
    }

    /// Sets `event_time`. When the event in the memory happened. Unset: time ranges and recency use
    /// create_time.
    pub fn with_event_time(mut self, event_time: impl Into<::prost_types::Timestamp>) -> Self {
        self.event_time = Some(event_time.into());
        self
    }

    /// Sets `expire_time`. When the memory expires. From this instant on, reads return it only with
    /// include_expired (Get, GetAll). Must be in the future. Default: never.
    pub fn with_expire_time(mut self, expire_time: impl Into<::prost_types::Timestamp>) -> Self {
        self.expire_time = Some(expire_time.into());
        self
    }

    /// Sets `supersedes`. The id of an old memory in this namespace. The new memory supersedes
    /// (replaces) the old one. Searches and listings then return the old memory only if
    /// include_superseded is true. Get still returns it.
    pub fn with_supersedes(mut self, supersedes: impl Into<String>) -> Self {
        self.supersedes = Some(supersedes.into());
        self
    }

    /// Sets `embedding`. The vector of the text, for callers with their own embedder: 1 to 4,096
    /// finite numbers, not all zero. The first vector fixes the dimension of the namespace. From
    /// then on, the namespace holds callers' vectors, and the server makes no vectors for it.
    pub fn with_embedding(mut self, embedding: impl IntoIterator<Item = f32>) -> Self {
        self.embedding = embedding.into_iter().collect();
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }

    /// Sets `external_id`. The caller's own id of the memory, 1 to 256 bytes: for example the id of
    /// an event or of a message in another system. Unique in the namespace, and compared byte for
    /// byte. Default none.
    pub fn with_external_id(mut self, external_id: impl Into<String>) -> Self {
        self.external_id = Some(external_id.into());
        self
    }

    /// Sets `on_conflict`. What to do if a memory of the namespace has the external_id. Default
    /// ON_CONFLICT_FAIL. Needs an external_id.
    pub fn with_on_conflict(mut self, on_conflict: OnConflict) -> Self {
        self.on_conflict = on_conflict.into();
        self
    }
}

impl AddTraceRequest {
    /// Returns a message with its required fields.
    pub fn new(workflow_id: impl Into<String>, trace_data: impl IntoIterator<Item = (impl Into<String>, impl Into<::prost_types::Value>)>) -> Self {
        Self::default().with_workflow_id(workflow_id).with_trace_data(trace_data)
    }

    /// Sets `workflow_id`. The id of the workflow. Required, 1 to 256 bytes. Stored as metadata
    /// `workflow_id`.
    pub fn with_workflow_id(mut self, workflow_id: impl Into<String>) -> Self {
        self.workflow_id = workflow_id.into();
        self
    }

    /// Sets `trace_data`. The data of the trace. Required. At most 64 KiB as JSON, 16 levels deep.
    pub fn with_trace_data(mut self, trace_data: impl IntoIterator<Item = (impl Into<String>, impl Into<::prost_types::Value>)>) -> Self {
        self.trace_data = Some(::prost_types::Struct { fields: trace_data.into_iter().map(|(key, value)| (key.into(), value.into())).collect() });
        self
    }

    /// Sets `thread_id`. The conversation or run that contains the trace, 1 to 256 bytes.
    pub fn with_thread_id(mut self, thread_id: impl Into<String>) -> Self {
        self.thread_id = Some(thread_id.into());
        self
    }

    /// Sets `event_time`. When the run happened. Unset: time ranges and recency use create_time.
    pub fn with_event_time(mut self, event_time: impl Into<::prost_types::Timestamp>) -> Self {
        self.event_time = Some(event_time.into());
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl AgentContext {
    /// Returns a message with its required fields.
    pub fn new(agent_id: impl Into<String>) -> Self {
        Self::default().with_agent_id(agent_id)
    }

    /// Sets `agent_id`. The agent whose memories are read or written. Required, 1 to 256 bytes.
    pub fn with_agent_id(mut self, agent_id: impl Into<String>) -> Self {
        self.agent_id = agent_id.into();
        self
    }

    /// Sets `task_id`. The caller's id for the task that the request belongs to, at most 256 bytes.
    /// GetTurnTrace can select trace entries by this id. Empty: the request belongs to no task.
    pub fn with_task_id(mut self, task_id: impl Into<String>) -> Self {
        self.task_id = task_id.into();
        self
    }

    /// Sets `plan_id`. The caller's id for the plan that the request belongs to, at most 256 bytes.
    /// The trace contains this id. Empty: the request belongs to no plan.
    pub fn with_plan_id(mut self, plan_id: impl Into<String>) -> Self {
        self.plan_id = plan_id.into();
        self
    }
}

impl AppendTurnsRequest {
    /// Returns a message with its required fields.
    pub fn new(thread_id: impl Into<String>, turns: impl IntoIterator<Item = impl Into<NewTurn>>) -> Self {
        Self::default().with_thread_id(thread_id).with_turns(turns)
    }

    /// Sets `thread_id`. The thread. Required, 1 to 256 bytes.
    pub fn with_thread_id(mut self, thread_id: impl Into<String>) -> Self {
        self.thread_id = thread_id.into();
        self
    }

    /// Sets `turns`. The turns, oldest first: 1 to 500, and at most 1 MiB together, which is the
    /// limit of a request.
    pub fn with_turns(mut self, turns: impl IntoIterator<Item = impl Into<NewTurn>>) -> Self {
        self.turns = turns.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
    /// retry stores those turns again that were deleted or have expired since.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl ApproveProposalRequest {
    /// Returns a message with its required fields.
    pub fn new(id: impl Into<String>) -> Self {
        Self::default().with_id(id)
    }

    /// Sets `id`. The proposal's id. Required, 1 to 128 bytes.
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// Sets `edited_new_string`. A replacement for the proposal's new_string, new_body or `append`,
    /// at most 256 KiB. May be empty, unless it is appended; must differ from old_string. Unset:
    /// the proposal's own text.
    pub fn with_edited_new_string(mut self, edited_new_string: impl Into<String>) -> Self {
        self.edited_new_string = Some(edited_new_string.into());
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours.
    /// Approving twice is safe even without a key.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }

    /// Sets `expected_version`. The version that the caller expects the target to have now, as in
    /// ProposalPreview. 0: the block must not exist. If the target has another version, the call
    /// fails with ABORTED (VERSION_MISMATCH). Unset: any version. Ignored if the proposal was
    /// decided before.
    pub fn with_expected_version(mut self, expected_version: i64) -> Self {
        self.expected_version = Some(expected_version);
        self
    }

    /// Sets `note`. A note for the agent, at most 4 KiB. It becomes Proposal.decision_reason.
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }
}

impl BlocksSection {
    /// Sets `labels`. The labels of the blocks, at most 100, each 1 to 128 bytes. A label without a
    /// block is ignored. Empty: all blocks of the user.
    pub fn with_labels(mut self, labels: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.labels = labels.into_iter().map(Into::into).collect();
        self
    }
}

impl BuildContextRequest {
    /// Returns a message with its required fields.
    pub fn new(budget_tokens: i32) -> Self {
        Self::default().with_budget_tokens(budget_tokens)
    }

    /// Sets `query`. What the turn is about, such as the user's last message, at most 8 KiB. Skills
    /// and memories are searched for it. If it is empty, MEMORIES has the newest memories, and
    /// SKILLS is empty.
    pub fn with_query(mut self, query: impl Into<String>) -> Self {
        self.query = query.into();
        self
    }

    /// Sets `budget_tokens`. Maximum number of tokens of the whole text, 1 to 200,000. Required.
    pub fn with_budget_tokens(mut self, budget_tokens: i32) -> Self {
        self.budget_tokens = budget_tokens;
        self
    }

    /// Sets `sections`. The sections, at most one of each kind. Empty: BLOCKS, SKILLS and MEMORIES
    /// with their defaults.
    pub fn with_sections(mut self, sections: impl IntoIterator<Item = impl Into<ContextSection>>) -> Self {
        self.sections = sections.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `thread_id`. The thread of the conversation, 1 to 256 bytes. Adds the section RECENT
    /// with its defaults, unless `sections` has a section RECENT.
    pub fn with_thread_id(mut self, thread_id: impl Into<String>) -> Self {
        self.thread_id = Some(thread_id.into());
        self
    }

    /// Sets `format`. The form of the text. Default CONTEXT_FORMAT_MARKDOWN.
    pub fn with_format(mut self, format: ContextFormat) -> Self {
        self.format = format.into();
        self
    }

    /// Sets `reference_time`. The instant that counts as now, for recency and for relative dates in
    /// the query, such as "last week". Unset: the beginning of the day of the server's clock in
    /// time_zone, so that the text stays the same during a day.
    pub fn with_reference_time(mut self, reference_time: impl Into<::prost_types::Timestamp>) -> Self {
        self.reference_time = Some(reference_time.into());
        self
    }

    /// Sets `time_zone`. The time zone in which days count; see SearchRequest.time_zone. At most 64
    /// bytes.
    pub fn with_time_zone(mut self, time_zone: impl Into<String>) -> Self {
        self.time_zone = time_zone.into();
        self
    }

    /// Sets `min_commit_seq`. The commit_seq of an earlier reply about the same user. The context
    /// then has the data of this commit and of all commits before it; see
    /// SearchRequest.min_commit_seq.
    pub fn with_min_commit_seq(mut self, min_commit_seq: i64) -> Self {
        self.min_commit_seq = Some(min_commit_seq);
        self
    }

    /// Sets `annotate`. Whether memories and turns begin with their date, and memories also with
    /// their author, as SearchRequest.annotate says. Turns always have their author. Without dates,
    /// a model takes the mail of 8 March for the mail of 18 March. Default true.
    pub fn with_annotate(mut self, annotate: bool) -> Self {
        self.annotate = Some(annotate);
        self
    }
}

impl ClearThreadRequest {
    /// Returns a message with its required fields.
    pub fn new(thread_id: impl Into<String>) -> Self {
        Self::default().with_thread_id(thread_id)
    }

    /// Sets `thread_id`. The thread. Required, 1 to 256 bytes.
    pub fn with_thread_id(mut self, thread_id: impl Into<String>) -> Self {
        self.thread_id = thread_id.into();
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
    /// retry returns the reply of the first call.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl ContextSection {
    /// Sets `blocks`. The user's blocks. Default maximum: 40 % of the budget.
    pub fn with_blocks(mut self, blocks: impl Into<BlocksSection>) -> Self {
        self.section = Some(context_section::Section::Blocks(blocks.into()));
        self
    }

    /// Sets `skills`. Skills for the query. Default maximum: 10 % of the budget.
    pub fn with_skills(mut self, skills: impl Into<SkillsSection>) -> Self {
        self.section = Some(context_section::Section::Skills(skills.into()));
        self
    }

    /// Sets `keys`. Notes of a run. Default maximum: 10 % of the budget.
    pub fn with_keys(mut self, keys: impl Into<KeysSection>) -> Self {
        self.section = Some(context_section::Section::Keys(keys.into()));
        self
    }

    /// Sets `memories`. Memories for the query. Default maximum: what the other sections leave.
    pub fn with_memories(mut self, memories: impl Into<MemoriesSection>) -> Self {
        self.section = Some(context_section::Section::Memories(memories.into()));
        self
    }

    /// Sets `recent`. The last turns of a thread. Default maximum: 30 % of the budget.
    pub fn with_recent(mut self, recent: impl Into<RecentSection>) -> Self {
        self.section = Some(context_section::Section::Recent(recent.into()));
        self
    }

    /// Sets `min_tokens`. Number of tokens that are kept for this section, 0 to 200,000: other
    /// sections cannot use them before it has been filled. Default 0. Fails with INVALID_ARGUMENT
    /// (INVALID_FIELD) when the sections together keep more than budget_tokens.
    pub fn with_min_tokens(mut self, min_tokens: i32) -> Self {
        self.min_tokens = Some(min_tokens);
        self
    }

    /// Sets `max_tokens`. Maximum number of tokens of this section with its heading, 1 to 200,000.
    /// Default: see each kind, but at least min_tokens.
    pub fn with_max_tokens(mut self, max_tokens: i32) -> Self {
        self.max_tokens = Some(max_tokens);
        self
    }
}

impl CountProposalsRequest {
    /// Sets `group_by`. What to group the count by. Default: no groups.
    pub fn with_group_by(mut self, group_by: ProposalGrouping) -> Self {
        self.group_by = group_by.into();
        self
    }
}

impl CountRequest {
    /// Sets `filter`. Count only memories that pass this filter. Unset: all memories.
    pub fn with_filter(mut self, filter: impl Into<Filter>) -> Self {
        self.filter = Some(filter.into());
        self
    }
}

impl DeleteBlockRequest {
    /// Returns a message with its required fields.
    pub fn new(label: impl Into<String>) -> Self {
        Self::default().with_label(label)
    }

    /// Sets `label`. The block's label. Required, 1 to 128 bytes.
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
    /// retry returns the reply of the first call, `deleted` included.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }

    /// Sets `expected_version`. The version that the caller expects the block to have now, 1 or
    /// more. If the block has another version or does not exist, the call fails with ABORTED
    /// (VERSION_MISMATCH). Unset: any version.
    pub fn with_expected_version(mut self, expected_version: i64) -> Self {
        self.expected_version = Some(expected_version);
        self
    }
}

impl DeleteBlocksRequest {
    /// Returns a message with its required fields.
    pub fn new(label_prefix: impl Into<String>) -> Self {
        Self::default().with_label_prefix(label_prefix)
    }

    /// Sets `label_prefix`. Delete the blocks whose labels begin with this text. Required, 1 to 128
    /// bytes.
    pub fn with_label_prefix(mut self, label_prefix: impl Into<String>) -> Self {
        self.label_prefix = label_prefix.into();
        self
    }

    /// Sets `dry_run`. If true, counts the blocks and deletes none. Default false.
    pub fn with_dry_run(mut self, dry_run: bool) -> Self {
        self.dry_run = dry_run;
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
    /// retry returns the reply of the first call.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl DeleteKeyRequest {
    /// Returns a message with its required fields.
    pub fn new(key: impl Into<String>) -> Self {
        Self::default().with_key(key)
    }

    /// Sets `key`. The key. Required, 1 to 512 bytes.
    pub fn with_key(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }

    /// Sets `idempotency_key`. An idempotency key of 1 to 128 bytes. It makes a retry safe for 24
    /// hours.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl DeleteManyRequest {
    /// Returns a message with its required fields.
    pub fn new(ids: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::default().with_ids(ids)
    }

    /// Sets `ids`. The ids, 1 to 1,000, each 1 to 128 bytes.
    pub fn with_ids(mut self, ids: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.ids = ids.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
    /// retry returns the reply of the first call.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl DeleteProposalRequest {
    /// Returns a message with its required fields.
    pub fn new(id: impl Into<String>) -> Self {
        Self::default().with_id(id)
    }

    /// Sets `id`. The proposal's id. Required, 1 to 128 bytes.
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
    /// retry returns the reply of the first call, `deleted` included.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl DeleteRequest {
    /// Sets `id`. The memory's id, 1 to 128 bytes. Required, unless external_id is set.
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
    /// retry returns the reply of the first call, `deleted` included.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }

    /// Sets `external_id`. The memory's external_id, 1 to 256 bytes, in place of `id`.
    pub fn with_external_id(mut self, external_id: impl Into<String>) -> Self {
        self.external_id = Some(external_id.into());
        self
    }

    /// Sets `user_id`. The user of the memory, 1 to 256 bytes, in place of `namespace`: the server
    /// finds the agent. No two memories ever have the same id. A memory of an agent that the caller
    /// may not name counts as missing. Needs `id`. The call then costs one look-up for each agent
    /// of the user.
    pub fn with_user_id(mut self, user_id: impl Into<String>) -> Self {
        self.user_id = Some(user_id.into());
        self
    }
}

impl DeleteSkillRequest {
    /// Returns a message with its required fields.
    pub fn new(id: impl Into<String>) -> Self {
        Self::default().with_id(id)
    }

    /// Sets `id`. The skill's id. Required, 1 to 128 bytes.
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
    /// retry returns the reply of the first call, `deleted` included.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl DeleteToolRequest {
    /// Returns a message with its required fields.
    pub fn new(tool_id: impl Into<String>) -> Self {
        Self::default().with_tool_id(tool_id)
    }

    /// Sets `tool_id`. The tool's id. Required, 1 to 256 bytes.
    pub fn with_tool_id(mut self, tool_id: impl Into<String>) -> Self {
        self.tool_id = tool_id.into();
        self
    }

    /// Sets `version`. The version, 1 to 128 bytes. Unset: all versions.
    pub fn with_version(mut self, version: impl Into<String>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl DeleteWhereRequest {
    /// Returns a message with its required fields.
    pub fn new(filter: impl Into<Filter>) -> Self {
        Self::default().with_filter(filter)
    }

    /// Sets `filter`. The memories to delete. Required, with at least one condition.
    pub fn with_filter(mut self, filter: impl Into<Filter>) -> Self {
        self.filter = Some(filter.into());
        self
    }

    /// Sets `dry_run`. If true, counts the memories and deletes none. Default false.
    pub fn with_dry_run(mut self, dry_run: bool) -> Self {
        self.dry_run = dry_run;
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl DispatchRequest {
    /// Sets `run_id`. The run for the tools of `key_value`, 1 to 256 bytes. Unset: these tools do
    /// nothing, and the result says that there is no run.
    pub fn with_run_id(mut self, run_id: impl Into<String>) -> Self {
        self.run_id = Some(run_id.into());
        self
    }

    /// Sets `namespace`. The user and agent for the tools of `blocks`, `memory` and `skills`.
    /// Unset: these tools do nothing, and the result says that there is no user.
    pub fn with_namespace(mut self, namespace: impl Into<Namespace>) -> Self {
        self.namespace = Some(namespace.into());
        self
    }

    /// Sets `tool_name`. The name of the tool, as the model gave it, at most 1 KiB.
    pub fn with_tool_name(mut self, tool_name: impl Into<String>) -> Self {
        self.tool_name = tool_name.into();
        self
    }

    /// Sets `arguments`. The arguments, as the model gave them, at most 64 KiB as compact JSON.
    /// Unset: no arguments. The service checks the arguments by the schema in the tool's
    /// definition, and the result describes mistakes.
    pub fn with_arguments(mut self, arguments: impl IntoIterator<Item = (impl Into<String>, impl Into<::prost_types::Value>)>) -> Self {
        self.arguments = Some(::prost_types::Struct { fields: arguments.into_iter().map(|(key, value)| (key.into(), value.into())).collect() });
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours. It
    /// becomes the idempotency_key of the call that the tool makes. For example, `write` makes the
    /// call WriteKey. Tools that only read ignore the key.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }

    /// Sets `arguments_json`. The arguments as the text of a JSON object, as in OpenAI's
    /// `function.arguments`, at most 64 KiB as compact JSON, and at most 512 KiB with white space
    /// and escapes. Unset or empty: no arguments. If the text is not a JSON object, the result says
    /// so. Must not be set together with `arguments`.
    pub fn with_arguments_json(mut self, arguments_json: impl Into<String>) -> Self {
        self.arguments_json = Some(arguments_json.into());
        self
    }

    /// Sets `time_zone`. The time zone in which the days count that a query, `since` or `until` of
    /// `search_memory` names, as in SearchRequest.time_zone. The other tools ignore it.
    pub fn with_time_zone(mut self, time_zone: impl Into<String>) -> Self {
        self.time_zone = time_zone.into();
        self
    }
}

impl ExplainRequest {
    /// Returns a message with its required fields.
    pub fn new(search: impl Into<SearchRequest>, id: impl Into<String>) -> Self {
        Self::default().with_search(search).with_id(id)
    }

    /// Sets `search`. The search to explain. Required.
    pub fn with_search(mut self, search: impl Into<SearchRequest>) -> Self {
        self.search = Some(search.into());
        self
    }

    /// Sets `id`. The id of the memory to follow. Required, 1 to 128 bytes.
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }
}

impl ExplainSearchRequest {
    /// Returns a message with its required fields.
    pub fn new(search: impl Into<SearchRequest>) -> Self {
        Self::default().with_search(search)
    }

    /// Sets `search`. The search to explain. Required. It names one namespace.
    pub fn with_search(mut self, search: impl Into<SearchRequest>) -> Self {
        self.search = Some(search.into());
        self
    }

    /// Sets `ids`. Ids of memories to follow besides the others, at most 100, 1 to 128 bytes each.
    /// Default: none.
    pub fn with_ids(mut self, ids: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.ids = ids.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `near_misses`. How many of the best memories to follow that are neither hits nor
    /// omitted, 0 to 100. Default 20. First come further matches, then memories that do not match.
    pub fn with_near_misses(mut self, near_misses: i32) -> Self {
        self.near_misses = Some(near_misses);
        self
    }
}

impl Filter {
    /// Sets `metadata`. The memory's metadata has each of these keys with an equal value. At most
    /// 16 KiB as JSON, 16 levels deep.
    pub fn with_metadata(mut self, metadata: impl IntoIterator<Item = (impl Into<String>, impl Into<::prost_types::Value>)>) -> Self {
        self.metadata = Some(::prost_types::Struct { fields: metadata.into_iter().map(|(key, value)| (key.into(), value.into())).collect() });
        self
    }

    /// Sets `tags_any`. The memory has at least one of these tags. At most 32, each 1 to 128 bytes.
    pub fn with_tags_any(mut self, tags_any: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.tags_any = tags_any.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `tags_all`. The memory has all of these tags. At most 32, each 1 to 128 bytes.
    pub fn with_tags_all(mut self, tags_all: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.tags_all = tags_all.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `memory_types`. The memory's type is one of these. Empty: any type. At most 16, and
    /// none of them MEMORY_TYPE_UNSPECIFIED.
    pub fn with_memory_types(mut self, memory_types: impl IntoIterator<Item = MemoryType>) -> Self {
        self.memory_types = memory_types.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `kinds`. The memory's kind is one of these. Empty: any kind. At most 32, each 1 to 256
    /// bytes.
    pub fn with_kinds(mut self, kinds: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.kinds = kinds.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `time_range`. The memory's event_time is in this range. If a memory has no event_time,
    /// its create_time is compared instead.
    pub fn with_time_range(mut self, time_range: impl Into<TimeRange>) -> Self {
        self.time_range = Some(time_range.into());
        self
    }

    /// Sets `importance_min`. The memory's importance is this value or more, 0 to 1.
    pub fn with_importance_min(mut self, importance_min: f64) -> Self {
        self.importance_min = Some(importance_min);
        self
    }

    /// Sets `source`. The memory's `source` equals this text, 1 to 256 bytes.
    pub fn with_source(mut self, source: impl Into<String>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Sets `status`. The memory's status. MEMORY_STATUS_UNSPECIFIED: any status.
    pub fn with_status(mut self, status: MemoryStatus) -> Self {
        self.status = status.into();
        self
    }

    /// Sets `author`. The memory's author equals this text, 1 to 256 bytes.
    pub fn with_author(mut self, author: impl Into<String>) -> Self {
        self.author = Some(author.into());
        self
    }

    /// Sets `thread_id`. The memory's thread_id equals this text, 1 to 256 bytes.
    pub fn with_thread_id(mut self, thread_id: impl Into<String>) -> Self {
        self.thread_id = Some(thread_id.into());
        self
    }

    /// Sets `content_contains`. The memory's content contains this text, 1 to 256 bytes. The text
    /// may be a part of a word, or several words. Upper and lower case are equal in every script,
    /// and so are composed and decomposed accents: "strasse" is found in "Hauptstraße".
    pub fn with_content_contains(mut self, content_contains: impl Into<String>) -> Self {
        self.content_contains = Some(content_contains.into());
        self
    }

    /// Sets `external_id`. The memory's external_id equals this text, 1 to 256 bytes.
    pub fn with_external_id(mut self, external_id: impl Into<String>) -> Self {
        self.external_id = Some(external_id.into());
        self
    }

    /// Sets `expression`. A CEL expression that must be true for the memory, at most 2 KiB. Its
    /// variables are the fields of Memory by name. Only `namespace`, a reserved word of CEL,
    /// `content`, which has the condition `content_contains`, `embedding` and `last_used_time` are
    /// not variables. Examples:
    pub fn with_expression(mut self, expression: impl Into<String>) -> Self {
        self.expression = Some(expression.into());
        self
    }
}

impl ForkThreadRequest {
    /// Returns a message with its required fields.
    pub fn new(thread_id: impl Into<String>, new_thread_id: impl Into<String>) -> Self {
        Self::default().with_thread_id(thread_id).with_new_thread_id(new_thread_id)
    }

    /// Sets `thread_id`. The thread to copy. Required, 1 to 256 bytes.
    pub fn with_thread_id(mut self, thread_id: impl Into<String>) -> Self {
        self.thread_id = thread_id.into();
        self
    }

    /// Sets `new_thread_id`. The new thread, which must have no turns. Required, 1 to 256 bytes.
    pub fn with_new_thread_id(mut self, new_thread_id: impl Into<String>) -> Self {
        self.new_thread_id = new_thread_id.into();
        self
    }

    /// Sets `last_id`. The id of the last turn to copy, 1 to 128 bytes. Unset: copy all turns.
    pub fn with_last_id(mut self, last_id: impl Into<String>) -> Self {
        self.last_id = Some(last_id.into());
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours. If the
    /// new thread was cleared since, the retry is a new call.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl GetAllRequest {
    /// Sets `limit`. Maximum number of memories on a page, 1 to 1,000. Default 10. A page also ends
    /// before it exceeds 3 MiB.
    pub fn with_limit(mut self, limit: i32) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets `filter`. List only memories that pass this filter. Unset: all memories.
    pub fn with_filter(mut self, filter: impl Into<Filter>) -> Self {
        self.filter = Some(filter.into());
        self
    }

    /// Sets `page_token`. The next_page_token of the previous page, sent with the same namespace,
    /// filter, include_superseded, include_expired and order. Empty: start with the first memory.
    pub fn with_page_token(mut self, page_token: impl Into<String>) -> Self {
        self.page_token = page_token.into();
        self
    }

    /// Sets `include_superseded`. If true, superseded memories are listed too. Default false.
    pub fn with_include_superseded(mut self, include_superseded: bool) -> Self {
        self.include_superseded = include_superseded;
        self
    }

    /// Sets `include_expired`. If true, expired memories that the server has not pruned yet are
    /// listed too. Default false.
    pub fn with_include_expired(mut self, include_expired: bool) -> Self {
        self.include_expired = include_expired;
        self
    }

    /// Sets `as_of`. List the memories as they were at this instant: with their versions of that
    /// time, without memories that were added later. Memories that were deleted since are missing.
    /// Unset: as they are now. Not with include_embedding.
    pub fn with_as_of(mut self, as_of: impl Into<::prost_types::Timestamp>) -> Self {
        self.as_of = Some(as_of.into());
        self
    }

    /// Sets `include_embedding`. If true, each memory has its vector (Memory.embedding). Costs one
    /// more look-up for each memory. Default false.
    pub fn with_include_embedding(mut self, include_embedding: bool) -> Self {
        self.include_embedding = include_embedding;
        self
    }

    /// Sets `order`. The order of the memories. Default: newest first. With as_of, no other order
    /// is possible.
    pub fn with_order(mut self, order: MemoryOrder) -> Self {
        self.order = order.into();
        self
    }
}

impl GetBlockRequest {
    /// Returns a message with its required fields.
    pub fn new(label: impl Into<String>) -> Self {
        Self::default().with_label(label)
    }

    /// Sets `label`. The block's label. Required, 1 to 128 bytes.
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }
}

impl GetManyRequest {
    /// Returns a message with its required fields.
    pub fn new(ids: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::default().with_ids(ids)
    }

    /// Sets `ids`. The ids, 1 to 1,000, each 1 to 128 bytes.
    pub fn with_ids(mut self, ids: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.ids = ids.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `include_expired`. If true, returns expired memories too, until the server prunes them
    /// (AdminService.Prune). Default false.
    pub fn with_include_expired(mut self, include_expired: bool) -> Self {
        self.include_expired = include_expired;
        self
    }

    /// Sets `include_embedding`. If true, each memory has its vector (Memory.embedding). Costs one
    /// more look-up for each memory. Default false.
    pub fn with_include_embedding(mut self, include_embedding: bool) -> Self {
        self.include_embedding = include_embedding;
        self
    }
}

impl GetProposalRequest {
    /// Returns a message with its required fields.
    pub fn new(id: impl Into<String>) -> Self {
        Self::default().with_id(id)
    }

    /// Sets `id`. The proposal's id. Required, 1 to 128 bytes.
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// Sets `view`. Which texts of a preview to return. Default PROPOSAL_VIEW_BASIC.
    pub fn with_view(mut self, view: ProposalView) -> Self {
        self.view = view.into();
        self
    }
}

impl GetRequest {
    /// Sets `id`. The memory's id, 1 to 128 bytes. Required, unless external_id is set.
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// Sets `include_expired`. If true, returns the memory even if it has expired, until the server
    /// prunes it (AdminService.Prune). Default false.
    pub fn with_include_expired(mut self, include_expired: bool) -> Self {
        self.include_expired = include_expired;
        self
    }

    /// Sets `as_of`. Return the memory as it was at this instant. Unset: as it is now. Not with
    /// include_embedding.
    pub fn with_as_of(mut self, as_of: impl Into<::prost_types::Timestamp>) -> Self {
        self.as_of = Some(as_of.into());
        self
    }

    /// Sets `external_id`. The memory's external_id, 1 to 256 bytes, in place of `id`.
    pub fn with_external_id(mut self, external_id: impl Into<String>) -> Self {
        self.external_id = Some(external_id.into());
        self
    }

    /// Sets `user_id`. The user of the memory, 1 to 256 bytes, in place of `namespace`: the server
    /// finds the agent. No two memories ever have the same id. A memory of an agent that the caller
    /// may not name counts as missing. Needs `id`. The call then costs one look-up for each agent
    /// of the user.
    pub fn with_user_id(mut self, user_id: impl Into<String>) -> Self {
        self.user_id = Some(user_id.into());
        self
    }

    /// Sets `include_embedding`. If true, the memory has its vector (Memory.embedding). Costs one
    /// more look-up for each memory. Default false.
    pub fn with_include_embedding(mut self, include_embedding: bool) -> Self {
        self.include_embedding = include_embedding;
        self
    }
}

impl GetSkillRequest {
    /// Returns a message with its required fields.
    pub fn new(id: impl Into<String>) -> Self {
        Self::default().with_id(id)
    }

    /// Sets `id`. The skill's id. Required, 1 to 128 bytes.
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// Sets `include_embedding`. If true, Skill.embedding and Skill.embedding_model are returned
    /// too. Default false.
    pub fn with_include_embedding(mut self, include_embedding: bool) -> Self {
        self.include_embedding = include_embedding;
        self
    }
}

impl GetToolDefinitionsRequest {
    /// Returns a message with its required fields.
    pub fn new(toolset: impl Into<String>) -> Self {
        Self::default().with_toolset(toolset)
    }

    /// Sets `toolset`. The name of the toolset, 1 to 128 bytes. Required. The toolsets and their
    /// tools:
    pub fn with_toolset(mut self, toolset: impl Into<String>) -> Self {
        self.toolset = toolset.into();
        self
    }

    /// Sets `format`. The format of the definitions. Default TOOL_FORMAT_OPENAI.
    pub fn with_format(mut self, format: ToolFormat) -> Self {
        self.format = format.into();
        self
    }

    /// Sets `strict`. If true, the schemas follow the rules of strict modes, in which a model can
    /// give only valid arguments: every parameter is required, and an optional one may be null.
    /// Dispatch takes such a null as a missing argument. Definitions for OpenAI and Anthropic then
    /// have `strict: true`. Default false.
    pub fn with_strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }
}

impl GetTurnTraceRequest {
    /// Returns a message with its required fields.
    pub fn new(user_id: impl Into<String>, agent_id: impl Into<String>) -> Self {
        Self::default().with_user_id(user_id).with_agent_id(agent_id)
    }

    /// Sets `user_id`. The user whose memories were read. Required, 1 to 256 bytes.
    pub fn with_user_id(mut self, user_id: impl Into<String>) -> Self {
        self.user_id = user_id.into();
        self
    }

    /// Sets `agent_id`. The agent whose memories were read. Required, 1 to 256 bytes.
    pub fn with_agent_id(mut self, agent_id: impl Into<String>) -> Self {
        self.agent_id = agent_id.into();
        self
    }

    /// Sets `request_id`. A request_id of QueryMemoryRequest, 1 to 256 bytes.
    pub fn with_request_id(mut self, request_id: impl Into<String>) -> Self {
        self.turn = Some(get_turn_trace_request::Turn::RequestId(request_id.into()));
        self
    }

    /// Sets `task_id`. A task_id of AgentContext, 1 to 256 bytes. Selects all requests of the task.
    pub fn with_task_id(mut self, task_id: impl Into<String>) -> Self {
        self.turn = Some(get_turn_trace_request::Turn::TaskId(task_id.into()));
        self
    }
}

impl GetTurnsRequest {
    /// Returns a message with its required fields.
    pub fn new(thread_id: impl Into<String>) -> Self {
        Self::default().with_thread_id(thread_id)
    }

    /// Sets `thread_id`. The thread. Required, 1 to 256 bytes.
    pub fn with_thread_id(mut self, thread_id: impl Into<String>) -> Self {
        self.thread_id = thread_id.into();
        self
    }

    /// Sets `limit`. Maximum number of turns, 1 to 1,000. Default 20. A reply also ends before it
    /// exceeds 3 MiB.
    pub fn with_limit(mut self, limit: i32) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets `before_id`. The id of a turn: return the last turns before it. To go back in a thread,
    /// pass the id of the first turn of the previous reply. 1 to 128 bytes. Unset: the last turns
    /// of the thread.
    pub fn with_before_id(mut self, before_id: impl Into<String>) -> Self {
        self.before_id = Some(before_id.into());
        self
    }
}

impl KeysSection {
    /// Returns a message with its required fields.
    pub fn new(run_id: impl Into<String>) -> Self {
        Self::default().with_run_id(run_id)
    }

    /// Sets `run_id`. The run. Required, 1 to 256 bytes.
    pub fn with_run_id(mut self, run_id: impl Into<String>) -> Self {
        self.run_id = run_id.into();
        self
    }

    /// Sets `keys`. The keys, in the order of the text, at most 100, each 1 to 512 bytes. A key
    /// without a value is ignored. Empty: the first 1,000 keys in the order in which they were
    /// first written.
    pub fn with_keys(mut self, keys: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.keys = keys.into_iter().map(Into::into).collect();
        self
    }
}

impl ListBlockVersionsRequest {
    /// Returns a message with its required fields.
    pub fn new(label: impl Into<String>) -> Self {
        Self::default().with_label(label)
    }

    /// Sets `label`. The block's label. Required, 1 to 128 bytes.
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Sets `limit`. Maximum number of versions on a page, 1 to 1,000. Default 10. A page also ends
    /// before it exceeds 3 MiB.
    pub fn with_limit(mut self, limit: i32) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets `page_token`. The next_page_token of the previous page, sent with the same user and
    /// label. Empty: start with the newest version.
    pub fn with_page_token(mut self, page_token: impl Into<String>) -> Self {
        self.page_token = page_token.into();
        self
    }
}

impl ListBlocksRequest {
    /// Sets `limit`. Maximum number of blocks on a page, 1 to 1,000. Default 1,000. A page also
    /// ends before it exceeds 3 MiB.
    pub fn with_limit(mut self, limit: i32) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets `page_token`. The next_page_token of the previous page, sent with the same user and
    /// label_prefix. Empty: start with the first label.
    pub fn with_page_token(mut self, page_token: impl Into<String>) -> Self {
        self.page_token = page_token.into();
        self
    }

    /// Sets `label_prefix`. List only blocks whose labels begin with this text, at most 128 bytes.
    /// Default: all blocks.
    pub fn with_label_prefix(mut self, label_prefix: impl Into<String>) -> Self {
        self.label_prefix = label_prefix.into();
        self
    }
}

impl ListKeysRequest {
    /// Sets `limit`. Maximum number of keys on a page, 1 to 1,000. A page also ends before it
    /// exceeds 3 MiB. Unset: only the limit of 3 MiB applies. Such a page has about 6,000 keys if
    /// each key has 512 bytes, and more if the keys are shorter.
    pub fn with_limit(mut self, limit: i32) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets `page_token`. The next_page_token of the previous page, sent with the same run and
    /// prefix. Empty: start with the first key.
    pub fn with_page_token(mut self, page_token: impl Into<String>) -> Self {
        self.page_token = page_token.into();
        self
    }

    /// Sets `prefix`. List only keys that begin with this text, at most 512 bytes, compared byte
    /// for byte. Empty: all keys. The call reads the run's keys one after the other, including
    /// those with another beginning.
    pub fn with_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// Sets `include_values`. If true, the reply has the values too (ListKeysResponse.entries).
    /// Default false.
    pub fn with_include_values(mut self, include_values: bool) -> Self {
        self.include_values = include_values;
        self
    }
}

impl ListMemoryVersionsRequest {
    /// Returns a message with its required fields.
    pub fn new(id: impl Into<String>) -> Self {
        Self::default().with_id(id)
    }

    /// Sets `id`. The memory's id. Required, 1 to 128 bytes.
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// Sets `limit`. Maximum number of versions on a page, 1 to 1,000. Default 10. A page also ends
    /// before it exceeds 3 MiB.
    pub fn with_limit(mut self, limit: i32) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets `page_token`. The next_page_token of the previous page, sent with the same namespace
    /// and id. Empty: start with the present version.
    pub fn with_page_token(mut self, page_token: impl Into<String>) -> Self {
        self.page_token = page_token.into();
        self
    }
}

impl ListProposalsRequest {
    /// Sets `user_id`. The user, 1 to 256 bytes. Default: all users whom the caller may name. Over
    /// all users, each proposal is read as it is at that moment, so a page is not a snapshot.
    pub fn with_user_id(mut self, user_id: impl Into<String>) -> Self {
        self.user_id = Some(user_id.into());
        self
    }

    /// Sets `status`. List only proposals of this status. Default PROPOSAL_STATUS_UNSPECIFIED: any
    /// status.
    pub fn with_status(mut self, status: ProposalStatus) -> Self {
        self.status = status.into();
        self
    }

    /// Sets `limit`. Maximum number of proposals on a page, 1 to 1,000. Default 10. A page also
    /// ends before it exceeds 3 MiB.
    pub fn with_limit(mut self, limit: i32) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets `page_token`. The next_page_token of the previous page, sent with the same other
    /// fields, except `limit` and `view`. Empty: start with the first proposal.
    pub fn with_page_token(mut self, page_token: impl Into<String>) -> Self {
        self.page_token = page_token.into();
        self
    }

    /// Sets `agent_id`. List only proposals that this agent made, 1 to 256 bytes. Unset: those of
    /// all agents. The call reads all proposals of the user, whatever agent and target the request
    /// names.
    pub fn with_agent_id(mut self, agent_id: impl Into<String>) -> Self {
        self.agent_id = Some(agent_id.into());
        self
    }

    /// Sets `block_label`. The label of a block, 1 to 128 bytes.
    pub fn with_block_label(mut self, block_label: impl Into<String>) -> Self {
        self.target = Some(list_proposals_request::Target::BlockLabel(block_label.into()));
        self
    }

    /// Sets `memory_id`. The id of a memory, 1 to 128 bytes.
    pub fn with_memory_id(mut self, memory_id: impl Into<String>) -> Self {
        self.target = Some(list_proposals_request::Target::MemoryId(memory_id.into()));
        self
    }

    /// Sets `order`. The order of the proposals. Default PROPOSAL_ORDER_NEWEST_FIRST.
    pub fn with_order(mut self, order: ProposalOrder) -> Self {
        self.order = order.into();
        self
    }

    /// Sets `view`. How much of the texts to return. Default PROPOSAL_VIEW_BASIC: all of them.
    pub fn with_view(mut self, view: ProposalView) -> Self {
        self.view = view.into();
        self
    }
}

impl ListRunsRequest {
    /// Sets `prefix`. List only runs whose ids begin with this text, at most 256 bytes. Default:
    /// all runs.
    pub fn with_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// Sets `limit`. Maximum number of runs on a page, 1 to 1,000. Default 100. A page also ends
    /// before it exceeds 3 MiB.
    pub fn with_limit(mut self, limit: i32) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets `page_token`. The next_page_token of the previous page, sent with the same other
    /// fields. Empty: start with the first one.
    pub fn with_page_token(mut self, page_token: impl Into<String>) -> Self {
        self.page_token = page_token.into();
        self
    }
}

impl ListSkillsRequest {
    /// Sets `limit`. Maximum number of skills on a page, 1 to 1,000. Default 10. A page also ends
    /// before it exceeds 3 MiB.
    pub fn with_limit(mut self, limit: i32) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets `page_token`. The next_page_token of the previous page, sent with the same namespace
    /// and filter. Empty: start with the newest skill.
    pub fn with_page_token(mut self, page_token: impl Into<String>) -> Self {
        self.page_token = page_token.into();
        self
    }

    /// Sets `include_embedding`. If true, Skill.embedding and Skill.embedding_model are returned
    /// too. Default false.
    pub fn with_include_embedding(mut self, include_embedding: bool) -> Self {
        self.include_embedding = include_embedding;
        self
    }

    /// Sets `filter`. List only skills that pass this filter. Unset: all skills. The call reads all
    /// skills down to the last one of the page.
    pub fn with_filter(mut self, filter: impl Into<SkillFilter>) -> Self {
        self.filter = Some(filter.into());
        self
    }
}

impl ListThreadsRequest {
    /// Sets `limit`. Maximum number of threads on a page, 1 to 1,000. Default 100.
    pub fn with_limit(mut self, limit: i32) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets `page_token`. The next_page_token of the previous page, sent with the same namespace.
    /// Empty: start with the first thread.
    pub fn with_page_token(mut self, page_token: impl Into<String>) -> Self {
        self.page_token = page_token.into();
        self
    }
}

impl ListToolsRequest {
    /// Sets `tool_id`. The id of a tool, at most 256 bytes. The call lists only versions of this
    /// tool. Empty: versions of all tools.
    pub fn with_tool_id(mut self, tool_id: impl Into<String>) -> Self {
        self.tool_id = tool_id.into();
        self
    }

    /// Sets `limit`. Maximum number of manifests on a page, 1 to 1,000. Default 100. A page also
    /// ends before it exceeds 3 MiB.
    pub fn with_limit(mut self, limit: i32) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets `page_token`. The next_page_token of the previous page, sent with the same tool_id.
    /// Empty: start with the first manifest.
    pub fn with_page_token(mut self, page_token: impl Into<String>) -> Self {
        self.page_token = page_token.into();
        self
    }
}

impl ListTurnEntriesRequest {
    /// Returns a message with its required fields.
    pub fn new(trace: impl Into<GetTurnTraceRequest>) -> Self {
        Self::default().with_trace(trace)
    }

    /// Sets `trace`. The trace. Required.
    pub fn with_trace(mut self, trace: impl Into<GetTurnTraceRequest>) -> Self {
        self.trace = Some(trace.into());
        self
    }

    /// Sets `limit`. Maximum number of entries on a page, 1 to 1,000. Default 100. A page also ends
    /// before it exceeds 3 MiB.
    pub fn with_limit(mut self, limit: i32) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets `page_token`. The next_page_token of the previous page, sent with the same trace.
    /// Empty: start with the oldest entry.
    pub fn with_page_token(mut self, page_token: impl Into<String>) -> Self {
        self.page_token = page_token.into();
        self
    }
}

impl ListTurnsRequest {
    /// Returns a message with its required fields.
    pub fn new(user_id: impl Into<String>, agent_id: impl Into<String>) -> Self {
        Self::default().with_user_id(user_id).with_agent_id(agent_id)
    }

    /// Sets `user_id`. The user whose memories were read. Required, 1 to 256 bytes.
    pub fn with_user_id(mut self, user_id: impl Into<String>) -> Self {
        self.user_id = user_id.into();
        self
    }

    /// Sets `agent_id`. The agent whose memories were read. Required, 1 to 256 bytes.
    pub fn with_agent_id(mut self, agent_id: impl Into<String>) -> Self {
        self.agent_id = agent_id.into();
        self
    }

    /// Sets `events`. List only turns with one of these events. Empty: with any events. At most 6.
    pub fn with_events(mut self, events: impl IntoIterator<Item = TurnEvent>) -> Self {
        self.events = events.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `limit`. Maximum number of turns on a page, 1 to 1,000. Default 10. A page also ends
    /// before it exceeds 3 MiB.
    pub fn with_limit(mut self, limit: i32) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets `page_token`. The next_page_token of the previous page, sent with the same other
    /// fields. Empty: start with the newest turn.
    pub fn with_page_token(mut self, page_token: impl Into<String>) -> Self {
        self.page_token = page_token.into();
        self
    }
}

impl MemoriesSection {
    /// Sets `limit`. Maximum number of memories, 1 to 1,000. Default: as many as fit.
    pub fn with_limit(mut self, limit: i32) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets `filter`. Only memories that pass this filter. Unset: all memories.
    pub fn with_filter(mut self, filter: impl Into<Filter>) -> Self {
        self.filter = Some(filter.into());
        self
    }

    /// Sets `order`. The order of the memories. Default SEARCH_ORDER_RELEVANCE.
    pub fn with_order(mut self, order: SearchOrder) -> Self {
        self.order = order.into();
        self
    }

    /// Sets `min_relevance`. Only memories with at least this relevance, 0 to 1; see
    /// SearchRequest.min_relevance.
    pub fn with_min_relevance(mut self, min_relevance: f64) -> Self {
        self.min_relevance = Some(min_relevance);
        self
    }

    /// Sets `gate`. A relevance, 0 to 1, that at least one memory must reach; see
    /// SearchRequest.gate.
    pub fn with_gate(mut self, gate: f64) -> Self {
        self.gate = Some(gate);
        self
    }

    /// Sets `weights`. Weights of recency, importance and novelty.
    pub fn with_weights(mut self, weights: impl Into<RankingWeights>) -> Self {
        self.weights = Some(weights.into());
        self
    }

    /// Sets `query_embedding`. The vector of the query, for a namespace that holds callers'
    /// vectors; see SearchRequest.query_embedding.
    pub fn with_query_embedding(mut self, query_embedding: impl IntoIterator<Item = f32>) -> Self {
        self.query_embedding = query_embedding.into_iter().collect();
        self
    }
}

impl MemoryAccess {
    /// Sets `memory_type`. The memory type. Required; any type except MEMORY_TYPE_TRACE.
    pub fn with_memory_type(mut self, memory_type: MemoryType) -> Self {
        self.memory_type = memory_type.into();
        self
    }

    /// Sets `enabled`. If true, the tool may read this type, within the limits below. Default
    /// false.
    pub fn with_enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }

    /// Sets `kinds`. The tool may read and write only memories of these kinds. Empty: any kind. At
    /// most 32, each 1 to 256 bytes.
    pub fn with_kinds(mut self, kinds: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.kinds = kinds.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `tags`. The tool may read only memories with at least one of these tags. It may write
    /// only memories that have at least one of these tags, and no other tags. Empty: any tags. At
    /// most 32, each 1 to 128 bytes.
    pub fn with_tags(mut self, tags: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.tags = tags.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `max_queries`. Maximum number of queries of this type in one request, 0 to 10. Further
    /// queries are denied. Unset: 10, the maximum for the whole request.
    pub fn with_max_queries(mut self, max_queries: i32) -> Self {
        self.max_queries = Some(max_queries);
        self
    }

    /// Sets `max_budget_tokens`. Maximum number of tokens in the results of all queries of this
    /// type in one request, 1 to 1,000. Unset: the budget of the request
    /// (QueryMemoryRequest.budget_tokens).
    pub fn with_max_budget_tokens(mut self, max_budget_tokens: i32) -> Self {
        self.max_budget_tokens = Some(max_budget_tokens);
        self
    }

    /// Sets `write`. If true, the tool may store memories of this type (SubmitToolResponse), of the
    /// kinds and with the tags above. Does not depend on `enabled`. Default false.
    pub fn with_write(mut self, write: bool) -> Self {
        self.write = write;
        self
    }
}

impl MemoryChanges {
    /// Sets `content`. The new text, 1 byte to 64 KiB of UTF-8, not white space alone. The text
    /// cannot be cleared.
    pub fn with_content(mut self, content: impl Into<String>) -> Self {
        self.content = Some(content.into());
        self
    }

    /// Sets `memory_type`. The purpose of the memory.
    pub fn with_memory_type(mut self, memory_type: MemoryType) -> Self {
        self.memory_type = Some(memory_type.into());
        self
    }

    /// Sets `kind`. Free text that refines the type, 1 to 256 bytes.
    pub fn with_kind(mut self, kind: impl Into<String>) -> Self {
        self.kind = Some(kind.into());
        self
    }

    /// Sets `tags`. Labels: at most 32, each 1 to 128 bytes.
    pub fn with_tags(mut self, tags: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.tags = tags.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `importance`. How much the memory matters, 0 to 1.
    pub fn with_importance(mut self, importance: f64) -> Self {
        self.importance = Some(importance);
        self
    }

    /// Sets `status`. Whether the memory still needs attention.
    pub fn with_status(mut self, status: MemoryStatus) -> Self {
        self.status = Some(status.into());
        self
    }

    /// Sets `restricted`. If true, tools cannot read the memory through QueryMemory.
    pub fn with_restricted(mut self, restricted: bool) -> Self {
        self.restricted = Some(restricted);
        self
    }

    /// Sets `source`. The origin of the text: a tool, a document or a channel. 1 to 256 bytes.
    pub fn with_source(mut self, source: impl Into<String>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Sets `author`. The speaker or writer of the text, 1 to 256 bytes.
    pub fn with_author(mut self, author: impl Into<String>) -> Self {
        self.author = Some(author.into());
        self
    }

    /// Sets `thread_id`. The conversation, run or document that contains the memory, 1 to 256
    /// bytes.
    pub fn with_thread_id(mut self, thread_id: impl Into<String>) -> Self {
        self.thread_id = Some(thread_id.into());
        self
    }

    /// Sets `metadata`. The caller's own data. Replaces all current metadata. Write ids as texts;
    /// see AddRequest.metadata.
    pub fn with_metadata(mut self, metadata: impl IntoIterator<Item = (impl Into<String>, impl Into<::prost_types::Value>)>) -> Self {
        self.metadata = Some(::prost_types::Struct { fields: metadata.into_iter().map(|(key, value)| (key.into(), value.into())).collect() });
        self
    }

    /// Sets `event_time`. When the event in the memory happened.
    pub fn with_event_time(mut self, event_time: impl Into<::prost_types::Timestamp>) -> Self {
        self.event_time = Some(event_time.into());
        self
    }

    /// Sets `expire_time`. When the memory expires. From this instant on, reads return it only with
    /// include_expired (Get, GetAll). Must be in the future; to remove a memory at once, delete it.
    pub fn with_expire_time(mut self, expire_time: impl Into<::prost_types::Timestamp>) -> Self {
        self.expire_time = Some(expire_time.into());
        self
    }

    /// Sets `embedding`. The vector of the text, if the namespace holds callers' vectors. In such a
    /// namespace, new content without a new vector leaves the memory without a vector.
    pub fn with_embedding(mut self, embedding: impl IntoIterator<Item = f32>) -> Self {
        self.embedding = embedding.into_iter().collect();
        self
    }
}

impl MemoryWrite {
    /// Returns a message with its required fields.
    pub fn new(content: impl Into<String>) -> Self {
        Self::default().with_content(content)
    }

    /// Sets `content`. The text. Required, 1 byte to 64 KiB of UTF-8, not white space alone.
    pub fn with_content(mut self, content: impl Into<String>) -> Self {
        self.content = content.into();
        self
    }

    /// Sets `memory_type`. The purpose of the memory; any type except MEMORY_TYPE_TRACE. In
    /// SubmitToolResponseRequest.memory_writes, the default is MEMORY_TYPE_EPISODIC. In
    /// SubmitToolResponseRequest.scratch_page_writes, the type is always MEMORY_TYPE_SCRATCH_PAGE.
    pub fn with_memory_type(mut self, memory_type: MemoryType) -> Self {
        self.memory_type = memory_type.into();
        self
    }

    /// Sets `kind`. Free text that refines the type, 1 to 256 bytes. Default none.
    pub fn with_kind(mut self, kind: impl Into<String>) -> Self {
        self.kind = Some(kind.into());
        self
    }

    /// Sets `tags`. Labels: at most 32, each 1 to 128 bytes. Duplicates are dropped.
    pub fn with_tags(mut self, tags: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.tags = tags.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `importance`. How much the memory matters, 0 to 1. Default 0.5.
    pub fn with_importance(mut self, importance: f64) -> Self {
        self.importance = Some(importance);
        self
    }

    /// Sets `status`. Whether the memory still needs attention. Default MEMORY_STATUS_ACTIVE.
    pub fn with_status(mut self, status: MemoryStatus) -> Self {
        self.status = status.into();
        self
    }

    /// Sets `restricted`. If true, no tool can read the memory through QueryMemory, not even the
    /// tool that writes it. Default false.
    pub fn with_restricted(mut self, restricted: bool) -> Self {
        self.restricted = restricted;
        self
    }

    /// Sets `author`. The speaker or writer of the text, 1 to 256 bytes. Ranking uses the author
    /// (Scores.author).
    pub fn with_author(mut self, author: impl Into<String>) -> Self {
        self.author = Some(author.into());
        self
    }

    /// Sets `thread_id`. The conversation, run or document that contains the memory, 1 to 256
    /// bytes. Ranking uses the thread; see AddRequest.thread_id.
    pub fn with_thread_id(mut self, thread_id: impl Into<String>) -> Self {
        self.thread_id = Some(thread_id.into());
        self
    }

    /// Sets `metadata`. The caller's own data: at most 16 KiB as JSON, 16 levels deep, all numbers
    /// finite. Write ids as texts; see AddRequest.metadata.
    pub fn with_metadata(mut self, metadata: impl IntoIterator<Item = (impl Into<String>, impl Into<::prost_types::Value>)>) -> Self {
        self.metadata = Some(::prost_types::Struct { fields: metadata.into_iter().map(|(key, value)| (key.into(), value.into())).collect() });
        self
    }

    /// Sets `event_time`. When the event in the memory happened. Unset: time ranges and recency use
    /// create_time.
    pub fn with_event_time(mut self, event_time: impl Into<::prost_types::Timestamp>) -> Self {
        self.event_time = Some(event_time.into());
        self
    }

    /// Sets `expire_time`. When the memory expires. From this instant on, reads return it only with
    /// include_expired (Get, GetAll). Must be in the future. Default for MEMORY_TYPE_WORKING: 24
    /// hours after the call, because such a memory concerns the current task. Default for other
    /// types: the memory never expires.
    pub fn with_expire_time(mut self, expire_time: impl Into<::prost_types::Timestamp>) -> Self {
        self.expire_time = Some(expire_time.into());
        self
    }

    /// Sets `embedding`. The vector of the text, if the namespace holds callers' vectors: 1 to
    /// 4,096 finite numbers, not all zero. See AddRequest.embedding.
    pub fn with_embedding(mut self, embedding: impl IntoIterator<Item = f32>) -> Self {
        self.embedding = embedding.into_iter().collect();
        self
    }
}

impl Namespace {
    /// Returns a message with its required fields.
    pub fn new(user_id: impl Into<String>, agent_id: impl Into<String>) -> Self {
        Self::default().with_user_id(user_id).with_agent_id(agent_id)
    }

    /// Sets `user_id`. The person or account that the memories are about. Required, 1 to 256 bytes
    /// of UTF-8.
    pub fn with_user_id(mut self, user_id: impl Into<String>) -> Self {
        self.user_id = user_id.into();
        self
    }

    /// Sets `agent_id`. The agent that keeps the memories. Required, 1 to 256 bytes of UTF-8.
    pub fn with_agent_id(mut self, agent_id: impl Into<String>) -> Self {
        self.agent_id = agent_id.into();
        self
    }
}

impl NewTurn {
    /// Returns a message with its required fields.
    pub fn new(content: impl Into<String>) -> Self {
        Self::default().with_content(content)
    }

    /// Sets `content`. The text. Required, 1 byte to 64 KiB of UTF-8, not white space alone.
    pub fn with_content(mut self, content: impl Into<String>) -> Self {
        self.content = content.into();
        self
    }

    /// Sets `author`. The speaker, such as `user`, `assistant` or a name, 1 to 256 bytes. Ranking
    /// uses the author (Scores.author). Default none.
    pub fn with_author(mut self, author: impl Into<String>) -> Self {
        self.author = Some(author.into());
        self
    }

    /// Sets `kind`. Free text that refines the type, such as `tool_call`, 1 to 256 bytes. Default
    /// none.
    pub fn with_kind(mut self, kind: impl Into<String>) -> Self {
        self.kind = Some(kind.into());
        self
    }

    /// Sets `tags`. Labels: at most 32, each 1 to 128 bytes. Duplicates are dropped.
    pub fn with_tags(mut self, tags: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.tags = tags.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `importance`. How much the turn matters, 0 to 1. Default 0.5.
    pub fn with_importance(mut self, importance: f64) -> Self {
        self.importance = Some(importance);
        self
    }

    /// Sets `restricted`. If true, tools cannot read the turn through QueryMemory (see
    /// Memory.restricted). Default false.
    pub fn with_restricted(mut self, restricted: bool) -> Self {
        self.restricted = restricted;
        self
    }

    /// Sets `source`. The origin of the text: a tool, a document or a channel. 1 to 256 bytes.
    /// Default none.
    pub fn with_source(mut self, source: impl Into<String>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Sets `metadata`. The caller's own data: at most 16 KiB as JSON, 16 levels deep, all numbers
    /// finite. Write ids as texts; see AddRequest.metadata.
    pub fn with_metadata(mut self, metadata: impl IntoIterator<Item = (impl Into<String>, impl Into<::prost_types::Value>)>) -> Self {
        self.metadata = Some(::prost_types::Struct { fields: metadata.into_iter().map(|(key, value)| (key.into(), value.into())).collect() });
        self
    }

    /// Sets `event_time`. When the turn was said. It decides the place of the turn in the thread.
    /// Unset: the time of the call.
    pub fn with_event_time(mut self, event_time: impl Into<::prost_types::Timestamp>) -> Self {
        self.event_time = Some(event_time.into());
        self
    }

    /// Sets `expire_time`. When the turn expires. Must be in the future. Default: never.
    pub fn with_expire_time(mut self, expire_time: impl Into<::prost_types::Timestamp>) -> Self {
        self.expire_time = Some(expire_time.into());
        self
    }

    /// Sets `embedding`. The vector of the text, if the namespace holds callers' vectors: 1 to
    /// 4,096 finite numbers, not all zero. See AddRequest.embedding.
    pub fn with_embedding(mut self, embedding: impl IntoIterator<Item = f32>) -> Self {
        self.embedding = embedding.into_iter().collect();
        self
    }

    /// Sets `external_id`. The caller's own id of the turn, 1 to 256 bytes, such as the id of a
    /// message in a chat. Unique in the namespace, and compared byte for byte. Default none.
    pub fn with_external_id(mut self, external_id: impl Into<String>) -> Self {
        self.external_id = Some(external_id.into());
        self
    }
}

impl PopTurnRequest {
    /// Returns a message with its required fields.
    pub fn new(thread_id: impl Into<String>) -> Self {
        Self::default().with_thread_id(thread_id)
    }

    /// Sets `thread_id`. The thread. Required, 1 to 256 bytes.
    pub fn with_thread_id(mut self, thread_id: impl Into<String>) -> Self {
        self.thread_id = thread_id.into();
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
    /// retry returns the id of the first reply, without the turn, whose text is deleted.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl ProposeEditRequest {
    /// Sets `block_label`. The label of one of the user's blocks, 1 to 128 bytes.
    pub fn with_block_label(mut self, block_label: impl Into<String>) -> Self {
        self.target = Some(propose_edit_request::Target::BlockLabel(block_label.into()));
        self
    }

    /// Sets `memory_id`. The id of a memory in the namespace, 1 to 128 bytes.
    pub fn with_memory_id(mut self, memory_id: impl Into<String>) -> Self {
        self.target = Some(propose_edit_request::Target::MemoryId(memory_id.into()));
        self
    }

    /// Sets `old_string`. The text to replace, exactly as it stands in the target, at most 256 KiB.
    /// Required, unless new_body or `append` is set. No character is special, and nothing is
    /// normalized.
    pub fn with_old_string(mut self, old_string: impl Into<String>) -> Self {
        self.old_string = old_string.into();
        self
    }

    /// Sets `new_string`. The replacement, taken literally. At most 256 KiB. May be empty; must
    /// differ from old_string.
    pub fn with_new_string(mut self, new_string: impl Into<String>) -> Self {
        self.new_string = new_string.into();
        self
    }

    /// Sets `reasoning`. The reason for the edit, written for the approver. Required, at most 4
    /// KiB.
    pub fn with_reasoning(mut self, reasoning: impl Into<String>) -> Self {
        self.reasoning = reasoning.into();
        self
    }

    /// Sets `replace_all`. If true, every occurrence of old_string is replaced, from left to right,
    /// without overlaps. Default false: the target must contain old_string exactly once.
    pub fn with_replace_all(mut self, replace_all: bool) -> Self {
        self.replace_all = replace_all;
        self
    }

    /// Sets `confidence`. How confident the proposer is. Default CONFIDENCE_MEDIUM.
    pub fn with_confidence(mut self, confidence: Confidence) -> Self {
        self.confidence = confidence.into();
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }

    /// Sets `new_body`. The new text of the target, at most 256 KiB. May be empty for a block. If
    /// the text of the target changes before the approval, the approval fails
    /// (PROPOSAL_CONFLICTED).
    pub fn with_new_body(mut self, new_body: impl Into<String>) -> Self {
        self.change = Some(propose_edit_request::Change::NewBody(new_body.into()));
        self
    }

    /// Sets `append`. The text to add at the end of the target, 1 byte to 256 KiB. It begins on a
    /// line of its own: if the target is not empty and does not end with a line break, the edit
    /// adds one.
    pub fn with_append(mut self, append: impl Into<String>) -> Self {
        self.change = Some(propose_edit_request::Change::Append(append.into()));
        self
    }
}

impl PruneStaleRequest {
    /// Sets `dry_run`. If true, lists the stale skills and removes none. Default false.
    pub fn with_dry_run(mut self, dry_run: bool) -> Self {
        self.dry_run = dry_run;
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl PutBlockRequest {
    /// Returns a message with its required fields.
    pub fn new(label: impl Into<String>) -> Self {
        Self::default().with_label(label)
    }

    /// Sets `label`. The block's label: any text. Required, 1 to 128 bytes.
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Sets `title`. The display title, at most 256 bytes. Empty: the label in title case
    /// (Block.title). Unset: an existing block keeps its title, and a new block gets the label in
    /// title case.
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets `body`. The new text, at most 256 KiB. Replaces the current body. May be empty.
    pub fn with_body(mut self, body: impl Into<String>) -> Self {
        self.body = body.into();
        self
    }

    /// Sets `schema_ref`. A reference to a description of the body's format, such as a URL, at most
    /// 256 bytes. The service stores the reference and does not interpret it. Empty: remove the
    /// current reference. Unset: keep the current reference.
    pub fn with_schema_ref(mut self, schema_ref: impl Into<String>) -> Self {
        self.schema_ref = Some(schema_ref.into());
        self
    }

    /// Sets `expected_version`. The version that the caller expects the block to have now. 0: the
    /// block must not exist. If the block has another version, the call fails with ABORTED
    /// (VERSION_MISMATCH). Unset: any version.
    pub fn with_expected_version(mut self, expected_version: i64) -> Self {
        self.expected_version = Some(expected_version);
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl QueryMemoryRequest {
    /// Returns a message with its required fields.
    pub fn new(request_id: impl Into<String>, tool_id: impl Into<String>, tool_version: impl Into<String>, agent_context: impl Into<AgentContext>, user_id: impl Into<String>, queries: impl IntoIterator<Item = impl Into<ToolQuery>>) -> Self {
        Self::default().with_request_id(request_id).with_tool_id(tool_id).with_tool_version(tool_version).with_agent_context(agent_context).with_user_id(user_id).with_queries(queries)
    }

    /// Sets `request_id`. An id of the caller's choice, such as the id of a turn of a conversation.
    /// Required, 1 to 256 bytes. GetTurnTrace can select trace entries by this id. Several calls
    /// may have the same request_id: their entries then form one trace.
    pub fn with_request_id(mut self, request_id: impl Into<String>) -> Self {
        self.request_id = request_id.into();
        self
    }

    /// Sets `tool_id`. The tool's id. Required, 1 to 256 bytes.
    pub fn with_tool_id(mut self, tool_id: impl Into<String>) -> Self {
        self.tool_id = tool_id.into();
        self
    }

    /// Sets `tool_version`. The tool's version. Required, 1 to 128 bytes. The manifest of this
    /// version applies.
    pub fn with_tool_version(mut self, tool_version: impl Into<String>) -> Self {
        self.tool_version = tool_version.into();
        self
    }

    /// Sets `agent_context`. The agent for which the tool works. Required.
    pub fn with_agent_context(mut self, agent_context: impl Into<AgentContext>) -> Self {
        self.agent_context = Some(agent_context.into());
        self
    }

    /// Sets `user_id`. The user whose memories are read. Required, 1 to 256 bytes.
    pub fn with_user_id(mut self, user_id: impl Into<String>) -> Self {
        self.user_id = user_id.into();
        self
    }

    /// Sets `queries`. The queries, 1 to 100; only the first 10 run. A faulty query does not fail
    /// the other queries. A query is faulty in these cases:
    pub fn with_queries(mut self, queries: impl IntoIterator<Item = impl Into<ToolQuery>>) -> Self {
        self.queries = queries.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `budget_tokens`. Maximum number of tokens in the results of all queries together, 1 to
    /// 1,000. Default 1,000.
    pub fn with_budget_tokens(mut self, budget_tokens: i32) -> Self {
        self.budget_tokens = Some(budget_tokens);
        self
    }
}

impl QueryMemoryUnaryRequest {
    /// Returns a message with its required fields.
    pub fn new(request: impl Into<QueryMemoryRequest>) -> Self {
        Self::default().with_request(request)
    }

    /// Sets `request`. The queries. Required.
    pub fn with_request(mut self, request: impl Into<QueryMemoryRequest>) -> Self {
        self.request = Some(request.into());
        self
    }
}

impl RankingWeights {
    /// Sets `recency`. Weight of recency (Scores.recency), 0 to 1. Default 0.02: enough to decide
    /// between nearly equal matches, too little to displace an exact match.
    pub fn with_recency(mut self, recency: f64) -> Self {
        self.recency = Some(recency);
        self
    }

    /// Sets `importance`. Weight of the memory's importance, 0 to 1. Default 0.02.
    pub fn with_importance(mut self, importance: f64) -> Self {
        self.importance = Some(importance);
        self
    }

    /// Sets `novelty`. Weight of novelty, 0 to 1 (maximal marginal relevance). With this weight, a
    /// match loses score if it is similar to a match before it. Default 0: similar matches lose
    /// nothing, and only near-copies are left out (OMISSION_REASON_NEAR_COPY).
    pub fn with_novelty(mut self, novelty: f64) -> Self {
        self.novelty = Some(novelty);
        self
    }
}

impl ReadKeyRequest {
    /// Returns a message with its required fields.
    pub fn new(key: impl Into<String>) -> Self {
        Self::default().with_key(key)
    }

    /// Sets `key`. The key. Required, 1 to 512 bytes.
    pub fn with_key(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }
}

impl ReadKeysRequest {
    /// Returns a message with its required fields.
    pub fn new(keys: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::default().with_keys(keys)
    }

    /// Sets `keys`. The keys, 1 to 1,000, each 1 to 512 bytes.
    pub fn with_keys(mut self, keys: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.keys = keys.into_iter().map(Into::into).collect();
        self
    }
}

impl RecentSection {
    /// Returns a message with its required fields.
    pub fn new(thread_id: impl Into<String>) -> Self {
        Self::default().with_thread_id(thread_id)
    }

    /// Sets `thread_id`. The thread. Required, 1 to 256 bytes.
    pub fn with_thread_id(mut self, thread_id: impl Into<String>) -> Self {
        self.thread_id = thread_id.into();
        self
    }

    /// Sets `max_turns`. Maximum number of turns, 1 to 1,000. Default 20.
    pub fn with_max_turns(mut self, max_turns: i32) -> Self {
        self.max_turns = Some(max_turns);
        self
    }
}

impl RedactVersionRequest {
    /// Returns a message with its required fields.
    pub fn new(id: impl Into<String>, version: i64) -> Self {
        Self::default().with_id(id).with_version(version)
    }

    /// Sets `id`. The memory's id. Required, 1 to 128 bytes.
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// Sets `version`. The number of the earlier version. Required, 1 or more.
    pub fn with_version(mut self, version: i64) -> Self {
        self.version = version;
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl RegisterToolRequest {
    /// Returns a message with its required fields.
    pub fn new(manifest: impl Into<ToolManifest>) -> Self {
        Self::default().with_manifest(manifest)
    }

    /// Sets `manifest`. The manifest. Required.
    pub fn with_manifest(mut self, manifest: impl Into<ToolManifest>) -> Self {
        self.manifest = Some(manifest.into());
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl RejectProposalRequest {
    /// Returns a message with its required fields.
    pub fn new(id: impl Into<String>) -> Self {
        Self::default().with_id(id)
    }

    /// Sets `id`. The proposal's id. Required, 1 to 128 bytes.
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// Sets `reason`. The reason for the rejection, written for the agent, at most 4 KiB. Default:
    /// no reason.
    pub fn with_reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = reason.into();
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours.
    /// Rejecting twice is safe even without a key.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl RenameBlockRequest {
    /// Returns a message with its required fields.
    pub fn new(label: impl Into<String>, new_label: impl Into<String>) -> Self {
        Self::default().with_label(label).with_new_label(new_label)
    }

    /// Sets `label`. The block's label. Required, 1 to 128 bytes.
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Sets `new_label`. The new label. Required, 1 to 128 bytes. Must differ from `label`.
    pub fn with_new_label(mut self, new_label: impl Into<String>) -> Self {
        self.new_label = new_label.into();
        self
    }

    /// Sets `expected_version`. The version that the caller expects the block to have now, 1 or
    /// more. If the block has another version, the call fails with ABORTED (VERSION_MISMATCH).
    /// Unset: any version.
    pub fn with_expected_version(mut self, expected_version: i64) -> Self {
        self.expected_version = Some(expected_version);
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl RenderBlocksRequest {
    /// Sets `labels`. The labels of the blocks, in the order in which the text shall have them, at
    /// most 1,000, each 1 to 128 bytes. Duplicates are dropped. Default: all blocks in the order of
    /// their labels.
    pub fn with_labels(mut self, labels: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.labels = labels.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `budget_tokens`. Maximum number of tokens of the text, 1 to 200,000. Default 200,000.
    pub fn with_budget_tokens(mut self, budget_tokens: i32) -> Self {
        self.budget_tokens = Some(budget_tokens);
        self
    }
}

impl ReplaceThreadRequest {
    /// Returns a message with its required fields.
    pub fn new(thread_id: impl Into<String>, turns: impl IntoIterator<Item = impl Into<NewTurn>>) -> Self {
        Self::default().with_thread_id(thread_id).with_turns(turns)
    }

    /// Sets `thread_id`. The thread. Required, 1 to 256 bytes.
    pub fn with_thread_id(mut self, thread_id: impl Into<String>) -> Self {
        self.thread_id = thread_id.into();
        self
    }

    /// Sets `turns`. The new turns, oldest first: 1 to 500, and at most 1 MiB together, which is
    /// the limit of a request. A new turn may have the external_id of a deleted one.
    pub fn with_turns(mut self, turns: impl IntoIterator<Item = impl Into<NewTurn>>) -> Self {
        self.turns = turns.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `expected_version`. The version that the caller expects the thread to have now. 0: the
    /// thread must have no turns. If the thread has another version, the call fails with ABORTED
    /// (VERSION_MISMATCH). Unset: any version.
    pub fn with_expected_version(mut self, expected_version: i64) -> Self {
        self.expected_version = Some(expected_version);
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl ResetRequest {
    /// Sets `everything`. Deletes all data of the caller's tenant; without tenants, all data of the
    /// server. Needs a server started with --allow-reset. If this field is set, it must be true.
    pub fn with_everything(mut self, everything: bool) -> Self {
        self.target = Some(reset_request::Target::Everything(everything));
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl RestoreBlockRequest {
    /// Returns a message with its required fields.
    pub fn new(label: impl Into<String>, version: i64) -> Self {
        Self::default().with_label(label).with_version(version)
    }

    /// Sets `label`. The block's label. Required, 1 to 128 bytes.
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Sets `version`. The number of the version whose title, body and schema_ref to restore.
    /// Required, 1 or more.
    pub fn with_version(mut self, version: i64) -> Self {
        self.version = version;
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }

    /// Sets `expected_version`. The version that the caller expects the block to have now, 1 or
    /// more. If the block has another version, the call fails with ABORTED (VERSION_MISMATCH).
    /// Unset: any version.
    pub fn with_expected_version(mut self, expected_version: i64) -> Self {
        self.expected_version = Some(expected_version);
        self
    }
}

impl RestoreMemoryRequest {
    /// Returns a message with its required fields.
    pub fn new(id: impl Into<String>, version: i64) -> Self {
        Self::default().with_id(id).with_version(version)
    }

    /// Sets `id`. The memory's id. Required, 1 to 128 bytes.
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// Sets `version`. The number of the earlier version. Required, 1 or more.
    pub fn with_version(mut self, version: i64) -> Self {
        self.version = version;
        self
    }

    /// Sets `expected_version`. The version that the caller expects the memory to have now, 1 or
    /// more. If the memory has another version, the call fails with ABORTED (VERSION_MISMATCH).
    /// Unset: any version.
    pub fn with_expected_version(mut self, expected_version: i64) -> Self {
        self.expected_version = Some(expected_version);
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl RetrieveSkillsRequest {
    /// Returns a message with its required fields.
    pub fn new(query: impl Into<String>) -> Self {
        Self::default().with_query(query)
    }

    /// Sets `query`. The current situation in words. Required, 1 byte to 8 KiB of UTF-8.
    pub fn with_query(mut self, query: impl Into<String>) -> Self {
        self.query = query.into();
        self
    }

    /// Sets `top_k`. Maximum number of skills to return, 1 to 1,000. Default 5.
    pub fn with_top_k(mut self, top_k: i32) -> Self {
        self.top_k = Some(top_k);
        self
    }

    /// Sets `min_similarity`. Return only skills with at least this similarity, 0 to 1. Default
    /// 0.7.
    pub fn with_min_similarity(mut self, min_similarity: f64) -> Self {
        self.min_similarity = Some(min_similarity);
        self
    }

    /// Sets `tool_name`. Return only skills about this tool, 1 to 256 bytes. Default: all skills.
    pub fn with_tool_name(mut self, tool_name: impl Into<String>) -> Self {
        self.tool_name = Some(tool_name.into());
        self
    }

    /// Sets `query_embedding`. The vector of the query, if the namespace's skills hold callers'
    /// vectors. It has as many numbers as these vectors, all finite, and not all zero.
    pub fn with_query_embedding(mut self, query_embedding: impl IntoIterator<Item = f32>) -> Self {
        self.query_embedding = query_embedding.into_iter().collect();
        self
    }

    /// Sets `include_embedding`. If true, Skill.embedding and Skill.embedding_model are returned
    /// too. Default false.
    pub fn with_include_embedding(mut self, include_embedding: bool) -> Self {
        self.include_embedding = include_embedding;
        self
    }
}

impl SearchKeysRequest {
    /// Sets `pattern`. The text that a key must contain, at most 512 bytes. The text is taken
    /// literally: there are no wildcards, and case matters. Empty: every key matches.
    pub fn with_pattern(mut self, pattern: impl Into<String>) -> Self {
        self.pattern = pattern.into();
        self
    }

    /// Sets `limit`. Maximum number of keys on a page, 1 to 1,000. A page also ends before it
    /// exceeds 3 MiB. Unset: only the limit of 3 MiB applies.
    pub fn with_limit(mut self, limit: i32) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets `page_token`. The next_page_token of the previous page, sent with the same run and
    /// pattern. Empty: start with the first key.
    pub fn with_page_token(mut self, page_token: impl Into<String>) -> Self {
        self.page_token = page_token.into();
        self
    }
}

impl SearchRequest {
    /// Sets `query`. The query in plain words, at most 8 KiB. A query of white space alone counts
    /// as empty.
    pub fn with_query(mut self, query: impl Into<String>) -> Self {
        self.query = query.into();
        self
    }

    /// Sets `limit`. Maximum number of hits, 1 to 1,000. Unset: as many as fit into budget_tokens,
    /// or 5 without a budget.
    pub fn with_limit(mut self, limit: i32) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets `budget_tokens`. Maximum number of tokens in the contents of all hits together, 1 to
    /// 1,000,000. Unset: no budget.
    pub fn with_budget_tokens(mut self, budget_tokens: i32) -> Self {
        self.budget_tokens = Some(budget_tokens);
        self
    }

    /// Sets `filter`. Return only memories that pass this filter. Unset: all memories.
    pub fn with_filter(mut self, filter: impl Into<Filter>) -> Self {
        self.filter = Some(filter.into());
        self
    }

    /// Sets `order`. The order of the hits. Default SEARCH_ORDER_RELEVANCE.
    pub fn with_order(mut self, order: SearchOrder) -> Self {
        self.order = order.into();
        self
    }

    /// Sets `min_relevance`. Return only memories with at least this relevance (Scores.relevance),
    /// 0 to 1. 0 means no minimum. The default is 0.02 for the bundled embedder (`local`) and for
    /// calibrated models. It is 0 for other models, for callers' vectors, in a namespace without
    /// vectors, and for queries in other languages than English.
    pub fn with_min_relevance(mut self, min_relevance: f64) -> Self {
        self.min_relevance = Some(min_relevance);
        self
    }

    /// Sets `weights`. Weights of recency, importance and novelty.
    pub fn with_weights(mut self, weights: impl Into<RankingWeights>) -> Self {
        self.weights = Some(weights.into());
        self
    }

    /// Sets `query_embedding`. The vector of the query, for a namespace that holds callers' vectors
    /// (AddRequest.embedding). It has as many numbers as these vectors (1 to 4,096), all finite,
    /// and not all zero.
    pub fn with_query_embedding(mut self, query_embedding: impl IntoIterator<Item = f32>) -> Self {
        self.query_embedding = query_embedding.into_iter().collect();
        self
    }

    /// Sets `reference_time`. The instant that counts as now, for recency and for relative dates in
    /// the query, such as "last week". Unset: the server's clock.
    pub fn with_reference_time(mut self, reference_time: impl Into<::prost_types::Timestamp>) -> Self {
        self.reference_time = Some(reference_time.into());
        self
    }

    /// Sets `min_commit_seq`. The commit_seq of an earlier reply about the same user. The search
    /// then sees the data of this commit and of all commits before it.
    pub fn with_min_commit_seq(mut self, min_commit_seq: i64) -> Self {
        self.min_commit_seq = Some(min_commit_seq);
        self
    }

    /// Sets `include_superseded`. If true, superseded memories are returned too. Default false.
    pub fn with_include_superseded(mut self, include_superseded: bool) -> Self {
        self.include_superseded = include_superseded;
        self
    }

    /// Sets `time_zone`. The time zone in which days count: the days that the query names, and the
    /// days of near-copies (OMISSION_REASON_NEAR_COPY). A name of the IANA time zone database, such
    /// as Europe/Madrid, or an offset from UTC of at most 14 hours, such as +05:30. At most 64
    /// bytes. Unset or empty: the server's time zone (`--time-zone`), which is UTC by default.
    pub fn with_time_zone(mut self, time_zone: impl Into<String>) -> Self {
        self.time_zone = time_zone.into();
        self
    }

    /// Sets `gate`. A relevance, 0 to 1, that acts as a gate: the search returns hits only if at
    /// least one match opens the gate. A match opens the gate if its relevance is at least this
    /// value, or if it holds every keyword of the query. A named author or date does not open the
    /// gate.
    pub fn with_gate(mut self, gate: f64) -> Self {
        self.gate = Some(gate);
        self
    }

    /// Sets `annotate`. For Recall: whether each hit in RecallResponse.text begins with its date
    /// and its author, so a model can tell when something was said and by whom:
    /// `- [2026-03-08] Ann: The mail came`. The date is the day of event_time or, without
    /// event_time, of create_time, in time_zone. A memory without an author has only the date. The
    /// annotations count in the token budget. Default false. Ignored by other calls.
    pub fn with_annotate(mut self, annotate: bool) -> Self {
        self.annotate = annotate;
        self
    }

    /// Sets `user_id`. The user whose agents to search, in place of `namespace`: 1 to 256 bytes.
    /// Needs agent_ids or all_agents.
    pub fn with_user_id(mut self, user_id: impl Into<String>) -> Self {
        self.user_id = Some(user_id.into());
        self
    }

    /// Sets `agent_ids`. Search the memories of these agents of the user, at most 100, each 1 to
    /// 256 bytes. Empty: the agent of `namespace`. The weight of novelty must be 0 or unset.
    /// Explain and QueryMemory take no agent_ids.
    pub fn with_agent_ids(mut self, agent_ids: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.agent_ids = agent_ids.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `all_agents`. If true, searches the memories of all agents of the user that the caller
    /// may read. The caller learns nothing about other agents. Default false. Not with agent_ids.
    pub fn with_all_agents(mut self, all_agents: bool) -> Self {
        self.all_agents = all_agents;
        self
    }

    /// Sets `exclude_ids`. Leave out these memories, at most 1,000, each 1 to 128 bytes. They count
    /// as if they did not pass the filter, and ids of no memory have no effect. With the ids of all
    /// earlier hits, a search returns the next hits, whatever was written meanwhile.
    pub fn with_exclude_ids(mut self, exclude_ids: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.exclude_ids = exclude_ids.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `near_copies`. What to do with near-copies of a hit. Default NEAR_COPIES_OMIT.
    pub fn with_near_copies(mut self, near_copies: NearCopies) -> Self {
        self.near_copies = near_copies.into();
        self
    }
}

impl SkillFilter {
    /// Sets `tool_name`. The skill is about this tool, 1 to 256 bytes.
    pub fn with_tool_name(mut self, tool_name: impl Into<String>) -> Self {
        self.tool_name = Some(tool_name.into());
        self
    }

    /// Sets `min_success_count`. The skill has helped at least so many times, 0 to 1,000,000,000.
    pub fn with_min_success_count(mut self, min_success_count: i64) -> Self {
        self.min_success_count = Some(min_success_count);
        self
    }

    /// Sets `last_used_before`. The skill was last used before this time.
    pub fn with_last_used_before(mut self, last_used_before: impl Into<::prost_types::Timestamp>) -> Self {
        self.last_used_before = Some(last_used_before.into());
        self
    }
}

impl SkillsSection {
    /// Sets `top_k`. Maximum number of skills, 1 to 100. Default 3.
    pub fn with_top_k(mut self, top_k: i32) -> Self {
        self.top_k = Some(top_k);
        self
    }

    /// Sets `min_similarity`. Lowest similarity of a skill, 0 to 1. Default 0.7.
    pub fn with_min_similarity(mut self, min_similarity: f64) -> Self {
        self.min_similarity = Some(min_similarity);
        self
    }

    /// Sets `tool_name`. Only skills about this tool, 1 to 256 bytes. Unset: all skills.
    pub fn with_tool_name(mut self, tool_name: impl Into<String>) -> Self {
        self.tool_name = Some(tool_name.into());
        self
    }
}

impl StoreSkillRequest {
    /// Returns a message with its required fields.
    pub fn new(context: impl Into<String>, lesson: impl Into<String>) -> Self {
        Self::default().with_context(context).with_lesson(lesson)
    }

    /// Sets `id`. The skill's id, 1 to 128 bytes. If the namespace has a skill with this id, the
    /// call replaces the context, lesson and tool_name of that skill, and keeps its counts and
    /// times, unless the request has others. Default: the service makes a new id.
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets `context`. The situation in which the skill was learned. Required, 1 byte to 32 KiB of
    /// UTF-8, not white space alone.
    pub fn with_context(mut self, context: impl Into<String>) -> Self {
        self.context = context.into();
        self
    }

    /// Sets `lesson`. The lesson. Required, 1 byte to 32 KiB of UTF-8, not white space alone.
    pub fn with_lesson(mut self, lesson: impl Into<String>) -> Self {
        self.lesson = lesson.into();
        self
    }

    /// Sets `tool_name`. The tool that the skill is about, 1 to 256 bytes. Default none.
    pub fn with_tool_name(mut self, tool_name: impl Into<String>) -> Self {
        self.tool_name = Some(tool_name.into());
        self
    }

    /// Sets `embedding`. The vector of the skill's text (context, a space and lesson), for callers
    /// with their own embedder: 1 to 4,096 finite numbers, not all zero. The first vector fixes the
    /// dimension for the namespace's skills. From then on, these skills hold callers' vectors, and
    /// the server makes no vectors for them.
    pub fn with_embedding(mut self, embedding: impl IntoIterator<Item = f32>) -> Self {
        self.embedding = embedding.into_iter().collect();
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }

    /// Sets `success_count`. Number of times that the skill has helped, 0 or more, for a skill from
    /// another store. Default: 0 for a new skill; an existing skill keeps its count.
    pub fn with_success_count(mut self, success_count: i64) -> Self {
        self.success_count = Some(success_count);
        self
    }

    /// Sets `failure_count`. Number of times that the skill has not helped, as success_count.
    pub fn with_failure_count(mut self, failure_count: i64) -> Self {
        self.failure_count = Some(failure_count);
        self
    }

    /// Sets `create_time`. When the skill was first stored, for a skill from another store. Must
    /// not be in the future. Pruning goes by this time (PruneStale). Default: now for a new skill;
    /// an existing skill keeps its time.
    pub fn with_create_time(mut self, create_time: impl Into<::prost_types::Timestamp>) -> Self {
        self.create_time = Some(create_time.into());
        self
    }

    /// Sets `last_used_time`. When the skill was last used, for a skill from another store. Must
    /// not be in the future or before create_time. Default: create_time for a new skill; an
    /// existing skill keeps its time.
    pub fn with_last_used_time(mut self, last_used_time: impl Into<::prost_types::Timestamp>) -> Self {
        self.last_used_time = Some(last_used_time.into());
        self
    }
}

impl SubmitToolResponseRequest {
    /// Returns a message with its required fields.
    pub fn new(request_id: impl Into<String>, tool_id: impl Into<String>, agent_context: impl Into<AgentContext>, user_id: impl Into<String>, tool_version: impl Into<String>) -> Self {
        Self::default().with_request_id(request_id).with_tool_id(tool_id).with_agent_context(agent_context).with_user_id(user_id).with_tool_version(tool_version)
    }

    /// Sets `request_id`. An id of the caller's choice, as in QueryMemoryRequest. Required, 1 to
    /// 256 bytes. Only the entries of a refused request have it.
    pub fn with_request_id(mut self, request_id: impl Into<String>) -> Self {
        self.request_id = request_id.into();
        self
    }

    /// Sets `tool_id`. The tool's id. Required, 1 to 256 bytes. It becomes the `source` of the
    /// memories.
    pub fn with_tool_id(mut self, tool_id: impl Into<String>) -> Self {
        self.tool_id = tool_id.into();
        self
    }

    /// Sets `agent_context`. The agent that keeps the memories. Required.
    pub fn with_agent_context(mut self, agent_context: impl Into<AgentContext>) -> Self {
        self.agent_context = Some(agent_context.into());
        self
    }

    /// Sets `user_id`. The user whom the memories are about. Required, 1 to 256 bytes.
    pub fn with_user_id(mut self, user_id: impl Into<String>) -> Self {
        self.user_id = user_id.into();
        self
    }

    /// Sets `memory_writes`. The memories to store, at most 100.
    pub fn with_memory_writes(mut self, memory_writes: impl IntoIterator<Item = impl Into<MemoryWrite>>) -> Self {
        self.memory_writes = memory_writes.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `scratch_page_writes`. The memories of type MEMORY_TYPE_SCRATCH_PAGE to store, at most
    /// 100. A memory without an expire_time never expires. When a memory no longer matters,
    /// MemoryProvider.Update can set its status to MEMORY_STATUS_RESOLVED.
    pub fn with_scratch_page_writes(mut self, scratch_page_writes: impl IntoIterator<Item = impl Into<MemoryWrite>>) -> Self {
        self.scratch_page_writes = scratch_page_writes.into_iter().map(Into::into).collect();
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }

    /// Sets `tool_version`. The tool's version. Required, 1 to 128 bytes. The manifest of this
    /// version applies.
    pub fn with_tool_version(mut self, tool_version: impl Into<String>) -> Self {
        self.tool_version = tool_version.into();
        self
    }
}

impl TimeRange {
    /// Sets `start`. The first instant in the range. Unset: no lower bound.
    pub fn with_start(mut self, start: impl Into<::prost_types::Timestamp>) -> Self {
        self.start = Some(start.into());
        self
    }

    /// Sets `end`. The first instant after the range. Unset: no upper bound.
    pub fn with_end(mut self, end: impl Into<::prost_types::Timestamp>) -> Self {
        self.end = Some(end.into());
        self
    }
}

impl ToolManifest {
    /// Returns a message with its required fields.
    pub fn new(tool_id: impl Into<String>, version: impl Into<String>) -> Self {
        Self::default().with_tool_id(tool_id).with_version(version)
    }

    /// Sets `tool_id`. The tool's id. Required, 1 to 256 bytes.
    pub fn with_tool_id(mut self, tool_id: impl Into<String>) -> Self {
        self.tool_id = tool_id.into();
        self
    }

    /// Sets `version`. The tool's version, any text. Required, 1 to 128 bytes.
    pub fn with_version(mut self, version: impl Into<String>) -> Self {
        self.version = version.into();
        self
    }

    /// Sets `memory_access`. What the tool may read of each memory type, with at most one entry for
    /// a type. The tool cannot read a type that has no entry.
    pub fn with_memory_access(mut self, memory_access: impl IntoIterator<Item = impl Into<MemoryAccess>>) -> Self {
        self.memory_access = memory_access.into_iter().map(Into::into).collect();
        self
    }
}

impl ToolQuery {
    /// Returns a message with its required fields.
    pub fn new(query_id: impl Into<String>) -> Self {
        Self::default().with_query_id(query_id)
    }

    /// Sets `query_id`. The caller's name for the query. It is unique within the request. Required,
    /// 1 to 128 bytes.
    pub fn with_query_id(mut self, query_id: impl Into<String>) -> Self {
        self.query_id = query_id.into();
        self
    }

    /// Sets `memory_type`. The type of memories to search. Required; any type except
    /// MEMORY_TYPE_TRACE.
    pub fn with_memory_type(mut self, memory_type: MemoryType) -> Self {
        self.memory_type = memory_type.into();
        self
    }

    /// Sets `query_text`. The query in plain words, at most 8 KiB. A query of white space alone
    /// counts as empty. Empty: every readable memory that passes the filter matches, and the
    /// results come newest first. Otherwise, the readable memories match as in a search with
    /// SearchRequest.min_relevance 0. Resolved items of a scratch page come last.
    pub fn with_query_text(mut self, query_text: impl Into<String>) -> Self {
        self.query_text = query_text.into();
        self
    }

    /// Sets `filter`. Return only memories that pass this filter. Unset: all memories that the
    /// tool's manifest allows. A filter never makes other memories readable. Its memory_types may
    /// have only the type of the query; with another type, the query is invalid.
    pub fn with_filter(mut self, filter: impl Into<Filter>) -> Self {
        self.filter = Some(filter.into());
        self
    }

    /// Sets `limit`. Maximum number of results, 1 to 1,000. Default 10.
    pub fn with_limit(mut self, limit: i32) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets `budget_tokens`. Maximum number of tokens in the contents of the results, 1 to 1,000.
    /// Default 500. The query gets fewer tokens if earlier queries of the request have left fewer
    /// (see QueryMemory).
    pub fn with_budget_tokens(mut self, budget_tokens: i32) -> Self {
        self.budget_tokens = Some(budget_tokens);
        self
    }

    /// Sets `gate`. The query has results only if a match opens this gate. A match opens the gate
    /// if its relevance is at least this value, 0 to 1, or if it holds every keyword of the query.
    /// If no match opens the gate, there are no results, and SearchMetadata.gate_closed is true.
    /// Unset or 0: no gate. Ignored if query_text is empty.
    pub fn with_gate(mut self, gate: f64) -> Self {
        self.gate = Some(gate);
        self
    }

    /// Sets `time_zone`. The time zone in which days count, as in SearchRequest.time_zone. A zone
    /// that does not exist is a fault of the query.
    pub fn with_time_zone(mut self, time_zone: impl Into<String>) -> Self {
        self.time_zone = time_zone.into();
        self
    }
}

impl UpdateRequest {
    /// Returns a message with its required fields.
    pub fn new(changes: impl Into<MemoryChanges>) -> Self {
        Self::default().with_changes(changes)
    }

    /// Sets `id`. The memory's id, 1 to 128 bytes. Required, unless external_id is set.
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// Sets `changes`. The new values. Required; may be empty only if update_mask names a field.
    pub fn with_changes(mut self, changes: impl Into<MemoryChanges>) -> Self {
        self.changes = Some(changes.into());
        self
    }

    /// Sets `update_mask`. The fields of `changes` to apply, at most 32. If the mask names a field
    /// and `changes` does not set it, the field returns to its default. Empty: apply the fields
    /// that are set.
    pub fn with_update_mask(mut self, update_mask: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.update_mask = Some(::prost_types::FieldMask { paths: update_mask.into_iter().map(Into::into).collect() });
        self
    }

    /// Sets `expected_version`. The version that the caller expects the memory to have now, 1 or
    /// more. If the memory has another version, the call fails with ABORTED (VERSION_MISMATCH).
    /// Unset: any version.
    pub fn with_expected_version(mut self, expected_version: i64) -> Self {
        self.expected_version = Some(expected_version);
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }

    /// Sets `include_expired`. If true, changes the memory even if it has expired, until the server
    /// prunes it (AdminService.Prune). To bring an expired memory back, set a later expire_time or
    /// clear it. Default false.
    pub fn with_include_expired(mut self, include_expired: bool) -> Self {
        self.include_expired = include_expired;
        self
    }

    /// Sets `external_id`. The memory's external_id, 1 to 256 bytes, in place of `id`.
    pub fn with_external_id(mut self, external_id: impl Into<String>) -> Self {
        self.external_id = Some(external_id.into());
        self
    }

    /// Sets `user_id`. The user of the memory, 1 to 256 bytes, in place of `namespace`: the server
    /// finds the agent. No two memories ever have the same id. A memory of an agent that the caller
    /// may not name counts as missing. Needs `id`. The call then costs one look-up for each agent
    /// of the user.
    pub fn with_user_id(mut self, user_id: impl Into<String>) -> Self {
        self.user_id = Some(user_id.into());
        self
    }
}

impl UpdateSuccessCountRequest {
    /// Returns a message with its required fields.
    pub fn new(id: impl Into<String>) -> Self {
        Self::default().with_id(id)
    }

    /// Sets `id`. The skill's id. Required, 1 to 128 bytes.
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// Sets `increment`. Number of successes to add, 0 to 1,000,000. Default 1, or 0 if
    /// failure_increment is set. If both increments are 0, the call changes only last_used_time.
    pub fn with_increment(mut self, increment: i32) -> Self {
        self.increment = Some(increment);
        self
    }

    /// Sets `failure_increment`. Number of failures to add, 0 to 1,000,000. Default 0.
    pub fn with_failure_increment(mut self, failure_increment: i32) -> Self {
        self.failure_increment = Some(failure_increment);
        self
    }

    /// Sets `idempotency_key`. A key of 1 to 128 bytes that makes a retry safe for 24 hours.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }
}

impl WatchInboxRequest {
    /// Sets `heartbeat`. As in WatchProposalsRequest. Unset: no heartbeats.
    pub fn with_heartbeat(mut self, heartbeat: impl Into<::prost_types::Duration>) -> Self {
        self.heartbeat = Some(heartbeat.into());
        self
    }
}

impl WatchMemoriesRequest {
    /// Sets `user_id`. The user of the memories, 1 to 256 bytes, in place of `namespace`: watches
    /// all agents of the user whom the caller may name.
    pub fn with_user_id(mut self, user_id: impl Into<String>) -> Self {
        self.user_id = Some(user_id.into());
        self
    }

    /// Sets `after_commit_seq`. Send the changes after this commit: the commit_seq of a message of
    /// an earlier watch, or of any other reply about the same user (AddResponse.commit_seq). Unset:
    /// the changes from now on.
    pub fn with_after_commit_seq(mut self, after_commit_seq: i64) -> Self {
        self.after_commit_seq = Some(after_commit_seq);
        self
    }

    /// Sets `ids_only`. If true, the events have no memories, only their ids. Default false.
    pub fn with_ids_only(mut self, ids_only: bool) -> Self {
        self.ids_only = ids_only;
        self
    }

    /// Sets `heartbeat`. Send a message without events when no message was sent for this time, 5 to
    /// 60 seconds. A client then knows an idle stream from a broken one. Unset: no such messages.
    pub fn with_heartbeat(mut self, heartbeat: impl Into<::prost_types::Duration>) -> Self {
        self.heartbeat = Some(heartbeat.into());
        self
    }
}

impl WatchProposalsRequest {
    /// Sets `heartbeat`. Send an empty message when nothing has changed for this time, 5 to 60
    /// seconds, and a message when all that waited was sent (waiting_sent). A client then knows an
    /// idle stream from a broken one. Unset: no such messages.
    pub fn with_heartbeat(mut self, heartbeat: impl Into<::prost_types::Duration>) -> Self {
        self.heartbeat = Some(heartbeat.into());
        self
    }
}

impl WriteKeyRequest {
    /// Returns a message with its required fields.
    pub fn new(key: impl Into<String>) -> Self {
        Self::default().with_key(key)
    }

    /// Sets `key`. The key. Required, 1 to 512 bytes.
    pub fn with_key(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }

    /// Sets `value`. The value, at most 64 KiB of UTF-8. May be empty.
    pub fn with_value(mut self, value: impl Into<String>) -> Self {
        self.value = value.into();
        self
    }

    /// Sets `idempotency_key`. An idempotency key of 1 to 128 bytes. It makes a retry safe for 24
    /// hours.
    pub fn with_idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.idempotency_key = Some(idempotency_key.into());
        self
    }

    /// Sets `expected_version`. The version that the caller expects the key to have now; 0: the key
    /// must be new. If the key has another version, the call fails with ABORTED (VERSION_MISMATCH),
    /// and nothing is written. Unset: any version.
    pub fn with_expected_version(mut self, expected_version: i64) -> Self {
        self.expected_version = Some(expected_version);
        self
    }
}
