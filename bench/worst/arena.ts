import { cpSync, rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { DescMethod } from "@bufbuild/protobuf";
import { type ServerProcess, startServer } from "../harness/server-process.js";
import { encodeShape } from "./encode-shape.js";
import { type GapProbe, startGapProbe } from "./gap-probe.js";
import { liveBytesDuring, liveMemoryFlags } from "./live-memory.js";
import type { FieldValues } from "./plain-request.js";
import { type RawCall, sendRawCall } from "./raw-call.js";
import type { Shape } from "./shape.js";

/** How long a measurement goes on after the answer, in milliseconds, to include later work. */
const settleMs = 10;

/** What one request did to a server. */
export interface Damage {
  /** The longest time without an answer to a health check, in milliseconds. */
  readonly gapMs: number;
  /** CPU time of the server, over all threads, in milliseconds. */
  readonly cpuMs: number;
  /** The growth of the resident memory to its peak during the request, in bytes. */
  readonly memoryBytes: number;
  /** The code of the answer. */
  readonly answer: string;
}

/** The memory in use during a request. */
export interface Live {
  readonly bytes: number;
  /** The code of the answer. */
  readonly answer: string;
}

/** A server over a copy of a filled folder, which requests may spoil. */
export class Arena implements AsyncDisposable {
  readonly #filled: string;
  readonly #copy: string;
  #server: ServerProcess | undefined;
  #probe: GapProbe | undefined;

  constructor(filled: string, copy: string) {
    this.#filled = filled;
    this.#copy = copy;
  }

  /** Starts a server over a new copy of the folder. */
  async restart(): Promise<void> {
    await this[Symbol.asyncDispose]();
    cpSync(this.#filled, this.#copy, { recursive: true });
    const flags = ["--allow-reset", "--log-level", "silent"];
    this.#server = await startServer(this.#copy, flags, { nodeFlags: liveMemoryFlags() });
    this.#probe = startGapProbe(this.#server.grpcAddress);
    await this.idle(100);
  }

  /** Measures the gap while nothing is sent, in milliseconds. */
  async idle(ms: number): Promise<number> {
    const { probe } = this.#running();
    await probe.begin();
    await delay(ms);
    return probe.end();
  }

  /** Sends the request of a shape and measures what it does. */
  async attack(method: DescMethod, shape: Shape, values: FieldValues): Promise<Damage> {
    const call = callOf(method, shape, values);
    const { server, probe } = this.#running();
    const restingBytes = server.residentBytes();
    const startMicros = server.cpuMicros();
    server.resetPeak();
    await probe.begin();
    const answer = await sendRawCall(server, method, call);
    await delay(settleMs);
    const gapMs = await probe.end();
    return {
      gapMs,
      cpuMs: (server.cpuMicros() - startMicros) / 1_000,
      memoryBytes: Math.max(0, server.peakResidentBytes() - restingBytes),
      answer,
    };
  }

  /**
   * Sends the request of a shape and measures the memory that is in use at one time, without
   * garbage, in bytes. The collections make the request many times slower.
   */
  async liveBytes(method: DescMethod, shape: Shape, values: FieldValues): Promise<Live> {
    const call = callOf(method, shape, values);
    const { server } = this.#running();
    let answer = "";
    const bytes = await liveBytesDuring(server.child, async () => {
      answer = await sendRawCall(server, method, call);
    });
    return { bytes, answer };
  }

  #running(): { readonly server: ServerProcess; readonly probe: GapProbe } {
    if (this.#server === undefined || this.#probe === undefined)
      throw new Error("the server is not running");
    return { server: this.#server, probe: this.#probe };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#probe?.[Symbol.asyncDispose]();
    await this.#server?.[Symbol.asyncDispose]();
    this.#probe = undefined;
    this.#server = undefined;
    rmSync(this.#copy, { recursive: true, force: true });
  }
}

function callOf(method: DescMethod, shape: Shape, values: FieldValues): RawCall {
  const message = encodeShape(method, shape, values);
  const messages = Array.from({ length: shape.messages }, () => message);
  return { encoding: shape.encoding, messages };
}
