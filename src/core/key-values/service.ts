import type { KeyEntry } from "../model/key-value.js";
import type { Call } from "../ports/call.js";
import type { Clock } from "../ports/clock.js";
import type { Store } from "../ports/store.js";
import type { Idempotent } from "../requests/idempotency.js";
import type { Page, PageQuery } from "../requests/list-page.js";

/** The dependencies of the use cases of key-value notes. */
export interface KeyValueServiceParts {
  readonly store: Store;
  readonly clock: Clock;
}

/** A value to store. */
export interface WriteKeyInput extends Idempotent {
  readonly runId: string;
  readonly key: string;
  readonly value: string;
  /** The version that the key must have; 0: the key must be new. Absent: any version. */
  readonly expectedVersion?: number;
}

/** A key to delete. */
export type DeleteKeyInput = Omit<WriteKeyInput, "value" | "expectedVersion">;

/** The outcome of a write: whether the key is new, and the version of its value. */
export interface WrittenKey {
  readonly created: boolean;
  readonly version: number;
}

/** The keys of a read that the run has, in the order of the read. */
export interface FoundKeys {
  readonly entries: readonly KeyEntry[];
  /** The keys after the entries that fill one message. */
  readonly unreadKeys: readonly string[];
}

/** Which keys of a run to list. */
export interface ListKeysQuery extends Omit<PageQuery, "limit"> {
  readonly runId: string;
  /** Lists only keys that contain this text. Upper and lower case differ. Absent: all keys. */
  readonly pattern?: string;
  /** Lists only keys that begin with this text. Absent: all keys. */
  readonly prefix?: string;
  /** Maximum number of keys, 1 to 1,000. Absent: as many as fit one page. */
  readonly limit?: number;
}

/** The use cases of key-value notes. Requires: inputs obey the rules of the proto files. */
export interface KeyValueService {
  /**
   * Stores a value, or replaces the earlier value of the key. `created` tells whether the key is
   * new.
   *
   * @throws RESOURCE_EXHAUSTED (QUOTA_EXCEEDED) when the run would hold more than the quota allows.
   * @throws ABORTED (VERSION_MISMATCH) when the key is not at `expectedVersion`.
   */
  write(input: WriteKeyInput, call: Call): Promise<WrittenKey>;
  /** Reads a value. `undefined`: the run has no such key. */
  read(runId: string, key: string): Promise<string | undefined>;
  /** Reads the values of several keys, from one state of the run. Leaves out missing keys. */
  readMany(runId: string, keys: readonly string[], call: Call): Promise<FoundKeys>;
  /** Lists keys in the order in which they were first written. */
  list(query: ListKeysQuery, call: Call): Promise<Page<string>>;
  /** Lists keys as `list` does, with their values. */
  listEntries(query: ListKeysQuery, call: Call): Promise<Page<KeyEntry>>;
  /** Deletes a key. `deleted` tells whether the key existed. */
  delete(input: DeleteKeyInput, call: Call): Promise<{ readonly deleted: boolean }>;
}
