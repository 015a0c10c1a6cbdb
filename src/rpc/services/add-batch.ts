import { pMapIterable } from "p-map";
import {
  type AddBatchRequest,
  AddBatchRequestSchema,
  type AddBatchResponse,
  AddOutcome,
  AddRequestSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import type { MemoryBatch } from "../../core/memories/service.js";
import { invalidField } from "../../core/model/errors.js";
import { bindIdempotencyKey } from "../access/idempotency-keys.js";
import type { BidiStreamHandler, RpcCall } from "../adapt/handler.js";
import { throwNotedFault } from "../adapt/part-faults.js";
import { toStatus } from "../adapt/status.js";
import { fromAddOutcome, toAddInput } from "../convert/add.js";
import type { MemoriesRpcsParts } from "./parts.js";
import { relocateFields } from "./relocate-fields.js";

/**
 * Maximum number of items in progress at the same time. While some are being stored as a group, the
 * others become the next group.
 */
const concurrency = 512;

/**
 * Creates the handler of AddBatch. It stores several items of the stream at a time, and answers in
 * the order of the items. An invalid item does not fail the other items.
 */
export function createAddBatch({
  memories,
  validator,
  report,
}: Omit<MemoriesRpcsParts, "proposals">): BidiStreamHandler<AddBatchRequest, AddBatchResponse> {
  const relocate = relocateFields(AddBatchRequestSchema, "add");
  const store = async ({ add }: AddBatchRequest, call: RpcCall, batch: MemoryBatch) => {
    if (add === undefined) throw invalidField("add", "is required");
    throwNotedFault(add);
    validator.validate(AddRequestSchema, add);
    bindIdempotencyKey(call.principal, AddRequestSchema, add);
    return batch.add(toAddInput(add));
  };
  const answer = async (
    item: AddBatchRequest,
    call: RpcCall,
    batch: MemoryBatch,
  ): Promise<AddBatchResponse> => {
    const { clientId } = item;
    try {
      throwNotedFault(item);
      validator.validate(AddBatchRequestSchema, item);
      const { id, outcome } = await store(item, call, batch).catch(relocate);
      return responseOf(clientId, { case: "id", value: id }, fromAddOutcome(outcome));
    } catch (error) {
      call.throwIfEnded();
      const status = toStatus(report(error, call));
      return responseOf(clientId, { case: "error", value: status });
    }
  };
  return (items, call) => {
    const batch = memories.openBatch(call);
    return pMapIterable(items, (item) => answer(item, call, batch), { concurrency });
  };
}

/** The response is a literal, as in `fromMemory`. */
function responseOf(
  clientId: string,
  result: AddBatchResponse["result"],
  outcome = AddOutcome.UNSPECIFIED,
): AddBatchResponse {
  return { $typeName: "vademecum.v1.AddBatchResponse", clientId, result, outcome };
}
