import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AuditTrailHandle, openAuditTrail } from "../../src/audit/audit-trail.js";
import { writeLine } from "../../src/audit/chain.js";
import { findLines, type LineQuery } from "../../src/audit/find-lines.js";
import { verifyTrail } from "../../src/audit/verify-trail.js";
import type { AuditEvent } from "../../src/core/ports/audit.js";
import { createManualTimer, type ManualTimer } from "../server/manual-timer.js";

const dayMs = 24 * 3_600_000;
const noonMs = Date.UTC(2026, 10, 27, 12);

let parent: string;
let folder: string;
let nowMs: number;
let timer: ManualTimer;
let logged: { readonly message: string; readonly [field: string]: unknown }[];
let figures: [string, number][];
const open: AuditTrailHandle[] = [];

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "vademecum-audit-"));
  folder = join(parent, "data", "audit");
  nowMs = noonMs;
  timer = createManualTimer();
  logged = [];
  figures = [];
});

afterEach(async () => {
  for (const trail of open.splice(0)) await trail.close();
  await rm(parent, { recursive: true });
});

async function openTrail(keepMs = 365 * dayMs): Promise<AuditTrailHandle> {
  const trail = await openAuditTrail({
    ...{ folder, keepMs, timer, clock: { nowMs: () => nowMs } },
    log: (level, message, fields) => logged.push({ level, message, ...fields }),
    meter: (figure, value) => figures.push([figure, value]),
  });
  open.push(trail);
  return trail;
}

async function close(trail: AuditTrailHandle): Promise<void> {
  open.splice(open.indexOf(trail), 1);
  await trail.close();
}

const approval = (user: string, ...ids: readonly string[]): AuditEvent => ({
  method: "/vademecum.v1.ProposalService/ApproveProposal",
  principal: { name: "key:rev", tenant: "" },
  outcome: "OK",
  subject: { user, ids },
});

const fileOf = (day: string): string => join(folder, `${day}.jsonl`);
const today = "2026-11-27";

async function linesOf(day: string): Promise<string[]> {
  return (await readFile(fileOf(day), "utf8")).split("\n").slice(0, -1);
}

async function found(query: Partial<LineQuery>): Promise<readonly unknown[]> {
  const numbers: unknown[] = [];
  for await (const line of findLines(folder, { tenant: "", ...query }))
    numbers.push(line["number"]);
  return numbers;
}

/** Writes five lines, lets `change` replace them, and returns the first fault. */
async function faultAfter(change: (lines: readonly string[]) => readonly string[]) {
  const trail = await openTrail();
  for (const user of ["ann", "ben", "cid", "dan", "eve"]) await trail.noteDurably(approval(user));
  await close(trail);
  expect((await verifyTrail(folder)).fault).toBeUndefined();
  const lines = change(await linesOf(today));
  await writeFile(fileOf(today), lines.map((line) => `${line}\n`).join(""));
  const { fault } = await verifyTrail(folder);
  return fault && { line: fault.line, what: fault.what };
}

describe("the chain of the audit trail", () => {
  it("verify names the lines that were removed", async () => {
    expect(await faultAfter((lines) => lines.toSpliced(1, 2))).toEqual({
      line: 2,
      what: "lines number 2 to 3 were removed before this line",
    });
  });

  it("verify names the lines that were removed from the beginning", async () => {
    expect(await faultAfter((lines) => lines.slice(1))).toEqual({
      line: 1,
      what: "line number 1 was removed before this line",
    });
  });

  it.each([0, 2, 4])("verify names a changed line: %i", async (index) => {
    const change = (line: string) => line.replace("key:rev", "key:eve");
    expect(await faultAfter((lines) => lines.with(index, change(lines[index] ?? "")))).toEqual({
      line: index + 1,
      what: `line number ${index + 1} was changed`,
    });
  });

  it("verify names a line whose hash was made anew", async () => {
    expect(
      await faultAfter((lines) => {
        const {
          number,
          hash: _,
          previous,
          ...fields
        } = JSON.parse(lines[2] ?? "") as {
          readonly number: number;
          readonly hash: string;
          readonly previous: string;
        };
        const forged = writeLine(
          { number: number - 1, hash: previous },
          { ...fields, reason: "X" },
        );
        return lines.with(2, forged.text);
      }),
    ).toEqual({ line: 3, what: "line number 3 was changed, with its hash" });
  });

  it("verify names an added line", async () => {
    expect(await faultAfter((lines) => lines.toSpliced(3, 0, lines[1] ?? ""))).toEqual({
      line: 4,
      what: "line number 2 was added: the number was there before",
    });
    await rm(folder, { recursive: true });
    expect(await faultAfter((lines) => lines.toSpliced(3, 0, '{"approved":true}'))).toEqual({
      line: 4,
      what: "this is no line of the audit trail",
    });
  });

  it("the chain goes on after a restart, over several days", async () => {
    for (const day of [0, 1, 2]) {
      nowMs = noonMs + day * dayMs;
      const trail = await openTrail();
      await trail.noteDurably(approval("ann"));
      await close(trail);
    }
    expect((await readdir(folder)).filter((name) => name.endsWith(".jsonl"))).toEqual(
      [today, "2026-11-28", "2026-11-29"].map((day) => `${day}.jsonl`),
    );
    expect(await verifyTrail(folder)).toMatchObject({ lines: 3, first: 1, last: { number: 3 } });
    await rm(fileOf("2026-11-28"));
    expect((await verifyTrail(folder)).fault).toMatchObject({
      what: "line number 2 was removed before this line",
    });
  });

  it("lines that were removed while the server runs are missed", async () => {
    const trail = await openTrail();
    for (const user of ["ann", "ben"]) await trail.noteDurably(approval(user));
    const [first = ""] = await linesOf(today);
    await writeFile(fileOf(today), `${first}\n`);
    await trail.noteDurably(approval("cid"));
    expect((await verifyTrail(folder)).fault).toMatchObject({
      what: "line number 2 was removed before this line",
    });
    expect(logged.map(({ message }) => message)).toEqual([
      "another process has changed or removed a file of the audit trail",
    ]);
  });

  it("the beginning of a line that a crash has left is removed and noted", async () => {
    const trail = await openTrail();
    await trail.noteDurably(approval("ann"));
    await close(trail);
    await appendFile(fileOf(today), '{"number":2,"time":"20');
    expect(await verifyTrail(folder)).toMatchObject({ lines: 1, tornBytes: 22 });
    const later = await openTrail();
    await later.noteDurably(approval("ben"));
    const [, torn, last] = await linesOf(today);
    expect(JSON.parse(torn ?? "")).toMatchObject({ number: 2, event: "torn", bytes: 22 });
    expect(JSON.parse(last ?? "")).toMatchObject({ number: 3, principal: "key:rev" });
    expect(await verifyTrail(folder)).toMatchObject({ lines: 3, tornBytes: 0 });
    expect((await verifyTrail(folder)).fault).toBeUndefined();
    expect(logged).toContainEqual({
      level: "warn",
      message: "the audit trail ended within a line, as after a crash",
      bytes: 22,
    });
  });
});

describe("the files of the audit trail", () => {
  it("a day has a file of its own, and files that are too old are removed", async () => {
    const trail = await openTrail(2 * dayMs);
    for (const day of [0, 1, 2, 3]) {
      nowMs = noonMs + day * dayMs;
      await trail.noteDurably(approval("ann"));
    }
    const days = ["2026-11-28", "2026-11-29", "2026-11-30"];
    const files = (await readdir(folder)).filter((name) => name.endsWith(".jsonl"));
    expect(files).toEqual(days.map((day) => `${day}.jsonl`));
    expect(await linesOf("2026-11-30")).toHaveLength(2);
    const report = await verifyTrail(folder);
    expect(report).toMatchObject({ first: 2, lines: 4 });
    expect(report.fault).toBeUndefined();
    // Only what the server says it has removed may be missing.
    await rm(fileOf("2026-11-28"));
    expect((await verifyTrail(folder)).fault).toMatchObject({
      what: "lines number 1 to 2 were removed before this line",
    });
  });

  it("pruning removes the files that are too old, and a dry run only counts them", async () => {
    const trail = await openTrail(2 * dayMs);
    await trail.noteDurably(approval("ann"));
    expect(await trail.removeOldFiles(true)).toBe(0);
    await writeFile(fileOf("2026-11-20"), "");
    expect(await trail.removeOldFiles(true)).toBe(1);
    expect(await trail.removeOldFiles(false)).toBe(1);
    expect(await trail.removeOldFiles(false)).toBe(0);
    expect(await readdir(folder)).not.toContain("2026-11-20.jsonl");
  });

  it("only the owner can read the files", async () => {
    const trail = await openTrail();
    await trail.noteDurably(approval("ann"));
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
      expect((await stat(join(entry.parentPath, entry.name))).mode & 0o777).toBe(
        entry.isDirectory() ? 0o700 : 0o600,
      );
  });

  it("lines that nobody waits for are written together, a second after the first", async () => {
    const trail = await openTrail();
    for (const user of ["ann", "ben", "cid"]) trail.note(approval(user));
    expect(timer.waiting).toEqual([1000]);
    expect(await found({})).toEqual([]);
    timer.pass(1000);
    await close(trail);
    expect(await found({})).toEqual([1, 2, 3]);
  });

  it("many lines do not wait for the end of the second", async () => {
    const trail = await openTrail();
    for (let i = 0; i < 450; i++) trail.note(approval("ann"));
    await close(trail);
    expect(await found({ user: "ann" })).toHaveLength(450);
    expect(timer.waiting).toEqual([]);
  });

  it("a decision is on disk when its note resolves, after the lines before it", async () => {
    const trail = await openTrail();
    trail.note(approval("ann"));
    await trail.noteDurably(approval("ben"));
    expect(await found({})).toEqual([1, 2]);
    expect(timer.waiting).toEqual([]);
  });
});

describe("a disk that fails", () => {
  it("loses lines, counts and logs them, and notes their number when it works again", async () => {
    await writeFile(join(parent, "data"), "no folder");
    const trail = await openTrail();
    for (const user of ["ann", "ben"]) await trail.noteDurably(approval(user));
    expect(figures).toEqual(expect.arrayContaining([["auditLost", 1]]));
    expect(figures.reduce((sum, [, value]) => sum + value, 0)).toBe(2);
    expect(logged.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^cannot write the audit trail; its lines are lost until this works: E/,
      ),
    ]);
    await rm(join(parent, "data"));
    await trail.noteDurably(approval("cid"));
    const [lost, line] = await linesOf(today);
    expect(JSON.parse(lost ?? "")).toMatchObject({ number: 1, event: "lost", lines: 2 });
    expect(JSON.parse(line ?? "")).toMatchObject({ number: 2, outcome: "OK" });
    expect(logged.at(-1)).toMatchObject({ message: "the audit trail is written again", lost: 2 });
  });

  it("leaves a chain that holds, if the file of a new day cannot be written", async () => {
    const trail = await openTrail();
    await trail.noteDurably(approval("ann"));
    nowMs += dayMs;
    await mkdir(fileOf("2026-11-28"));
    await trail.noteDurably(approval("ben"));
    await rm(fileOf("2026-11-28"), { recursive: true });
    await trail.noteDurably(approval("cid"));
    const report = await verifyTrail(folder);
    expect(report.fault).toBeUndefined();
    expect(figures).toEqual([["auditLost", 1]]);
    expect(await found({ user: "cid" })).toEqual([report.last?.number]);
  });
});

describe("whom the lines are about", () => {
  it("lines hold no user, run, agent or id in clear, and are found by them", async () => {
    const trail = await openTrail();
    const subject = { user: "ann-user", agent: "cook-agent", ids: ["memory-1"] };
    await trail.noteDurably({ ...approval(""), subject });
    await trail.noteDurably({ ...approval(""), subject: { run: "trip-run", ids: ["memory-1"] } });
    await trail.noteDurably(approval("ben-user", "memory-1"));
    const lines = await linesOf(today);
    expect(lines.join()).not.toMatch(/ann-user|cook-agent|memory-1|trip-run|ben-user/);
    expect(await found({ user: "ann-user" })).toEqual([1]);
    expect(await found({ user: "ann-user", agent: "cook-agent", id: "memory-1" })).toEqual([1]);
    expect(await found({ user: "ann-user", id: "memory-2" })).toEqual([]);
    expect(await found({ user: "ann-user", tenant: "acme" })).toEqual([]);
    const principal = { name: "key:rev", tenant: "acme" };
    await trail.noteDurably({ ...approval("ann-user"), principal });
    expect(await found({ user: "ann-user", tenant: "acme" })).toEqual([4]);
    expect(await found({ user: "ann-user" })).toEqual([1]);
    expect(await found({ run: "trip-run" })).toEqual([2]);
    // The same id has another pseudonym for each user.
    const ids = lines.map((line) => (JSON.parse(line) as { ids: string[] }).ids[0]);
    expect(new Set(ids).size).toBe(3);
  });

  it("lines name ten ids at most", async () => {
    const trail = await openTrail();
    await trail.noteDurably(approval("ann", ...Array.from({ length: 12 }, (_, i) => `m${i}`)));
    const [line = ""] = await linesOf(today);
    expect((JSON.parse(line) as { ids: string[] }).ids).toHaveLength(10);
  });

  it("nobody finds the lines about a user whose key was deleted, and the chain still holds", async () => {
    const trail = await openTrail();
    for (const user of ["ann", "ben", "ann"]) await trail.noteDurably(approval(user));
    const [before = ""] = await linesOf(today);
    expect(await trail.forget("", "ann")).toBe(true);
    expect(await trail.forget("", "ann")).toBe(false);
    expect(await found({ user: "ann" })).toEqual([]);
    expect(await found({ user: "ben" })).toEqual([2]);
    await trail.noteDurably(approval("ann"));
    await close(trail);
    // A user who comes back has a new pseudonym.
    expect(await found({ user: "ann" })).toEqual([4]);
    const after = (await linesOf(today)).at(-1) ?? "";
    const userIn = (line: string) => (JSON.parse(line) as { user: string }).user;
    expect(userIn(after)).not.toBe(userIn(before));
    expect((await verifyTrail(folder)).fault).toBeUndefined();
  });

  const keyFiles = async (): Promise<string[]> =>
    (await readdir(join(folder, "keys"))).map((name) => join(folder, "keys", name));

  it("a key that was not written to its end spoils no later key", async () => {
    const trail = await openTrail();
    await trail.noteDurably(approval("ann"));
    for (const path of await keyFiles()) await appendFile(path, "torn");
    const users = Array.from({ length: 600 }, (_, at) => `user-${at}`);
    for (const user of users) trail.note(approval(user));
    await close(trail);
    expect(await found({ user: "ann" })).toEqual([1]);
    expect(await found({ user: "user-599" })).toEqual([601]);
  });

  it("lines about runs are found, although no key of a run is kept", async () => {
    const trail = await openTrail();
    await trail.noteDurably(approval("ann"));
    const bytes = async () => {
      const sizes = await Promise.all((await keyFiles()).map((path) => stat(path)));
      return sizes.reduce((sum, { size }) => sum + size, 0);
    };
    const before = await bytes();
    for (let at = 0; at < 50; at++)
      await trail.noteDurably({ ...approval(""), subject: { run: `run-${at}` } });
    expect(await bytes()).toBe(before);
    await close(trail);
    expect(await found({ run: "run-7" })).toEqual([9]);
  });

  it("a pseudonym stays the same after lines about thousands of other users", async () => {
    const trail = await openTrail();
    await trail.noteDurably(approval("ann"));
    for (let at = 0; at < 5000; at++) trail.note(approval(`user-${at}`));
    await trail.noteDurably(approval("ann"));
    expect(await found({ user: "ann" })).toEqual([1, 5002]);
  });

  it("a pseudonym stays the same after a restart", async () => {
    for (let i = 0; i < 2; i++) {
      const trail = await openTrail();
      await trail.noteDurably(approval("ann"));
      await close(trail);
    }
    expect(await found({ user: "ann" })).toEqual([1, 2]);
  });
});
