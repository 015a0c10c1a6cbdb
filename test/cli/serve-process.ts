import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

const projectFolder = join(import.meta.dirname, "..", "..");

/** A server in a process of its own, as the `serve` command starts it. */
export interface ServeProcess {
  /** The line that says where it listens, parsed. */
  readonly ready: Readonly<Record<string, string>>;
  kill(signal: NodeJS.Signals): void;
  /** Ends when the process has: how it ended, and what it wrote to standard error. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly signal: NodeJS.Signals | null; readonly stderr: string }>;
}

/** Builds what the processes run from the sources as they are. */
export function build(): void {
  execFileSync(process.execPath, [join(projectFolder, "scripts", "build.mjs")], { stdio: "inherit" });
}

/** Runs `serve` on free ports until it ends; `ready` is `undefined` if it ends before it listens. */
export async function runServe(
  args: readonly string[],
): Promise<Omit<ServeProcess, "ready"> & { readonly ready: ServeProcess["ready"] | undefined }> {
  const ports = ["--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"];
  const child = spawn(process.execPath, [join(projectFolder, "dist", "main.js"), "serve", ...ports, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {},
  });
  const ended = endOf(child);
  const line = await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended.then(() => undefined)]);
  const ready = line === undefined ? undefined : (JSON.parse(String(line[0])) as ServeProcess["ready"]);
  return { ready, kill: (signal) => child.kill(signal), ended };
}

/** Starts `serve` on free ports. Throws what it wrote to standard error if it does not start. */
export async function startServe(args: readonly string[]): Promise<ServeProcess> {
  const { ready, ...process } = await runServe(args);
  if (ready === undefined) throw new Error((await process.ended).stderr);
  return { ready, ...process };
}

async function endOf(child: ChildProcess): ServeProcess["ended"] {
  const chunks: Buffer[] = [];
  child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
  const [exitCode, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return { exitCode, signal, stderr: Buffer.concat(chunks).toString() };
}
