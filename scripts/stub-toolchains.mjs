// What makes the stubs of each language but TypeScript: the programs that must be on the path, and the plugins, at pinned versions, that are installed with them into a cache folder.
import { spawnSync } from "node:child_process";
import { chmodSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { installedFolder } from "./installed-folder.mjs";

/** Plugins by language, as each language's package manager names them. A change of versions changes the folder that they are cached in. */
const plugins = {
  // Code of protobuf 6 runs with the runtimes 6 and 7, so that the client fits beside packages that have not moved on yet.
  python: ["grpcio-tools==1.76.0", "protobuf==6.33.6", "mypy-protobuf==5.1.0"],
  go: [
    "google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.12",
    "google.golang.org/grpc/cmd/protoc-gen-go-grpc@v1.6.2",
    "connectrpc.com/connect/cmd/protoc-gen-connect-go@v1.21.1",
  ],
  java: ["com.google.protobuf:protoc:4.36.2", "io.grpc:protoc-gen-grpc-java:1.68.1"],
  rust: ["protoc-gen-prost@0.5.0", "protoc-gen-tonic@0.5.0"],
};

const isWindows = process.platform === "win32";
const venvBin = isWindows ? "Scripts" : "bin";

/** The languages: `programs` must be on the path, `install` puts the plugins into a folder, `bin` is the part of it that buf must find them in. */
export const stubToolchains = {
  python: { programs: ["python3"], install: installPython, bin: venvBin },
  go: { programs: ["go"], install: installGo, bin: "." },
  java: { programs: ["java", "mvn"], install: installJava, bin: "." },
  rust: { programs: ["cargo"], install: installRust, bin: "bin" },
};

/** The programs of a toolchain that this machine lacks. */
export function missingPrograms(language) {
  return stubToolchains[language].programs.filter((program) => {
    const { error } = spawnSync(program, [program === "go" ? "version" : "--version"], {
      stdio: "ignore",
      shell: isWindows,
    });
    return error !== undefined;
  });
}

/** The folder with the plugins of a language, which are installed if they are not there yet. */
export function pluginFolder(language) {
  const { install, bin } = stubToolchains[language];
  const folder = installedFolder(join("stub-plugins", language), plugins[language], install);
  return join(folder, bin);
}

function installPython(folder, packages) {
  run("python3", ["-m", "venv", folder]);
  run(join(folder, venvBin, "python"), ["-m", "pip", "install", "--quiet", ...packages]);
}

/** Builds Go programs into a folder. */
export function installGo(folder, packages) {
  for (const name of packages) run("go", ["install", name], { GOBIN: folder });
}

function installRust(folder, crates) {
  run("cargo", ["install", "--quiet", "--locked", "--root", folder, ...crates], {
    CARGO_TARGET_DIR: join(folder, "target"),
  });
  rmSync(join(folder, "target"), { recursive: true, force: true });
}

/** Maven has the executables of each platform as files; buf wants them under their plain names. */
function installJava(folder, artifacts) {
  for (const artifact of artifacts) {
    const [, name, version] = artifact.split(":");
    const file = `${name}-${version}-${mavenPlatform()}.exe`;
    run("mvn", [
      ...[
        "--batch-mode",
        "--quiet",
        "dependency:copy",
        `-Dartifact=${artifact}:exe:${mavenPlatform()}`,
      ],
      ...[`-DoutputDirectory=${folder}`, "-Dmdep.useBaseVersion=true"],
    ]);
    const plugin = join(folder, isWindows ? `${name}.exe` : name);
    renameSync(join(folder, file), plugin);
    chmodSync(plugin, 0o755);
  }
}

function mavenPlatform() {
  const system =
    { linux: "linux", darwin: "osx", win32: "windows" }[process.platform] ?? process.platform;
  const processor = { x64: "x86_64", arm64: "aarch_64" }[process.arch] ?? process.arch;
  return `${system}-${processor}`;
}

/** Runs a command, with its output on standard error. Throws if it fails. */
function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, {
    stdio: ["ignore", process.stderr, process.stderr],
    env: { ...process.env, ...env },
    shell: isWindows,
  });
  if (status !== 0)
    throw new Error(
      `${command} ${args.join(" ")} failed (${error?.message ?? `exit code ${status}`})`,
    );
}
