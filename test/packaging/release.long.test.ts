import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFullSuite } from "../suite.js";
import { projectFolder, stages } from "./dockerfile.js";

const run = promisify(execFile);
const script = join(projectFolder, "scripts", "release.mjs");

/** The parts of a bill of packages that the tests read. */
interface Bill {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly { readonly name: string; readonly version: string }[];
}

let folder: string;
let output: string;
describe.runIf(isFullSuite)("npm run release -- --dry-run", () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "vademecum-release-test-"));
    const args = [
      script,
      "--dry-run",
      "--allow-changes",
      "--only",
      "typescript,image",
      "--to",
      folder,
    ];
    output = (await run(execPath, args, { cwd: projectFolder })).stdout;
  }, 600_000);
  afterAll(() => rm(folder, { recursive: true }));

  it("a release has the packages, the bill, the notes and the provenance, each with its sum", () => {
    const names = readdirSync(folder).sort();
    expect(names).toEqual([
      "SHA256SUMS",
      "notes.md",
      "provenance.json",
      "sbom.cdx.json",
      "vademecum-0.1.0-image-context.tar.gz",
      "vademecum-0.1.0.tgz",
      "vademecum-client-0.1.0.tgz",
    ]);
    const sums = readFileSync(join(folder, "SHA256SUMS"), "utf8").trim().split("\n");
    expect(sums).toHaveLength(names.length - 1);
    for (const line of sums) {
      const [sum, name = ""] = line.split("  ");
      const bytes = readFileSync(join(folder, name));
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(sum);
      expect(output).toContain(`${sum}  ${name}`);
    }
  });

  it("a release installs its packages into empty folders and uses them there", () => {
    expect(output).toMatch(/^server: [\d.]+ s from installation to first answer/m);
    expect(output).toMatch(/^typescript: [\d.]+ s from installation to first answer/m);
    expect(output).toContain("Nothing is published.");
  });

  it("the bill of packages has what the server's package brings or installs, and no tool of the build", () => {
    const bill = JSON.parse(readFileSync(join(folder, "sbom.cdx.json"), "utf8")) as Bill;
    expect(bill).toMatchObject({
      bomFormat: "CycloneDX",
      metadata: { component: { name: "vademecum" } },
    });
    const names = bill.components.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["classic-level", "pg", "msgpackr", "yaml", "@grpc/grpc-js", "ajv"]),
    );
    for (const tool of ["vitest", "@biomejs/biome", "typescript", "rolldown"])
      expect(names).not.toContain(tool);
  });

  it("the build context of the image has every file that the Dockerfile copies", async () => {
    const archive = join(folder, "vademecum-0.1.0-image-context.tar.gz");
    const { stdout } = await run("tar", ["-tzf", archive]);
    const entries = stdout.split("\n");
    const copied = stages.flatMap(({ instructions }) =>
      instructions
        .filter(({ name, text }) => name === "COPY" && !text.includes("--from="))
        .flatMap(({ text }) => text.split(/\s+/).slice(0, -1)),
    );
    expect(copied.length).toBeGreaterThan(5);
    for (const path of ["Dockerfile", ...copied])
      expect(entries.some((entry) => entry === path || entry.startsWith(`${path}/`))).toBe(true);
  });

  it("the provenance names the commit and the sum of each file", async () => {
    const { stdout } = await run("git", ["rev-parse", "HEAD"], { cwd: projectFolder });
    const statement = JSON.parse(readFileSync(join(folder, "provenance.json"), "utf8")) as {
      readonly subject: readonly { readonly name: string }[];
    };
    expect(statement.subject.map(({ name }) => name)).toContain("vademecum-0.1.0.tgz");
    expect(JSON.stringify(statement)).toContain(stdout.trim());
  });

  it("a release without --dry-run is refused", async () => {
    await expect(run(execPath, [script], { cwd: projectFolder })).rejects.toThrow(
      "this script publishes nothing",
    );
  });
});
