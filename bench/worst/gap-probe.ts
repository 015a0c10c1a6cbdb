import { once } from "node:events";
import { Worker } from "node:worker_threads";

/**
 * Measures how long a server leaves other calls without an answer. Disposing ends the measurement.
 */
export interface GapProbe extends AsyncDisposable {
  /** Begins to measure. */
  begin(): Promise<void>;
  /** Returns the longest time without an answer since `begin`, in milliseconds. */
  end(): Promise<number>;
}

/**
 * Starts to send health checks to a gRPC listener, given as `host:port`, from a worker thread.
 * @param program The compiled worker. Default: the worker in the folder of this file.
 */
export function startGapProbe(
  address: string,
  program = new URL("./gap-probe-worker.js", import.meta.url),
): GapProbe {
  const worker = new Worker(program, { workerData: address });
  const ask = async (message: "begin" | "end") => {
    const answer = once(worker, "message") as Promise<[number]>;
    worker.postMessage(message);
    const [gapMs] = await answer;
    return gapMs;
  };
  return {
    begin: async () => void (await ask("begin")),
    end: () => ask("end"),
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}
