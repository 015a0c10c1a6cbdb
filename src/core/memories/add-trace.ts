import { stringify } from "safe-stable-stringify";
import { invalidField } from "../model/errors.js";
import type { JsonObject, JsonValue } from "../model/json.js";
import { metadataMaxBytes } from "../model/limits.js";
import type { Call } from "../ports/call.js";
import { addMemory } from "./add.js";
import type { AddInput, AddParts, AddResult, AddTraceInput } from "./service.js";

/**
 * Stores a trace. Does not look for near-duplicates, because the reply of AddTrace names none.
 *
 * @throws INVALID_ARGUMENT (INVALID_FIELD) when `trace_data.metadata` is not an object, or the
 *   metadata of the memory would be too large.
 */
export async function addTrace(
  parts: AddParts,
  input: AddTraceInput,
  call: Call,
): Promise<Pick<AddResult, "id" | "commitSeq">> {
  const memory = traceMemory(input);
  const addition = { rpc: "AddTrace", input: memory, findsNearDuplicates: false };
  return addMemory(parts, addition, call);
}

/**
 * Returns the memory that stores a trace. Its metadata are the entries of `trace_data.metadata`,
 * plus `type` and `workflow_id`. These two replace entries of the same names.
 *
 * @throws INVALID_ARGUMENT (INVALID_FIELD) when `trace_data.metadata` is not an object, or the
 *   metadata of the memory would be too large.
 */
function traceMemory(input: AddTraceInput): AddInput {
  const { namespace, workflowId, traceData, threadId, eventTime, idempotencyKey } = input;
  const metadata: JsonObject = { ...metadataOf(traceData), type: "trace", workflow_id: workflowId };
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > metadataMaxBytes) {
    throw invalidField(
      "trace_data.metadata",
      `is ${bytes.toLocaleString("en")} bytes as JSON together with type and workflow_id; ` +
        `the limit is ${metadataMaxBytes.toLocaleString("en")}. Move entries out of metadata`,
    );
  }
  const data = stringify(traceData) ?? "";
  return {
    namespace,
    content: `[trace] workflow=${workflowId} agent=${namespace.agentId} data=${data}`,
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
