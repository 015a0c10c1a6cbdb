// Fails when something generated is not what its source makes: generates all of it in a copy of the project and compares.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const generated = ["gen", "docs/api.md", "docs/configuration.md"];

const copy = mkdtempSync(join(tmpdir(), "vademecum-generated-"));
try {
  copyProject();
  run("node", ["scripts/generate.mjs"], copy);
  const stale = generated.filter(
    (path) => run("git", ["diff", "--no-index", "--stat", path, join(copy, path)], projectFolder, [0, 1]) === 1,
  );
  if (stale.length > 0) {
    process.stderr.write(`Not what their sources make: ${stale.join(", ")}. Run \`npm run generate\` and commit the result.\n`);
    process.exitCode = 1;
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** Copies what git knows or would take, with the installed packages linked. */
function copyProject() {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: projectFolder,
    encoding: "utf8",
  });
  for (const file of listed.split("\0").filter((name) => name !== "" && !name.startsWith("models/"))) {
    cpSync(join(projectFolder, file), join(copy, file));
  }
  symlinkSync(join(projectFolder, "node_modules"), join(copy, "node_modules"), "dir");
}

/** Runs a command and returns its exit code, which must be one of those given. */
function run(command, args, cwd, fine = [0]) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
  if (error !== undefined || !fine.includes(status)) throw new Error(`${command} ${args.join(" ")} failed (${error?.message ?? status})`);
  return status;
}
