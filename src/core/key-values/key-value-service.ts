import type { Call } from "../ports/call.js";
import type { Clock } from "../ports/clock.js";
import type { Store } from "../ports/store.js";
import type { Idempotent } from "../requests/idempotency.js";
import type { Page } from "../requests/page.js";
import { deleteKey, writeKey } from "./change-keys.js";
import { listKeys, readKey } from "./read-keys.js";

/** What the use cases need of the world. */
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
export interface ListKeysQuery {
  readonly runId: string;
  /** Only keys that contain this text, as it is written. Absent: all. */
  readonly pattern?: string;
  /** 1 to 1,000. Absent: as many as fit a page. */
  readonly limit?: number;
  /** Token of the page before; empty: from the first key. */
  readonly pageToken: string;
}

/** The use cases of the key-value notes. Inputs are within the limits of the proto rules. */
export interface KeyValueService {
  /** Stores a value in the place of the one that is there. `created`: there was none. */
  write(input: WriteKeyInput): Promise<{ readonly created: boolean }>;
  /** `undefined`: the run has no such key. */
  read(runId: string, key: string): Promise<string | undefined>;
  /** Keys in the order in which they were first written. */
  list(query: ListKeysQuery, call: Call): Promise<Page<string>>;
  /** `deleted`: the run had the key. */
  delete(input: DeleteKeyInput): Promise<{ readonly deleted: boolean }>;
}

/** The key-value notes over a store. */
export function createKeyValueService(parts: KeyValueServiceParts): KeyValueService {
  return {
    write: (input) => writeKey(parts, input),
    read: (runId, key) => readKey(parts, runId, key),
    list: (query, call) => listKeys(parts, query, call),
    delete: (input) => deleteKey(parts, input),
  };
}
