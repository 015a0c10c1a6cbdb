import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createTestFolder, openTestStore } from "../store/level/level-folder.js";
import { acknowledgedCommits } from "./acknowledged-commits.js";
import { type CompiledChildren, compileChildren, runToEnd } from "./child-process.js";
import { plannedState, readState, userScope, users } from "./children/plan.js";
import { smallBuffers } from "./children/small-buffers.js";

let children: CompiledChildren;

beforeAll(async () => {
  children = await compileChildren();
});

afterAll(() => children.remove());

it("a data folder refuses a second process until the first is killed", async () => {
  const folder = await createTestFolder(onTestFinished);
  const writer = children.spawn("store-writer", [folder]);
  let refused: Promise<unknown> | undefined;
  let linesAtRefusal = 0;
  const { output } = await runToEnd(writer, (written) => {
    const lines = written.split("\n").length;
    refused ??= expect(openTestStore(folder, {}, smallBuffers))
      .rejects.toMatchObject({ code: "FAILED_PRECONDITION", reason: "FOLDER_IN_USE" })
      .then(() => {
        linesAtRefusal = lines;
      });
    return linesAtRefusal > 0 && lines > linesAtRefusal + 50;
  });
  await refused;
  const store = await openTestStore(folder, {}, smallBuffers);
  for (const userId of users) {
    await using snapshot = await store.snapshot(userScope(userId));
    expect(snapshot.head.seq).toBeGreaterThanOrEqual(acknowledgedCommits(output).get(userId) ?? 0);
    expect(await readState(snapshot, userId)).toEqual(plannedState(userId, snapshot.head.seq));
  }
  await store.close();
});
