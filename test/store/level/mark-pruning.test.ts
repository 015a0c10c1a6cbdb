import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Namespace, Scope } from "../../../src/core/model/namespace.js";
import { openDatabase, scanChunks } from "../../../src/store/level/folder/database.js";
import { markRange } from "../../../src/store/level/format/keys.js";
import { markWindowBytes } from "../../../src/store/level/format/marks.js";
import { isFullSuite } from "../../suite.js";
import { createTestFolder, openTestStore } from "./level-folder.js";

const kim: Scope = { kind: "user", userId: "kim" };
const notes: Namespace = { userId: "kim", agentId: "notes" };
const recordBytes = 4 * 1024 * 1024;

it.runIf(isFullSuite)(
  "the store keeps the marks of the last bytes that it wrote, removes earlier marks, and can be reopened",
  async () => {
    const folder = await createTestFolder(onTestFinished);
    const store = await openTestStore(folder);
    const commits = markWindowBytes / recordBytes + 5;
    const vector = new Float32Array(recordBytes / Float32Array.BYTES_PER_ELEMENT);
    for (let commit = 0; commit < commits; commit++) {
      await store.update(kim, async (tx) =>
        tx.put("vectors", notes, String(commit), vector.fill(commit)),
      );
    }
    await store.close();
    const reopened = await openTestStore(folder);
    expect(
      (await reopened.update(kim, async (tx) => tx.delete("vectors", notes, "0"))).head.seq,
    ).toBe(commits + 1);
    await reopened.close();
    const database = await openDatabase(join(folder, "records"), { createIfMissing: false });
    let marks = 0;
    for await (const entries of scanChunks(database, markRange)) marks += entries.length;
    await database.close();
    // The window holds the marks of the last commits, one for each record. The deletion adds one.
    expect(marks).toBe(markWindowBytes / recordBytes + 1);
  },
);
