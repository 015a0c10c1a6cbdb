// Makes a fresh clone ready to start or test: installs the packages and builds, if needed. Needs
// only Node and npm.
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
  // Installs development packages even if NODE_ENV is production: the compiler is one of them.
  runNpm(["ci", "--include=dev", "--no-audit", "--no-fund"]);
}
if (!buildIsCurrent()) {
  say("building dist/ from src/");
  run(process.execPath, [join(projectFolder, "scripts", "build.mjs")]);
}

/**
 * Returns whether node_modules holds what package-lock.json names for this platform. Reads the lock
 * file that npm keeps of the installed packages. Additional packages do no harm.
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
 * Returns whether the installed package is the package of the lock file, for this platform.
 * @param {LockedPackage | undefined} found
 * @param {LockedPackage} locked
 */
function isInstalled(found, { version, integrity }) {
  if (found?.version !== version) return false;
  // Some entries for other platforms have no checksum.
  if (integrity !== undefined && found.integrity !== integrity) return false;
  const { os = [process.platform], cpu = [process.arch] } = found;
  return os.includes(process.platform) && cpu.includes(process.arch);
}

function buildIsCurrent() {
  const stamp = join(projectFolder, "dist", stampName);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === sourceDigest(projectFolder);
}

/** @param {string} range Allowed versions of Node, as in package.json: `>=` and a version. */
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
 * Reads a file of the project; `undefined` if there is none.
 * @param {string} path
 * @returns {unknown}
 */
function readJson(path) {
  const file = join(projectFolder, path);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/**
 * Runs the npm that runs this script, or otherwise the npm on the path.
 * @param {readonly string[]} args
 */
function runNpm(args) {
  const npm = process.env["npm_execpath"];
  // npm releases without `allowScripts` would run a script of onnxruntime-node that downloads
  // libraries for GPUs.
  const options = { env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: "skip" } };
  if (npm) run(process.execPath, [npm, ...args], options);
  else run("npm", args, { ...options, shell: process.platform === "win32" });
}

/**
 * Runs a command and ends with its exit code if it fails. Its output goes to standard error,
 * because standard output belongs to the program that starts next.
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
