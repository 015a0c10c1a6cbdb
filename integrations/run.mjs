// Checks the packages of this folder against real servers:
// `node integrations/run.mjs [PACKAGE...]`.
//
// Exits with 1 if a package fails. If the toolchain of a package is missing, skips the package and
// says so. With CI_REQUIRE_TOOLCHAINS=1, fails instead.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const projectFolder = dirname(folder);
const cacheFolder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "vademecum");
const isRequired = process.env.CI_REQUIRE_TOOLCHAINS === "1";

/** The packages, by language. */
const pythonPackages = [
  "langgraph-python",
  "openai-agents-python",
  "anthropic-python",
  "adk-python",
  "pydantic-ai-python",
  "strands-python",
  "llama-index-python",
  "agno-python",
];
const npmPackages = [
  "langgraph-js",
  "ai-sdk",
  "anthropic-js",
  "openai-agents-js",
  "adk-js",
  "strands-js",
  "mastra-js",
];
const javaPackages = ["adk-java", "spring-ai-java", "langchain4j-java"];

/** How packages are checked. `programs` must be on the path. `check` throws if it finds a fault. */
const packages = Object.fromEntries([
  ...pythonPackages.map((name) => [
    name,
    { programs: ["python3"], check: () => checkPythonPackage(name) },
  ]),
  ...npmPackages.map((name) => [name, { programs: ["npm"], check: () => checkNpmPackage(name) }]),
  ...javaPackages.map((name) => [
    name,
    { programs: ["java", "mvn"], check: () => checkJavaPackage(name) },
  ]),
  ["contract", { programs: ["npm", "python3"], check: checkContract }],
]);

const given = process.argv.slice(2);
const chosen = given.length > 0 ? given : Object.keys(packages);
const unknown = chosen.filter((name) => !(name in packages));
if (unknown.length > 0)
  throw new Error(
    `no package ${unknown.join(", ")}; the packages are ${Object.keys(packages).join(", ")}`,
  );

run(process.execPath, [join(projectFolder, "scripts", "prepare.mjs")]);
let isFailed = false;
for (const name of chosen) {
  const { programs, check } = packages[name];
  const missing = programs.filter(
    (program) => spawnSync(program, ["--version"], { stdio: "ignore" }).error !== undefined,
  );
  const began = performance.now();
  let outcome;
  if (missing.length > 0) {
    outcome = `${isRequired ? "FAILED" : "skipped"}: ${missing.join(" and ")} not found on the path`;
    isFailed ||= isRequired;
  } else {
    try {
      check();
      outcome = `passed in ${((performance.now() - began) / 1000).toFixed(1)} s`;
    } catch (error) {
      outcome = `FAILED: ${error.message}`;
      isFailed = true;
    }
  }
  process.stdout.write(`${name}: ${outcome}\n`);
}
process.exitCode = isFailed ? 1 : 0;

/** Installs a Python package as a user does. Then checks its types and runs its tests. */
function checkPythonPackage(name) {
  const cwd = join(folder, name);
  const environment = join(cacheFolder, name);
  const python = join(environment, process.platform === "win32" ? "Scripts" : "bin", "python");
  if (!existsSync(python)) {
    mkdirSync(cacheFolder, { recursive: true });
    run("python3", ["-m", "venv", environment]);
  }
  const pip = ["-m", "pip", "--quiet"];
  const client = join(projectFolder, "clients", "python");
  run(python, [...pip, "wheel", "--no-deps", "--wheel-dir", environment, client, cwd]);
  const project = name.replace(/-python$/, "").replaceAll("-", "_");
  const [clientWheel, wheel] = ["vademecum", `vademecum_${project}`].map((distribution) =>
    join(environment, `${distribution}-0.1.0-py3-none-any.whl`),
  );
  run(python, [...pip, "install", clientWheel, `${wheel}[test]`]);
  run(python, [...pip, "install", "--force-reinstall", "--no-deps", clientWheel, wheel]);
  run(python, ["-m", "mypy", "--config-file", "pyproject.toml"], { cwd });
  run(python, ["-m", "pytest", "--quiet", "-p", "no:cacheprovider"], {
    cwd,
    env: { ...process.env, NODE: process.execPath },
  });
}

/** Installs the dependencies of an npm package. Then checks its types, builds it and tests it. */
function checkNpmPackage(name) {
  const cwd = join(folder, name);
  run(process.execPath, [join(projectFolder, "clients", "typescript", "build.mjs")]);
  run("npm", ["ci", "--no-audit", "--no-fund"], { cwd });
  for (const script of ["types", "build", "test"]) run("npm", ["run", "--silent", script], { cwd });
}

/** Installs the client and the contract into a Maven repository. Then tests and packs a package. */
function checkJavaPackage(name) {
  const maven = ["--batch-mode", "--quiet", `-Dmaven.repo.local=${join(cacheFolder, "maven")}`];
  for (const used of [join(projectFolder, "clients", "java"), join(folder, "contract", "java")])
    run("mvn", [...maven, "-DskipTests", "install"], { cwd: used });
  run("mvn", [...maven, "verify"], {
    cwd: join(folder, name),
    env: { ...process.env, NODE: process.execPath },
  });
}

/** Runs the programs in the README of the contract as a project of others does. */
function checkContract() {
  const cwd = join(cacheFolder, "contract");
  const readme = readFileSync(join(folder, "contract", "README.md"), "utf8");
  const programOf = (language) => readme.split(`\`\`\`${language}\n`)[1].split("```")[0];
  const env = {
    ...process.env,
    NODE: process.execPath,
    CONTRACT_SERVER: join(projectFolder, "dist", "main.js"),
  };
  mkdirSync(cwd, { recursive: true });
  for (const name of ["node_modules", "package-lock.json"])
    rmSync(join(cwd, name), { recursive: true, force: true });
  writeFileSync(join(cwd, "package.json"), JSON.stringify({ type: "module", private: true }));
  writeFileSync(join(cwd, "contract.test.js"), programOf("ts"));
  writeFileSync(join(cwd, "conftest.py"), 'pytest_plugins = ["vademecum_contract.fixtures"]\n');
  writeFileSync(join(cwd, "test_contract.py"), programOf("python"));

  const packages = [
    join(projectFolder, "clients", "typescript"),
    join(folder, "contract", "typescript"),
  ];
  run("npm", ["pack", "--silent", "--pack-destination", cwd, ...packages]);
  const files = ["client", "contract"].map((name) => join(cwd, `vademecum-${name}-0.1.0.tgz`));
  run("npm", ["install", "--no-audit", "--no-fund", "vitest@4.1.12", ...files], { cwd });
  run("npx", ["vitest", "run"], { cwd, env });

  const python = join(cwd, "venv", process.platform === "win32" ? "Scripts" : "bin", "python");
  if (!existsSync(python)) run("python3", ["-m", "venv", join(cwd, "venv")]);
  const projects = [join(projectFolder, "clients", "python"), join(folder, "contract", "python")];
  run(python, [
    "-m",
    "pip",
    "--quiet",
    "install",
    "--force-reinstall",
    "pytest==9.2.0",
    ...projects,
  ]);
  run(python, ["-m", "pytest", "--quiet", "-p", "no:cacheprovider"], { cwd, env });
}

/** Runs a command with its output on standard error. Throws when it fails. */
function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, {
    stdio: ["ignore", process.stderr, process.stderr],
    cwd: projectFolder,
    shell: process.platform === "win32",
    ...options,
  });
  if (status !== 0)
    throw new Error(
      `${command} ${args.join(" ")} failed (${error?.message ?? `exit code ${status}`})`,
    );
}
