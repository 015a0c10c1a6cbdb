import {
  type GetAllRequest,
  type GetAllResponse,
  MemoryOrder,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import type {
  MemoryOrder as CoreOrder,
  GetAllQuery,
  MemoryPage,
} from "../../core/memories/service.js";
import { invalidField } from "../../core/model/errors.js";
import type { Namespace } from "../../core/model/namespace.js";
import { defaultMemoryPageSize } from "../defaults.js";
import { toFilter } from "./filter.js";
import { toInstant } from "./instant.js";
import { fromMemory, toNamespace } from "./memory.js";

const orders: Readonly<Record<MemoryOrder, CoreOrder>> = {
  [MemoryOrder.UNSPECIFIED]: "NEWEST_FIRST",
  [MemoryOrder.NEWEST_FIRST]: "NEWEST_FIRST",
  [MemoryOrder.OLDEST_FIRST]: "OLDEST_FIRST",
  [MemoryOrder.LATEST_EVENT_FIRST]: "LATEST_EVENT_FIRST",
  [MemoryOrder.MOST_IMPORTANT_FIRST]: "MOST_IMPORTANT_FIRST",
};

/** Converts a request to list memories into the query of the core. */
export function toGetAllQuery(request: GetAllRequest): GetAllQuery {
  const {
    namespace,
    limit = defaultMemoryPageSize,
    filter,
    pageToken,
    includeSuperseded,
    includeExpired,
    includeEmbedding,
  } = request;
  const asOf = toInstant(request.asOf);
  if (asOf !== undefined && includeEmbedding)
    throw invalidField("include_embedding", "must be false if as_of is set");
  const order = orders[request.order];
  if (asOf !== undefined && order !== "NEWEST_FIRST")
    throw invalidField("order", "must be NEWEST_FIRST or unset if as_of is set");
  return {
    namespace: toNamespace(namespace),
    limit,
    filter: toFilter(filter),
    pageToken,
    includeSuperseded,
    order,
    includeExpired,
    ...(asOf !== undefined && { asOf }),
    includeEmbedding,
  };
}

/** Converts a page of the memories of a namespace to its message. */
export function fromMemoryPage(
  { memories, notKeptIds = [], nextPageToken }: MemoryPage,
  namespace: Namespace,
): GetAllResponse {
  return {
    $typeName: "vademecum.v1.GetAllResponse",
    memories: memories.map((memory) => fromMemory(memory, namespace)),
    notKeptIds: [...notKeptIds],
    nextPageToken,
  };
}
