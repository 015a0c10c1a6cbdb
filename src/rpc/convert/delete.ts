import { create } from "@bufbuild/protobuf";
import {
  type DeleteManyRequest,
  type DeleteRequest,
  type DeleteWhereRequest,
  type DeleteWhereResponse,
  DeleteWhereResponseSchema,
  type ResetRequest,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import type {
  DeleteInput,
  DeleteManyInput,
  DeleteWhereInput,
  ResetInput,
} from "../../core/memories/service.js";
import type { Principal } from "../../core/model/principal.js";
import { dropUndefined } from "./drop-undefined.js";
import { toFilter } from "./filter.js";
import { toMemoryName, toNamespace, toOwner } from "./memory.js";

/** Converts a request to delete a memory into the input of the core. */
export function toDeleteInput(request: DeleteRequest, principal: Principal): DeleteInput {
  const { idempotencyKey } = request;
  return dropUndefined<DeleteInput>({
    namespace: toOwner(request, principal),
    ...toMemoryName(request),
    idempotencyKey,
  });
}

/** Converts a request to delete several memories. */
export function toDeleteManyInput(request: DeleteManyRequest): DeleteManyInput {
  const { namespace, ids, idempotencyKey } = request;
  return dropUndefined<DeleteManyInput>({ namespace: toNamespace(namespace), ids, idempotencyKey });
}

/** Converts a request to delete all memories that pass a filter. */
export function toDeleteWhereInput(request: DeleteWhereRequest): DeleteWhereInput {
  const { namespace, filter, dryRun, idempotencyKey } = request;
  return dropUndefined<DeleteWhereInput>({
    namespace: toNamespace(namespace),
    filter: toFilter(filter),
    dryRun,
    idempotencyKey,
  });
}

/**
 * Converts the outcome of DeleteWhere to its message: the number of memories, and the ids of some.
 */
export function fromDeleteWhereResult(outcome: {
  readonly deleted: number;
  readonly sampleIds: readonly string[];
}): DeleteWhereResponse {
  const { deleted, sampleIds } = outcome;
  return create(DeleteWhereResponseSchema, {
    deleted: BigInt(deleted),
    sampleIds: [...sampleIds],
  });
}

/** Converts a request to empty one namespace or the whole server. */
export function toResetInput({ target, idempotencyKey }: ResetRequest): ResetInput {
  return dropUndefined<ResetInput>({
    target: target.case === "everything" ? "everything" : toNamespace(target.value),
    idempotencyKey,
  });
}
