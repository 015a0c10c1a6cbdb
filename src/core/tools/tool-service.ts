import type { Filter } from "../filter/filter.js";
import type { NewMemory } from "../memories/memory-service.js";
import type { MemoryType } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
import type { ToolManifest, ToolMemoryType } from "../model/tool-manifest.js";
import type { TurnEntry } from "../model/turn-entry.js";
import type { Call } from "../ports/call.js";
import type { Idempotent } from "../requests/idempotency.js";
import type { SearchResult } from "../search/search.js";

/** A manifest as it is given and listed. */
export type DeclaredManifest = Omit<ToolManifest, "revision">;

export interface RegisterToolInput extends Idempotent {
  readonly manifest: DeclaredManifest;
}

/** One page of manifests. */
export interface ListToolsQuery {
  /** Only versions of this tool; empty: of all. */
  readonly toolId: string;
  /** 1 to 1,000. */
  readonly limit: number;
  /** Token of the page before; empty: from the first. */
  readonly pageToken: string;
}

export interface ManifestPage {
  readonly manifests: readonly DeclaredManifest[];
  /** Empty: there is no more. */
  readonly nextPageToken: string;
}

export interface DeleteToolInput extends Idempotent {
  readonly toolId: string;
  /** Absent: all versions. */
  readonly version?: string;
}

/** A query of a tool that is within the rules. Meanings, limits and defaults: `tool.proto`. */
export interface ToolQuery {
  readonly queryId: string;
  readonly memoryType: ToolMemoryType;
  readonly queryText: string;
  readonly filter: Filter;
  readonly limit: number;
  readonly budgetTokens: number;
}

/** A query that breaks a rule, as far as it can be told. */
export interface InvalidQuery {
  readonly queryId: string;
  readonly memoryType?: MemoryType;
  readonly queryText: string;
  /** Which rule, in words. */
  readonly fault: string;
}

/** Who asks, and for whom. */
export interface Turn {
  readonly namespace: Namespace;
  readonly requestId: string;
  readonly toolId: string;
  readonly toolVersion: string;
  /** Empty: none. */
  readonly taskId: string;
  /** Empty: none. */
  readonly planId: string;
}

export interface QueryMemoryInput extends Turn {
  readonly queries: readonly (ToolQuery | InvalidQuery)[];
  /** Of all queries together. */
  readonly budgetTokens: number;
}

/** What a query comes to: where it was not run, a result without hits. */
export interface QueryOutcome {
  readonly queryId: string;
  readonly memoryType?: MemoryType;
  readonly result: SearchResult;
  /** From the beginning of the request until it was found. */
  readonly durationMs: number;
}

export interface ToolResponseInput extends Idempotent {
  readonly namespace: Namespace;
  readonly requestId: string;
  readonly toolId: string;
  readonly taskId: string;
  readonly planId: string;
  readonly memoryWrites: readonly NewMemory[];
  /** Their type is SCRATCH_PAGE or absent. */
  readonly scratchPageWrites: readonly NewMemory[];
}

/** Which trace to read: of a request, or of all requests of a task. */
export type TurnTraceQuery = { readonly namespace: Namespace } & (
  | { readonly requestId: string }
  | { readonly taskId: string }
);

/** The use cases of tools. Inputs are within the limits of the proto rules, except that queries may be invalid. */
export interface ToolService {
  registerTool(input: RegisterToolInput): Promise<{ readonly changed: boolean }>;
  listTools(query: ListToolsQuery): Promise<ManifestPage>;
  deleteTool(input: DeleteToolInput): Promise<{ readonly deleted: number }>;
  /** One outcome for each query, in their order. What goes wrong with a query is told in the trace, which has everything when this ends. */
  queryMemory(input: QueryMemoryInput, call: Call): AsyncIterable<QueryOutcome>;
  submitToolResponse(
    input: ToolResponseInput,
    call: Call,
  ): Promise<{ readonly ids: readonly string[]; readonly commitSeq: bigint }>;
  /** Pages of entries, oldest first. */
  turnTrace(query: TurnTraceQuery, call: Call): AsyncIterable<readonly TurnEntry[]>;
}
