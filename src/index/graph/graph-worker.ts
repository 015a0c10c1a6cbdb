import { createRequire } from "node:module";
import { type TransferListItem, Worker } from "node:worker_threads";
import type { Log } from "../../core/ports/log.js";
import {
  endOfThread,
  type GraphReplies,
  type GraphReply,
  type GraphRequestKind,
  type GraphRequests,
  type GraphThreadData,
} from "./graph-messages.js";

/** The package that has the graphs. It is optional: it is compiled when it is installed, which may fail. */
const graphAddon = "hnswlib-node";

function graphsAreNotToBeHad(addon: string): string {
  return `namespaces of any size are searched by comparing all vectors: the thread that keeps graphs has failed. It needs the optional package ${addon}, which npm compiles as it installs it`;
}

/** Somebody who waits for a reply. */
interface Waiting {
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Asks the thread that has the graphs. */
export interface GraphThread {
  /** True once the thread has ended: every request fails from then on. */
  readonly hasEnded: boolean;
  /** True while a file is written or read, for which a search would have to wait. */
  readonly isBusy: boolean;
  /** A number for a graph, given once. */
  nextGraph(): number;
  /** What is transferred is gone from this thread afterwards. @throws Error if the request fails */
  request<K extends GraphRequestKind>(
    kind: K,
    request: GraphRequests[K],
    transferred?: readonly TransferListItem[],
  ): Promise<GraphReplies[K]>;
  /** Ends the thread; what it is asked for still fails. Resolves when it has ended, for which a file that is being written is finished. */
  end(): Promise<void>;
}

export interface GraphThreadOptions {
  /** Told once when the graphs are not to be had. */
  readonly log: Log;
  /** Name of the package that has the graphs. Default: hnswlib-node. */
  readonly addon?: string;
}

/** A thread that starts with the first request. It does not keep the process alive while nothing is asked of it. */
export function createGraphThread({ log, addon = graphAddon }: GraphThreadOptions): GraphThread {
  return new LazyThread(log, { addon });
}

class LazyThread implements GraphThread {
  readonly #log: Log;
  readonly #data: GraphThreadData;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #exit: Promise<unknown> | undefined;
  #lastId = 0;
  #lastGraph = 0;
  #files = 0;
  hasEnded = false;

  constructor(log: Log, data: GraphThreadData) {
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
    if (this.hasEnded) throw new Error("the thread of graphs has ended");
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#lastId;
    const usesFile = kind === "save" || kind === "load";
    if (usesFile) this.#files += 1;
    if (this.#waiting.size === 0) worker.ref();
    try {
      // The thread answers each kind of request with its kind of reply.
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
    this.#fail(new Error("the thread of graphs was ended"));
    this.#worker?.ref();
    this.#worker?.postMessage(endOfThread);
    await this.#exit;
  }

  #start(): Worker {
    // By the package's `imports`: a thread runs JavaScript, also where the rest runs from the sources.
    const worker = new Worker(
      createRequire(import.meta.url).resolve("#dist/index/graph/graph-worker-entry.js"),
      {
        workerData: this.#data,
      },
    );
    this.#exit = new Promise((resolve) => worker.once("exit", resolve));
    worker.on("message", (reply: GraphReply) => this.#take(reply));
    worker.on("error", (error) => {
      this.#log("warn", graphsAreNotToBeHad(this.#data.addon), { error });
      this.#fail(new Error("the thread of graphs has failed", { cause: error }));
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
