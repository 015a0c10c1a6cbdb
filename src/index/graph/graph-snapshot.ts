import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Head } from "../../core/ports/store.js";
import type { SavedLabels } from "../rows/vector-labels.js";
import { checkGraphFile, type FileSum, sumOfFile } from "./graph-file.js";
import { decodeHeader, encodeHeader, type GraphProfile } from "./graph-header.js";
import { type HnswAddon, HnswGraph } from "./hnsw-graph.js";

const headerName = "header";
const graphName = /^graph\.(\d+)$/;

/** A graph as it was saved. */
export interface SavedGraph {
  readonly graph: HnswGraph;
  readonly labels: SavedLabels;
  /** The last commit that the namespace had when it was saved. It may have less: labels and fingerprints tell what. */
  readonly head: Head;
}

/**
 * Saves a graph in a folder of its own, so that after a crash it is there whole, or the one before is.
 * The graph is written to a file with a name of its own, checked and synced; the header, which names that file and its checksum, then takes the place of the one before.
 */
export function saveGraph(
  folder: string,
  profile: GraphProfile,
  { graph, labels, head }: SavedGraph,
): void {
  mkdirSync(folder, { recursive: true });
  const serial = 1 + Math.max(0, ...graphSerials(folder));
  const path = graphPath(folder, serial);
  const { count } = graph;
  const file = writeGraph(path, profile, graph);
  const headerPath = join(folder, headerName);
  const temporary = `${headerPath}.tmp`;
  writeFileSync(temporary, encodeHeader(profile, { count, labels, head, serial, file }), {
    flush: true,
  });
  renameSync(temporary, headerPath);
  syncFolder(folder);
  for (const old of graphSerials(folder)) if (old !== serial) rmSync(graphPath(folder, old));
}

function writeGraph(path: string, { dimension }: GraphProfile, graph: HnswGraph): FileSum {
  try {
    graph.write(path);
    return checkGraphFile(path, dimension, graph.count);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

/** The graph that was saved in a folder last; `undefined` if there is none, or one that was made otherwise. @throws Error for one that is damaged */
export function loadGraph(
  folder: string,
  profile: GraphProfile,
  addon: HnswAddon,
): SavedGraph | undefined {
  const headerPath = join(folder, headerName);
  if (!existsSync(headerPath)) return undefined;
  const header = decodeHeader(profile, readFileSync(headerPath));
  if (header === undefined) return undefined;
  const { labels, head, serial, count, file } = header;
  const path = graphPath(folder, serial);
  const { bytes, checksum } = sumOfFile(path);
  if (bytes !== file.bytes || checksum !== file.checksum)
    throw new Error("a saved graph does not match its checksum");
  const graph = HnswGraph.read(addon, profile.dimension, path, labels.next);
  if (graph.count !== count)
    throw new Error(`a saved graph of ${count} vectors has ${graph.count}`);
  return { graph, labels, head };
}

function graphPath(folder: string, serial: number): string {
  return join(folder, `graph.${serial}`);
}

function graphSerials(folder: string): number[] {
  return readdirSync(folder).flatMap((name) => {
    const [, serial] = graphName.exec(name) ?? [];
    return serial === undefined ? [] : [Number(serial)];
  });
}

/** Makes names that changed in a folder durable. */
function syncFolder(folder: string): void {
  // Windows has no such call, and opening a folder there fails.
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
