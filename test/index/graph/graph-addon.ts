import { createRequire } from "node:module";
import { describe } from "vitest";
import type { HnswAddon } from "../../../src/index/graph/hnsw-graph.js";

/** The package that implements graphs; `undefined` where it could not be compiled. */
export const graphAddon = loadAddon();

/** A `describe` that is skipped where the optional package of graphs is missing. */
export const describeWithGraphs = describe.skipIf(graphAddon === undefined);

/** The package, for tests inside `describeWithGraphs`. */
export function requireAddon(): HnswAddon {
  if (graphAddon === undefined) throw new Error("hnswlib-node is not installed");
  return graphAddon;
}

function loadAddon(): HnswAddon | undefined {
  try {
    return createRequire(import.meta.url)("hnswlib-node") as HnswAddon;
  } catch {
    return undefined;
  }
}
