import { createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { randomExpression, slowExpressions } from "../filters/random-expression.js";
import { addAll, connectTo } from "../harness/client.js";
import { fillStore } from "../harness/fill-store.js";
import { sampleMemories } from "../harness/sample-memories.js";
import { randomNumbers } from "../harness/sample-texts.js";
import { startServer } from "../harness/server-process.js";
import { hostileTexts, textOf } from "./hostile-texts.js";
import type { FieldValues } from "./plain-request.js";

/** The names of the records that requests read. */
const userId = "worst";
const many = { userId, agentId: "many" };
const large = { userId, agentId: "large" };

/** How many records of each kind a folder has. */
export interface Sizes {
  /** Short memories of one namespace. */
  readonly memories: number;
  /** Memories of 64 KiB of another namespace. */
  readonly largeMemories: number;
  /** Blocks of 256 KiB, and pending proposals about them. */
  readonly blocks: number;
  readonly skills: number;
  readonly keys: number;
}

/** Ids of records in a filled folder, for the `id` fields of requests. */
export interface FolderRecords {
  /** The id of one memory in each of the two namespaces. */
  readonly memoryIds: readonly [string, string];
  readonly proposalIds: readonly string[];
}

/** Returns the sizes of `bench:worst` for a number of short memories. */
export function benchSizes(memories: number): Sizes {
  return { memories, largeMemories: 120, blocks: 20, skills: 300, keys: 3_000 };
}

/** Fills a data folder with records that are expensive to read. */
export async function fillFolder(data: string, sizes: Sizes): Promise<FolderRecords> {
  const memories = sampleMemories(sizes.memories, 1);
  await fillStore(data, many, memories);
  await using server = await startServer(data);
  using client = connectTo(server.grpcAddress);
  const largeIds = await addAll(client, largeMemories(sizes.largeMemories));
  const sessionManager = new Http2SessionManager(`http://${server.grpcAddress}`);
  const transport = createGrpcTransport({
    baseUrl: `http://${server.grpcAddress}`,
    sessionManager,
  });
  try {
    const proposalIds = await fillBlocks(transport, sizes);
    await fillOthers(transport, sizes);
    return {
      memoryIds: [memories[0]?.id ?? "", largeIds[0] ?? ""],
      proposalIds,
    };
  } finally {
    sessionManager.abort();
  }
}

/** Memories with the largest content, tags and metadata. */
function largeMemories(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    namespace: large,
    content: `${hostileText(i, 65_500)} wine ${i}`,
    tags: Array.from({ length: 32 }, (__, tag) => `${tag} ${i}`.padEnd(128, "t")),
    metadata: { a: Array.from({ length: 8_000 }, () => 0) },
  }));
}

/** Returns one of the hostile texts. */
function hostileText(number: number, bytes: number): string {
  return textOf(sampleAt(hostileTexts, number), bytes);
}

function sampleAt<T>(list: readonly T[], number: number): T {
  return list[number % list.length] as T;
}

type Transport = ReturnType<typeof createGrpcTransport>;

async function fillBlocks(transport: Transport, { blocks }: Sizes): Promise<string[]> {
  const service = createClient(BlockService, transport);
  const provider = createClient(MemoryProvider, transport);
  const ids: string[] = [];
  for (let i = 0; i < blocks; i++) {
    const label = i === 0 ? "large" : `large ${i}`;
    await service.putBlock({ userId, label, body: `wine\n${hostileText(i, 262_000)}` });
    const target = { case: "blockLabel", value: label } as const;
    const edit = { oldString: "wine\n", newString: "beer\n", reasoning: "to fill" };
    const { proposal } = await provider.proposeEdit({ namespace: many, target, ...edit });
    ids.push(proposal?.id ?? "");
  }
  return ids;
}

async function fillOthers(transport: Transport, { skills, keys }: Sizes): Promise<void> {
  const skillService = createClient(SkillService, transport);
  for (let i = 0; i < skills; i++) {
    const namespace = i % 10 === 0 ? large : many;
    const words = hostileText(1, i % 10 === 0 ? 30_000 : 200);
    await skillService.storeSkill({
      namespace,
      id: `skill ${i}`,
      context: `${words} ${i}`,
      lesson: words,
    });
  }
  const keyService = createClient(KeyValueService, transport);
  for (let i = 0; i < keys; i++) {
    const key = `${"a".repeat(240)}${i}`;
    await keyService.writeKey({ runId: userId, key, value: i === 0 ? "v".repeat(65_536) : "v" });
  }
  const memoryAccess = [1, 2, 3, 4, 5]
    .filter((memoryType) => memoryType !== MemoryType.TRACE)
    .map((memoryType) => ({ memoryType, enabled: true }));
  const manifest = { toolId: "tool", version: "1", memoryAccess };
  await createClient(ToolService, transport).registerTool({ manifest });
}

/**
 * Returns the values of fields for a service: first for requests about the short memories, then for
 * requests about the large memories.
 */
export function valuesFor(service: string, records: FolderRecords): readonly FieldValues[] {
  const [manyId, largeId] = records.memoryIds;
  return [
    { ...valuesOf(service, records, manyId), agent_id: [many.agentId] },
    { ...valuesOf(service, records, largeId), agent_id: [large.agentId] },
  ];
}

function valuesOf(service: string, { proposalIds }: FolderRecords, memoryId: string): FieldValues {
  const ids: Readonly<Record<string, readonly string[]>> = {
    ProposalService: proposalIds,
    SkillService: ["skill 0"],
  };
  return {
    id: ids[service] ?? [memoryId],
    memory_id: [memoryId],
    user_id: [userId],
    run_id: [userId],
    label: ["large"],
    block_label: ["large"],
    key: [`${"a".repeat(240)}0`],
    query: ["wine"],
    query_text: ["wine"],
    content: ["wine"],
    old_string: ["wine", "i", "a", "\n"],
    new_string: ["beer"],
    tool_id: ["tool"],
    tool_version: ["1"],
    version: ["1"],
    request_id: ["request"],
    pattern: ["*", "*a*a*a*a*a*a*a*b"],
    toolset: ["memory", "blocks", "key_value"],
    tool_name: toolNames,
    expression: expressions,
  };
}

const toolNames = [
  "search_memory",
  "correct_memory",
  "forget_memory",
  "add_memory",
  "write",
  "read",
  "list",
  "delete",
  "pattern_search",
  "list_memory_blocks",
  "read_memory_block",
  "propose_memory_edit",
  "no_tool",
];

const random = randomNumbers(3);
const expressions: readonly string[] = [
  ...slowExpressions,
  'source.matches("(a|a)*b")',
  ...Array.from({ length: 10 }, () => randomExpression(random)),
];
