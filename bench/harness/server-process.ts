import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The program that `npm run build` makes, relative to the project. */
const program = join("dist", "main.js");

/**
 * The length of a tick in /proc, in microseconds. USER_HZ is 100 on every Linux that Node runs on.
 */
const tickMicros = 10_000;

/** A server in its own process, as a user would start it. Disposing stops it. */
export interface ServerProcess extends AsyncDisposable {
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
}

/** The line that `serve` prints when it accepts calls. */
interface Ready {
  readonly grpc: string;
  /** A URL. */
  readonly http: string;
}

/** Starts the built server on free ports and waits until it accepts calls. */
export async function startServer(
  dataFolder: string,
  flags: readonly string[] = [],
): Promise<ServerProcess> {
  const addresses = ["--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"];
  const child = spawn(
    process.execPath,
    [program, "serve", "--data", dataFolder, ...addresses, "--log-level", "warn", ...flags],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const exit = once(child, "exit");
  const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), exit])) as [
    unknown,
  ];
  if (typeof line !== "string")
    throw new Error(`the server ended with ${String(line)} before it accepted calls`);
  const { grpc, http } = JSON.parse(line) as Ready;
  return {
    grpcAddress: grpc,
    httpAddress: new URL(http).host,
    cpuMicros: () => cpuMicrosOf(child.pid),
    residentBytes: () => residentBytesOf(child.pid),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exit;
    },
  };
}

function cpuMicrosOf(pid: number | undefined): number {
  if (process.platform !== "linux") return Number.NaN;
  // The second field is the program's name in parentheses, which can contain spaces, so fields
  // count from behind it. `utime` and `stime` are fields 14 and 15 (proc_pid_stat(5)).
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMicros;
}

function residentBytesOf(pid: number | undefined): number {
  if (process.platform !== "linux") return Number.NaN;
  const [, kibibytes] =
    /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) * 1024;
}
