// Fails if a generated file in the repository is not up to date. Generates all files in a copy of
// the project, and compares them with the files in the repository.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const generated = [
  "gen",
  "clients",
  "docs/reference/api.md",
  "docs/reference/commands.md",
  "docs/reference/configuration.md",
  "docs/operate/security.md",
];
// Folders with stubs that are not in the repository: the builds of these clients generate them.
const buildFolders = ["clients/java/target", "clients/python/build"];

const scratch = mkdtempSync(join(tmpdir(), "vademecum-generated-"));
const copy = join(scratch, "project");
const committed = join(scratch, "committed");
try {
  copyProject();
  // Keeps the files as the repository has them. Takes them from the copy, because builds have left
  // other files in the project, such as lock files.
  for (const path of generated)
    cpSync(join(copy, path), join(committed, path), { recursive: true });
  run("node", ["scripts/generate.mjs", "--all"], copy);
  for (const folder of buildFolders) rmSync(join(copy, folder), { recursive: true, force: true });
  const stale = generated.filter(
    (path) =>
      run(
        "git",
        ["diff", "--no-index", "--stat", join(committed, path), join(copy, path)],
        scratch,
        [0, 1],
      ) === 1,
  );
  if (stale.length > 0) {
    process.stderr.write(
      `These files differ from what their sources generate: ${stale.join(", ")}. Run \`npm run generate -- --all\` and commit the result.\n`,
    );
    process.exitCode = 1;
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Copies all files of the project that git does not ignore, and links node_modules. */
function copyProject() {
  const listed = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    {
      cwd: projectFolder,
      encoding: "utf8",
    },
  );
  for (const file of listed
    .split("\0")
    .filter((name) => name !== "" && !name.startsWith("models/"))) {
    cpSync(join(projectFolder, file), join(copy, file));
  }
  symlinkSync(join(projectFolder, "node_modules"), join(copy, "node_modules"), "dir");
}

/**
 * Runs a command and returns its exit code. Throws if `fine` does not contain the code.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {readonly (number | null)[]} fine
 */
function run(command, args, cwd, fine = [0]) {
  const { status, error } = spawnSync(command, args, {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (error !== undefined || !fine.includes(status))
    throw new Error(`${command} ${args.join(" ")} failed (${error?.message ?? status})`);
  return status;
}
