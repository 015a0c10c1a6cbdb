import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type WatchedFiles, watchFiles } from "../../src/system/watched-files.js";
import { createDeferred } from "../rpc/deferred.js";
import { createManualTimer } from "../server/manual-timer.js";

let folder = "";
let path = "";
let errors = 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-watched-"));
  path = join(folder, "file");
  errors = 0;
  await writeFile(path, "first");
});
afterEach(() => rm(folder, { recursive: true }));

async function watch(read: () => Promise<string>): Promise<WatchedFiles<string>> {
  const log = (level: string) => {
    if (level === "error") errors += 1;
  };
  return watchFiles({ paths: [path], read, timer: createManualTimer(), log });
}

it("changed files are read again at the next check if reading them has failed", async () => {
  const answers = [
    async () => "first",
    async () => Promise.reject(new Error("EMFILE: too many open files")),
    async () => Promise.reject(new Error("EMFILE: too many open files")),
    async () => "second",
  ];
  const files = await watch(async () => (await answers.shift()?.()) ?? "read too often");
  await writeFile(path, "longer text");
  await files.refresh();
  await files.refresh();
  expect([files.value, errors]).toEqual(["first", 1]);
  await files.refresh();
  await files.refresh();
  expect([files.value, errors]).toEqual(["second", 1]);
});

it("a slow read of files never replaces the result of a later read", async () => {
  const [begun, finish] = [createDeferred(), createDeferred<string>()];
  const readSlowly = () => {
    begun.resolve();
    return finish.promise;
  };
  const answers = [async () => "first", readSlowly, async () => "third"];
  const files = await watch(async () => (await answers.shift()?.()) ?? "read too often");
  await writeFile(path, "longer text");
  const first = files.refresh();
  await begun.promise;
  await writeFile(path, "an even longer text");
  const second = files.refresh();
  // If the second reading did not wait for the first reading, it would end within these 50 ms.
  await Promise.race([second, delay(50)]);
  finish.resolve("second");
  await Promise.all([first, second]);
  expect(files.value).toBe("third");
});
