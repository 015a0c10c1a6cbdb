// How the client of each language is built and started. What is installed or compiled for it stays in the user's cache folder.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const projectFolder = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const clientsFolder = join(projectFolder, "clients");
const cacheFolder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "vademecum");
const venvBin = process.platform === "win32" ? "Scripts" : "bin";

/**
 * The clients. `programs` must be on the path. `build` makes the package and its driver ready and throws if that fails. `driver` and `example` are commands;
 * a driver's clients connect to the `listener`.
 */
export const languages = {
  python: { programs: ["python3"], listener: "grpc", build: buildPython, driver: pythonDriver() },
  "python asyncio": { programs: ["python3"], listener: "grpc", build: buildPython, driver: pythonDriver("--asyncio") },
  typescript: {
    programs: [],
    listener: "http",
    build: buildTypescript,
    driver: [process.execPath, join(clientsFolder, "typescript", "conformance", "driver.mjs")],
  },
  go: { programs: ["go"], listener: "grpc", build: buildGo, driver: [join(cacheFolder, "clients-go", "conformance")] },
  rust: {
    programs: ["cargo"],
    listener: "grpc",
    build: buildRust,
    driver: [rustExample("conformance"), join(cacheFolder, "clients-rust", "vademecum.binpb")],
  },
  java: { programs: ["java", "mvn"], listener: "grpc", build: buildJava, driver: javaDriver() },
};

/** The programs that a language needs and this machine lacks. */
export function missingPrograms({ programs }) {
  return programs.filter((program) => {
    const { error } = spawnSync(program, [program === "go" ? "version" : "--version"], { stdio: "ignore" });
    return error !== undefined;
  });
}

function pythonFolder() {
  return join(cacheFolder, "clients-python");
}

function pythonDriver(...args) {
  return [join(pythonFolder(), venvBin, "python"), join(clientsFolder, "python", "conformance", "driver.py"), ...args];
}

/** Installs the package as a user would, and checks its types. */
function buildPython() {
  const folder = pythonFolder();
  const python = join(folder, venvBin, "python");
  if (!existsSync(python)) {
    mkdirSync(cacheFolder, { recursive: true });
    run("python3", ["-m", "venv", folder]);
  }
  run(python, ["-m", "pip", "install", "--quiet", "hatchling==1.33.0"]);
  const install = ["-m", "pip", "install", "--quiet", "--no-build-isolation"];
  run(python, [...install, `${join(clientsFolder, "python")}[test]`]);
  run(python, [...install, "--force-reinstall", "--no-deps", join(clientsFolder, "python")]);
  run(python, ["-m", "mypy", "--config-file", "pyproject.toml"], { cwd: join(clientsFolder, "python") });
}

function buildTypescript() {
  run(process.execPath, [join(clientsFolder, "typescript", "build.mjs")]);
}

function buildGo() {
  const cwd = join(clientsFolder, "go");
  run("go", ["vet", "./..."], { cwd });
  run("go", ["build", "-o", join(cacheFolder, "clients-go", "conformance"), "./internal/conformance"], { cwd });
}

function rustFolder() {
  return join(cacheFolder, "clients-rust");
}

function rustExample(name) {
  return join(rustFolder(), "debug", "examples", name);
}

/** Also the descriptors of the definitions, which the driver reads JSON with. */
function buildRust() {
  const env = { ...process.env, CARGO_TARGET_DIR: rustFolder() };
  run("cargo", ["build", "--quiet", "--examples"], { cwd: join(clientsFolder, "rust"), env });
  const buf = join(projectFolder, "node_modules", "@bufbuild", "buf", "bin", "buf");
  run(process.execPath, [buf, "build", "proto", "--as-file-descriptor-set", "-o", join(rustFolder(), "vademecum.binpb")]);
}

function javaDriver() {
  const target = join(clientsFolder, "java", "target");
  const path = [join(target, "test-classes"), join(target, "classes"), join(target, "dependency", "*")];
  return ["java", "-cp", path.join(delimiter), "dev.vademecum.client.conformance.Driver"];
}

function buildJava() {
  run("mvn", ["--batch-mode", "--quiet", "package"], { cwd: join(clientsFolder, "java") });
}

/** Runs a command with its output on standard error. Throws if it fails. */
function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { stdio: ["ignore", process.stderr, process.stderr], cwd: projectFolder, ...options });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed (${error?.message ?? `exit code ${status}`})`);
}
