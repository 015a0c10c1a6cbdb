import type { JsonObject } from "@bufbuild/protobuf";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import type { InvalidRequest } from "./invalid-requests.js";
import { targetRun } from "./target.js";

const { writeKey, readKey, listKeys, deleteKey, searchKeys } = KeyValueService.method;
const letters = (length: number) => "x".repeat(length);

const keys: readonly [name: string, fields: JsonObject, field: string][] = [
  ["no key", { key: "" }, "key"],
  ["a key of 513 bytes", { key: letters(513) }, "key"],
  ["a key of 514 bytes in 257 letters", { key: "é".repeat(257) }, "key"],
];

const writes: readonly [name: string, fields: JsonObject, field: string][] = [
  ["a value of one byte more than 64 KiB", { value: letters(65_537) }, "value"],
  ["a value of 65,538 bytes in 32,769 letters", { value: "é".repeat(32_769) }, "value"],
];

const idempotencyKeys: readonly [name: string, fields: JsonObject, field: string][] = [
  ["an empty idempotency key", { idempotencyKey: "" }, "idempotency_key"],
  ["an idempotency key of 129 bytes", { idempotencyKey: letters(129) }, "idempotency_key"],
];

const runs: readonly [name: string, fields: JsonObject, field: string][] = [
  ["no run id", { runId: "" }, "run_id"],
  ["a run id of 257 bytes", { runId: letters(257) }, "run_id"],
];

const pages: readonly [name: string, fields: JsonObject, field: string][] = [
  ["a limit of 0", { limit: 0 }, "limit"],
  ["a limit of 1,001", { limit: 1001 }, "limit"],
  ["a page token of 1,025 bytes", { pageToken: letters(1025) }, "page_token"],
];

/** One request for each field of the key-value RPCs and each way in which it can be invalid. */
export const invalidKeyValueRequests: readonly InvalidRequest[] = [
  ...[writeKey, readKey, listKeys, deleteKey, searchKeys].flatMap((method) =>
    requests(method, runs),
  ),
  ...[writeKey, readKey, deleteKey].flatMap((method) => requests(method, keys)),
  ...requests(writeKey, writes),
  ...[writeKey, deleteKey].flatMap((method) => requests(method, idempotencyKeys)),
  ...[listKeys, searchKeys].flatMap((method) => requests(method, pages)),
  ...requests(searchKeys, [["a pattern of 513 bytes", { pattern: letters(513) }, "pattern"]]),
  ...[listKeys, searchKeys].map((method) => ({
    name: "a page token that was made up",
    method,
    request: { runId: targetRun, pageToken: "a.b.c" },
    field: "page_token",
    reason: "INVALID_PAGE_TOKEN",
  })),
];

function requests(
  method: InvalidRequest["method"],
  faults: readonly [name: string, fields: JsonObject, field: string][],
): readonly InvalidRequest[] {
  const sound: JsonObject = {
    runId: targetRun,
    ...(([writeKey, readKey, deleteKey] as readonly unknown[]).includes(method) && {
      key: "target",
    }),
  };
  return faults.map(([name, fields, field]) => ({
    name,
    method,
    request: { ...sound, ...fields },
    field,
  }));
}
