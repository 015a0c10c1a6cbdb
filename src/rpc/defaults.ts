/**
 * The values of fields that a request leaves unset. The comments in the proto files state the same
 * values.
 *
 * The defaults of a search are in the core, because the toolsets use the default weights too, and
 * because the default number of hits depends on `budget_tokens`.
 */

/** Memories on a page of GetAll. */
export const defaultMemoryPageSize = 10;

/** Memories that ExplainSearch follows besides hits, omissions and named memories. */
export const defaultNearMisses = 20;

/** Calls that ListSlowCalls returns. */
export const defaultSlowCalls = 50;

/** Time between two samples of WatchServer. */
export const defaultSampleIntervalMs = 5_000;

/** Versions on a page of ListMemoryVersions. */
export const defaultMemoryVersionPageSize = 10;

/** Turns that GetTurns returns. */
export const defaultTurnCount = 20;

/** Skills in a context. */
export const defaultContextSkills = 3;

/** Turns in a context. */
export const defaultContextTurns = 20;

/** Threads on a page of ListThreads. */
export const defaultThreadPageSize = 100;

/** Blocks on a page of ListBlocks. */
export const defaultBlockPageSize = 1_000;

/** Token budget of RenderBlocks. */
export const defaultRenderTokens = 200_000;

/** Versions on a page of ListBlockVersions. */
export const defaultBlockVersionPageSize = 10;

/** Proposals on a page of ListProposals. */
export const defaultProposalPageSize = 10;

/** Skills on a page of ListSkills. */
export const defaultSkillPageSize = 10;

/** Manifests on a page of ListTools. */
export const defaultToolPageSize = 100;

/** Skills that RetrieveSkills returns. */
export const defaultTopK = 5;

/** Lowest similarity of a skill that RetrieveSkills returns. */
export const defaultMinSimilarity = 0.7;

/** Entries on a page of ListTurnEntries. */
export const defaultTurnEntryPageSize = 100;

/** Turns on a page of ListTurns. */
export const defaultTurnPageSize = 10;

/** Results of one query of QueryMemory. A call may have several queries. */
export const defaultToolQueryLimit = 10;

/** Token budget of one query of QueryMemory. */
export const defaultToolQueryBudgetTokens = 500;

/** Token budget of all queries of one call of QueryMemory together. */
export const defaultQueryMemoryBudgetTokens = 1_000;

/** Users, namespaces or runs on a page of ListUsers, ListNamespaces and ListRuns. */
export const defaultOverviewPageSize = 100;

/** The user of a trace whose request names no user. */
export const defaultTraceUserId = "system";

/** Lines of the audit trail that ListAuditEvents lists. */
export const defaultAuditEvents = 50;
