import { create } from "@bufbuild/protobuf";
import {
  DeleteKeyResponseSchema,
  KeyValueService as KeyValueServiceDescriptor,
  ListKeysResponseSchema,
  ListRunsResponseSchema,
  ReadKeyResponseSchema,
  ReadKeysResponseSchema,
  SearchKeysResponseSchema,
  WriteKeyResponseSchema,
} from "#gen/vademecum/v1/key_value_service_pb.js";
import type { KeyValueService } from "../../core/key-values/service.js";
import type { OverviewService } from "../../core/overview/service.js";
import { type Implementation, implement } from "../adapt/handler.js";
import {
  fromKeyEntry,
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
    writeKey: async (request, call) => {
      const { created, version } = await keyValues.write(toWriteKeyInput(request), call);
      return create(WriteKeyResponseSchema, { created, version: BigInt(version) });
    },
    readKey: async ({ runId, key }, call) => {
      const { entries } = await keyValues.readMany(runId, [key], call);
      const [found] = entries;
      if (found === undefined) return create(ReadKeyResponseSchema);
      const { value, version } = found;
      return create(ReadKeyResponseSchema, { found: true, value, version: BigInt(version) });
    },
    readKeys: async ({ runId, keys }, call) => {
      const { entries, unreadKeys } = await keyValues.readMany(runId, keys, call);
      return create(ReadKeysResponseSchema, {
        entries: entries.map(fromKeyEntry),
        unreadKeys: [...unreadKeys],
      });
    },
    listKeys: async (request, call) => {
      const query = toListKeysQuery(request);
      if (!request.includeValues)
        return create(ListKeysResponseSchema, fromKeyPage(await keyValues.list(query, call)));
      const { items, nextPageToken } = await keyValues.listEntries(query, call);
      const keys = items.map(({ key }) => key);
      return create(ListKeysResponseSchema, {
        ...fromKeyPage({ items: keys, nextPageToken }),
        entries: items.map(fromKeyEntry),
      });
    },
    deleteKey: async (request, call) =>
      create(DeleteKeyResponseSchema, await keyValues.delete(toDeleteKeyInput(request), call)),
    searchKeys: async (request, call) => {
      const page = await keyValues.list(toListKeysQuery(request), call);
      return create(SearchKeysResponseSchema, fromKeyPage(page));
    },
  });
}
