import type { Filter } from "../filter/filter.js";
import type { Instant } from "../model/instant.js";
import type { JsonObject } from "../model/json.js";
import type { Memory, MemoryFields } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { Idempotent } from "../requests/idempotency.js";
import type { Explanation, SearchQuery, SearchResult } from "../search/search.js";

/** A memory to store; what is absent of `MemoryFields` gets its default. */
export interface NewMemory extends Partial<Omit<MemoryFields, "content">> {
  readonly content: string;
  readonly supersedes?: string;
  /** The caller's own vector; of any length above zero. */
  readonly embedding?: Float32Array;
}

/** A memory to store by itself. */
export interface AddInput extends Idempotent, NewMemory {
  readonly namespace: Namespace;
}

/** Outcome of a write. */
export interface Added {
  readonly id: string;
  readonly commitSeq: bigint;
  /** At most three, best first. */
  readonly nearDuplicates: readonly { readonly id: string; readonly relevance: number }[];
}

/** A workflow run's trace. */
export interface AddTraceInput extends Idempotent {
  readonly namespace: Namespace;
  readonly workflowId: string;
  readonly traceData: JsonObject;
  readonly threadId?: string;
  readonly eventTime?: Instant;
}

/** One page of a listing. */
export interface GetAllQuery {
  readonly namespace: Namespace;
  /** 1 to 1,000. */
  readonly limit: number;
  readonly filter: Filter;
  /** Token of the page before; empty: from the newest. */
  readonly pageToken: string;
  readonly includeSuperseded: boolean;
}

export interface MemoryPage {
  readonly memories: readonly Memory[];
  /** Empty: there is no more. */
  readonly nextPageToken: string;
}

/** New values by field; `undefined` puts a field back to its default. A field that is not a key stays as it is. */
export type MemoryChanges = { readonly [F in keyof MemoryFields]?: MemoryFields[F] | undefined } & {
  readonly embedding?: Float32Array | undefined;
};

export interface UpdateInput extends Idempotent {
  readonly namespace: Namespace;
  readonly id: string;
  readonly changes: MemoryChanges;
  readonly expectedVersion?: number;
}

export interface DeleteInput extends Idempotent {
  readonly namespace: Namespace;
  readonly id: string;
}

export interface DeleteWhereInput extends Idempotent {
  readonly namespace: Namespace;
  readonly filter: Filter;
  readonly dryRun: boolean;
}

export interface ResetInput extends Idempotent {
  /** What to empty; `everything` needs a server that allows it. */
  readonly target: Namespace | "everything";
}

/**
 * The use cases of the memory provider. Inputs are within the limits of the proto rules; what rules cannot say is checked here.
 * Unknown ids and ids of other namespaces are the same to all of them.
 */
export interface MemoryService {
  add(input: AddInput, call: Call): Promise<Added>;
  addTrace(input: AddTraceInput, call: Call): Promise<Added>;
  search(query: SearchQuery, call: Call): Promise<SearchResult>;
  /** Like `search`, where the budget counts the text of `recallText` over all hits. */
  recall(query: SearchQuery, call: Call): Promise<SearchResult & { readonly text: string }>;
  /** Follows one memory through a search. */
  explain(query: SearchQuery, id: string, call: Call): Promise<Explanation>;
  getAll(query: GetAllQuery, call: Call): Promise<MemoryPage>;
  get(namespace: Namespace, id: string, call: Call): Promise<Memory>;
  update(
    input: UpdateInput,
    call: Call,
  ): Promise<{ readonly memory: Memory; readonly commitSeq: bigint }>;
  delete(input: DeleteInput, call: Call): Promise<{ readonly deleted: boolean }>;
  deleteWhere(
    input: DeleteWhereInput,
    call: Call,
  ): Promise<{ readonly deleted: number; readonly sampleIds: readonly string[] }>;
  reset(input: ResetInput, call: Call): Promise<{ readonly deleted: number }>;
}
