import { stringify } from "safe-stable-stringify";
import { invalidField } from "../model/errors.js";
import type { JsonObject, JsonValue } from "../model/json.js";
import type { AddInput, AddTraceInput } from "./memory-service.js";

/** Most bytes of a memory's metadata as JSON. */
const metadataMaxBytes = 16 * 1024;

/**
 * The memory that keeps a trace. `type` and `workflow_id` win over entries of `trace_data.metadata`.
 * @throws INVALID_ARGUMENT if the metadata grows over its limit with them, or is no object.
 */
export function traceMemory(input: AddTraceInput): AddInput {
  const { namespace, workflowId, traceData, threadId, eventTime, idempotencyKey } = input;
  const metadata: JsonObject = { ...metadataOf(traceData), type: "trace", workflow_id: workflowId };
  if (Buffer.byteLength(JSON.stringify(metadata)) > metadataMaxBytes) {
    throw invalidField(
      "trace_data.metadata",
      `has, with type and workflow_id, more than ${metadataMaxBytes} bytes as JSON`,
    );
  }
  return {
    namespace,
    content: `[trace] workflow=${workflowId} agent=${namespace.agentId} data=${stringify(traceData) ?? ""}`,
    memoryType: "TRACE",
    kind: "trace",
    metadata,
    ...(threadId === undefined ? {} : { threadId }),
    ...(eventTime === undefined ? {} : { eventTime }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}

function metadataOf(traceData: JsonObject): JsonObject {
  const metadata: JsonValue | undefined = traceData["metadata"];
  if (metadata === undefined || metadata === null) return {};
  if (typeof metadata !== "object" || Array.isArray(metadata))
    throw invalidField(
      "trace_data.metadata",
      "must be an object: its entries become the memory's metadata",
    );
  return metadata as JsonObject;
}
