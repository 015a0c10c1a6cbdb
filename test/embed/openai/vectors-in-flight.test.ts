import { setImmediate } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { VectorsInFlight } from "../../../src/embed/openai/vectors-in-flight.js";
import { createDeferred, type Deferred } from "../../rpc/deferred.js";
import { startOpenAiFixture } from "./openai-fixture.js";

const { signal } = new AbortController();

function vectorOf(text: string): Float32Array {
  return Float32Array.of(text.length);
}

/** Creates vectors in flight. The test finishes the vector of each text with `finish`. */
function createInFlight() {
  const made: string[] = [];
  const work = new Map<string, Deferred<Float32Array>>();
  const signals: AbortSignal[] = [];
  const inFlight = new VectorsInFlight((texts, madeSignal) => {
    signals.push(madeSignal);
    return texts.map((text) => {
      made.push(text);
      const vector = createDeferred<Float32Array>();
      work.set(text, vector);
      return vector.promise;
    });
  });
  const finish = (text: string) => work.get(text)?.resolve(vectorOf(text));
  return { inFlight, made, signals, finish, work };
}

describe("vectors of texts that several calls embed at the same time", () => {
  test("concurrent calls for a text make its vector once, and a later call makes the vector again", async () => {
    const { inFlight, made, finish } = createInFlight();
    const calls = [inFlight.embed(["a", "bb"], signal), inFlight.embed(["bb", "bb"], signal)];
    for (const text of ["a", "bb"]) finish(text);
    expect(await Promise.all(calls)).toEqual([
      [vectorOf("a"), vectorOf("bb")],
      [vectorOf("bb"), vectorOf("bb")],
    ]);
    void inFlight.embed(["bb"], signal);
    expect(made).toEqual(["a", "bb", "bb"]);
  });

  test("one signal may end many calls without a warning of Node.js", async () => {
    const { inFlight, finish } = createInFlight();
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const own = new AbortController().signal;
    const texts = Array.from({ length: 12 }, (_, at) => "a".repeat(at));
    const calls = texts.map((text) => inFlight.embed([text], own));
    for (const text of texts) finish(text);
    await Promise.all(calls);
    // Node.js emits a warning in the next turn of the event loop.
    await setImmediate();
    expect(warnings).toEqual([]);
  });

  test("a vector that several calls wait for is completed if one of them leaves", async () => {
    const { inFlight, signals, finish } = createInFlight();
    const leaving = new AbortController();
    const left = inFlight.embed(["a"], leaving.signal);
    const stayed = inFlight.embed(["a"], signal);
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    expect(signals[0]?.aborted).toBe(false);
    finish("a");
    expect(await stayed).toEqual([vectorOf("a")]);
  });

  test("a vector is abandoned once all calls that wait for it have left, and is made anew for the next call", async () => {
    const { inFlight, signals, made } = createInFlight();
    const leaving = new AbortController();
    const left = inFlight.embed(["a"], leaving.signal);
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    expect(signals[0]?.aborted).toBe(true);
    void inFlight.embed(["a"], signal);
    expect(made).toEqual(["a", "a"]);
  });

  test("a call gets its vector even if another text of the batch fails", async () => {
    const { inFlight, work, finish } = createInFlight();
    const both = inFlight.embed(["bad", "good"], signal);
    const good = inFlight.embed(["good"], signal);
    work.get("bad")?.reject(new Error("refused"));
    await expect(both).rejects.toThrow("refused");
    finish("good");
    expect(await good).toEqual([vectorOf("good")]);
  });
});

test("twenty parallel calls send one text to the endpoint once", async () => {
  const fixture = await startOpenAiFixture();
  try {
    const embedder = await fixture.open({ folder: fixture.folder });
    await Promise.all(Array.from({ length: 20 }, () => embedder.embed(["my sister"], signal)));
    expect(fixture.textsSent()).toEqual([["my sister"]]);
  } finally {
    await fixture.end();
  }
});
