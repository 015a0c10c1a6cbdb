import {
  create,
  createRegistry,
  type DescMessage,
  fromBinary,
  fromJsonString,
  type Message,
  type MessageInitShape,
  toBinary,
  toJsonString,
} from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { HealthListResponseSchema } from "#gen/grpc/health/v1/health_pb.js";
import { BackupResponseSchema } from "#gen/vademecum/v1/backup_pb.js";
import { ListBlocksResponseSchema } from "#gen/vademecum/v1/block_service_pb.js";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import {
  GetAllResponseSchema,
  RecallResponseSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalSchema } from "#gen/vademecum/v1/proposal_pb.js";
import { GetProposalResponseSchema } from "#gen/vademecum/v1/proposal_service_pb.js";
import { encodeBinary, encodeLarge, isLargeMessage } from "../../../src/rpc/adapt/encode.js";
import { withTurns } from "../../core/event-loop-turns.js";

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

it("a response encoded in pieces decodes to the same response", async () => {
  for (const [schema, response] of responses) {
    const binary = await encodeLarge(schema, response, undefined);
    expect(toBinary(schema, fromBinary(schema, binary))).toEqual(toBinary(schema, response));
    const json = (await encodeLarge(schema, response, options)).toString();
    expect(JSON.parse(json)).toEqual(JSON.parse(toJsonString(schema, response, options)));
    expect(toBinary(schema, fromJsonString(schema, json))).toEqual(toBinary(schema, response));
  }
});

it("other calls get their turn while a large response is encoded", async () => {
  const items = 40;
  const blocks = Array.from({ length: items }, () => ({ body: "b".repeat(10_000) }));
  const large: readonly (readonly [DescMessage, Message])[] = [
    [ListBlocksResponseSchema, create(ListBlocksResponseSchema, { blocks })],
    [BackupResponseSchema, backup(items, 10_000)],
  ];
  for (const [schema, response] of large)
    for (const json of [undefined, options]) {
      const { turns } = await withTurns(() => encodeLarge(schema, response, json));
      expect(turns).toBeGreaterThan(items / 4);
    }
});

it("a long text of a response is written as JSON in pieces", async () => {
  // The characters of one text begin at even offsets, and those of the other at odd offsets. So in
  // one of the texts, a piece ends between the two UTF-16 code units of a character.
  for (const start of ["", "a"]) {
    const content = start + '\u{1f377}" \\\n'.repeat(40_000);
    const response = create(GetAllResponseSchema, { memories: [memory(1, content)] });
    const { reply, turns } = await withTurns(() =>
      encodeLarge(GetAllResponseSchema, response, options),
    );
    const decoded = fromJsonString(GetAllResponseSchema, reply.toString());
    // `toBe` would print the whole text if the texts differed.
    expect(decoded.memories[0]?.content === content).toBe(true);
    expect(turns).toBeGreaterThan(4);
  }
});

it("only large responses are encoded in pieces", async () => {
  const isLarge = (fields: MessageInitShape<typeof GetAllResponseSchema>) =>
    isLargeMessage(GetAllResponseSchema, create(GetAllResponseSchema, fields));
  expect(isLarge({ memories: [memory(1, "a".repeat(60_000))] })).toBe(false);
  expect(isLarge({ memories: [memory(1, "a".repeat(300_000))] })).toBe(true);
  expect(isLarge({ memories: [{ tags: ["a".repeat(300_000)] }] })).toBe(true);
  expect(isLarge({ memories: Array.from({ length: 5_000 }, () => ({})) })).toBe(true);
  const zeros = Array.from({ length: 50_000 }, () => 0);
  expect(isLarge({ memories: [{ metadata: { a: zeros } }] })).toBe(true);
  expect(isLarge({ memories: [{ metadata: { ["k".repeat(300_000)]: 0 } }] })).toBe(true);
  for (const [schema, response] of responses) expect(isLargeMessage(schema, response)).toBe(false);
  expect(isLargeMessage(BackupResponseSchema, backup(4, 80_000))).toBe(true);
  const label = "l".repeat(300_000);
  const proposal = create(ProposalSchema, { target: { case: "blockLabel", value: label } });
  expect(isLargeMessage(ProposalSchema, proposal)).toBe(true);
  const statuses = { [label]: { status: 1 } };
  const list = create(HealthListResponseSchema, { statuses });
  expect(isLargeMessage(HealthListResponseSchema, list)).toBe(true);
  const small = create(GetAllResponseSchema, { memories: [memory(1, "a")] });
  expect(encodeBinary(GetAllResponseSchema, small)).toBeInstanceOf(Buffer);
});
