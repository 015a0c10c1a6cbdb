import type {
  DeleteKeyRequest,
  KeyEntry as KeyEntryMessage,
  ListKeysRequest,
  SearchKeysRequest,
  WriteKeyRequest,
} from "#gen/vademecum/v1/key_value_service_pb.js";
import type {
  DeleteKeyInput,
  ListKeysQuery,
  WriteKeyInput,
} from "../../core/key-values/service.js";
import type { KeyEntry } from "../../core/model/key-value.js";
import type { Page } from "../../core/requests/list-page.js";
import { dropUndefined } from "./drop-undefined.js";

/** Converts a request to store a value under a key into the input of the core. */
export function toWriteKeyInput(request: WriteKeyRequest): WriteKeyInput {
  const { runId, key, value, expectedVersion, idempotencyKey } = request;
  return dropUndefined<WriteKeyInput>({
    ...{ runId, key, value, idempotencyKey },
    expectedVersion: expectedVersion === undefined ? undefined : Number(expectedVersion),
  });
}

/** Converts a request to delete a key. */
export function toDeleteKeyInput({ runId, key, idempotencyKey }: DeleteKeyRequest): DeleteKeyInput {
  return dropUndefined<DeleteKeyInput>({ runId, key, idempotencyKey });
}

/** Converts a request to list all keys of a run, or the keys that contain a pattern. */
export function toListKeysQuery(request: ListKeysRequest | SearchKeysRequest): ListKeysQuery {
  const { runId, limit, pageToken } = request;
  const pattern = "pattern" in request ? request.pattern : undefined;
  const prefix = "prefix" in request ? request.prefix : undefined;
  return dropUndefined<ListKeysQuery>({ runId, pattern, prefix, limit, pageToken });
}

/** Converts a key with its value to its message. */
export function fromKeyEntry({ key, value, version }: KeyEntry): KeyEntryMessage {
  return {
    $typeName: "vademecum.v1.KeyEntry",
    key,
    value,
    version: BigInt(version),
  };
}

/** Converts a page of keys to the fields that the responses of ListKeys and SearchKeys share. */
export function fromKeyPage({ items, nextPageToken }: Page<string>): {
  keys: string[];
  nextPageToken: string;
} {
  return { keys: [...items], nextPageToken };
}
