import { beforeEach, describe, expect, it } from "vitest";
import { BatchQueue } from "../../src/embed/batch-queue.js";

/** A batch that runs until the test ends it. */
interface RunningBatch {
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
  /**
   * Ends the batch. Each text gets the error that `instead` has for the text, or else a vector. The
   * only component of the vector is the length of the text.
   */
  finish(instead?: Readonly<Record<string, Error>>): Promise<void>;
  fail(error: Error): Promise<void>;
}

const { signal } = new AbortController();
let batches: RunningBatch[] = [];
let queue: BatchQueue;

beforeEach(() => {
  batches = [];
  queue = createQueue();
});

function createQueue(): BatchQueue {
  return new BatchQueue({
    maxBatchTexts: 3,
    maxRunningBatches: 2,
    maxWaitingTexts: 4,
    run: (texts, batchSignal) =>
      new Promise((resolve, reject) => {
        batches.push({
          texts,
          signal: batchSignal,
          finish: (instead = {}) =>
            runStep(() => resolve(texts.map((text) => instead[text] ?? vectorOf(text)))),
          fail: (error) => runStep(() => reject(error)),
        });
      }),
  });
}

function vectorOf(text: string): Float32Array {
  return Float32Array.of(text.length);
}

/** Runs a step and waits for all of its effects. */
async function runStep(step: () => void): Promise<void> {
  step();
  await new Promise((resolve) => setImmediate(resolve));
}

function running(): (readonly string[])[] {
  return batches.map(({ texts }) => texts);
}

describe("a queue of texts", () => {
  it("a queue of texts embeds a text immediately while nothing runs", () => {
    void queue.embed(["a"], signal);
    expect(running()).toEqual([["a"]]);
  });

  it("a queue of texts embeds single texts before the texts of longer calls", async () => {
    void queue.embed(["a", "b", "c"], signal);
    void queue.embed(["d", "e", "f"], signal);
    void queue.embed(["g", "h"], signal);
    void queue.embed(["i"], signal);
    void queue.embed(["j"], signal);
    await batches[0]?.finish();
    await batches[1]?.finish();
    expect(running().slice(2)).toEqual([
      ["i", "j"],
      ["g", "h"],
    ]);
  });

  it("a queue of texts embeds a longer call after at most three batches of single texts", async () => {
    void queue.embed(["a", "b", "c"], signal);
    void queue.embed(["d", "e", "f"], signal);
    void queue.embed(["g", "h"], signal);
    for (const [at, text] of ["i", "j", "k", "l"].entries()) {
      void queue.embed([text], signal);
      await batches[at]?.finish();
    }
    expect(running().slice(2)).toEqual([["i"], ["j"], ["k"], ["g", "h"]]);
    await batches[4]?.finish();
    expect(running().at(-1)).toEqual(["l"]);
  });

  it("a queue of texts batches texts that arrive while a batch runs, in their order of arrival", async () => {
    void queue.embed(["a"], signal);
    void queue.embed(["b"], signal);
    for (const text of ["c", "d", "e", "f"]) void queue.embed([text], signal);
    expect(running()).toEqual([["a"], ["b"]]);
    await batches[0]?.finish();
    expect(running().slice(2)).toEqual([["c", "d", "e"]]);
    await batches[1]?.finish();
    expect(running().slice(3)).toEqual([["f"]]);
  });

  it("a queue of texts returns vectors in the order of the texts, whichever batch ends first", async () => {
    const vectors = queue.embed(["a", "bb", "ccc", "dddd", "eeeee"], signal);
    await batches[1]?.finish();
    await batches[0]?.finish();
    expect(await vectors).toEqual(["a", "bb", "ccc", "dddd", "eeeee"].map(vectorOf));
  });

  it("a queue of texts returns no vectors for an empty list of texts", async () => {
    expect(await queue.embed([], signal)).toEqual([]);
    expect(batches).toEqual([]);
  });

  it("a queue of texts refuses calls while too many texts wait, but accepts a call of any size while no text waits", async () => {
    const large = queue.embed(Array.from("abcdefghijklmno"), signal);
    await expect(queue.embed(["x", "y"], signal)).rejects.toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      reason: "EMBEDDER_BUSY",
    });
    void queue.embed(["a query, which does not wait for the long call"], signal);
    while (batches.length > 0) await batches.shift()?.finish();
    expect(await large).toHaveLength(15);
    void queue.embed(["x"], signal);
    expect(running()).toEqual([["x"]]);
  });

  it("a queue of texts fails all calls of a failed batch, and continues", async () => {
    void queue.embed(["1"], signal);
    void queue.embed(["2"], signal);
    const first = queue.embed(["a", "b"], signal);
    const second = queue.embed(["c", "d"], signal);
    const third = queue.embed(["e", "f"], signal);
    const failed = Promise.all([
      expect(first).rejects.toThrow("broken"),
      expect(second).rejects.toThrow("broken"),
    ]);
    await batches[0]?.finish();
    await batches[2]?.fail(new Error("broken"));
    await failed;
    await batches[3]?.finish();
    expect(await third).toEqual([vectorOf("e"), vectorOf("f")]);
  });

  it("a queue of texts fails only the call whose text the model refuses", async () => {
    void queue.embed(["1"], signal);
    void queue.embed(["2"], signal);
    const refused = queue.embed(["a"], signal);
    const taken = queue.embed(["bb"], signal);
    await batches[0]?.finish();
    const failed = expect(refused).rejects.toThrow("too long");
    await batches[2]?.finish({ a: new Error("too long") });
    await failed;
    expect(await taken).toEqual([vectorOf("bb")]);
  });

  it("a queue of texts cancels a call when its caller leaves, and drops its waiting texts", async () => {
    const caller = new AbortController();
    const left = queue.embed(["a", "b", "c", "d", "e", "f", "g"], caller.signal);
    const stays = queue.embed(["hh"], signal);
    const reason = new Error("the caller is gone");
    const ended = expect(left).rejects.toBe(reason);
    caller.abort(reason);
    await ended;
    await batches[0]?.finish();
    expect(running().slice(2)).toEqual([["hh"]]);
    await batches[2]?.finish();
    expect(await stays).toEqual([vectorOf("hh")]);
  });

  it("a queue of texts aborts a batch only when the last caller leaves", async () => {
    void queue.embed(["1"], signal);
    void queue.embed(["2"], signal);
    const callers = [new AbortController(), new AbortController()] as const;
    const calls = callers.map((caller, i) => queue.embed([`caller ${i}`], caller.signal));
    const ended = Promise.all(calls.map((call) => expect(call).rejects.toThrow("gone")));
    await batches[0]?.finish();
    callers[0].abort(new Error("gone"));
    expect(batches[2]?.signal.aborted).toBe(false);
    callers[1].abort(new Error("gone"));
    expect(batches[2]?.signal.aborted).toBe(true);
    await ended;
  });

  it("a queue of texts refuses a call that has already ended", async () => {
    const reason = new Error("the caller is gone");
    await expect(queue.embed(["a"], AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(batches).toEqual([]);
  });

  it("a closed queue of texts refuses all texts, and aborts running batches", async () => {
    const reason = new Error("closed");
    const calls = [
      queue.embed(["a"], signal),
      queue.embed(["b"], signal),
      queue.embed(["c"], signal),
    ];
    const ended = Promise.all(calls.map((call) => expect(call).rejects.toBe(reason)));
    queue.close(reason);
    await ended;
    expect(batches.map((batch) => batch.signal.aborted)).toEqual([true, true]);
    await expect(queue.embed(["d"], signal)).rejects.toBe(reason);
    expect(batches).toHaveLength(2);
  });
});
