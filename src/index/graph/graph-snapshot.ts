import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Head } from "../../core/ports/store.js";
import { syncFolderBlocking } from "../../disk/folders.js";
import type { SavedLabels } from "../rows/vector-labels.js";
import { checkGraphFile, type FileSum, sumOfFile } from "./graph-file.js";
import { decodeHeader, encodeHeader, type GraphProfile } from "./graph-header.js";
import { type HnswAddon, HnswGraph } from "./hnsw-graph.js";

const headerName = "header";
const graphName = /^graph\.(\d+)$/;

/** A graph loaded from a folder. */
export interface SavedGraph {
  readonly graph: HnswGraph;
  readonly labels: SavedLabels;
  /**
   * The namespace's head when the graph was saved. The graph may lag behind this head. The
   * fingerprints in `labels` show which vectors it has.
   */
  readonly head: Head;
}

/**
 * Saves a graph in its own folder. After a crash, the folder holds either the new graph or the
 * previous one.
 *
 * Writes the graph to a file with a new name, checks the file and syncs it. Then replaces the
 * header of the folder. The header names the file of the graph and its checksum.
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
  syncFolderBlocking(folder);
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

/**
 * Loads the last graph saved in a folder. Returns `undefined` if there is none, or if it was built
 * with other parameters.
 *
 * @throws Error when the graph is damaged
 */
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
