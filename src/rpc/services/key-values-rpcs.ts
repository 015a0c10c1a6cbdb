import { create } from "@bufbuild/protobuf";
import {
  DeleteKeyResponseSchema,
  KeyValueService as KeyValueServiceDescriptor,
  ListKeysResponseSchema,
  ListRunsResponseSchema,
  ReadKeyResponseSchema,
  SearchKeysResponseSchema,
  WriteKeyResponseSchema,
} from "#gen/vademecum/v1/key_value_service_pb.js";
import type { KeyValueService } from "../../core/key-values/service.js";
import type { OverviewService } from "../../core/overview/service.js";
import { type Implementation, implement } from "../adapt/handler.js";
import {
  fromKeyPage,
  toDeleteKeyInput,
  toListKeysQuery,
  toWriteKeyInput,
} from "../convert/key-value.js";
import { toListRunsQuery } from "../convert/overview.js";

/** Creates the RPCs of `vademecum.v1.KeyValueService`. */
export function createKeyValuesRpcs(
  keyValues: KeyValueService,
  overview: Pick<OverviewService, "listRuns">,
): Implementation {
  return implement(KeyValueServiceDescriptor, {
    listRuns: async (request, call) => {
      const { items, nextPageToken } = await overview.listRuns(
        toListRunsQuery(request, call),
        call,
      );
      const runs = items.map(({ runId, keys }) => ({ runId, keys: BigInt(keys) }));
      return create(ListRunsResponseSchema, { runs, nextPageToken });
    },
    writeKey: async (request, call) =>
      create(WriteKeyResponseSchema, await keyValues.write(toWriteKeyInput(request), call)),
    readKey: async ({ runId, key }) => {
      const value = await keyValues.read(runId, key);
      return create(ReadKeyResponseSchema, value === undefined ? {} : { found: true, value });
    },
    listKeys: async (request, call) => {
      const page = await keyValues.list(toListKeysQuery(request), call);
      return create(ListKeysResponseSchema, fromKeyPage(page));
    },
    deleteKey: async (request, call) =>
      create(DeleteKeyResponseSchema, await keyValues.delete(toDeleteKeyInput(request), call)),
    searchKeys: async (request, call) => {
      const page = await keyValues.list(toListKeysQuery(request), call);
      return create(SearchKeysResponseSchema, fromKeyPage(page));
    },
  });
}
