import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listedMemories, useShells } from "./shell.js";

const createShell = useShells();

it("import drops a created_at such as 30 February, and skips a memory with such an expiration_date", async () => {
  const shell = createShell();
  const folder = await mkdtemp(join(tmpdir(), "vademecum-import-times-"));
  const path = join(folder, "mem0.json");
  const items = [
    { id: "one", memory: "Likes tea", user_id: "ada", created_at: "2026-02-30T08:15:30Z" },
    { id: "two", memory: "Likes milk", user_id: "ada", expiration_date: "2999-02-30" },
  ];
  await writeFile(path, JSON.stringify(items));
  expect((await shell(["import", "--from", "mem0", path])).stdout).toBe(
    [
      "Added 1 memory and 0 blocks.",
      "Skipped: 1",
      "  1 × an expiration_date that is no time (two)",
      "Not read, in memories that are stored: 1",
      "  1 × a created_at that is no time (one)",
      "",
    ].join("\n"),
  );
  const { stdout } = await shell(["list", "--json"]);
  const memories = listedMemories(stdout);
  expect(memories.map(({ content, eventTime }) => [content, eventTime])).toEqual([
    ["Likes tea", undefined],
  ]);
  await rm(folder, { recursive: true });
});
