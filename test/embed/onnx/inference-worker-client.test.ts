import { afterEach, describe, expect, it } from "vitest";
import { InferenceWorkerClient } from "../../../src/embed/onnx/inference-worker-client.js";

const entry = new URL("workers/told.mjs", import.meta.url);
const vector = new Float32Array(3);

let log: string[] = [];
let thread: InferenceWorkerClient | undefined;

afterEach(async () => {
  await thread?.close();
  thread = undefined;
  log = [];
});

async function start(data: object = {}): Promise<InferenceWorkerClient> {
  thread = new InferenceWorkerClient(entry, data, (_level, message) => log.push(message));
  await thread.start();
  return thread;
}

describe("the thread of a model", () => {
  it("gives a vector for each text", async () => {
    const started = await start();
    expect(await started.encode(["a", "b"])).toEqual([vector, vector]);
  });

  it.each(["throw", "exit"])(
    "that ends by '%s' makes the call fail so that it can be repeated, and is started again for the next",
    async (how) => {
      const started = await start();
      await expect(started.encode([how])).rejects.toMatchObject({
        code: "UNAVAILABLE",
        reason: "EMBEDDER_UNAVAILABLE",
        retryAfterMs: expect.any(Number) as number,
      });
      expect(await started.encode(["a"])).toEqual([vector]);
      expect(log).toEqual(["the worker thread of the embedding model crashed"]);
    },
  );

  it("goes on after texts that the model failed on", async () => {
    const started = await start();
    await expect(started.encode(["fail"])).rejects.toThrow(
      "the model failed: a matrix does not fit",
    );
    expect(await started.encode(["a"])).toEqual([vector]);
  });

  it("says what is wrong with a model that it cannot use", async () => {
    await expect(start({ unusable: true })).rejects.toMatchObject({
      reason: "MODEL_UNUSABLE",
      message: "no model",
    });
  });

  it("can be closed twice, and before it has started", async () => {
    const started = await start();
    await started.close();
    await started.close();
    await new InferenceWorkerClient(entry, {}, () => {}).close();
  });
});
