// Searches a graph once, prints what it found, and then has nothing to do.
import { createGraphWorker } from "../../../../src/index/graph/graph-worker.js";

const thread = createGraphWorker({ log: () => undefined });
const graph = thread.nextGraph();
const profile = { modelId: "test@1", dimension: 2 };
await thread.request("create", { graph, profile, capacity: 1 });
const vector = Float32Array.of(1, 0);
const added = { labels: Uint32Array.of(0), vectors: vector };
await thread.request("change", { graph, removed: new Uint32Array(0), ...added });
const found = await thread.request("search", { graph, vector, count: 1 });
process.stdout.write(JSON.stringify([...found]));
