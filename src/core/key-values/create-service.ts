import { listEntries, listKeys, readKey, readKeys } from "./read.js";
import type { KeyValueService, KeyValueServiceParts } from "./service.js";
import { deleteKey, writeKey } from "./write.js";

/** Creates the use cases of key-value notes. */
export function createKeyValueService(parts: KeyValueServiceParts): KeyValueService {
  return {
    write: (input, call) => writeKey(parts, input, call.allowance),
    read: (runId, key) => readKey(parts, runId, key),
    readMany: (runId, keys, call) => readKeys(parts, runId, keys, call),
    list: (query, call) => listKeys(parts, query, call),
    listEntries: (query, call) => listEntries(parts, query, call),
    delete: (input, call) => deleteKey(parts, input, call.allowance),
  };
}
