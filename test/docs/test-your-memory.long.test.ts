import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { env, execPath } from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { startTestServer, type TestServer } from "../e2e/harness/test-server.js";

const projectFolder = join(import.meta.dirname, "../..");
const examples = join(projectFolder, "examples", "memory-test");
const page = readFileSync(join(projectFolder, "docs", "guides", "test-your-memory.md"), "utf8");

/** A block of the page: a file to save, a command, or what the command before it prints. */
interface Block {
  readonly language: string;
  readonly text: string;
  /** The file that the text before the block names. */
  readonly file: string | undefined;
}

const blocks: readonly Block[] = [
  ...page.matchAll(/(?<before>[^`]*(?:`[^`\n]+`[^`]*)*)^```(?<language>\w*)\n(?<text>.*?)^```$/gms),
].map(({ groups: { before = "", language = "", text = "" } = {} }) => ({
  language,
  text,
  file: /`([\w-]+\.yaml)`:\s*$/.exec(before)?.[1],
}));

describe("docs/guides/test-your-memory.md", () => {
  let folder: string;
  let server: TestServer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "vademecum-guide-"));
    const bin = join(folder, "bin");
    await mkdir(bin);
    const main = join(projectFolder, "dist", "main.js");
    await writeFile(join(bin, "vademecum"), `#!/bin/sh\nexec "${execPath}" "${main}" "$@"\n`);
    await chmod(join(bin, "vademecum"), 0o755);
    server = await startTestServer();
    for (const content of [
      "We deploy with make ship from the main branch",
      "The staging database is wiped every night",
      "Ada likes small commits",
    ])
      await shell(`vademecum add --user ada --agent coder "${content}"`);
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  /** Runs a command in the folder. Returns its standard output, whatever its exit code. */
  function shell(command: string): Promise<{ stdout: string; exitCode: number }> {
    return new Promise((resolve) => {
      const path = [join(folder, "bin"), env["PATH"]].join(delimiter);
      const environment = { ...env, PATH: path, VADEMECUM_SERVER: new URL(server.grpcUrl).host };
      execFile("sh", ["-c", command], { cwd: folder, env: environment }, (error, stdout) =>
        resolve({ stdout, exitCode: Number(error?.code ?? 0) }),
      );
    });
  }

  it("docs/guides/test-your-memory.md shows what its commands print for its files", async () => {
    let file = "";
    let output = "";
    let compared = 0;
    for (const block of blocks) {
      if (block.language === "yaml" && block.text.includes("tests:")) {
        file = block.text.startsWith("memories_file") ? "own.yaml" : (block.file ?? file);
        await writeFile(join(folder, file), block.text);
      }
      if (block.language === "sh") {
        const { stdout, exitCode } = await shell(block.text);
        output = stdout;
        if (block.text.includes("test ")) expect(exitCode).toBe(stdout.includes("FAIL") ? 1 : 0);
      }
      if (block.language === "") {
        expect(output).toBe(block.text);
        compared++;
      }
    }
    expect(compared).toBe(4);
  });

  it("the files of the page are in examples/memory-test", () => {
    for (const name of ["moves.yaml", "deploys.yaml"]) {
      expect(existsSync(join(examples, name))).toBe(true);
      expect(blocks.map(({ text }) => text)).toContain(readFileSync(join(examples, name), "utf8"));
    }
  });

  it("the workflow for GitHub runs the published command on a folder of test files", () => {
    const text = readFileSync(join(examples, "github-workflow.yaml"), "utf8");
    const workflow = parse(text) as {
      jobs: Record<string, { steps: { run?: string; uses?: string }[] }>;
    };
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
    const { version } = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8")) as {
      version: string;
    };
    expect(steps.at(-1)?.run).toBe(`npx --yes vademecum@${version} test memory-tests/*.yaml`);
    for (const { uses } of steps.slice(0, -1)) expect(page + text).toContain(uses);
  });
});
