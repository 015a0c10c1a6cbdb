import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";

const projectFolder = join(import.meta.dirname, "..", "..");

/** The programs of a folder, compiled to JavaScript. */
export interface CompiledChildren {
  /** Starts a program. If it writes a file larger than `maxFileKibibytes`, the write fails. */
  spawn(program: string, args: readonly string[], maxFileKibibytes?: number): ChildProcess;
  remove(): Promise<void>;
}

/**
 * Compiles the programs of a folder into a temporary folder.
 *
 * @param sources the folder of the programs; default: `children` beside this module
 */
export async function compileChildren(
  sources = join(import.meta.dirname, "children"),
): Promise<CompiledChildren> {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-children-"));
  // package.json, because its `imports` name the workers in `dist`.
  for (const name of ["node_modules", "package.json", "dist"])
    await symlink(join(projectFolder, name), join(folder, name));
  const bundle = await rolldown({
    input: (await readdir(sources)).map((name) => join(sources, name)),
    platform: "node",
    // Node 20 knows no `await using`.
    transform: { target: "node20" },
    // Packages are loaded from node_modules; only this project's own code is compiled. The bundler
    // itself has the functions that stand for newer syntax.
    external: /^(?!@oxc-project\/runtime)[\w@#]/,
    resolve: { extensionAlias: { ".js": [".ts"] } },
  });
  await bundle.write({ dir: folder, format: "es", entryFileNames: "[name].mjs" });
  await bundle.close();
  return {
    spawn(program, args, maxFileKibibytes) {
      const path = join(folder, `${program}.mjs`);
      const limit = maxFileKibibytes === undefined ? "" : `ulimit -f ${maxFileKibibytes};`;
      return spawn("bash", ["-c", `${limit} exec "$0" "$@"`, process.execPath, path, ...args], {
        stdio: ["ignore", "pipe", "inherit"],
      });
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The end of a process. */
export interface Ended {
  /** Everything that it wrote to standard output. */
  readonly output: string;
  /** The signal that ended it; `null` if it ended by itself. */
  readonly signal: NodeJS.Signals | null;
}

/**
 * Runs a process to its end. Calls `enough` whenever the process writes. When `enough` returns
 * true, kills the process like `kill -9`.
 */
export async function runToEnd(
  child: ChildProcess,
  enough: (output: string) => boolean = () => false,
): Promise<Ended> {
  let output = "";
  child.stdout?.setEncoding("utf8");
  child.stdout?.on("data", (piece: string) => {
    output += piece;
    if (enough(output)) child.kill("SIGKILL");
  });
  await new Promise((resolve) => child.once("close", resolve));
  return { output, signal: child.signalCode };
}
