// Prepares the project for a start or a test: installs the packages if they are missing or stale,
// and builds `dist` if sources have changed. Needs only Node and npm.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sourceDigest, stampName } from "./source-digest.mjs";

/**
 * @typedef {object} LockedPackage
 * @property {string} version
 * @property {string} [integrity]
 * @property {boolean} [optional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 */

/**
 * @typedef {object} ProjectFile
 * @property {{ node: string }} engines
 */

/**
 * @typedef {object} LockFile
 * @property {Readonly<Record<string, LockedPackage>>} packages
 */

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));

const { engines } = /** @type {ProjectFile} */ (readJson("package.json"));
requireNode(engines.node);
if (!packagesAreInstalled()) {
  say("installing packages (npm ci): once, and again when package-lock.json changes");
  // Includes development packages, because the build needs them. NODE_ENV may exclude them.
  runNpm(["ci", "--include=dev", "--no-audit", "--no-fund"]);
}
if (!buildIsCurrent()) {
  say("building dist/ from src/");
  run(process.execPath, [join(projectFolder, "scripts", "build.mjs")]);
}

/**
 * Whether node_modules has all packages of package-lock.json for this platform. npm writes the list
 * of installed packages to node_modules/.package-lock.json. Additional packages do no harm.
 */
function packagesAreInstalled() {
  const { packages: wanted } = /** @type {LockFile} */ (readJson("package-lock.json"));
  const installed = /** @type {LockFile | undefined} */ (
    readJson(join("node_modules", ".package-lock.json"))
  )?.packages;
  if (installed === undefined) return false;
  return Object.entries(wanted)
    .filter(([path, { optional }]) => path !== "" && (optional !== true || path in installed))
    .every(([path, locked]) => isInstalled(installed[path], locked));
}

/**
 * Whether an installed package is the one in package-lock.json, for this platform.
 * @param {LockedPackage | undefined} found
 * @param {LockedPackage} locked
 */
function isInstalled(found, { version, integrity }) {
  if (found?.version !== version) return false;
  // Some packages for other platforms have no checksum in package-lock.json.
  if (integrity !== undefined && found.integrity !== integrity) return false;
  const { os = [process.platform], cpu = [process.arch] } = found;
  return os.includes(process.platform) && cpu.includes(process.arch);
}

function buildIsCurrent() {
  const stamp = join(projectFolder, "dist", stampName);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === sourceDigest(projectFolder);
}

/**
 * Ends the process with a message if this release of Node is too old.
 * @param {string} range The allowed versions, as in package.json: `>=` and a version.
 */
function requireNode(range) {
  const [wantedMajor = 0, wantedMinor = 0] = range.replace(">=", "").split(".").map(Number);
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  say(
    `this is Node ${process.versions.node}; Vademecum needs ${range}. Install a current release and try again.`,
  );
  process.exit(1);
}

/**
 * Reads a JSON file of the project. Returns `undefined` if the file does not exist.
 * @param {string} path
 * @returns {unknown}
 */
function readJson(path) {
  const file = join(projectFolder, path);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/**
 * Runs npm. If npm has started this script, runs the same npm, else the npm on the PATH.
 * @param {readonly string[]} args
 */
function runNpm(args) {
  const npm = process.env["npm_execpath"];
  if (npm) run(process.execPath, [npm, ...args]);
  else run("npm", args, { shell: process.platform === "win32" });
}

/**
 * Runs a command. If it fails, this process ends with the same exit code. The output of the command
 * goes to standard error: standard output is for the program that starts next.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnSyncOptions} options
 */
function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: projectFolder,
    stdio: ["ignore", process.stderr, process.stderr],
    ...options,
  });
  if (status === 0) return;
  say(`failed: ${error?.message ?? `${command} ${args.join(" ")} ended with ${status}`}`);
  process.exit(status ?? 1);
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`vademecum: ${text}\n`);
}
