import type { Expression } from "../filter/expression.js";
import type { Filter } from "../filter/matcher.js";
import type { AddParts, NewMemory } from "../memories/service.js";
import type { Allowance } from "../model/allowance.js";
import type { Instant } from "../model/instant.js";
import type { MemoryType } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
import type { TimeZone } from "../model/time-zone.js";
import type { ToolManifest, ToolMemoryType } from "../model/tool-manifest.js";
import type { TurnEntry, TurnEvent } from "../model/turn-entry.js";
import type { Call } from "../ports/call.js";
import type { Timer } from "../ports/timer.js";
import type { Idempotent } from "../requests/idempotency.js";
import type { Page, PageQuery } from "../requests/list-page.js";
import type { UseTimes } from "../requests/use-times.js";
import type { SearchResult } from "../search/query/search.js";

/** Logs errors whose details are hidden from callers. */
export interface ToolLog {
  /** Logs that a query failed. The result of the query is empty. */
  queryFailed(error: unknown): void;
  /** Logs that entries of a trace could not be written. */
  traceLost(error: unknown): void;
}

/** The dependencies of the use cases of tools. */
export interface ToolServiceParts extends AddParts {
  readonly compileExpression: (source: string) => Expression;
  readonly timer: Timer;
  readonly log: ToolLog;
  /** Records which memories tools read. Absent: nobody records them. */
  readonly uses?: Pick<UseTimes, "note">;
  /** The time zone of queries that name none. Default UTC. */
  readonly timeZone?: TimeZone;
}

/** A manifest as callers register and list it. */
export type DeclaredManifest = Omit<ToolManifest, "revision" | "createSeq">;

export interface RegisterToolInput extends Idempotent {
  readonly manifest: DeclaredManifest;
}

/** Which page of manifests to list. */
export interface ListToolsQuery extends PageQuery {
  /** Lists only versions of this tool. Empty: versions of all tools. */
  readonly toolId: string;
}

export interface ManifestPage {
  readonly manifests: readonly DeclaredManifest[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

export interface DeleteToolInput extends Idempotent {
  readonly toolId: string;
  /** The version to delete. Absent: all versions. */
  readonly version?: string;
}

/** A valid query of a tool. `tool.proto` states meanings, limits and defaults. */
export interface ToolQuery {
  readonly queryId: string;
  readonly memoryType: ToolMemoryType;
  readonly queryText: string;
  readonly filter: Filter;
  readonly limit: number;
  readonly budgetTokens: number;
  /** Absent or 0: no gate. */
  readonly gate?: number;
  /** The time zone in which days count. Absent: the server's time zone. */
  readonly timeZone?: string;
}

/** A query that breaks a rule. It carries the fields that could be read. */
export interface InvalidQuery {
  readonly queryId: string;
  readonly memoryType?: MemoryType;
  readonly queryText: string;
  /** The broken rule, in words. */
  readonly fault: string;
}

/** The tool that asks, its request, and the namespace that it asks about. */
export interface Turn {
  readonly namespace: Namespace;
  readonly requestId: string;
  readonly toolId: string;
  readonly toolVersion: string;
  /** Id of the task. Empty: the request belongs to no task. */
  readonly taskId: string;
  /** Id of the plan. Empty: the request belongs to no plan. */
  readonly planId: string;
}

export interface QueryMemoryInput extends Turn {
  readonly queries: readonly (ToolQuery | InvalidQuery)[];
  /** Budget of all queries together. */
  readonly budgetTokens: number;
}

/** The outcome of a query. The result of a query that was not run has no hits. */
export interface QueryOutcome {
  readonly queryId: string;
  readonly memoryType?: MemoryType;
  readonly result: SearchResult;
  /**
   * Milliseconds from the start of all searches to the result of this search; 0 if it did not run.
   * If the query was searched again with a smaller budget, the time of the second search is added.
   */
  readonly durationMs: number;
  /** TRUNCATED if the budget left out matches, else the event of the first trace entry. */
  readonly event: TurnEvent;
  /** The reasons of the trace entries, in words. May be empty. */
  readonly reason: string;
}

/** What happened in a turn. */
export interface TurnSummary {
  readonly requestId: string;
  readonly taskId: string;
  readonly toolIds: readonly string[];
  readonly queries: number;
  readonly denied: number;
  readonly failed: number;
  readonly truncated: number;
  readonly tokensUsed: number;
  /** Time of the newest entry. */
  readonly time: Instant;
  /** The longest duration of a query. */
  readonly durationMs: number;
}

export interface ListTurnsQuery extends PageQuery {
  readonly namespace: Namespace;
  /** Lists only turns with one of these events. Empty: all turns. */
  readonly events: readonly TurnEvent[];
}

export interface ListTurnEntriesQuery extends PageQuery {
  readonly trace: TurnTraceQuery;
}

export interface ToolResponseInput extends Idempotent, Turn {
  readonly memoryWrites: readonly NewMemory[];
  /** Items of scratch pages. Their type must be SCRATCH_PAGE or absent. */
  readonly scratchPageWrites: readonly NewMemory[];
}

/** Which trace to read: the trace of one request, or of all requests of a task. */
export type TurnTraceQuery = { readonly namespace: Namespace } & (
  | { readonly requestId: string }
  | { readonly taskId: string }
);

/**
 * The use cases of tools. Requires: inputs obey the rules of the proto files. Only the queries of a
 * request may break them.
 */
export interface ToolService {
  /**
   * Stores a manifest. `changed` tells whether the manifest is new, or differs from the stored
   * manifest.
   *
   * @throws FAILED_PRECONDITION (TOO_MANY_TOOL_VERSIONS) when the tool has 100 other versions.
   */
  registerTool(
    input: RegisterToolInput,
    allowance?: Allowance,
  ): Promise<{ readonly changed: boolean }>;
  /** Lists manifests, ordered by tool and version. */
  listTools(query: ListToolsQuery): Promise<ManifestPage>;
  /** Deletes one version of a tool, or all versions. Returns the number of deleted versions. */
  deleteTool(input: DeleteToolInput, allowance?: Allowance): Promise<{ readonly deleted: number }>;
  /**
   * Yields one outcome for each query, in the order of the queries. The trace reports why a query
   * failed. The trace is complete when the iteration ends.
   */
  queryMemory(input: QueryMemoryInput, call: Call): AsyncIterable<QueryOutcome>;
  /**
   * Stores the memories that a tool writes, all or none.
   *
   * @throws PERMISSION_DENIED (NOT_IN_MANIFEST) when the manifest of the tool does not allow one of
   *   them, or the tool has no manifest. The trace has an entry then.
   */
  submitToolResponse(
    input: ToolResponseInput,
    call: Call,
  ): Promise<{ readonly ids: readonly string[]; readonly commitSeq: bigint }>;
  /** Yields pages of entries, oldest first. */
  turnTrace(query: TurnTraceQuery, call: Call): AsyncIterable<readonly TurnEntry[]>;
  /** Lists the entries of a trace, oldest first. */
  listTurnEntries(query: ListTurnEntriesQuery, call: Call): Promise<Page<TurnEntry>>;
  /** Lists turns, newest first. */
  listTurns(query: ListTurnsQuery, call: Call): Promise<Page<TurnSummary>>;
}
