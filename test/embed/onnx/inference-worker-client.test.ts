import { afterEach, describe, expect, it } from "vitest";
import { InferenceWorkerClient } from "../../../src/embed/onnx/inference-worker-client.js";

const entry = new URL("workers/scripted.mjs", import.meta.url);
const vector = new Float32Array(3);

let log: string[] = [];
let client: InferenceWorkerClient | undefined;

afterEach(async () => {
  await client?.close();
  client = undefined;
  log = [];
});

async function start(data: object = {}): Promise<InferenceWorkerClient> {
  client = new InferenceWorkerClient(entry, data, (_level, message) => log.push(message));
  await client.start();
  return client;
}

describe("the worker thread of a model", () => {
  it("the worker thread of a model returns a vector for each text", async () => {
    const started = await start();
    expect(await started.encode(["a", "b"])).toEqual([vector, vector]);
  });

  it.each(["throw", "exit"])(
    "a worker thread that ends by '%s' fails its call with a retryable error, and restarts",
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

  it("the worker thread of a model continues after texts on which the model failed", async () => {
    const started = await start();
    await expect(started.encode(["fail"])).rejects.toThrow(
      "the model failed: a matrix does not fit",
    );
    expect(await started.encode(["a"])).toEqual([vector]);
  });

  it("the worker thread of a model reports why it cannot use a model", async () => {
    await expect(start({ unusable: true })).rejects.toMatchObject({
      reason: "MODEL_UNUSABLE",
      message: "no model",
    });
  });

  it("the worker thread of a model can be closed twice, and before its start", async () => {
    const started = await start();
    await started.close();
    await started.close();
    await new InferenceWorkerClient(entry, {}, () => {}).close();
  });
});
