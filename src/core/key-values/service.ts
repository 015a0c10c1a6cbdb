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
}

/** A key to delete. */
export type DeleteKeyInput = Omit<WriteKeyInput, "value">;

/** Which keys of a run to list. */
export interface ListKeysQuery extends Omit<PageQuery, "limit"> {
  readonly runId: string;
  /** Lists only keys that contain this text. Upper and lower case differ. Absent: all keys. */
  readonly pattern?: string;
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
   */
  write(input: WriteKeyInput, call: Call): Promise<{ readonly created: boolean }>;
  /** Reads a value. `undefined`: the run has no such key. */
  read(runId: string, key: string): Promise<string | undefined>;
  /** Lists keys in the order in which they were first written. */
  list(query: ListKeysQuery, call: Call): Promise<Page<string>>;
  /** Deletes a key. `deleted` tells whether the key existed. */
  delete(input: DeleteKeyInput, call: Call): Promise<{ readonly deleted: boolean }>;
}
