import { create } from "@bufbuild/protobuf";
import {
  DeleteKeyResponseSchema,
  KeyValueService as KeyValueServiceDescriptor,
  ListKeysResponseSchema,
  ReadKeyResponseSchema,
  SearchKeysResponseSchema,
  WriteKeyResponseSchema,
} from "#gen/vademecum/v1/key_value_service_pb.js";
import type {
  DeleteKeyInput,
  KeyValueService,
  ListKeysQuery,
  WriteKeyInput,
} from "../../core/key-values/key-value-service.js";
import type { Page } from "../../core/requests/page.js";
import { type Implementation, implement } from "../adapt/handler.js";
import { present } from "../convert/present.js";

/** The RPCs of `vademecum.v1.KeyValueService` over the domain. */
export function createKeyValueRpcs(keyValues: KeyValueService): Implementation {
  return implement(KeyValueServiceDescriptor, {
    writeKey: async ({ runId, key, value, idempotencyKey }) => {
      const input = present<WriteKeyInput>({ runId, key, value, idempotencyKey });
      return create(WriteKeyResponseSchema, await keyValues.write(input));
    },
    readKey: async ({ runId, key }) => {
      const value = await keyValues.read(runId, key);
      return create(ReadKeyResponseSchema, value === undefined ? {} : { found: true, value });
    },
    listKeys: async ({ runId, limit, pageToken }, call) => {
      const query = present<ListKeysQuery>({ runId, limit, pageToken });
      return create(ListKeysResponseSchema, fromPage(await keyValues.list(query, call)));
    },
    deleteKey: async ({ runId, key, idempotencyKey }) => {
      const input = present<DeleteKeyInput>({ runId, key, idempotencyKey });
      return create(DeleteKeyResponseSchema, await keyValues.delete(input));
    },
    searchKeys: async ({ runId, pattern, limit, pageToken }, call) => {
      const query = present<ListKeysQuery>({ runId, pattern, limit, pageToken });
      return create(SearchKeysResponseSchema, fromPage(await keyValues.list(query, call)));
    },
  });
}

function fromPage({ items, nextPageToken }: Page<string>): {
  keys: string[];
  nextPageToken: string;
} {
  return { keys: [...items], nextPageToken };
}
