import type { DescMessage } from "@bufbuild/protobuf";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import type { MemoryService } from "../core/memories/memory-service.js";
import type { AdapterParts } from "./adapter-parts.js";
import type { Implementation } from "./handler.js";
import { createMemoryProvider } from "./memory-provider.js";

/** The use cases behind the RPCs. */
export interface Domain {
  readonly memories: MemoryService;
}

const services = [MemoryProvider];

/** What clients send to the product's services: all of it is validated. */
export const requestTypes: readonly DescMessage[] = services.flatMap(({ methods }) => methods.map(({ input }) => input));

/** The product's services over the domain. */
export function createServices(domain: Domain, parts: AdapterParts): readonly Implementation[] {
  return [createMemoryProvider({ memories: domain.memories, ...parts })];
}
