import { create } from "@bufbuild/protobuf";
import {
  DeleteKeyResponseSchema,
  KeyValueService as KeyValueServiceDescriptor,
  ListKeysResponseSchema,
  ReadKeyResponseSchema,
  SearchKeysResponseSchema,
  WriteKeyResponseSchema,
} from "#gen/vademecum/v1/key_value_service_pb.js";
import type { KeyValueService } from "../../core/key-values/service.js";
import { type Implementation, implement } from "../adapt/handler.js";
import {
  fromKeyPage,
  toDeleteKeyInput,
  toListKeysQuery,
  toWriteKeyInput,
} from "../convert/key-value.js";

/** Creates the RPCs of `vademecum.v1.KeyValueService`. */
export function createKeyValuesRpcs(keyValues: KeyValueService): Implementation {
  return implement(KeyValueServiceDescriptor, {
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
