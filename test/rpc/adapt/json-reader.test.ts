import { fromJson, type JsonObject, toJson } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { HoldWritesRequestSchema, RestoreRequestSchema } from "#gen/vademecum/v1/backup_pb.js";
import {
  AddRequestSchema,
  MemoryProvider,
  WatchMemoriesRequestSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { decodeJson } from "../../../src/rpc/adapt/decode.js";
import { readJson } from "../../../src/rpc/adapt/json-reader.js";
import { arbitraryRequest } from "../../e2e/bad-input/arbitrary-request.js";
import { bySuite } from "../../suite.js";

const methods = [...MemoryProvider.methods, ...ToolService.methods, ...AdminService.methods];

describe("the reader of JSON", () => {
  it.each(methods)(
    "the reader of JSON finds no fault in a request that the decoder accepts: $name",
    ({ input }) => {
      fc.assert(
        fc.property(arbitraryRequest(input), (request) => {
          let json: JsonObject;
          try {
            json = toJson(input, request) as JsonObject;
            fromJson(input, json);
          } catch {
            return;
          }
          const reading = readJson(input, json);
          expect(reading.faults.count).toBe(0);
          expect(reading.faultyParts).toEqual([]);
          expect(fromJson(input, reading.json)).toEqual(fromJson(input, json));
        }),
      );
    },
  );

  it("the reader of JSON accepts texts for number fields, as the decoder does", () => {
    const json = { importance: "0.5", embedding: ["1", "-2.5e-1"], status: "active" };
    const bytes = Buffer.from(JSON.stringify(json));
    expect(decodeJson(AddRequestSchema, bytes, {})).toMatchObject({
      importance: 0.5,
      embedding: [1, -0.25],
      status: 1,
    });
  });

  it.each([-1, 2 ** 32, 1.5, "x", true])(
    "the reader of JSON names the field of an invalid number: %j",
    (first) => {
      const { faults } = readJson(HoldWritesRequestSchema, { range: { first, last: 2 ** 32 - 1 } });
      expect(faults.describe().details.fields).toEqual([
        {
          field: "range.first",
          description: expect.stringContaining("whole number of at least 0") as unknown,
        },
      ]);
    },
  );

  it.each(["1h", "20", 5, "s", "1e3s", "315576000001s", { seconds: 5 }])(
    "the reader of JSON names the field of an invalid duration: %j",
    (heartbeat) => {
      const { faults } = readJson(WatchMemoriesRequestSchema, { userId: "ada", heartbeat });
      expect(faults.describe().details.fields).toEqual([
        {
          field: "heartbeat",
          description: expect.stringContaining(
            'seconds with the unit s, such as "1.5s"',
          ) as unknown,
        },
      ]);
    },
  );

  it.each(["a!", "a", 7, ["AA=="]])(
    "the reader of JSON names the field of bytes that are not base64: %j",
    (payload) => {
      const { faults } = readJson(RestoreRequestSchema, {
        chunk: { records: { records: [{ payload }] } },
      });
      expect(faults.describe().details.fields).toEqual([
        {
          field: "chunk.records.records[0].payload",
          description: expect.stringContaining("a text in base64") as unknown,
        },
      ]);
    },
  );

  it("the reader of JSON counts any number of faults, and describes ten", () => {
    const count = bySuite({ quick: 20_000, full: 500_000 });
    const { faults } = readJson(AddRequestSchema, {
      tags: Array.from({ length: count }, () => null),
    });
    expect(faults.count).toBe(count);
    expect(faults.describe().details.fields).toHaveLength(10);
  });
});
