import type { Expression } from "../filter/expression.js";
import type { Filter } from "../filter/matcher.js";
import type { Instant } from "../model/instant.js";
import type { JsonObject } from "../model/json.js";
import type { Memory, MemoryFields } from "../model/memory.js";
import type { MemoryVersion } from "../model/memory-version.js";
import type { Namespace } from "../model/namespace.js";
import type { LargeNamespaceWarning, NamespaceSizes } from "../model/namespace-size.js";
import type { TimeZone } from "../model/time-zone.js";
import type { Call } from "../ports/call.js";
import type { Clock, IdSource } from "../ports/clock.js";
import type { Embedders } from "../ports/embedder.js";
import type { SearchIndex } from "../ports/search-index.js";
import type { Store } from "../ports/store.js";
import type { Timer } from "../ports/timer.js";
import type { TokenCounter } from "../ports/token-counter.js";
import type { ChangeParts } from "../proposal-records/change-proposals.js";
import type { Idempotent } from "../requests/idempotency.js";
import type { PageQuery } from "../requests/list-page.js";
import type { Explanation, SearchQuery, SearchResult } from "../search/query/search.js";
import type { WriteGate } from "../vectors/write-gate.js";

/** The dependencies of adding memories. */
export interface AddParts {
  readonly store: Store;
  readonly index: SearchIndex;
  readonly embedders: Embedders;
  readonly tokens: TokenCounter;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly gate: WriteGate;
  /** Limits on the size of a namespace. Default: `namespaceSizes`. */
  readonly sizes?: NamespaceSizes;
  /** Called when an addition brings a namespace above the supported size. */
  readonly onLargeNamespace?: LargeNamespaceWarning;
}

/** The dependencies of the use cases of memories. */
export interface MemoryServiceParts extends AddParts, ChangeParts {
  readonly timer: Timer;
  readonly compileExpression: (source: string) => Expression;
  /** The time zone of queries that name none. Default UTC. */
  readonly timeZone?: TimeZone;
  /** Maximum number of earlier versions to keep of a memory. Default `defaultVersionsMax`. */
  readonly versionsMax?: number;
  /** Whether Reset may empty all namespaces in one call. */
  readonly allowReset: boolean;
}

/** A memory to store. Absent fields get their defaults. */
export interface NewMemory extends Partial<Omit<MemoryFields, "content">> {
  readonly content: string;
  readonly supersedes?: string;
  /** The caller's own vector. Its Euclidean length may be any number above zero. */
  readonly embedding?: Float32Array;
}

/** A single memory to store. */
export interface AddInput extends Idempotent, NewMemory {
  readonly namespace: Namespace;
}

/** The result of an Add. */
export interface AddResult {
  readonly id: string;
  readonly commitSeq: bigint;
  /** At most three, most similar first. */
  readonly nearDuplicates: readonly { readonly id: string; readonly relevance: number }[];
}

/** A memory that a batch has stored. */
export type StoredItem = Pick<AddResult, "id">;

/** Many memories that one call adds. */
export interface MemoryBatch {
  /**
   * Stores a memory as `MemoryService.add` does, but does not look for near-duplicates. The
   * memories of a namespace are stored in the order of the calls. A memory that cannot be stored
   * fails alone. If the model or the store cannot be reached, all memories of the same transaction
   * fail.
   */
  add(input: AddInput): Promise<StoredItem>;
}

/** The trace of a workflow run. */
export interface AddTraceInput extends Idempotent {
  readonly namespace: Namespace;
  readonly workflowId: string;
  readonly traceData: JsonObject;
  readonly threadId?: string;
  readonly eventTime?: Instant;
}

/** Which page of a namespace's memories to list. */
export interface GetAllQuery extends PageQuery {
  readonly namespace: Namespace;
  readonly filter: Filter;
  readonly includeSuperseded: boolean;
  /** Default false. */
  readonly includeExpired?: boolean;
  /** Lists the memories as they were at this instant. Absent: as they are. */
  readonly asOf?: Instant;
}

/** Which page of a memory's versions to list. */
export interface ListVersionsQuery extends PageQuery {
  readonly namespace: Namespace;
  readonly id: string;
}

export interface VersionPage {
  readonly versions: readonly MemoryVersion[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

export interface RestoreMemoryInput extends Idempotent {
  readonly namespace: Namespace;
  readonly id: string;
  readonly version: number;
  /** The version that the memory must have. Absent: any version. */
  readonly expectedVersion?: number;
}

export interface RedactVersionInput extends Idempotent {
  readonly namespace: Namespace;
  readonly id: string;
  readonly version: number;
}

/** Which memories of a namespace to count. */
export interface CountQuery {
  readonly namespace: Namespace;
  readonly filter: Filter;
}

/** The number of memories in one state of a namespace. */
export interface MemoryCount {
  readonly count: number;
  readonly commitSeq: bigint;
}

export interface MemoryPage {
  readonly memories: readonly Memory[];
  /** Ids of memories whose versions at `GetAllQuery.asOf` are no longer kept. Default: none. */
  readonly notKeptIds?: readonly string[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

/**
 * New values by field. A field that is `undefined` here gets its default. An absent field keeps its
 * value.
 */
export type MemoryChanges = { readonly [F in keyof MemoryFields]?: MemoryFields[F] | undefined } & {
  readonly embedding?: Float32Array | undefined;
};

export interface UpdateInput extends Idempotent {
  readonly namespace: Namespace;
  readonly id: string;
  readonly changes: MemoryChanges;
  /** The version that the memory must have. Absent: any version. */
  readonly expectedVersion?: number;
  /** Whether the memory may have expired. Default false. */
  readonly includeExpired?: boolean;
}

/** A memory after an update. */
export interface UpdatedMemory {
  readonly memory: Memory;
  readonly commitSeq: bigint;
  /**
   * Present for a repetition: the version that the first call made. `memory` is the memory as it is
   * now, which may be a later version.
   */
  readonly replayedVersion?: number;
}

export interface DeleteInput extends Idempotent {
  readonly namespace: Namespace;
  readonly id: string;
}

export interface DeleteWhereInput extends Idempotent {
  readonly namespace: Namespace;
  readonly filter: Filter;
  /** Whether to count the matches and delete nothing. */
  readonly dryRun: boolean;
}

export interface ResetInput extends Idempotent {
  /** The namespace to empty. `everything` needs a server that allows a full wipe. */
  readonly target: Namespace | "everything";
}

/**
 * The use cases of memories. Requires: inputs obey the rules of the proto files. An id that does
 * not exist and an id of another namespace give the same result.
 */
export interface MemoryService {
  add(input: AddInput, call: Call): Promise<AddResult>;
  /** Begins a batch, which serves one call. */
  openBatch(call: Call): MemoryBatch;
  addTrace(input: AddTraceInput, call: Call): Promise<Pick<AddResult, "id" | "commitSeq">>;
  search(query: SearchQuery, call: Call): Promise<SearchResult>;
  /**
   * Searches like `search`. The budget limits the tokens of `text`, which lists the contents of all
   * hits.
   */
  recall(query: SearchQuery, call: Call): Promise<SearchResult & { readonly text: string }>;
  /** Explains how a search ranks one memory. */
  explain(query: SearchQuery, id: string, call: Call): Promise<Explanation>;
  getAll(query: GetAllQuery, call: Call): Promise<MemoryPage>;
  /** Counts the memories that `getAll` lists on all pages, without superseded memories. */
  count(query: CountQuery, call: Call): Promise<MemoryCount>;
  /**
   * Returns a memory; with `asOf`, as it was at this instant.
   *
   * @throws NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory.
   * @throws FAILED_PRECONDITION (VERSION_NOT_KEPT) when the version at `asOf` is no longer kept.
   */
  get(
    namespace: Namespace,
    id: string,
    call: Call,
    includeExpired?: boolean,
    asOf?: Instant,
  ): Promise<Memory>;
  /**
   * Lists the versions of a memory, newest first. The first one is the present version.
   *
   * @throws NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory.
   */
  listVersions(query: ListVersionsQuery, call: Call): Promise<VersionPage>;
  /**
   * Gives a memory the fields of an earlier version, except its expiry.
   *
   * @throws NOT_FOUND (MEMORY_NOT_FOUND, MEMORY_VERSION_NOT_FOUND) when there is no such memory or
   *   version.
   * @throws FAILED_PRECONDITION (VERSION_REDACTED) when the version was redacted.
   * @throws ABORTED (VERSION_MISMATCH) when the memory is not at `expectedVersion`.
   */
  restore(input: RestoreMemoryInput, call: Call): Promise<UpdatedMemory>;
  /**
   * Removes the texts of an earlier version, and of all proposals about the memory.
   *
   * @throws NOT_FOUND (MEMORY_NOT_FOUND, MEMORY_VERSION_NOT_FOUND) when there is no such memory or
   *   version.
   */
  redactVersion(input: RedactVersionInput, call: Call): Promise<MemoryVersion>;
  /**
   * Changes the given fields of a memory.
   *
   * @throws NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory.
   * @throws PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote the content of the
   *   memory, and the caller is no curator.
   * @throws ABORTED (VERSION_MISMATCH) when the memory is not at `expectedVersion`.
   */
  update(input: UpdateInput, call: Call): Promise<UpdatedMemory>;
  /**
   * Deletes one memory. `deleted` tells whether the memory existed.
   *
   * @throws PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote the content of the
   *   memory, and the caller is no curator.
   */
  delete(input: DeleteInput, call: Call): Promise<{ readonly deleted: boolean }>;
  /**
   * Deletes all memories that pass the filter, or none. `sampleIds` names at most ten of them.
   *
   * @throws INVALID_ARGUMENT (EMPTY_FILTER) when the filter has no condition.
   * @throws FAILED_PRECONDITION (TOO_MANY_MATCHES) when more than 10,000 memories pass.
   */
  deleteWhere(
    input: DeleteWhereInput,
    call: Call,
  ): Promise<{ readonly deleted: number; readonly sampleIds: readonly string[] }>;
  /**
   * Empties one namespace, or everything.
   *
   * @throws PERMISSION_DENIED (RESET_NOT_ALLOWED) when the server does not allow a full wipe.
   */
  reset(input: ResetInput, call: Call): Promise<{ readonly deleted: number }>;
}
