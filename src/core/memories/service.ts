import type { Expression } from "../filter/expression.js";
import type { Filter } from "../filter/matcher.js";
import type { VademecumError } from "../model/errors.js";
import type { Instant } from "../model/instant.js";
import type { JsonObject } from "../model/json.js";
import type { Memory, MemoryFields } from "../model/memory.js";
import type { MemoryVersion } from "../model/memory-version.js";
import type { Namespace } from "../model/namespace.js";
import type { LargeNamespaceWarning, NamespaceSizes } from "../model/namespace-size.js";
import type { IdPatterns } from "../model/principal.js";
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
import type { UseTimes } from "../requests/use-times.js";
import type { Explanation, SearchQuery, SearchResult } from "../search/query/search.js";
import type { Searcher } from "../search/searcher.js";
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
  /** Maximum number of earlier versions to keep of a memory. Default `defaultVersionsMax`. */
  readonly versionsMax?: number;
}

/** The dependencies of the use cases of memories. */
export interface MemoryServiceParts extends AddParts, ChangeParts {
  readonly timer: Timer;
  readonly compileExpression: (source: string) => Expression;
  /** The uses of memories by tools. Absent: nobody records them. */
  readonly uses?: Pick<UseTimes, "flush">;
  /** The time zone of queries that name none. Default UTC. */
  readonly timeZone?: TimeZone;
  /** Whether Reset may empty all namespaces in one call. */
  readonly allowReset: boolean;
}

/** What a write does when its external id belongs to a memory already. */
export type OnConflict = "FAIL" | "REPLACE" | "KEEP";

/** A memory to store. Absent fields get their defaults. */
export interface NewMemory extends Partial<Omit<MemoryFields, "content">> {
  readonly content: string;
  readonly supersedes?: string;
  /** See `Memory.externalId`. */
  readonly externalId?: string;
  /** Only with `externalId`. Default `FAIL`. */
  readonly onConflict?: OnConflict;
  /** The caller's own vector. Its Euclidean length may be any number above zero. */
  readonly embedding?: Float32Array;
}

/** A single memory to store. */
export interface AddInput extends Idempotent, NewMemory {
  readonly namespace: Namespace;
}

/** What a write did: it stored a new memory, or replaced or kept the one with its external id. */
export type AddOutcome = "ADDED" | "REPLACED" | "KEPT";

/** The result of an Add. */
export interface AddResult {
  readonly id: string;
  readonly outcome: AddOutcome;
  readonly commitSeq: bigint;
  /** At most three, most similar first. */
  readonly nearDuplicates: readonly { readonly id: string; readonly relevance: number }[];
}

/** A memory that a batch has stored. */
export type StoredItem = Pick<AddResult, "id" | "outcome" | "commitSeq">;

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

/** Several memories to store in one transaction. */
export interface AddManyInput extends Idempotent {
  readonly namespace: Namespace;
  /** The memories. In place of a memory that the caller found faulty: its error. */
  readonly memories: readonly (NewMemory | VademecumError)[];
}

/** The memories that a call has stored, or the errors of those that it has not, in order. */
export interface AddManyResult {
  readonly results: readonly (Pick<AddResult, "id" | "outcome"> | VademecumError)[];
  readonly commitSeq: bigint;
}

/** The trace of a workflow run. */
export interface AddTraceInput extends Idempotent {
  readonly namespace: Namespace;
  readonly workflowId: string;
  readonly traceData: JsonObject;
  readonly threadId?: string;
  readonly eventTime?: Instant;
}

/** In which order to list memories: by a time or a number, then by id in the same direction. */
export type MemoryOrder =
  | "NEWEST_FIRST"
  | "OLDEST_FIRST"
  | "LATEST_EVENT_FIRST"
  | "MOST_IMPORTANT_FIRST";

/** Which page of a namespace's memories to list. */
export interface GetAllQuery extends PageQuery {
  readonly namespace: Namespace;
  readonly filter: Filter;
  readonly includeSuperseded: boolean;
  /** Default: `NEWEST_FIRST`, the only one with `asOf`. */
  readonly order?: MemoryOrder;
  /** Default false. */
  readonly includeExpired?: boolean;
  /** Lists the memories as they were at this instant. Absent: as they are. */
  readonly asOf?: Instant;
  /** Not with `asOf`. Default false. */
  readonly includeEmbedding?: boolean;
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

/** A memory of a reply. */
export interface ReadMemory extends Memory {
  /** When a tool last read it. Only in replies about memories of given ids. */
  readonly lastUsedTime?: Instant;
  /** The stored vector, if the call asked for it and there is one. */
  readonly embedding?: readonly number[];
}

export interface MemoryPage {
  readonly memories: readonly ReadMemory[];
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

/** The agents of a user that a caller may name. One of them owns the memory. */
export interface AgentsOfUser {
  readonly userId: string;
  readonly allowed: IdPatterns;
}

/** Names one memory of a namespace: by its id, or by the caller's own id. */
export interface MemoryName {
  /** Absent: `externalId` names the memory. */
  readonly id?: string;
  readonly externalId?: string;
}

/** Which memory to read. */
export interface GetQuery extends MemoryName {
  /** Default false. */
  readonly includeEmbedding?: boolean;
  /** With `AgentsOfUser`, the query needs an id. */
  readonly namespace: Namespace | AgentsOfUser;
  /** Whether the memory may have expired. Default false. */
  readonly includeExpired?: boolean;
  /** Reads the memory as it was at this instant. Absent: as it is. */
  readonly asOf?: Instant;
}

/** Which memories to read. */
export interface GetManyQuery {
  readonly namespace: Namespace;
  readonly ids: readonly string[];
  /** Default false. */
  readonly includeExpired?: boolean;
  /** Default false. */
  readonly includeEmbedding?: boolean;
}

/** The memories of a `GetManyQuery`, in the order of the ids. */
export interface FoundMemories {
  readonly memories: readonly ReadMemory[];
  readonly missingIds: readonly string[];
  /** The ids after the memories that fill one message. */
  readonly unreadIds: readonly string[];
}

export interface UpdateInput extends Idempotent, MemoryName {
  /** As in `GetQuery`. */
  readonly namespace: Namespace | AgentsOfUser;
  readonly changes: MemoryChanges;
  /** The version that the memory must have. Absent: any version. */
  readonly expectedVersion?: number;
  /** Whether the memory may have expired. Default false. */
  readonly includeExpired?: boolean;
}

/** A memory, and the namespace that it was found in. */
export interface FoundMemory {
  readonly memory: ReadMemory;
  readonly namespace: Namespace;
}

/** A memory after an update. */
export interface UpdatedMemory extends FoundMemory {
  readonly commitSeq: bigint;
  /**
   * Present for a repetition: the version that the first call made. `memory` is the memory as it is
   * now, which may be a later version.
   */
  readonly replayedVersion?: number;
}

export interface DeleteInput extends Idempotent, MemoryName {
  /** As in `GetQuery`. */
  readonly namespace: Namespace | AgentsOfUser;
}

export interface DeleteManyInput extends Idempotent {
  readonly namespace: Namespace;
  readonly ids: readonly string[];
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
  /**
   * Stores a memory.
   *
   * @throws ALREADY_EXISTS (EXTERNAL_ID_IN_USE) when another memory has the external id
   */
  add(input: AddInput, call: Call): Promise<AddResult>;
  /**
   * Stores several memories in one transaction. A memory that cannot be stored does not stop the
   * others.
   *
   * @throws RESOURCE_EXHAUSTED (NAMESPACE_TOO_LARGE, QUOTA_EXCEEDED) when all memories together do
   *   not fit
   */
  addMany(input: AddManyInput, call: Call): Promise<AddManyResult>;
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
  /** Searches, and explains how memories came to their places. See `Searcher.explainSearch`. */
  explainSearch: Searcher["explainSearch"];
  getAll(query: GetAllQuery, call: Call): Promise<MemoryPage>;
  /** Counts the memories that `getAll` lists on all pages, without superseded memories. */
  count(query: CountQuery, call: Call): Promise<MemoryCount>;
  /**
   * Returns a memory; with `asOf`, as it was at this instant.
   *
   * @throws NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory.
   * @throws FAILED_PRECONDITION (VERSION_NOT_KEPT) when the version at `asOf` is no longer kept.
   */
  get(query: GetQuery, call: Call): Promise<FoundMemory>;
  /** Returns the memories of several ids, from one state of the namespace. */
  getMany(query: GetManyQuery, call: Call): Promise<FoundMemories>;
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
  /** Deletes the memories of several ids, or none. Ignores ids of no memory. */
  deleteMany(input: DeleteManyInput, call: Call): Promise<{ readonly deleted: number }>;
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
