import { create } from "@bufbuild/protobuf";
import { pMapIterable } from "p-map";
import {
  type AddBatchRequest,
  AddBatchRequestSchema,
  type AddBatchResponse,
  AddBatchResponseSchema,
  AddRequestSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { invalidField } from "../../core/model/errors.js";
import type { BidiStreamHandler, RpcCall } from "../adapt/handler.js";
import { toStatus } from "../adapt/status.js";
import { toAddInput } from "../convert/add.js";
import { rethrowWithFieldsIn } from "./fields-in.js";
import type { MemoryProviderParts } from "./memory-provider.js";

/** Items stored at the same time: enough for one synced write of the store to take many. */
const concurrency = 64;

/** Stores each item of a stream, several at a time, and answers in their order. A bad item fails alone. */
export function createAddBatch({
  memories,
  validator,
  report,
}: MemoryProviderParts): BidiStreamHandler<AddBatchRequest, AddBatchResponse> {
  const store = async ({ add }: AddBatchRequest, call: RpcCall) => {
    if (add === undefined) throw invalidField("add", "is required");
    validator.validate(AddRequestSchema, add);
    return memories.add(toAddInput(add), call);
  };
  const answer = async (item: AddBatchRequest, call: RpcCall): Promise<AddBatchResponse> => {
    const { clientId } = item;
    try {
      validator.validate(AddBatchRequestSchema, item);
      const { id } = await store(item, call).catch(
        rethrowWithFieldsIn(AddBatchRequestSchema, "add"),
      );
      return create(AddBatchResponseSchema, { clientId, result: { case: "id", value: id } });
    } catch (error) {
      call.throwIfEnded();
      const status = toStatus(report(error, "/vademecum.v1.MemoryProvider/AddBatch"));
      return create(AddBatchResponseSchema, { clientId, result: { case: "error", value: status } });
    }
  };
  return (items, call) => pMapIterable(items, (item) => answer(item, call), { concurrency });
}
