// Says for each language how to build its client, and how to start its driver, its example and its
// tests. Installed and compiled files stay in the user's cache folder.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromiumProgram } from "../../scripts/chromium.mjs";

const projectFolder = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const clientsFolder = join(projectFolder, "clients");
const cacheFolder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "vademecum");
const examplesFolder = join(projectFolder, "examples");
const pythonFolder = join(cacheFolder, "clients-python");
const rustFolder = join(cacheFolder, "clients-rust");
const typescriptDrivers = join(clientsFolder, "typescript", "conformance");
const venvBin = process.platform === "win32" ? "Scripts" : "bin";

/** The origin of the web page that makes the calls in a browser. The servers allow this origin. */
export const pageOrigin = "http://page.test";

/**
 * The clients by language. Each has these entries:
 *
 * - `programs`: programs that must be on the path
 * - `missing`: a function that returns the names of other missing tools
 * - `build`: a function that builds the package and its driver; throws if that fails
 * - `driver`: the command that runs the driver
 * - `example`: the command that runs the example, without the server's address
 * - `listener`: the listener that the client connects to
 * - `hasEnvironment`: false if the client cannot read environment variables
 * - `hasCertificates`: false if the client cannot have a certificate of its own
 * - `firstLines`: the project with the program of the client's README, and the command that runs it
 * - `tutorial`: the project with the program of the tutorial in docs/start
 * - `tests`: the commands of the client's own tests; `serverFlags` are further flags for the server
 *   that such a test calls
 */
export const languages = {
  python: {
    programs: ["python3"],
    listener: "grpc",
    build: buildPython,
    driver: [venvPython(), join(clientsFolder, "python", "conformance", "driver.py")],
    example: [venvPython(), join(examplesFolder, "python", "agent.py")],
    firstLines: firstLines("python", "first_lines.py", (file) => [venvPython(), file]),
    tutorial: tutorial("python", pythonFolder, "agent.py"),
    tests: [
      { command: [venvPython(), join(clientsFolder, "python", "tests", "test_client.py")] },
      { command: [venvPython(), join(clientsFolder, "python", "tests", "test_adapters.py")] },
      { command: pytestCommand("memory_provider"), serverFlags: ["--allow-reset"] },
    ],
  },
  "python asyncio": {
    programs: ["python3"],
    listener: "grpc",
    build: buildPython,
    driver: [venvPython(), join(clientsFolder, "python", "conformance", "driver.py"), "--asyncio"],
  },
  typescript: {
    programs: [],
    listener: "http",
    build: buildTypescript,
    driver: [process.execPath, join(typescriptDrivers, "driver.mjs")],
    example: [process.execPath, join(examplesFolder, "typescript", "agent.mjs")],
    firstLines: firstLines("typescript", "first-lines.mjs", (file) => [process.execPath, file]),
    tutorial: tutorial("typescript", firstLinesFolder("typescript"), "agent.mjs"),
    tests: [
      { command: [process.execPath, join(clientsFolder, "typescript", "tests", "client.mjs")] },
      { command: [process.execPath, join(clientsFolder, "typescript", "tests", "adapters.mjs")] },
    ],
  },
  "typescript in Chromium": {
    programs: [],
    missing: () => (chromiumProgram() === undefined ? ["Chromium"] : []),
    listener: "http",
    hasEnvironment: false,
    hasCertificates: false,
    build: buildTypescript,
    driver: [process.execPath, join(typescriptDrivers, "chromium-driver.mjs"), pageOrigin],
    firstLines: firstLines("typescript", "first-lines.mjs", (file) => [
      process.execPath,
      join(typescriptDrivers, "chromium-run.mjs"),
      file,
      pageOrigin,
    ]),
  },
  go: {
    programs: ["go"],
    listener: "grpc",
    build: buildGo,
    driver: [join(cacheFolder, "clients-go", "conformance")],
    example: [join(cacheFolder, "clients-go", "agent")],
    firstLines: firstLines(
      "go",
      "main.go",
      () => ["go", "run", "-C", firstLinesFolder("go"), "."],
      goModule(),
    ),
  },
  rust: {
    programs: ["cargo"],
    listener: "grpc",
    build: buildRust,
    driver: [
      join(rustFolder, "debug", "examples", "conformance"),
      join(rustFolder, "vademecum.binpb"),
    ],
    example: [join(rustFolder, "debug", "vademecum-agent-example")],
    firstLines: firstLines(
      "rust",
      join("src", "main.rs"),
      () => ["cargo", "run", "--quiet", ...cargoArguments()],
      cargoPackage(),
    ),
  },
  java: {
    programs: ["java", "mvn"],
    listener: "grpc",
    build: buildJava,
    driver: [
      "java",
      "-cp",
      javaClassPath("test-classes", "classes"),
      "vademecum.client.conformance.Driver",
    ],
    example: ["java", "-cp", javaClassPath("classes"), join(examplesFolder, "java", "Agent.java")],
    firstLines: firstLines("java", "FirstLines.java", (file) => [
      "java",
      "-cp",
      javaClassPath("classes"),
      file,
    ]),
  },
};

/** Returns the programs that a language needs and this machine lacks. */
export function missingPrograms({ programs, missing = () => [] }) {
  const notOnPath = programs.filter((program) => {
    const { error } = spawnSync(program, [program === "go" ? "version" : "--version"], {
      stdio: "ignore",
    });
    return error !== undefined;
  });
  return [...notOnPath, ...missing()];
}

function firstLines(language, file, commandOf, others = {}) {
  const folder = firstLinesFolder(language);
  return {
    readme: join(clientsFolder, language, "README.md"),
    folder,
    file,
    others,
    command: commandOf(join(folder, file)),
  };
}

/** Returns the project of a tutorial. The client is already installed in `folder`. */
function tutorial(language, folder, file) {
  return { readme: join(projectFolder, "docs", "start", `tutorial-${language}.md`), folder, file };
}

function firstLinesFolder(language) {
  return join(cacheFolder, `first-lines-${language}`);
}

/** Returns the files of a Go module that uses the client and the stubs of this repository. */
function goModule() {
  const [module, sums] = ["go.mod", "go.sum"].map((name) =>
    readFileSync(join(examplesFolder, "go", name), "utf8"),
  );
  return { "go.mod": module.replaceAll("=> ../..", () => `=> ${projectFolder}`), "go.sum": sums };
}

function cargoPackage() {
  const client = JSON.stringify(join(clientsFolder, "rust"));
  return {
    "Cargo.toml": `[package]
name = "vademecum-first-lines"
version = "0.1.0"
edition = "2021"

[dependencies]
tokio = { version = "1", features = ["macros", "rt-multi-thread"] }
vademecum = { path = ${client} }
`,
  };
}

function cargoArguments() {
  return [
    "--manifest-path",
    join(firstLinesFolder("rust"), "Cargo.toml"),
    "--target-dir",
    rustFolder,
  ];
}

function venvPython() {
  return join(pythonFolder, venvBin, "python");
}

/** Returns a command that runs the tests in a folder. The caller appends the server's address. */
function pytestCommand(folder) {
  const tests = join(clientsFolder, "python", "tests", folder);
  const flags = ["--quiet", "-W", "error", "-p", "no:cacheprovider"];
  return [venvPython(), "-m", "pytest", ...flags, tests, "--address"];
}

/** Builds a wheel, installs it into a virtual environment as users do, and checks its types. */
function buildPython() {
  const python = venvPython();
  if (!existsSync(python)) {
    mkdirSync(cacheFolder, { recursive: true });
    run("python3", ["-m", "venv", pythonFolder]);
  }
  const wheel = join(pythonFolder, "vademecum-0.1.0-py3-none-any.whl");
  const source = join(clientsFolder, "python");
  const pip = ["-m", "pip", "--quiet"];
  run(python, [...pip, "wheel", "--no-deps", "--wheel-dir", pythonFolder, source]);
  run(python, [...pip, "install", `${wheel}[test]`]);
  run(python, [...pip, "install", "--force-reinstall", "--no-deps", wheel]);
  run(python, ["-m", "mypy", "--config-file", "pyproject.toml"], { cwd: source });
}

/** Builds the client. Links it into the projects of the example and of the README's program. */
function buildTypescript() {
  run(process.execPath, [join(clientsFolder, "typescript", "build.mjs")]);
  for (const folder of [firstLinesFolder("typescript"), join(examplesFolder, "typescript")]) {
    const modules = join(folder, "node_modules");
    const link = join(modules, "vademecum-client");
    mkdirSync(modules, { recursive: true });
    rmSync(link, { recursive: true, force: true });
    symlinkSync(join(clientsFolder, "typescript"), link, "junction");
  }
}

function buildGo() {
  const cwd = join(clientsFolder, "go");
  run("go", ["vet", "./..."], { cwd });
  run("go", ["test", "./..."], { cwd });
  run(
    "go",
    ["build", "-o", join(cacheFolder, "clients-go", "conformance"), "./internal/conformance"],
    { cwd },
  );
  run("go", ["build", "-o", join(cacheFolder, "clients-go", "agent"), "."], {
    cwd: join(examplesFolder, "go"),
  });
}

/**
 * Builds the client, its driver and the example. Also writes a file descriptor set of the `.proto`
 * files: the driver needs it to convert JSON.
 */
function buildRust() {
  const env = { ...process.env, CARGO_TARGET_DIR: rustFolder };
  run("cargo", ["build", "--quiet", "--examples"], { cwd: join(clientsFolder, "rust"), env });
  run("cargo", ["test", "--quiet", "--lib", "--tests"], { cwd: join(clientsFolder, "rust"), env });
  run("cargo", ["build", "--quiet"], { cwd: join(examplesFolder, "rust"), env });
  const buf = join(projectFolder, "node_modules", "@bufbuild", "buf", "bin", "buf");
  run(process.execPath, [
    buf,
    "build",
    "proto",
    "--as-file-descriptor-set",
    "-o",
    join(rustFolder, "vademecum.binpb"),
  ]);
}

function javaClassPath(...classes) {
  const target = join(clientsFolder, "java", "target");
  return [...classes, join("dependency", "*")].map((name) => join(target, name)).join(delimiter);
}

function buildJava() {
  run("mvn", ["--batch-mode", "--quiet", "package"], { cwd: join(clientsFolder, "java") });
}

/** Runs a command with its output on standard error. Throws when it fails. */
function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, {
    stdio: ["ignore", process.stderr, process.stderr],
    cwd: projectFolder,
    ...options,
  });
  if (status !== 0)
    throw new Error(
      `${command} ${args.join(" ")} failed (${error?.message ?? `exit code ${status}`})`,
    );
}
