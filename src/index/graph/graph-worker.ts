import { createRequire } from "node:module";
import { type TransferListItem, Worker } from "node:worker_threads";
import type { Log } from "../../core/ports/log.js";
import {
  endOfWorker,
  type GraphReplies,
  type GraphReply,
  type GraphRequestKind,
  type GraphRequests,
  type GraphWorkerData,
} from "./graph-messages.js";

/**
 * The optional package that implements graphs. npm compiles the package during installation, which
 * may fail.
 */
const graphAddon = "hnswlib-node";

function graphsUnavailable(addon: string): string {
  return (
    "the worker thread of graphs failed; searches compare all vectors, in large namespaces too. " +
    `Graphs need the optional package ${addon}, which npm compiles during installation`
  );
}

/** A caller that waits for a reply. */
interface Waiting {
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Sends requests to the worker thread that holds the graphs. */
export interface GraphWorker {
  /** Whether the worker thread has ended; every further request fails. */
  readonly hasEnded: boolean;
  /** Whether the worker thread reads or writes a file, which would delay a search. */
  readonly isBusy: boolean;
  /** Returns a number for a new graph. Numbers are never reused. */
  nextGraph(): number;
  /**
   * Sends a request and returns its reply. The buffers in `transferred` become unusable in this
   * thread.
   *
   * @throws Error when the request fails
   */
  request<K extends GraphRequestKind>(
    kind: K,
    request: GraphRequests[K],
    transferred?: readonly TransferListItem[],
  ): Promise<GraphReplies[K]>;
  /**
   * Ends the worker thread. Pending requests fail. Resolves when the thread has ended. The thread
   * first completes a file write in progress.
   */
  end(): Promise<void>;
}

export interface GraphWorkerOptions {
  /** Gets one warning when graphs are not available. */
  readonly log: Log;
  /** Name of the package that implements graphs. Default: hnswlib-node. */
  readonly addon?: string;
}

/**
 * Creates a worker that starts with the first request. The worker keeps the process alive only
 * while a request is pending.
 */
export function createGraphWorker({ log, addon = graphAddon }: GraphWorkerOptions): GraphWorker {
  return new LazyThread(log, { addon });
}

class LazyThread implements GraphWorker {
  readonly #log: Log;
  readonly #data: GraphWorkerData;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #exit: Promise<unknown> | undefined;
  #lastId = 0;
  #lastGraph = 0;
  #files = 0;
  hasEnded = false;

  constructor(log: Log, data: GraphWorkerData) {
    this.#log = log;
    this.#data = data;
  }

  get isBusy(): boolean {
    return this.#files > 0;
  }

  nextGraph(): number {
    return ++this.#lastGraph;
  }

  async request<K extends GraphRequestKind>(
    kind: K,
    request: GraphRequests[K],
    transferred: readonly TransferListItem[] = [],
  ): Promise<GraphReplies[K]> {
    if (this.hasEnded) throw new Error("the worker thread of graphs has ended");
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#lastId;
    const usesFile = kind === "save" || kind === "load";
    if (usesFile) this.#files += 1;
    if (this.#waiting.size === 0) worker.ref();
    try {
      // The reply always has the kind of its request.
      return await new Promise<GraphReplies[K]>((resolve, reject) => {
        this.#waiting.set(id, { resolve: (reply) => resolve(reply as GraphReplies[K]), reject });
        worker.postMessage({ id, kind, request }, transferred);
      });
    } finally {
      if (usesFile) this.#files -= 1;
      if (this.#waiting.size === 0) worker.unref();
    }
  }

  async end(): Promise<void> {
    this.#fail(new Error("the worker thread of graphs was ended"));
    this.#worker?.ref();
    this.#worker?.postMessage(endOfWorker);
    await this.#exit;
  }

  #start(): Worker {
    // Resolved through `imports` of package.json. A worker thread needs compiled JavaScript, even
    // when the main thread runs from TypeScript sources.
    const worker = new Worker(createRequire(import.meta.url).resolve("#dist/graph-worker.js"), {
      workerData: this.#data,
    });
    this.#exit = new Promise((resolve) => worker.once("exit", resolve));
    worker.on("message", (reply: GraphReply) => this.#take(reply));
    worker.on("error", (error) => {
      this.#log("warn", graphsUnavailable(this.#data.addon), { error });
      this.#fail(new Error("the worker thread of graphs has failed", { cause: error }));
    });
    return worker;
  }

  #take(reply: GraphReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ("error" in reply)
      waiting?.reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }));
    else waiting?.resolve(reply.reply);
  }

  #fail(error: Error): void {
    this.hasEnded = true;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
