import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** The program that `npm run build` makes, relative to the project. */
const program = join("dist", "main.js");

/**
 * The length of a tick in /proc, in microseconds. USER_HZ is 100 on every Linux that Node runs on.
 */
const tickMicros = 10_000;

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

/**
 * Starts the built server on free ports and waits until it accepts calls.
 *
 * @param nodeFlags flags of Node, such as `--expose-gc`
 */
export async function startServer(
  dataFolder: string,
  flags: readonly string[] = [],
  nodeFlags: readonly string[] = [],
): Promise<ServerProcess> {
  const addresses = ["--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"];
  const child = spawn(
    process.execPath,
    [
      ...nodeFlags,
      program,
      "serve",
      "--data",
      dataFolder,
      ...addresses,
      "--log-level",
      "warn",
      ...flags,
    ],
    { stdio: ["ignore", "pipe", "inherit", ...(nodeFlags.length > 0 ? (["ipc"] as const) : [])] },
  );
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
    residentBytes: () => statusBytesOf(child.pid, "VmRSS"),
    resetPeak: () => resetPeakOf(child.pid),
    peakResidentBytes: () => statusBytesOf(child.pid, "VmHWM"),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exit;
    },
  };
}

function cpuMicrosOf(pid: number | undefined): number {
  if (process.platform !== "linux") return Number.NaN;
  // The second field is the program's name in parentheses, which can contain spaces, so the fields
  // are counted from its end. `utime` and `stime` are fields 14 and 15 (proc_pid_stat(5)).
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMicros;
}

function statusBytesOf(pid: number | undefined, field: "VmRSS" | "VmHWM"): number {
  if (process.platform !== "linux") return Number.NaN;
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [, kibibytes] = new RegExp(`^${field}:\\s*(\\d+) kB$`, "m").exec(status) ?? [];
  return Number(kibibytes) * 1024;
}

/** See `clear_refs` in proc(5): 5 resets VmHWM. */
function resetPeakOf(pid: number | undefined): void {
  if (process.platform === "linux") writeFileSync(`/proc/${pid}/clear_refs`, "5");
}
