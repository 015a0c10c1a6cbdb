// Entry of the worker thread that owns all graphs. The graphs need a thread of their own, because
// the addon that implements them blocks its caller, and supports only one thread.
import { createRequire } from "node:module";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createPause } from "../../core/requests/pause.js";
import type { GraphProfile } from "./graph-header.js";
import {
  endOfWorker,
  type GraphReplies,
  type GraphReply,
  type GraphRequest,
  type GraphRequests,
  type GraphWorkerData,
} from "./graph-messages.js";
import { loadGraph, saveGraph } from "./graph-snapshot.js";
import { type HnswAddon, HnswGraph } from "./hnsw-graph.js";

/** A graph and its profile. */
interface KeptGraph {
  readonly profile: GraphProfile;
  readonly graph: HnswGraph;
}

/** Answers searches at once, and all other requests in order of arrival. */
class GraphKeeper {
  readonly #addon: HnswAddon;
  readonly #port: MessagePort;
  readonly #graphs = new Map<number, KeptGraph>();
  #done: Promise<void> = Promise.resolve();
  #isEnding = false;

  constructor(addon: HnswAddon, port: MessagePort) {
    this.#addon = addon;
    this.#port = port;
  }

  take(message: GraphRequest | typeof endOfWorker): void {
    if (message === endOfWorker) {
      this.#isEnding = true;
      // Only the port keeps the worker thread alive, so closing the port ends the thread.
      void this.#done.then(() => this.#port.close());
    } else if (message.kind === "search") void this.#answer(message);
    else this.#done = this.#done.then(() => this.#answer(message));
  }

  async #answer(message: GraphRequest): Promise<void> {
    this.#port.postMessage(await this.#replyTo(message));
  }

  async #replyTo(message: GraphRequest): Promise<GraphReply> {
    const { id } = message;
    try {
      this.#throwIfEnding();
      switch (message.kind) {
        case "create":
          return { id, reply: this.#create(message.request) };
        case "load":
          return { id, reply: this.#load(message.request) };
        case "change":
          return { id, reply: await this.#change(message.request) };
        case "search":
          return {
            id,
            reply: this.#kept(message.request.graph).graph.search(
              message.request.vector,
              message.request.count,
            ),
          };
        case "save":
          return { id, reply: this.#save(message.request) };
        case "drop":
          return { id, reply: this.#drop(message.request) };
      }
    } catch (error) {
      // Posting the error object itself would lose its code.
      const { message: text, code } = error as NodeJS.ErrnoException;
      return { id, error: { message: text, code } };
    }
  }

  #create({ graph, profile, capacity }: GraphRequests["create"]): undefined {
    this.#graphs.set(graph, {
      profile,
      graph: HnswGraph.create(this.#addon, profile.dimension, capacity),
    });
  }

  #load({ graph, profile, folder }: GraphRequests["load"]): GraphReplies["load"] {
    const saved = loadGraph(folder, profile, this.#addon);
    if (saved === undefined) return undefined;
    this.#graphs.set(graph, { profile, graph: saved.graph });
    return { labels: saved.labels, head: saved.head, count: saved.graph.count };
  }

  async #change({
    graph: number,
    removed,
    labels,
    vectors,
  }: GraphRequests["change"]): Promise<undefined> {
    const { graph, profile } = this.#kept(number);
    for (const label of removed) graph.remove(label);
    const pause = createPause(() => this.#throwIfEnding());
    for (const [i, label] of labels.entries()) {
      graph.add(label, vectors.subarray(i * profile.dimension, (i + 1) * profile.dimension));
      await pause();
    }
  }

  #save({ graph: number, folder, labels, head }: GraphRequests["save"]): undefined {
    const { graph, profile } = this.#kept(number);
    saveGraph(folder, profile, { graph, labels, head });
  }

  #drop({ graph: number }: GraphRequests["drop"]): undefined {
    this.#graphs.get(number)?.graph.free();
    this.#graphs.delete(number);
  }

  #throwIfEnding(): void {
    if (this.#isEnding) throw new Error("the worker thread of graphs is ending");
  }

  #kept(number: number): KeptGraph {
    const kept = this.#graphs.get(number);
    if (kept === undefined) throw new Error(`there is no graph ${number}`);
    return kept;
  }
}

function startThread(port: MessagePort, { addon }: GraphWorkerData): void {
  const keeper = new GraphKeeper(createRequire(import.meta.url)(addon) as HnswAddon, port);
  port.on("message", (message: GraphRequest | typeof endOfWorker) => keeper.take(message));
}

if (parentPort !== null) startThread(parentPort, workerData as GraphWorkerData);
