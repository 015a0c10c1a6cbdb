// Makes a fresh clone ready to start or test: installs the packages and builds where that has not been done. Node and npm are all it needs.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sourceDigest, stampName } from "./source-digest.mjs";

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));

requireNode(readJson("package.json").engines.node);
if (!packagesAreInstalled()) {
  say("installing packages (npm ci): once, and again when package-lock.json changes");
  // Also where NODE_ENV is production: the compiler is a development package.
  runNpm(["ci", "--include=dev", "--no-audit", "--no-fund"]);
}
if (!buildIsCurrent()) {
  say("building dist/ from src/");
  run(process.execPath, [join(projectFolder, "scripts", "build.mjs")]);
}

/** Whether node_modules holds what package-lock.json names, for this platform: npm keeps a lock file of what it has installed. More than that does no harm. */
function packagesAreInstalled() {
  const wanted = readJson("package-lock.json").packages;
  const installed = readJson(join("node_modules", ".package-lock.json"))?.packages;
  if (installed === undefined) return false;
  // The entries of some packages for other platforms name no checksum.
  const isSame = (found, { version, integrity }) =>
    found?.version === version && (integrity === undefined || found.integrity === integrity);
  const isForHere = ({ os = [process.platform], cpu = [process.arch] }) =>
    os.includes(process.platform) && cpu.includes(process.arch);
  return Object.keys(wanted)
    .filter((path) => path !== "" && (wanted[path].optional !== true || path in installed))
    .every((path) => isSame(installed[path], wanted[path]) && isForHere(installed[path]));
}

function buildIsCurrent() {
  const stamp = join(projectFolder, "dist", stampName);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === sourceDigest(projectFolder);
}

function requireNode(range) {
  const [wanted, here] = [range.replace(">=", ""), process.versions.node].map((version) =>
    version.split(".").map(Number),
  );
  const isOlder = here[0] < wanted[0] || (here[0] === wanted[0] && here[1] < wanted[1]);
  if (!isOlder) return;
  say(
    `this is Node ${process.versions.node}; Vademecum needs ${range}. Install a current release and try again.`,
  );
  process.exit(1);
}

function readJson(path) {
  const file = join(projectFolder, path);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/** Runs the npm that runs this, or the one on the path. */
function runNpm(args) {
  const npm = process.env.npm_execpath;
  // npm releases that do not know `allowScripts` would run a script of onnxruntime-node that fetches libraries for GPUs.
  const options = { env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: "skip" } };
  if (npm) run(process.execPath, [npm, ...args], options);
  else run("npm", args, { ...options, shell: process.platform === "win32" });
}

/** Runs a command and ends with its exit code if it fails. Its output goes to standard error: standard output belongs to what comes after. */
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

function say(text) {
  process.stderr.write(`vademecum: ${text}\n`);
}
