import { create } from "@bufbuild/protobuf";
import {
  type CountRequest,
  type CountResponse,
  CountResponseSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import type { CountQuery, MemoryCount } from "../../core/memories/service.js";
import { toFilter } from "./filter.js";
import { toNamespace } from "./memory.js";

/** Converts a request to count memories into the query of the core. */
export function toCountQuery({ namespace, filter }: CountRequest): CountQuery {
  return { namespace: toNamespace(namespace), filter: toFilter(filter) };
}

/** Converts the number of memories to its message. */
export function fromMemoryCount({ count, commitSeq }: MemoryCount): CountResponse {
  return create(CountResponseSchema, { count: BigInt(count), commitSeq });
}
