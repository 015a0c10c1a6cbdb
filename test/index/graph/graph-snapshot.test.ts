import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkGraphFile } from "../../../src/index/graph/graph-file.js";
import type { GraphProfile } from "../../../src/index/graph/graph-header.js";
import { loadGraph, saveGraph } from "../../../src/index/graph/graph-snapshot.js";
import { HnswGraph } from "../../../src/index/graph/hnsw-graph.js";
import type { SavedLabels } from "../../../src/index/rows/vector-labels.js";
import { bySuite } from "../../suite.js";
import { describeWithGraphs, requireAddon } from "./graph-addon.js";
import { unitVectors } from "./unit-vectors.js";

const profile: GraphProfile = { modelId: "test@1", dimension: 8 };
const vectors = unitVectors(200, 8, 1);
const labels: SavedLabels = {
  next: 200,
  labels: Uint32Array.from(vectors.keys()),
  fingerprints: Float64Array.from(vectors, (_, label) => label * 2 ** 40 + 7),
};

const head = { epoch: "epoch", seq: 42 };

let root: string;
let folder: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "vademecum-graph-"));
  folder = join(root, "saved");
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function graphOf(count: number): HnswGraph {
  const graph = HnswGraph.create(requireAddon(), 8, count);
  for (const [label, vector] of vectors.slice(0, count).entries()) graph.add(label, vector);
  return graph;
}

function save(graph = graphOf(200)): void {
  saveGraph(folder, profile, { graph, labels, head });
}

function graphFile(): string {
  const [name] = readdirSync(folder).filter((file) => file.startsWith("graph."));
  return join(folder, name ?? "");
}

function flip(path: string, offset: number): void {
  const bytes = readFileSync(path);
  bytes[offset] = (bytes[offset] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

describeWithGraphs("a saved graph", () => {
  test("a saved graph loads with its labels and its head", () => {
    save();
    const saved = loadGraph(folder, profile, requireAddon());
    expect(saved?.labels).toEqual(labels);
    expect(saved?.head).toEqual(head);
    expect(saved?.graph.count).toBe(200);
    expect([...(saved?.graph.search(vectors[42] as Float32Array, 1) ?? [])]).toEqual([42]);
  });

  test("a saved graph replaces the previous graph", () => {
    save(graphOf(100));
    save(graphOf(150));
    expect(loadGraph(folder, profile, requireAddon())?.graph.count).toBe(150);
    expect(readdirSync(folder).sort()).toEqual([expect.stringMatching(/^graph\.\d+$/), "header"]);
  });

  test("a missing or empty folder has no saved graph", () => {
    expect(loadGraph(folder, profile, requireAddon())).toBeUndefined();
    mkdirSync(folder);
    expect(loadGraph(folder, profile, requireAddon())).toBeUndefined();
  });

  test("a saved graph is not loaded for another model or dimension", () => {
    save();
    // The addon itself would read such a file, and would answer searches.
    expect(loadGraph(folder, { ...profile, dimension: 16 }, requireAddon())).toBeUndefined();
    expect(loadGraph(folder, { ...profile, modelId: "test@2" }, requireAddon())).toBeUndefined();
  });

  // With some of these files, the addon would write past the end of its memory.
  test("a saved graph is refused if a byte is changed or the end is cut off, at each sampled offset", () => {
    save();
    const good = join(root, "good");
    const names = readdirSync(folder);
    mkdirSync(good);
    for (const name of names) copyFileSync(join(folder, name), join(good, name));
    for (const name of names) {
      const { length } = readFileSync(join(good, name));
      const step = Math.ceil(length / bySuite({ quick: 10, full: 50 }));
      const first = bySuite({ quick: 10, full: 1 });
      for (let offset = 0; offset < length; offset += offset < 100 ? first : step) {
        flip(join(folder, name), offset);
        expect(
          () => loadGraph(folder, profile, requireAddon()),
          `${name} flipped at ${offset}`,
        ).toThrow();
        copyFileSync(join(good, name), join(folder, name));
        truncateSync(join(folder, name), offset);
        expect(
          () => loadGraph(folder, profile, requireAddon()),
          `${name} cut at ${offset}`,
        ).toThrow();
        copyFileSync(join(good, name), join(folder, name));
      }
    }
    expect(loadGraph(folder, profile, requireAddon())?.graph.count).toBe(200);
  });

  test("a saved graph is refused without its graph file", () => {
    save();
    rmSync(graphFile());
    expect(() => loadGraph(folder, profile, requireAddon())).toThrow();
  });

  test("a saved graph remains usable after an interrupted save", () => {
    save(graphOf(100));
    const before = readdirSync(folder);
    // A killed process leaves a graph without a header, or a header under its temporary name.
    writeFileSync(join(folder, "graph.99"), "half a graph");
    writeFileSync(join(folder, "header.tmp"), "half a header");
    expect(loadGraph(folder, profile, requireAddon())?.graph.count).toBe(100);
    save(graphOf(120));
    expect(loadGraph(folder, profile, requireAddon())?.graph.count).toBe(120);
    expect(readdirSync(folder).length).toBe(before.length);
  });
});

// When the addon writes a file, it reports success even if the disk is full or the folder is
// missing.
describeWithGraphs("saving a graph", () => {
  test.skipIf(!existsSync("/dev/full"))("saving a graph fails on a full disk", () => {
    expect(() => checkedAfterWriting("/dev/full")).toThrow("cut off");
  });

  test("a failed save leaves the previous graph in place", () => {
    save(graphOf(100));
    mkdirSync(join(folder, "header.tmp"));
    expect(() => save(graphOf(150))).toThrow("EISDIR");
    expect(loadGraph(folder, profile, requireAddon())?.graph.count).toBe(100);
  });

  test("saving a graph fails in a missing folder", () => {
    expect(() => checkedAfterWriting(join(root, "nowhere", "graph.1"))).toThrow("ENOENT");
  });

  test("the check after saving a graph fails if the file is too short, at any length", () => {
    const path = join(root, "graph");
    const graph = graphOf(200);
    graph.write(path);
    const { length } = readFileSync(path);
    expect(checkGraphFile(path, 8, 200).bytes).toBe(length);
    for (const left of [
      0,
      50,
      96,
      5_000,
      length - 900,
      length - 500,
      length - 5,
      length - 4,
      length - 1,
    ]) {
      graph.write(path);
      truncateSync(path, left);
      expect(() => checkGraphFile(path, 8, 200), `after ${left} bytes`).toThrow("cut off");
    }
  });

  function checkedAfterWriting(path: string): unknown {
    const graph = graphOf(200);
    graph.write(path);
    return checkGraphFile(path, 8, graph.count);
  }
});
