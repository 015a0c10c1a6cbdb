import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
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

it("import reads dates with the year first or a month's name, without an offset as UTC, and no other", async () => {
  const shell = createShell();
  const folder = await mkdtemp(join(tmpdir(), "vademecum-import-dates-"));
  const path = join(folder, "mem0.json");
  const noon = Date.UTC(2026, 2, 2, 12) / 1000;
  const midnight = Date.UTC(2026, 2, 2) / 1000;
  const dates: readonly (readonly [string, number | undefined])[] = [
    ["2026-03-02", midnight],
    ["2026/03/02", midnight],
    ["2026-03-02 12:00", noon],
    ["2026-03-02T12:00:00.000000", noon],
    ["2026-03-02 14:00:00+02", noon],
    ["2026-03-02 12:00:00 UTC", noon],
    ["Mon, 02 Mar 2026 12:00:00 GMT", noon],
    ["March 2, 2026 12:00:00", noon],
    ["2 March 2026", midnight],
    ["Mon Mar 02 2026 13:00:00 GMT+0100 (Central European Standard Time)", noon],
    ["01/02/2024", undefined],
    ["1.2.2024", undefined],
    ["31-12-24", undefined],
    ["01/02/2024 12:00:00", undefined],
    ["2026", undefined],
    ["tomorrow", undefined],
  ];
  const zone = process.env["TZ"];
  process.env["TZ"] = "America/New_York";
  onTestFinished(async () => {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
    await rm(folder, { recursive: true });
  });
  await writeFile(
    path,
    JSON.stringify(dates.map(([date], at) => ({ id: `m${at}`, memory: date, created_at: date }))),
  );
  const { stdout: report } = await shell(["import", "--from", "mem0", path]);
  const stored = listedMemories((await shell(["list", "--all", "--json"])).stdout);
  const read = new Map(stored.map(({ content, eventTime }) => [content, eventTime?.seconds]));
  expect(read).toEqual(
    new Map(
      dates.map(([date, seconds]) => [date, seconds === undefined ? undefined : BigInt(seconds)]),
    ),
  );
  expect(report).toContain(
    "4 × a created_at that is a date that countries read differently: write it as YYYY-MM-DD",
  );
  expect(report).toContain("2 × a created_at that is no time");
  await writeFile(path, JSON.stringify([{ id: "x", memory: "x", expiration_date: "01/02/2999" }]));
  expect((await shell(["import", "--from", "mem0", path])).stdout).toContain(
    "1 × an expiration_date that is a date that countries read differently",
  );
});
