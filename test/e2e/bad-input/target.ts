import type { JsonObject } from "@bufbuild/protobuf";

/** Where bad requests are aimed at: it holds one memory, and must hold exactly that one after each of them. */
export const target = { userId: "target", agentId: "agent" } as const;

/** The same for requests about keys. */
export const targetRun = "target";

/** Path of the service in URLs. */
export const service = "/vademecum.v1.MemoryProvider";
export const addPath = `${service}/Add`;

/** A request about the target namespace, as JSON. */
export function aboutTarget(fields: JsonObject): JsonObject {
  return { namespace: { ...target }, ...fields };
}

/** `levels` objects inside one another; the innermost is empty. */
export function nested(levels: number): JsonObject {
  let value: JsonObject = {};
  for (let level = 1; level < levels; level++) value = { a: value };
  return value;
}
