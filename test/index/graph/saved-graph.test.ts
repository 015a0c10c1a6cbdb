import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { isFullSuite } from "../../suite.js";
import { describeWithGraphs } from "./graph-addon.js";
import { dimension, GraphFixture, notes, others, roomy, vectors } from "./graph-fixture.js";
import { unitVectors } from "./unit-vectors.js";

let graphs: GraphFixture;

beforeEach(() => {
  graphs = new GraphFixture();
});

afterEach(() => graphs.end());

describeWithGraphs("a saved graph of a namespace", () => {
  async function saved(): Promise<void> {
    await graphs.write(vectors);
    const index = graphs.openIndex();
    await graphs.settle(index);
    expect(graphs.thread.kinds.at(-1)).toBe("save");
    await index.close();
    graphs.restart();
  }

  function files(): string[] {
    return readdirSync(graphs.folder).flatMap((name) =>
      readdirSync(join(graphs.folder, name)).map((file) => join(graphs.folder, name, file)),
    );
  }

  test("a saved graph is loaded after a restart", async () => {
    await saved();
    const index = graphs.openIndex();
    await graphs.settle(index);
    expect(graphs.thread.kinds).toEqual(["load"]);
    await graphs.expectNearest(index, "near");
    expect(graphs.logged).toEqual([]);
  });

  test("a loaded graph gets only the changes since it was saved", async () => {
    await saved();
    const added = unitVectors(10, dimension, 9);
    await graphs.write(added, { from: 400 });
    await graphs.remove("m0", "m1", "m2");
    const index = graphs.openIndex();
    await graphs.settle(index);
    expect(graphs.thread.sent).toBe(10);
    expect(graphs.thread.kinds.filter((kind) => kind === "create")).toEqual([]);
    await graphs.expectNearest(index, "near");
  });

  test.runIf(isFullSuite)(
    "an interrupted build of a graph resumes from the last save",
    async () => {
      const many = unitVectors(12_000, dimension, 5);
      await graphs.write(many);
      const index = graphs.openIndex();
      await graphs.touch(index);
      const { thread } = graphs;
      // Changes requested during a save reach the worker after the save.
      const changesBehindSave = () =>
        thread.kinds.lastIndexOf("change") > thread.kinds.indexOf("save") &&
        thread.kinds.includes("save");
      await vi.waitFor(() => expect(changesBehindSave()).toBe(true), { timeout: 60_000 });
      await index.close();
      graphs.restart();
      const later = graphs.openIndex();
      await graphs.settle(later);
      expect(graphs.thread.kinds).not.toContain("create");
      expect(graphs.thread.sent).toBeLessThanOrEqual(2_000);
      const [nearest] = (await graphs.find(later, many.at(-1) as Float32Array)).ids;
      expect(nearest).toBe("m11999");
      expect(graphs.logged).toEqual([]);
    },
  );

  test("a saved graph is used in a new epoch of the data", async () => {
    await saved();
    graphs.store = createInMemoryStore("restored");
    await graphs.write(vectors.slice(0, 395));
    const index = graphs.openIndex();
    await graphs.settle(index);
    expect(graphs.thread.sent).toBe(0);
    await graphs.expectNearest(index, "near");
  });

  test("a damaged graph is rebuilt and saved again", async () => {
    await saved();
    for (const file of files()) {
      const bytes = readFileSync(file);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    }
    const index = graphs.openIndex();
    await graphs.settle(index);
    expect(graphs.thread.kinds.filter((kind) => kind !== "drop" && kind !== "change")).toEqual([
      "load",
      "create",
      "save",
    ]);
    expect(graphs.logged).toEqual([
      "warn: a saved graph is unusable and is rebuilt (the header of a saved graph does not match its checksum)",
    ]);
    await graphs.expectNearest(index, "near");
    await index.close();
    graphs.restart();
    const later = graphs.openIndex();
    await graphs.settle(later);
    expect(graphs.thread.kinds).toEqual(["load"]);
  });

  test("a saved graph is saved again once a twentieth of its vectors have changed", async () => {
    await graphs.write(vectors);
    const index = graphs.openIndex();
    await graphs.settle(index);
    graphs.thread.kinds = [];
    await graphs.write(unitVectors(20, dimension, 9), { from: 400 });
    await graphs.settle(index);
    expect(graphs.thread.kinds).not.toContain("save");
    await graphs.write(unitVectors(5, dimension, 10), { from: 420 });
    await graphs.settle(index);
    expect(graphs.thread.kinds.at(-1)).toBe("save");
  });

  test("a saved graph is deleted when its namespace is cleared", async () => {
    await saved();
    await graphs.clear(notes);
    await graphs.touch(graphs.openIndex());
    expect(files()).toEqual([]);
  });

  test("the saved graph of an empty namespace is deleted when an index opens", async () => {
    await saved();
    await graphs.write(vectors, { namespace: others });
    const index = graphs.openIndex();
    await graphs.settle(index, others);
    expect(readdirSync(graphs.folder).length).toBe(2);
    await index.close();
    await graphs.clear(notes);
    graphs.restart();
    await graphs.openIndex().settled();
    expect(readdirSync(graphs.folder).length).toBe(1);
  });

  test("a saved graph is loaded again after its namespace was evicted", async () => {
    await graphs.write(vectors);
    await graphs.write(vectors, { namespace: others });
    // This byte limit fits only one of the two namespaces.
    const index = graphs.openIndex(900_000);
    for (const namespace of [notes, others, notes]) {
      await graphs.settle(index, namespace);
      await graphs.expectNearest(index, "near", {}, namespace);
    }
    expect(graphs.thread.kinds.filter((kind) => kind === "create" || kind === "save")).toEqual([
      "create",
      "save",
      "create",
      "save",
    ]);
    expect(graphs.thread.sent).toBe(2 * vectors.length);
    expect(graphs.logged).toEqual([]);
  });

  test("an unwritable folder for graphs causes one warning", async () => {
    await graphs.write(vectors);
    writeFileSync(join(graphs.folder, "file"), "");
    const index = graphs.openIndex(roomy, join(graphs.folder, "file"));
    await graphs.settle(index);
    await graphs.expectNearest(index, "near");
    expect(graphs.logged).toEqual([
      expect.stringMatching(
        /^warn: a graph could not be saved; a restart may have to rebuild it \(ENOTDIR: .*\)$/,
      ),
    ]);
  });
});
