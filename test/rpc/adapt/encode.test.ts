import {
  create,
  createRegistry,
  type DescMessage,
  type Message,
  toBinary,
  toJsonString,
} from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { HealthListResponseSchema } from "#gen/grpc/health/v1/health_pb.js";
import { BackupResponseSchema } from "#gen/vademecum/v1/backup_pb.js";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import {
  GetAllResponseSchema,
  RecallResponseSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalSchema } from "#gen/vademecum/v1/proposal_pb.js";
import { GetProposalResponseSchema } from "#gen/vademecum/v1/proposal_service_pb.js";
import { encodeBinary, encodedMaxBytes, requireEncodable } from "../../../src/rpc/adapt/encode.js";

const options = { alwaysEmitImplicit: true, registry: createRegistry() };

const memory = (number: number, content = `wine ${number}`) => ({
  id: `m${number}`,
  type: MemoryType.SEMANTIC,
  content,
  tags: ["a", 'quote " and \u2028'],
  metadata: { list: [1, null, { deep: ["x"] }] },
  createTime: { seconds: 1_700_000_000n, nanos: 5 },
});

/** Returns a chunk of a backup with `records` records of `bytes` bytes each. */
const backup = (records: number, bytes: number) =>
  create(BackupResponseSchema, {
    chunk: {
      chunk: {
        case: "records",
        value: {
          agent: "a",
          table: "memories",
          records: Array.from({ length: records }, (_, i) => ({
            key: `m${i}`,
            payload: Uint8Array.from({ length: bytes }, (__, at) => (at * 7 + i) % 256),
          })),
        },
      },
    },
  });

/** Responses with lists, nested messages, oneofs and maps, and empty responses. */
const responses: readonly (readonly [DescMessage, Message])[] = [
  [GetAllResponseSchema, create(GetAllResponseSchema)],
  [GetAllResponseSchema, create(GetAllResponseSchema, { memories: [memory(1), memory(2)] })],
  [
    RecallResponseSchema,
    create(RecallResponseSchema, {
      text: "wine",
      hits: [{ memory: memory(1), scores: { final: 0.5 } }, { tokens: 3 }],
      summary: { returned: 2, omitted: [{ id: "m3" }] },
    }),
  ],
  [
    GetProposalResponseSchema,
    create(GetProposalResponseSchema, {
      proposal: create(ProposalSchema, { id: "p", target: { case: "blockLabel", value: "notes" } }),
      conflict: { baseText: "a", proposedText: "b" },
    }),
  ],
  [HealthListResponseSchema, create(HealthListResponseSchema, { statuses: { a: { status: 1 } } })],
  [BackupResponseSchema, create(BackupResponseSchema)],
  [BackupResponseSchema, backup(3, 2)],
  [BackupResponseSchema, backup(2, 40_001)],
];

it("the upper bound of the size of a response holds in binary and in JSON", () => {
  for (const [schema, response] of responses) {
    const most = encodedMaxBytes(response);
    expect(toBinary(schema, response).byteLength).toBeLessThanOrEqual(most);
    const json = toJsonString(schema, response, options);
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(most);
  }
});

it("a response is refused if it is too large in the encoding of the call", () => {
  const tooLarge = expect.objectContaining({
    code: "RESOURCE_EXHAUSTED",
    reason: "RESPONSE_TOO_LARGE",
  }) as Error;
  const escaped = create(GetAllResponseSchema, { memories: [memory(1, "\u0001".repeat(700_000))] });
  expect(encodeBinary(GetAllResponseSchema, escaped).byteLength).toBeLessThan(800_000);
  requireEncodable(GetAllResponseSchema, escaped, undefined);
  expect(() => requireEncodable(GetAllResponseSchema, escaped, options)).toThrow(tooLarge);
  expect(() => requireEncodable(GetAllResponseSchema, escaped, options)).toThrow("call in binary");
  const large = create(GetAllResponseSchema, { memories: [memory(1, "x".repeat(4_194_304))] });
  expect(() => encodeBinary(GetAllResponseSchema, large)).toThrow(tooLarge);
  expect(() => requireEncodable(GetAllResponseSchema, large, undefined)).toThrow(tooLarge);
  const recall = create(RecallResponseSchema, { text: "x".repeat(4_194_304) });
  expect(() => encodeBinary(RecallResponseSchema, recall)).toThrow("use Search");
});
