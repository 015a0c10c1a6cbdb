import {
  type AddManyRequest,
  type AddManyResponse,
  type AddManyResult,
  AddOutcome,
  type AddRequest,
  AddRequestSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import type { AddInput, AddManyResult as StoredMany } from "../../core/memories/service.js";
import { invalidField, VademecumError } from "../../core/model/errors.js";
import type { Namespace } from "../../core/model/namespace.js";
import type { UnaryHandler } from "../adapt/handler.js";
import { throwNotedFault } from "../adapt/part-faults.js";
import { toStatus } from "../adapt/status.js";
import { fromAddOutcome, toAddInput } from "../convert/add.js";
import { toNamespace } from "../convert/memory.js";
import type { MemoriesRpcsParts } from "./parts.js";

/**
 * Creates the handler of AddMany. A memory that breaks a rule fails alone, in JSON as in binary.
 */
export function createAddMany({
  memories,
  validator,
}: Pick<MemoriesRpcsParts, "memories" | "validator">): UnaryHandler<
  AddManyRequest,
  AddManyResponse
> {
  const inputOf = (item: AddRequest, namespace: Namespace): AddInput | VademecumError => {
    try {
      throwNotedFault(item);
      requireSameNamespace(item, namespace);
      item.namespace = { $typeName: "vademecum.v1.Namespace", ...namespace };
      validator.validate(AddRequestSchema, item);
      if (item.idempotencyKey !== undefined)
        throw invalidField("idempotency_key", "must be left out; set the key of the whole request");
      return toAddInput(item);
    } catch (error) {
      if (error instanceof VademecumError) return error;
      throw error;
    }
  };
  return async (request, call) => {
    const namespace = toNamespace(request.namespace);
    const { idempotencyKey } = request;
    const input = {
      namespace,
      memories: request.memories.map((item) => inputOf(item, namespace)),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    };
    const { results, commitSeq } = await memories.addMany(input, call);
    return {
      $typeName: "vademecum.v1.AddManyResponse",
      results: results.map(fromResult),
      commitSeq,
    };
  };
}

function fromResult(result: StoredMany["results"][number]): AddManyResult {
  const $typeName = "vademecum.v1.AddManyResult";
  if (!(result instanceof VademecumError)) {
    const outcome = fromAddOutcome(result.outcome);
    return { $typeName, result: { case: "id", value: result.id }, outcome };
  }
  const error = { case: "error", value: toStatus(result) } as const;
  return { $typeName, result: error, outcome: AddOutcome.UNSPECIFIED };
}

/** A memory may repeat the namespace of the request, and may name no other. */
function requireSameNamespace({ namespace: own }: AddRequest, namespace: Namespace): void {
  if (own === undefined) return;
  if (own.userId === namespace.userId && own.agentId === namespace.agentId) return;
  throw invalidField(
    "namespace",
    "differs from the namespace of the request; leave it out, or send the memory in another call",
  );
}
