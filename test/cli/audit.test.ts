import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { auditFolder } from "../../src/audit/audit-files.js";
import { openAuditTrail } from "../../src/audit/audit-trail.js";
import { createManualTimer } from "../server/manual-timer.js";
import { runCommand } from "./run-command.js";

let data: string;
let file: string;

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "vademecum-audit-"));
  file = join(auditFolder(data), "2026-11-27.jsonl");
  const trail = await openAuditTrail({
    folder: auditFolder(data),
    keepMs: 365 * 24 * 3_600_000,
    clock: { nowMs: () => Date.UTC(2026, 10, 27, 12) },
    timer: createManualTimer(),
    log: () => undefined,
    meter: () => undefined,
  });
  const principal = { name: "key:reviewer", tenant: "" };
  const method = "/vademecum.v1.ProposalService/ApproveProposal";
  for (const user of ["ann", "ben"])
    await trail.noteDurably({ method, principal, outcome: "OK", subject: { user, ids: ["p1"] } });
  await trail.close();
});

afterEach(() => rm(data, { recursive: true }));

describe("audit verify", () => {
  it("says that the chain holds, and which line is the last", async () => {
    const { exitCode, stdout } = await runCommand(["audit", "verify", "--data", data]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^The chain of \S+audit holds \(lines: 2, number 1 to 2\)\.\nLast line: 2 [\w-]{43}\n$/,
    );
  });

  it("names the first line that was changed, and exits with 1", async () => {
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace("ApproveProposal", "RejectProposal"));
    const { exitCode, stdout, stderr } = await runCommand(["audit", "verify", "--data", data]);
    expect(exitCode).toBe(1);
    expect(stdout).toBe(`${file}:1: line number 1 was changed\n`);
    expect(stderr).toBe(
      `error: the audit trail in ${auditFolder(data)} is not as it was written\n`,
    );
    const environment = { VADEMECUM_DATA: data };
    const json = await runCommand(["audit", "verify", "--json"], { environment });
    expect(JSON.parse(json.stdout)).toMatchObject({ sound: false, fault: { file, line: 1 } });
  });

  it("says that a crash has left the beginning of a line", async () => {
    await writeFile(file, `${await readFile(file, "utf8")}{"number"`);
    const { exitCode, stdout } = await runCommand(["audit", "verify", "--data", data]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("The last 9 bytes are the beginning of a line");
  });

  it("fails in a folder without an audit trail", async () => {
    const path = join(data, "records");
    const { exitCode, stderr } = await runCommand(["audit", "verify", "--data", path]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`${path}/audit does not exist`);
  });
});

describe("audit show", () => {
  const show = (...args: readonly string[]) =>
    runCommand(["audit", "show", "--data", data, ...args]);

  it("lists the lines about a user", async () => {
    const { exitCode, stdout } = await show("--user", "ann");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^2026-11-27T12:00:00\.000Z {2}key:reviewer {2}\/vademecum\.v1\.ProposalService\/ApproveProposal {2}OK {2}user=[\w-]{22} {2}ids=\["[\w-]{22}"\]\n$/,
    );
    const { stdout: json } = await show("--user", "ann", "--id", "p1", "--json");
    expect(JSON.parse(json)).toMatchObject({ number: 1, principal: "key:reviewer" });
  });

  it("lists all lines of all users, if none is named", async () => {
    expect((await show("--json")).stdout.trim().split("\n")).toHaveLength(2);
  });

  it("says that no line is about a user", async () => {
    expect(await show("--user", "eve")).toEqual({
      exitCode: 0,
      stdout: "",
      stderr: "no line fits\n",
    });
  });

  it("needs the user of an id", async () => {
    const { exitCode, stderr } = await show("--id", "p1");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("name the user too, with --user");
  });
});
