import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { connectTo } from "../harness/client.js";
import { percentile } from "../harness/cost.js";
import { fillStore } from "../harness/fill-store.js";
import { factor, printLine, printTable } from "../harness/report.js";
import { sampleMemories } from "../harness/sample-memories.js";
import { sampleTexts } from "../harness/sample-texts.js";
import { startServer } from "../harness/server-process.js";
import { createTemporaryFolder } from "../harness/temporary-folder.js";
import { graphThreshold, namespace, waitForGraph } from "./searches.js";

/** Adds before each measurement, so that the measured code is compiled. */
const warmUpAdds = 2_000;
const addCount = 1_000;
const graphsOff = ["--graph-threshold", "1000000000"];

/** The cost of an Add, when each Add starts after the one before has finished. */
export interface AddFigures {
  readonly namespace: string;
  /** The latency at the client, in milliseconds. */
  readonly p50: number;
  /** The CPU time of the server, in milliseconds. */
  readonly cpuMs: number;
}

/**
 * Measures Add in three namespaces of `size` memories: one without vectors, one whose vectors are
 * compared one by one, and one with a graph. The baseline is a namespace that has only the memories
 * of the warm-up. The warm-up also adds its memories to each of the other namespaces.
 *
 * @param filled a data folder with these memories, perhaps with a graph; it is copied
 */
export async function measureAdds(size: number, filled: string): Promise<readonly AddFigures[]> {
  using folder = createTemporaryFolder();
  const memories = sampleMemories(size, 1);
  const [small, keywords, vectors, graph] = ["small", "keywords", "vectors", "graph"].map((name) =>
    join(folder.path, name),
  ) as [string, string, string, string];
  await fillStore(small, namespace, memories.slice(0, 1));
  await fillStore(keywords, namespace, memories, false);
  if (existsSync(filled)) cpSync(filled, graph, { recursive: true });
  else await fillStore(graph, namespace, memories);
  cpSync(graph, vectors, { recursive: true });
  const count = size.toLocaleString("en");
  const baseline = [warmUpAdds + 1, warmUpAdds + addCount].map((it) => it.toLocaleString("en"));
  return [
    await measureAdd(`${baseline.join(" to ")}, vectors compared`, small, graphsOff),
    await measureAdd(`${count}, keywords only`, keywords, [...graphsOff, "--embedder", "none"]),
    await measureAdd(`${count}, vectors compared`, vectors, graphsOff),
    await measureAdd(
      `${count}, graph`,
      graph,
      ["--graph-threshold", String(Math.min(size, graphThreshold))],
      size,
    ),
  ];
}

/** Prints the costs as a table. */
export function reportAdds(adds: readonly AddFigures[]): void {
  const [base] = adds;
  printLine();
  printLine("Adds, one after another. Milliseconds.");
  printTable(
    ["namespace", "client p50", "server CPU", "CPU / the smallest"],
    adds.map(({ namespace: name, p50, cpuMs }) => [
      name,
      p50.toFixed(2),
      cpuMs.toFixed(2),
      factor(cpuMs, base?.cpuMs ?? Number.NaN),
    ]),
  );
}

/**
 * Measures Add on a data folder.
 *
 * @param graphOf the size of the namespace, if it has a graph; the first Add waits for the graph
 */
async function measureAdd(
  name: string,
  data: string,
  flags: readonly string[],
  graphOf?: number,
): Promise<AddFigures> {
  const texts = sampleTexts(warmUpAdds + addCount, 5);
  await using server = await startServer(data, flags);
  using client = connectTo(server.grpcAddress);
  if (graphOf !== undefined) await waitForGraph(client, texts[0] ?? "", graphOf);
  for (const content of texts.slice(0, warmUpAdds))
    await client.memories.add({ namespace, content });
  const times: number[] = [];
  const cpuBefore = server.cpuMicros();
  for (const content of texts.slice(warmUpAdds)) {
    const began = performance.now();
    await client.memories.add({ namespace, content });
    times.push(performance.now() - began);
  }
  return {
    namespace: name,
    p50: percentile(times, 50),
    cpuMs: (server.cpuMicros() - cpuBefore) / 1000 / addCount,
  };
}
