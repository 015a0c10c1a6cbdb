import type {
  DeleteKeyRequest,
  ListKeysRequest,
  SearchKeysRequest,
  WriteKeyRequest,
} from "#gen/vademecum/v1/key_value_service_pb.js";
import type {
  DeleteKeyInput,
  ListKeysQuery,
  WriteKeyInput,
} from "../../core/key-values/service.js";
import type { Page } from "../../core/requests/list-page.js";
import { dropUndefined } from "./drop-undefined.js";

/** Reads a key and its value to store. */
export function toWriteKeyInput(request: WriteKeyRequest): WriteKeyInput {
  const { runId, key, value, idempotencyKey } = request;
  return dropUndefined<WriteKeyInput>({ runId, key, value, idempotencyKey });
}

/** Reads which key to delete. */
export function toDeleteKeyInput({ runId, key, idempotencyKey }: DeleteKeyRequest): DeleteKeyInput {
  return dropUndefined<DeleteKeyInput>({ runId, key, idempotencyKey });
}

/** Reads which keys to list: all keys of a run, or the keys that contain a pattern. */
export function toListKeysQuery(request: ListKeysRequest | SearchKeysRequest): ListKeysQuery {
  const { runId, limit, pageToken } = request;
  const pattern = "pattern" in request ? request.pattern : undefined;
  return dropUndefined<ListKeysQuery>({ runId, pattern, limit, pageToken });
}

/** Writes the fields of a page of keys, which ListKeys and SearchKeys share. */
export function fromKeyPage({ items, nextPageToken }: Page<string>): {
  keys: string[];
  nextPageToken: string;
} {
  return { keys: [...items], nextPageToken };
}
