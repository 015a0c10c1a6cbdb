import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import {
  cpuMicrosOf,
  peakResidentBytesOf,
  resetPeakOf,
  residentBytesOf,
} from "./process-figures.js";

/** The program that `npm run build` makes, relative to the folder of the project. */
const program = join("dist", "main.js");

/** A server in its own process, as a user would start it. Disposing stops it. */
export interface ServerProcess extends AsyncDisposable {
  /** The process. It has an IPC channel if it was started with flags of Node. */
  readonly child: ChildProcess;
  /** `host:port` of the gRPC listener. */
  readonly grpcAddress: string;
  /** `host:port` of the listener for Connect, gRPC-Web and JSON. */
  readonly httpAddress: string;
  /**
   * Returns the CPU time that the process has used so far, over all threads, in microseconds. `NaN`
   * without /proc.
   */
  cpuMicros(): number;
  /** Returns the resident memory of the process, in bytes. `NaN` without /proc. */
  residentBytes(): number;
  /** Forgets the peak of the resident memory so far. Does nothing without /proc. */
  resetPeak(): void;
  /** Returns the peak of the resident memory since `resetPeak`, in bytes. `NaN` without /proc. */
  peakResidentBytes(): number;
}

/** The line that `serve` prints when it accepts calls. */
interface Ready {
  readonly grpc: string;
  /** A URL. */
  readonly http: string;
}

/** How a benchmark starts a server. */
export interface StartOptions {
  /** Folder of the built project. Default: the current one. */
  readonly project?: string;
  /**
   * Flags of Node, such as `--expose-gc`. If there are flags, the process has an IPC channel.
   * Default: none.
   */
  readonly nodeFlags?: readonly string[];
}

/** Starts the built server on free ports and waits until it accepts calls. */
export async function startServer(
  dataFolder: string,
  flags: readonly string[] = [],
  { project = ".", nodeFlags = [] }: StartOptions = {},
): Promise<ServerProcess> {
  const addresses = ["--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"];
  const serve = ["serve", "--data", dataFolder, ...addresses, "--log-level", "warn", ...flags];
  const child = spawn(process.execPath, [...nodeFlags, join(project, program), ...serve], {
    stdio: ["ignore", "pipe", "inherit", ...(nodeFlags.length > 0 ? (["ipc"] as const) : [])],
  });
  const exit = once(child, "exit");
  const output = createInterface(child.stdout as Readable);
  const [line] = (await Promise.race([once(output, "line"), exit])) as [unknown];
  if (typeof line !== "string")
    throw new Error(`the server ended with ${String(line)} before it accepted calls`);
  const { grpc, http } = JSON.parse(line) as Ready;
  return {
    child,
    grpcAddress: grpc,
    httpAddress: new URL(http).host,
    cpuMicros: () => cpuMicrosOf(child.pid),
    residentBytes: () => residentBytesOf(child.pid),
    resetPeak: () => resetPeakOf(child.pid),
    peakResidentBytes: () => peakResidentBytesOf(child.pid),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exit;
    },
  };
}
