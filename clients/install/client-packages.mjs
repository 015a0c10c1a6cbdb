// Says for each client how to build its package, install the package into an empty project, and run
// a program there.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { goModuleHost, goModulePath } from "../../scripts/go-module-host.mjs";
import { outputOf, runCommand } from "./run-command.mjs";
import { packNpm } from "./server-package.mjs";

/**
 * @typedef {object} ClientPackage
 * @property {readonly string[]} programs Programs that must be on the path.
 * @property {"grpc" | "http"} listener The listener that the client connects to.
 * @property {string} program Path of the program in the project. The program is the first one of
 *   the README.
 * @property {(built: string) => string[]} build Builds the package and returns its files. `built`
 *   is an empty folder for these files. The files of Java are in a local Maven repository instead.
 * @property {(project: string, built: string) => void} install Installs the package into a
 *   project that has only the program.
 * @property {(project: string, built: string) => Command} command Returns the command that runs
 *   the program.
 */

/** @typedef {{ command: string, args: readonly string[], env?: NodeJS.ProcessEnv }} Command */

const clientsFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const projectFolder = dirname(clientsFolder);
const version = "0.1.0";
const venvBin = process.platform === "win32" ? "Scripts" : "bin";

/** @type {Readonly<Record<string, ClientPackage>>} */
export const clientPackages = {
  python: {
    programs: ["python3"],
    listener: "grpc",
    program: "first_lines.py",
    build: buildWheel,
    install(project, built) {
      runCommand("python3", ["-m", "venv", "venv"], { cwd: project });
      const wheel = join(built, `vademecum-${version}-py3-none-any.whl`);
      runCommand(venvPython(project), ["-m", "pip", "--quiet", "install", wheel]);
    },
    command: (project) => ({ command: venvPython(project), args: ["first_lines.py"] }),
  },
  typescript: {
    programs: ["npm"],
    listener: "http",
    program: "first-lines.mjs",
    build: (built) => [packNpm(join(clientsFolder, "typescript"), built)],
    install(project, built) {
      const file = join(built, `vademecum-client-${version}.tgz`);
      runCommand("npm", ["install", "--no-audit", "--no-fund", file], { cwd: project });
    },
    command: () => ({ command: process.execPath, args: ["first-lines.mjs"] }),
  },
  go: {
    programs: ["go"],
    listener: "grpc",
    program: "main.go",
    build: buildGoModules,
    install(project, built) {
      const options = { cwd: project, env: goEnvironment(built) };
      runCommand("go", ["mod", "init", "example.com/first-lines"], options);
      runCommand("go", ["get", `${goModulePath("clients/go")}@v${version}`], options);
      runCommand("go", ["mod", "tidy"], options);
    },
    command: (_project, built) => ({
      command: "go",
      args: ["run", "."],
      env: goEnvironment(built),
    }),
  },
  java: {
    programs: ["java", "mvn"],
    listener: "grpc",
    program: join("src", "main", "java", "FirstLines.java"),
    build: buildJar,
    install(project) {
      writeFileSync(join(project, "pom.xml"), consumerPom);
      const copy = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";
      runCommand("mvn", [...mavenFlags, "compile", copy], { cwd: project });
    },
    command: () => ({
      command: "java",
      args: ["-cp", ["classes", "dependency/*"].map(inTarget).join(delimiter), "FirstLines"],
    }),
  },
  rust: {
    programs: ["cargo"],
    listener: "grpc",
    program: join("src", "main.rs"),
    build: buildCrates,
    install(project, built) {
      writeFileSync(join(project, "Cargo.toml"), consumerManifest(built));
      runCommand("cargo", ["build", "--quiet"], { cwd: project });
    },
    command: () => ({ command: "cargo", args: ["run", "--quiet"] }),
  },
};

/** @param {string} project */
function venvPython(project) {
  return join(project, "venv", venvBin, "python");
}

/** @param {string} built */
function buildWheel(built) {
  const args = ["-m", "pip", "--quiet", "wheel", "--no-deps", "--wheel-dir", built];
  runCommand("python3", [...args, join(clientsFolder, "python")]);
  return [join(built, `vademecum-${version}-py3-none-any.whl`)];
}

/**
 * Writes the Go modules of the client and of the stubs into a folder, which is then a module proxy.
 * @param {string} built
 */
function buildGoModules(built) {
  const modules = ["gen/go", "clients/go"];
  const sources = modules.map((path) => `${goModulePath(path)}=${join(projectFolder, path)}`);
  runCommand("go", ["run", ".", built, `v${version}`, ...sources], {
    cwd: join(clientsFolder, "install", "go-proxy"),
  });
  return modules.map((path) => join(built, goModulePath(path), "@v", `v${version}.zip`));
}

/**
 * Returns the environment of Go commands. Go looks for modules in this order:
 *
 * 1. in the folder `built`, which has the modules of the client and of the stubs
 * 2. among the downloads in the user's module cache
 * 3. at the user's proxies
 *
 * The module cache of these commands is a new folder beside `built`. So Go uses no module that an
 * earlier run has built.
 * @param {string} built
 * @returns {NodeJS.ProcessEnv}
 */
function goEnvironment(built) {
  const settings = outputOf("go", ["env", "GOPROXY", "GOMODCACHE"], { cwd: built });
  const [others = "", userCache = ""] = settings.trim().split("\n");
  const proxies = [built, join(userCache, "cache", "download")].map((path) => `file://${path}`);
  return {
    ...process.env,
    GOPROXY: [...proxies, others].join(","),
    GONOSUMDB: `${goModuleHost}/*`,
    GOMODCACHE: `${built}-modules`,
    GOFLAGS: "-modcacherw",
  };
}

/** A local Maven repository only for this script. The user's own repository stays unchanged. */
const mavenRepository = join(
  process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"),
  ...["vademecum", "install-maven"],
);
const mavenFlags = ["--batch-mode", "--quiet", `-Dmaven.repo.local=${mavenRepository}`];

/** @param {string} name */
function inTarget(name) {
  return join("target", name);
}

/** Builds the jar and installs it into the local Maven repository. */
function buildJar() {
  rmSync(join(mavenRepository, "vademecum"), { recursive: true, force: true });
  const cwd = join(clientsFolder, "java");
  runCommand("mvn", [...mavenFlags, "-DskipTests", "install"], { cwd });
  const name = `vademecum-client-${version}.jar`;
  return [join(mavenRepository, "vademecum", "vademecum-client", version, name)];
}

const consumerPom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId>
  <artifactId>first-lines</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>vademecum</groupId>
      <artifactId>vademecum-client</artifactId>
      <version>${version}</version>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.14.0</version>
      </plugin>
    </plugins>
  </build>
</project>
`;

/**
 * Packs the crates of the client and of the stubs. The stubs are in no registry yet, so the client
 * is packed with the local stubs as its dependency.
 * @param {string} built
 */
function buildCrates(built) {
  const target = join(built, "target");
  const args = ["package", "--quiet", "--no-verify", "--allow-dirty"];
  const stubs = join(projectFolder, "gen", "rust");
  const patch = `patch.crates-io.vademecum-stubs.path=${JSON.stringify(stubs)}`;
  const env = { ...process.env, CARGO_TARGET_DIR: target };
  runCommand("cargo", args, { cwd: stubs, env });
  runCommand("cargo", [...args, "--config", patch], { cwd: join(clientsFolder, "rust"), env });
  const crates = ["vademecum-stubs", "vademecum"].map((name) => `${name}-${version}`);
  for (const name of crates) {
    const file = join(target, "package", `${name}.crate`);
    runCommand("tar", ["-xzf", file, "-C", built]);
  }
  return crates.map((name) => join(target, "package", `${name}.crate`));
}

/**
 * Returns the manifest of a project that depends on the unpacked crates.
 * @param {string} built
 */
function consumerManifest(built) {
  const place = (/** @type {string} */ name) => JSON.stringify(join(built, `${name}-${version}`));
  return `[package]
name = "first-lines"
version = "0.1.0"
edition = "2021"

[dependencies]
tokio = { version = "1", features = ["macros", "rt-multi-thread"] }
vademecum = "${version}"

[patch.crates-io]
vademecum = { path = ${place("vademecum")} }
vademecum-stubs = { path = ${place("vademecum-stubs")} }
`;
}

/**
 * Makes an empty folder.
 * @param {string} parent
 * @param {string} name
 */
export function emptyFolder(parent, name) {
  const folder = join(parent, name);
  mkdirSync(folder);
  return folder;
}
