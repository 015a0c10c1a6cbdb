import { writeFile } from "node:fs/promises";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { assumedCalibration } from "../../../src/embed/assumed-calibration.js";
import { type OnnxEmbedder, openOnnxEmbedder } from "../../../src/embed/onnx/onnx-embedder.js";
import { describeEmbedder } from "../../contract/embedder.js";
import { hasOnnxRuntime, needsOnnxRuntime } from "./runtime.js";
import { type TinyModelOptions, writeTinyModel } from "./tiny-model.js";

const { signal } = new AbortController();

/** Functions that clean up after a test. */
const ends: (() => Promise<unknown>)[] = [];

async function end(): Promise<void> {
  for (const close of ends.splice(0).reverse()) await close();
}

async function folderOf(options: TinyModelOptions = {}): Promise<string> {
  const { folder, remove } = await writeTinyModel(options);
  ends.push(remove);
  return folder;
}

async function open(options: TinyModelOptions = {}): Promise<OnnxEmbedder> {
  const embedder = await openOnnxEmbedder({ folder: await folderOf(options), log: () => {} });
  ends.push(() => embedder.close());
  return embedder;
}

async function embedOne(embedder: OnnxEmbedder, text: string): Promise<Float32Array> {
  const [vector] = await embedder.embed([text], signal);
  if (vector === undefined) throw new Error("no vector");
  return vector;
}

function configuration(pooling: Readonly<Record<string, unknown>>): TinyModelOptions {
  const modules = [
    { idx: 0, path: "", type: "sentence_transformers.models.Transformer" },
    { idx: 1, path: "1_Pooling", type: "sentence_transformers.models.Pooling" },
    { idx: 2, path: "2_Normalize", type: "sentence_transformers.models.Normalize" },
  ];
  return {
    files: {
      "modules.json": JSON.stringify(modules),
      "1_Pooling/config.json": JSON.stringify(pooling),
    },
  };
}

describe.skipIf(!hasOnnxRuntime)(`an ONNX model (${needsOnnxRuntime})`, () => {
  afterAll(end);
  describeEmbedder("onnx", () => open());
});

describe.skipIf(!hasOnnxRuntime)(
  `an ONNX model whose vectors depend on the other texts of a run (${needsOnnxRuntime})`,
  () => {
    afterAll(end);
    describeEmbedder("onnx, one text per run", () => open({ mixesTexts: true }));
  },
);

describe.skipIf(!hasOnnxRuntime)(`the ONNX embedder (${needsOnnxRuntime})`, () => {
  afterEach(end);

  test("the ONNX embedder names a model after its folder and its file, and reads the dimension from the file", async () => {
    const embedder = await open();
    expect(embedder.modelId).toMatch(/^tiny-model@[\da-f]{12}$/);
    expect(embedder.dimension).toBe(32);
    expect((await open({ mixesTexts: true })).modelId).not.toBe(embedder.modelId);
    expect((await open()).modelId).toBe(embedder.modelId);
  });

  test("the ONNX embedder returns zeros for a text that the model does not know", async () => {
    const embedder = await open();
    for (const vector of await embedder.embed(["", " \n", "𝒜𝓁𝓅", "[CLS] [SEP]"], signal))
      expect(vector).toEqual(new Float32Array(32));
  });

  test("the ONNX embedder pools token vectors as the model folder configures, or by the mean by default", async () => {
    const mean = await embedOne(await open(), "my sister");
    expect(
      await embedOne(
        await open(
          configuration({ pooling_mode_mean_tokens: true, pooling_mode_cls_token: false }),
        ),
        "my sister",
      ),
    ).toEqual(mean);
    expect(
      await embedOne(
        await open(configuration({ pooling_mode: "mean", include_prompt: true })),
        "my sister",
      ),
    ).toEqual(mean);
    expect(
      await embedOne(await open(configuration({ pooling_mode_max_tokens: true })), "my sister"),
    ).not.toEqual(mean);
    // The first and last token are special, and the same for each text.
    const first = await open(configuration({ pooling_mode_cls_token: true }));
    expect(await embedOne(first, "my sister")).toEqual(await embedOne(first, "the farm"));
    const last = await open(configuration({ pooling_mode_lasttoken: true }));
    expect(await embedOne(last, "my sister")).toEqual(await embedOne(last, "the farm"));
  });

  test("the ONNX embedder does not pool if the model returns text vectors, whatever the folder configures", async () => {
    const embedder = await open({
      output: "sentence_embedding",
      ...configuration({ pooling_mode_weightedmean_tokens: true }),
    });
    expect(await embedOne(embedder, "my sister")).toEqual(
      await embedOne(await open(configuration({ pooling_mode_max_tokens: true })), "my sister"),
    );
  });

  test("the ONNX embedder provides all inputs that a model requires", async () => {
    const plain = await embedOne(await open(), "my sister");
    const inputs = ["input_ids", "attention_mask", "token_type_ids", "position_ids"];
    expect(await embedOne(await open({ inputs }), "my sister")).toEqual(plain);
  });

  test("the ONNX embedder reads only as much of a text as the model allows", async () => {
    const embedder = await open({
      files: { "sentence_bert_config.json": JSON.stringify({ max_seq_length: 5 }) },
    });
    const [short, long, other] = await embedder.embed(
      ["my sister keeps", "my sister keeps three horses", "my sister three"],
      signal,
    );
    expect(long).toEqual(short);
    expect(other).not.toEqual(short);
  });

  test("the ONNX embedder returns to each of many calls the vectors of its own texts", async () => {
    const embedder = await open();
    const texts = Array.from(
      { length: 200 },
      (_, i) => "farm ".repeat(i % 40) + "abcdefghijklmnopqrstuvwxyz"[i % 26],
    );
    const together = await Promise.all(texts.map((text) => embedOne(embedder, text)));
    for (const [i, text] of texts.entries())
      expect(together[i]).toEqual(await embedOne(embedder, text));
  });

  test("the ONNX embedder ends a call as soon as its caller leaves, and continues other calls", async () => {
    const embedder = await open();
    const caller = new AbortController();
    const left = embedder.embed(
      Array.from({ length: 500 }, () => "horses"),
      caller.signal,
    );
    const stays = embedder.embed(["my sister"], signal);
    const reason = new Error("the caller is gone");
    caller.abort(reason);
    await expect(left).rejects.toBe(reason);
    expect(await stays).toEqual([await embedOne(embedder, "my sister")]);
  });

  test("the ONNX embedder refuses longer calls while too many texts wait, and suggests a wait", async () => {
    const embedder = await open();
    const many = embedder.embed(
      Array.from({ length: 1100 }, () => "horses"),
      signal,
    );
    await expect(embedder.embed(["my sister", "the farm"], signal)).rejects.toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      reason: "EMBEDDER_BUSY",
      retryAfterMs: expect.any(Number) as number,
    });
    await embedOne(embedder, "my sister");
    expect(await many).toHaveLength(1100);
  });

  test("a closed ONNX embedder refuses waiting texts", async () => {
    const embedder = await open();
    const waiting = embedder.embed(
      Array.from({ length: 100 }, () => "horses"),
      signal,
    );
    await Promise.all([
      embedder.close(),
      expect(waiting).rejects.toMatchObject({ reason: "EMBEDDER_UNAVAILABLE" }),
    ]);
    await expect(embedOne(embedder, "my sister")).rejects.toMatchObject({
      code: "UNAVAILABLE",
      reason: "EMBEDDER_UNAVAILABLE",
    });
  });

  test("the ONNX embedder uses the calibration in the model's folder, or else an assumed calibration", async () => {
    const folder = await folderOf();
    const reopen = async () => {
      const embedder = await openOnnxEmbedder({ folder, log: () => {} });
      await embedder.close();
      return embedder;
    };
    const { modelId, calibrationFile, ...assumed } = await reopen();
    expect(assumed).toMatchObject({ calibration: assumedCalibration, isCalibrated: false });
    const calibration = { vectorWeight: 0.5, randomScore: 0.1, paraphraseScore: 0.7 };
    await writeFile(calibrationFile, JSON.stringify({ modelId, calibration }));
    expect(await reopen()).toMatchObject({ calibration, isCalibrated: true });
    await writeFile(calibrationFile, JSON.stringify({ modelId: "another@1", calibration }));
    expect(await reopen()).toMatchObject({ calibration: assumedCalibration, isCalibrated: false });
  });
});

/** The fault of a folder, the options for its model, and the reason and message of the error. */
type UnusableFolder = readonly [string, TinyModelOptions, string, RegExp];

describe.skipIf(!hasOnnxRuntime)(`an unusable model folder (${needsOnnxRuntime})`, () => {
  afterEach(end);

  const cases: readonly UnusableFolder[] = [
    [
      "without the model",
      { files: { "model.onnx": undefined } },
      "MODEL_MISSING",
      /has no model\.onnx; give the folder/,
    ],
    [
      "without the tokenizer",
      { files: { "tokenizer.json": undefined } },
      "MODEL_MISSING",
      /has no tokenizer\.json; give the folder/,
    ],
    [
      "whose model file is not a model",
      { files: { "model.onnx": "not a model" } },
      "MODEL_UNUSABLE",
      /model\.onnx cannot be used: it is not an ONNX model/,
    ],
    [
      "with an empty model",
      { files: { "model.onnx": "" } },
      "MODEL_UNUSABLE",
      /model\.onnx cannot be used: it is not an ONNX model/,
    ],
    ...["1", '"x"', "-5", "7.5"].map(
      (length): UnusableFolder => [
        `whose maximum length of texts is ${length}`,
        { files: { "sentence_bert_config.json": `{"max_seq_length":${length}}` } },
        "MODEL_UNUSABLE",
        new RegExp(
          `sentence_bert_config\\.json cannot be used: its max_seq_length is ${length}; a whole number from 4 on`,
        ),
      ],
    ),
    [
      "whose tokenizer has a maximum length that is not a number",
      { files: { "tokenizer_config.json": '{"model_max_length":"long"}' } },
      "MODEL_UNUSABLE",
      /tokenizer_config\.json cannot be used: its model_max_length is "long"/,
    ],
    [
      "whose tokenizer file is not a tokenizer",
      { files: { "tokenizer.json": "{}" } },
      "MODEL_UNUSABLE",
      /cannot be used/,
    ],
    [
      "with a configuration that is not JSON",
      { files: { "modules.json": "{" } },
      "MODEL_UNUSABLE",
      /modules\.json cannot be used: it is not JSON/,
    ],
    [
      "with an unsupported pooling",
      configuration({ pooling_mode_weightedmean_tokens: true }),
      "MODEL_UNUSABLE",
      /weightedmean; one of cls, mean, max, lasttoken/,
    ],
    [
      "with two poolings",
      configuration({ pooling_mode_max_tokens: true, pooling_mode_mean_tokens: true }),
      "MODEL_UNUSABLE",
      /max and mean/,
    ],
    [
      "with an unsupported module",
      {
        files: {
          "modules.json": JSON.stringify([
            { path: "2_Dense", type: "sentence_transformers.models.Dense" },
          ]),
        },
      },
      "MODEL_UNUSABLE",
      /asks for Dense; Transformer, Pooling, Normalize are known/,
    ],
    [
      "with a model of images",
      { inputs: ["input_ids", "pixel_values"] },
      "MODEL_UNUSABLE",
      /requires pixel_values as input/,
    ],
    [
      "whose calibration file is not a calibration",
      { files: { "calibration.json": "{}" } },
      "CALIBRATION_UNREADABLE",
      /delete it/,
    ],
  ];

  test.each(cases)("a model folder %s is refused", async (_, options, reason, message) => {
    await expect(open(options)).rejects.toMatchObject({
      code: "FAILED_PRECONDITION",
      reason,
      message: expect.stringMatching(message) as string,
    });
  });
});
