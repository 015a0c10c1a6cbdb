import type { JsonObject } from "@bufbuild/protobuf";

/** Namespace of the invalid requests. It holds one memory, which no invalid request may change. */
export const target = { userId: "target", agentId: "agent" } as const;

/** Run of the invalid requests about keys. */
export const targetRun = "target";

/** Path of the service in URLs. */
export const service = "/vademecum.v1.MemoryProvider";
export const addPath = `${service}/Add`;

/** A request about the target namespace, as JSON. */
export function aboutTarget(fields: JsonObject): JsonObject {
  return { namespace: { ...target }, ...fields };
}

/** Returns `levels` objects inside one another. The innermost object is empty. */
export function nested(levels: number): JsonObject {
  let value: JsonObject = {};
  for (let level = 1; level < levels; level++) value = { a: value };
  return value;
}
