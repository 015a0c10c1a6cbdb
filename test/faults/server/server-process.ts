import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ServerUrls } from "../../e2e/harness/protocols.js";

const entry = fileURLToPath(new URL("../../../dist/main.js", import.meta.url));

/** A server in its own process. */
export interface ServerProcess extends ServerUrls {
  /** The address of the metrics. Absent: the server has none. */
  readonly metricsUrl: string | undefined;
  /** Returns everything that the server has written to standard error so far. */
  log(): string;
  /** Resolves when the log contains the text. */
  logged(text: string): Promise<void>;
  /** The id of the process. */
  readonly pid: number;
  /** Sends a signal that does not end the process. */
  signal(signal: "SIGSTOP" | "SIGCONT" | "SIGHUP"): void;
  /**
   * Sends a signal. Resolves when the process has ended: with the exit code, or with `null` if the
   * signal ended the process.
   */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null>;
}

/** A process that starts a server. */
export interface ServerLaunch {
  /** Resolves when the server is ready. Rejects with `FailedStart` if the process ends instead. */
  readonly ready: Promise<ServerProcess>;
  /** Ends the process immediately, ready or not. Resolves when it has ended. */
  kill(): Promise<void>;
}

/** A server that ended before it was ready. */
export class FailedStart extends Error {
  override readonly name = "FailedStart";
  constructor(
    readonly exitCode: number | null,
    readonly output: string,
  ) {
    super(`the server ended with ${exitCode}: ${output}`);
  }
}

/** Options of the start of a server. */
export interface StartOptions {
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Flags of Node. */
  readonly nodeFlags?: readonly string[];
  /** The program to run. Default: the built program of this project. */
  readonly program?: string;
}

/**
 * Starts `serve` on a data folder and free ports, and waits until it is ready. Throws `FailedStart`
 * if the process ends instead.
 */
export function startServerProcess(
  dataFolder: string,
  options: StartOptions = {},
): Promise<ServerProcess> {
  return launchServer(dataFolder, options).ready;
}

/** Starts `serve` as `startServerProcess` does, without waiting. */
export function launchServer(
  dataFolder: string,
  { flags = [], environment = {}, nodeFlags = [], program = entry }: StartOptions = {},
): ServerLaunch {
  if (!existsSync(program))
    throw new Error(`there is no ${program}; run \`npm run build\`, as \`npm test\` does`);
  const args = [
    ...nodeFlags,
    program,
    "serve",
    "--data",
    dataFolder,
    "--grpc",
    "127.0.0.1:0",
    "--http",
    "127.0.0.1:0",
    ...flags,
  ];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: environment,
  });
  // At `exit`, output may still be unread. At `close`, all output has been read.
  const closed = once(child, "close") as Promise<[number | null]>;
  const errors = collectLines(child);
  const untilReady = async (): Promise<ServerProcess> => {
    const ready = await Promise.race([readyLine(child), closed]);
    if (Array.isArray(ready)) throw new FailedStart(ready[0], errors.text());
    return {
      grpcUrl: `http://${ready.grpc}`,
      httpUrl: ready.http,
      metricsUrl: ready.metrics,
      log: errors.text,
      logged: errors.logged,
      pid: child.pid ?? 0,
      signal: (signal) => child.kill(signal),
      async end(signal) {
        child.kill(signal);
        const [exitCode] = await closed;
        return exitCode;
      },
    };
  };
  return {
    ready: untilReady(),
    async kill() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}

/** The line that the server writes to standard output when it is ready. */
interface ReadyLine {
  readonly grpc: string;
  readonly http: string;
  readonly metrics?: string;
  readonly pid: number;
}

async function readyLine({ stdout }: ChildProcess): Promise<ReadyLine> {
  if (stdout === null) throw new Error("standard output is not piped");
  for await (const line of createInterface(stdout)) return JSON.parse(line) as ReadyLine;
  return new Promise(() => undefined);
}

function collectLines({ stderr }: ChildProcess) {
  let text = "";
  const waiting = new Map<string, () => void>();
  stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    for (const [awaited, resolve] of waiting) {
      if (text.includes(awaited)) resolve();
    }
  });
  return {
    text: () => text,
    logged: async (awaited: string) =>
      new Promise<void>((resolve) => {
        if (text.includes(awaited)) resolve();
        else waiting.set(awaited, resolve);
      }),
  };
}
