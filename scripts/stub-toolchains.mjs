// Says for each language except TypeScript how to generate its stubs, and into which folder.
//
// - Go and Rust: buf generates the stubs, with plugins at pinned versions in the user's cache.
// - Python and Java: the build of the client generates the stubs.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { installedFolder } from "./installed-folder.mjs";

/**
 * @typedef {object} StubToolchain
 * @property {readonly string[]} programs Programs that must be on the PATH.
 * @property {string} output The folder for the stubs, relative to the project.
 * @property {(projectFolder: string) => void} generate Writes the stubs. Throws if that fails.
 */

const isWindows = process.platform === "win32";

/** The plugins of buf by language, as packages of the language's package manager. */
const plugins = {
  go: [
    "google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.12",
    "google.golang.org/grpc/cmd/protoc-gen-go-grpc@v1.6.2",
    "connectrpc.com/connect/cmd/protoc-gen-connect-go@v1.21.1",
  ],
  rust: ["protoc-gen-prost@0.5.0", "protoc-gen-tonic@0.5.0"],
};

/** @type {Readonly<Record<string, StubToolchain>>} */
export const stubToolchains = {
  python: {
    programs: ["python3"],
    output: "clients/python/build/stubs",
    generate: generatePython,
  },
  go: { programs: ["go"], output: "gen/go", generate: generateGo },
  java: {
    programs: ["java", "mvn"],
    output: "clients/java/target/generated-sources/protobuf/stubs",
    generate: generateJava,
  },
  rust: { programs: ["cargo"], output: "gen/rust", generate: generateRust },
};

/**
 * Returns the programs that a language needs but this machine lacks.
 * @param {string} language
 * @returns {string[]}
 */
export function missingPrograms(language) {
  const programs = stubToolchains[language]?.programs ?? [];
  return programs.filter((program) => {
    const version = program === "go" ? "version" : "--version";
    const { error } = spawnSync(program, [version], { stdio: "ignore", shell: isWindows });
    return error !== undefined;
  });
}

/**
 * Builds Go programs into a folder.
 * @param {string} folder
 * @param {readonly string[]} packages Paths with versions.
 */
export function installGo(folder, packages) {
  for (const name of packages) run("go", ["install", name], { env: { GOBIN: folder } });
}

/**
 * @param {string} folder
 * @param {readonly string[]} crates Names with versions.
 */
function installRust(folder, crates) {
  const target = join(folder, "target");
  run("cargo", ["install", "--quiet", "--locked", "--root", folder, ...crates], {
    env: { CARGO_TARGET_DIR: target },
  });
  rmSync(target, { recursive: true, force: true });
}

/** @param {string} projectFolder */
function generateGo(projectFolder) {
  const folder = installedFolder(join("stub-plugins", "go"), plugins.go, installGo);
  runBuf(projectFolder, "go", folder);
}

/** @param {string} projectFolder */
function generateRust(projectFolder) {
  const folder = installedFolder(join("stub-plugins", "rust"), plugins.rust, installRust);
  runBuf(projectFolder, "rust", join(folder, "bin"));
}

/**
 * Builds a wheel, because this build generates the stubs. Then removes the wheel.
 * @param {string} projectFolder
 */
function generatePython(projectFolder) {
  const wheels = mkdtempSync(join(tmpdir(), "vademecum-wheel-"));
  try {
    const build = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", wheels];
    run("python3", [...build, join("clients", "python")], { cwd: projectFolder });
  } finally {
    rmSync(wheels, { recursive: true, force: true });
  }
}

/** @param {string} projectFolder */
function generateJava(projectFolder) {
  run("mvn", ["--batch-mode", "--quiet", "generate-sources"], {
    cwd: join(projectFolder, "clients", "java"),
  });
}

/**
 * @param {string} projectFolder
 * @param {string} language
 * @param {string} pluginFolder Where buf finds its plugins.
 */
function runBuf(projectFolder, language, pluginFolder) {
  const buf = join("node_modules", "@bufbuild", "buf", "bin", "buf");
  const template = `clients/${language}/buf.gen.yaml`;
  // Only the server reads the options of RPCs. The templates leave them out of other files.
  const excluded = ["--exclude-path", "proto/vademecum/v1/options.proto"];
  run(process.execPath, [buf, "generate", "proto", "--template", template, ...excluded], {
    cwd: projectFolder,
    env: { PATH: [pluginFolder, process.env["PATH"]].join(delimiter) },
  });
}

/**
 * Runs a command, with its output on standard error. Throws if it fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 */
function run(command, args, { cwd, env = {} } = {}) {
  const { status, error } = spawnSync(command, args, {
    stdio: ["ignore", process.stderr, process.stderr],
    env: { ...process.env, ...env },
    shell: isWindows,
    ...(cwd === undefined ? {} : { cwd }),
  });
  if (status === 0) return;
  const reason = error?.message ?? `exit code ${status}`;
  throw new Error(`${command} ${args.join(" ")} failed (${reason})`);
}
