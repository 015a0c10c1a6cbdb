/**
 * What does the whole context of a turn cost, beside a Recall of the same question? With 10,000
 * memories of one agent, 4 blocks, 100 skills and a thread of 40 turns. Also compares the token
 * count of every reply with an independent count, and repeats every call.
 */
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { ThreadService } from "#gen/vademecum/v1/thread_service_pb.js";
import { addAll, connectTo } from "./harness/client.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleQueries, sampleTexts } from "./harness/sample-texts.js";
import { startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";

const memoryCount = 10_000;
const budgetTokens = 2_000;
const warmUps = 300;
const runs = 500;
const namespace = { userId: "reader", agentId: "bench" };
const threadId = "thread";
/** Part of the default sections that MEMORIES gets at least, so that Recall packs as much. */
const recallBudgetTokens = budgetTokens / 2;

const texts = sampleTexts(memoryCount, 1);
const queries = sampleQueries(texts, 2);

printMachine();
using folder = createTemporaryFolder();
await using server = await startServer(join(folder.path, "data"));
const sessionManager = new Http2SessionManager(`http://${server.grpcAddress}`);
const transport = createGrpcTransport({
  baseUrl: `http://${server.grpcAddress}`,
  sessionManager,
});
const provider = createClient(MemoryProvider, transport);
await fill();

const recall = await measure((query) =>
  provider.recall({ search: { namespace, query, budgetTokens: recallBudgetTokens } }),
);
let differing = 0;
let miscounted = 0;
let mostTokens = 0;
const build = (query: string) =>
  provider.buildContext({ namespace, query, budgetTokens, threadId });
const context = await measure(build);
for (const query of queries.slice(0, runs)) {
  const [first, second] = [await build(query), await build(query)];
  if (first.text !== second.text) differing += 1;
  if (countTokens(first.text, { disallowedSpecial: new Set() }) !== first.tokenCount)
    miscounted += 1;
  mostTokens = Math.max(mostTokens, first.tokenCount);
}
sessionManager.abort();
report();

async function fill(): Promise<void> {
  using client = connectTo(server.grpcAddress);
  await addAll(
    client,
    texts.map((content) => ({ namespace, content })),
  );
  const blocks = createClient(BlockService, transport);
  const skills = createClient(SkillService, transport);
  const [userId, long] = [namespace.userId, sampleTexts(200, 3)];
  for (let at = 0; at < 4; at++)
    await blocks.putBlock({
      ...{ userId, label: `block ${at}` },
      body: long.slice(at * 10, at * 10 + 8).join("\n"),
    });
  for (let at = 0; at < 100; at++)
    await skills.storeSkill({
      namespace,
      ...{ context: long[at] ?? "", lesson: long[at + 100] ?? "" },
    });
  await createClient(ThreadService, transport).appendTurns({
    ...{ namespace, threadId },
    turns: sampleTexts(40, 4).map((content, at) => ({
      ...{ content, author: at % 2 === 0 ? "user" : "assistant" },
    })),
  });
}

/** Returns the latencies of calls at the client, one after another, in milliseconds. */
async function measure(call: (query: string) => Promise<unknown>) {
  const times: number[] = [];
  for (let run = 0; run < warmUps + runs; run++) {
    const query = queries[run % queries.length] ?? "";
    const startMs = performance.now();
    await call(query);
    if (run >= warmUps) times.push(performance.now() - startMs);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
  return { p50Ms: quantile(0.5), p95Ms: quantile(0.95) };
}

function report(): void {
  printLine(
    `${memoryCount.toLocaleString("en")} memories of about 30 tokens of one agent, 4 blocks, 100 ` +
      `skills, a thread of 40 turns. ${runs} calls one after another. Times at the client in ms.`,
  );
  printTable(
    ["call", "p50", "p95", "p50 / Recall"],
    [
      { name: `Recall, ${recallBudgetTokens} tokens`, ...recall },
      { name: `BuildContext, ${budgetTokens} tokens`, ...context },
    ].map(({ name, p50Ms, p95Ms }) => [
      ...[name, p50Ms.toFixed(2), p95Ms.toFixed(2)],
      factor(p50Ms, recall.p50Ms),
    ]),
  );
  printLine();
  printLine(
    `Contexts whose token count differs from an independent count: ${miscounted} of ${runs}. ` +
      `Contexts that differ when the call is repeated: ${differing}. ` +
      `Largest context: ${mostTokens} of ${budgetTokens} tokens.`,
  );
  saveResults("context", {
    ...{ memories: memoryCount, runs, budgetTokens, recall, context },
    ...{ miscounted, differing, mostTokens },
  });
}
