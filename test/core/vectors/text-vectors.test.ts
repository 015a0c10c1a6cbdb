import { describe, expect, it } from "vitest";
import { VademecumError } from "../../../src/core/model/errors.js";
import { endlessCall } from "../../../src/core/ports/call.js";
import type { Embedder } from "../../../src/core/ports/embedder.js";
import { embedTexts } from "../../../src/core/vectors/text-vectors.js";

const call = endlessCall;

/**
 * Creates an embedder whose vector of a text consists of the text's length. It records the texts of
 * each call in `asked`, and refuses texts that contain `refused`.
 */
function lengthEmbedder(modelId: string): Embedder & { readonly asked: (readonly string[])[] } {
  const asked: (readonly string[])[] = [];
  return {
    modelId,
    dimension: 1,
    calibration: { vectorWeight: 0.5, randomScore: 0, paraphraseScore: 1 },
    asked,
    async embed(texts) {
      asked.push(texts);
      if (texts.some((text) => text.includes("refused"))) {
        throw new VademecumError("FAILED_PRECONDITION", "EMBEDDER_REFUSED_TEXT", "too odd");
      }
      return texts.map((text) => Float32Array.of(text.length));
    },
  };
}

describe("texts that are embedded together", () => {
  it("texts that are embedded together need one request, however often their vectors are used", async () => {
    const embedder = lengthEmbedder("a");
    const texts = embedTexts(["one", "three"], embedder, call);
    const use = () =>
      texts.use(async ([one, three]) => [...one.vectorBy(embedder), ...three.vectorBy(embedder)]);
    expect(await Promise.all([use(), use()])).toEqual([
      [3, 5],
      [3, 5],
    ]);
    expect(embedder.asked).toEqual([["one", "three"]]);
  });

  it("texts are embedded by another model when their use needs that model", async () => {
    const [expected, needed] = [lengthEmbedder("a"), lengthEmbedder("b")];
    const texts = embedTexts(["one", "three"], expected, call);
    expect(
      await texts.use(async (vectors) => vectors.map((vector) => vector.vectorBy(needed)[0])),
    ).toEqual([3, 5]);
    expect(needed.asked).toEqual([["one", "three"]]);
  });

  it("texts are not embedded when no model is expected or needed", async () => {
    expect(
      await embedTexts(["one"], undefined, call).use(async ([one]) => one.latest),
    ).toBeUndefined();
  });

  it("texts keep their vectors when the model refuses another text of the batch", async () => {
    const embedder = lengthEmbedder("a");
    const texts = embedTexts(["one", "refused"], embedder, call);
    expect(
      await texts.use(async ([one, refused]) => [one.vectorBy(embedder)[0], refused.latest]),
    ).toEqual([3, undefined]);
    await expect(
      texts.use(async ([, refused]) => refused.vectorBy(embedder)),
    ).rejects.toMatchObject({
      reason: "EMBEDDER_REFUSED_TEXT",
    });
  });
});
