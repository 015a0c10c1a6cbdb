import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { env, execPath } from "node:process";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";

const run = promisify(execFile);
const projectFolder = join(import.meta.dirname, "../..");

it("the tests of docs/guides/test-your-program.md pass with the TypeScript client", async () => {
  const page = readFileSync(join(projectFolder, "docs", "guides", "test-your-program.md"), "utf8");
  const [, program = ""] = /^```js\n(.*?)^```$/ms.exec(page) ?? [];
  const folder = await mkdtemp(join(tmpdir(), "vademecum-program-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const client = join(projectFolder, "clients", "typescript");
  await run(execPath, [join(client, "build.mjs")]);
  await mkdir(join(folder, "node_modules"));
  await symlink(client, join(folder, "node_modules", "vademecum-client"));
  const main = join(projectFolder, "dist", "main.js");
  await writeFile(join(folder, "vademecum"), `#!/bin/sh\nexec "${execPath}" "${main}" "$@"\n`);
  await chmod(join(folder, "vademecum"), 0o755);
  await writeFile(join(folder, "program.test.mjs"), program);
  const { NODE_TEST_CONTEXT: _context, ...others } = env;
  const { stdout } = await run(execPath, ["--test", "--test-reporter=tap", "program.test.mjs"], {
    cwd: folder,
    env: { ...others, PATH: [folder, env["PATH"]].join(delimiter) },
  });
  expect(stdout).toContain("# pass 2");
  expect(stdout).toContain("# fail 0");
});
