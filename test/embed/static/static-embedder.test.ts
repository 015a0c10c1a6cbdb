import { cp, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Embedder } from "../../../src/core/ports/embedder.js";
import { callerCalibration } from "../../../src/core/vectors/calibration.js";
import { openStaticEmbedder } from "../../../src/embed/static/static-embedder.js";
import { englishShare } from "../../../src/embed/static/word-pieces.js";
import { describeEmbedder } from "../../contract/embedder.js";
import { withTurns } from "../../core/event-loop-turns.js";
import referenceVectors from "./reference-vectors.json" with { type: "json" };

const folder = join(import.meta.dirname, "../../../models/static-256");

describeEmbedder("static-256", () => openStaticEmbedder({ folder }));

describe("the bundled model", () => {
  let embedder: Embedder;
  beforeAll(async () => {
    embedder = await openStaticEmbedder({ folder });
  });

  function embed(...texts: string[]): Promise<Float32Array[]> {
    return embedder.embed(texts, new AbortController().signal);
  }

  test("the bundled model has the documented id and dimension", () => {
    expect(embedder.modelId).toBe("static-256@1");
    expect(embedder.dimension).toBe(256);
  });

  test("the bundled model has the calibration that callers' vectors get", () => {
    expect(callerCalibration).toEqual(embedder.calibration);
  });

  // The reference has every 16th component of each vector. The vectors come from a Python program
  // that reads the same files. It also embeds texts in other scripts, which are left out here.
  test.each(referenceVectors.filter(({ text }) => englishShare(text) !== 0))(
    "the bundled model gives $text the same vector as a reference in Python",
    async ({ text, components }) => {
      const [vector] = await embed(text);
      for (const [index, component] of components.entries())
        expect(vector?.[index * 16]).toBeCloseTo(component, 6);
    },
  );

  test("the bundled model gives a short ASCII text the same vector with 2,000 spaces after it", async () => {
    for (const text of ["Kim's cat, 7 years!", "snake_case & v2.4", "x".repeat(300), "a\tb\nc"]) {
      const [short, long] = await embed(text, text + " ".repeat(2_000));
      expect(short).toEqual(long);
    }
  });

  test("the bundled model ignores case, accents and kinds of white space", async () => {
    const [plain, other] = await embed("the cafe is open", "THE\u00a0Café\n\tis  Ope\u0301n");
    expect(other).toEqual(plain);
  });

  test("the bundled model returns zeros for a text without known words", async () => {
    const vectors = await embed("", " \n", "𝒜𝓁𝓅𝒽𝒶", "\u0301");
    for (const vector of vectors) expect(vector).toEqual(new Float32Array(256));
  });

  test("the bundled model lets other calls run while it embeds long texts or many texts", async () => {
    const long = await withTurns(() => embed("wine and bread ".repeat(4_000)));
    expect(long.turns).toBeGreaterThan(10);
    const many = await withTurns(() => embed(...Array<string>(100).fill("wine")));
    expect(many.turns).toBeGreaterThan(10);
  });

  test("the bundled model ignores unknown words", async () => {
    const [plain, other] = await embed("water the plants", "water 𝒜𝓁𝓅 the plants");
    expect(other).toEqual(plain);
  });

  test.each([
    ["Where does Zoë's café open at 9?", 1],
    ["Großvaters Uhr", 12 / 13],
    ["Где сестра?", 0],
    ["أين القطار", 0],
    ["猫が好き", 0],
    ["iPhoneを買う", 6 / 9],
    ["公司的VPN密码", 0],
    ["2026-12-01", 0],
    ["room 204", 1],
    ["٤٢", 0],
    ["", 1],
    ["?!", 1],
  ])("the bundled model knows the share of English letters in %j", (text, share) => {
    expect(embedder.knownShare?.(text)).toBeCloseTo(share, 10);
  });

  test("the bundled model returns zeros for texts in other scripts and for bare numbers", async () => {
    for (const vector of await embed("Где моя сестра?", "公司的VPN密码", "01701234567"))
      expect(vector.every((value) => value === 0)).toBe(true);
  });

  test("the bundled model gives each repetition of a token the same weight", async () => {
    const [twice, once] = await embed("boat boat", "boat");
    for (const [at, value] of (twice ?? []).entries())
      expect(value).toBeCloseTo(once?.[at] ?? 0, 6);
  });

  test("the bundled model reads only the first 200 characters of a word", async () => {
    const [at, behind] = await embed("ab".repeat(100), "ab".repeat(5_000));
    expect(behind).toEqual(at);
  });
});

test("a model with a truncated file of weights is refused", async () => {
  const copy = await mkdtemp(join(tmpdir(), "vademecum-model-"));
  try {
    await cp(folder, copy, { recursive: true });
    await truncate(join(copy, "weights.bin"), 1_000_000);
    await expect(openStaticEmbedder({ folder: copy })).rejects.toMatchObject({
      code: "DATA_LOSS",
      reason: "MODEL_DAMAGED",
      message: expect.stringContaining("weights.bin has 1000000 bytes") as string,
    });
  } finally {
    await rm(copy, { recursive: true });
  }
});

test.each([
  ["no JSON", "{"],
  ["null", "null"],
  ["no dimension", '{"modelId":"m@1"}'],
])(
  "a model whose model.json has %s is refused with an error that names the file",
  async (_, content) => {
    const copy = await mkdtemp(join(tmpdir(), "vademecum-model-"));
    try {
      await cp(folder, copy, { recursive: true });
      await writeFile(join(copy, "model.json"), content);
      await expect(openStaticEmbedder({ folder: copy })).rejects.toMatchObject({
        code: "DATA_LOSS",
        reason: "MODEL_DAMAGED",
        message: expect.stringMatching(/model\.json.*; install the files again$/) as string,
      });
    } finally {
      await rm(copy, { recursive: true });
    }
  },
);

test.each(["model.json", "vocab.txt", "weights.bin"])(
  "a model without its file %s is refused with an error that names the file",
  async (file) => {
    const copy = await mkdtemp(join(tmpdir(), "vademecum-model-"));
    try {
      await cp(folder, copy, { recursive: true });
      await rm(join(copy, file));
      await expect(openStaticEmbedder({ folder: copy })).rejects.toMatchObject({
        code: "DATA_LOSS",
        reason: "MODEL_DAMAGED",
        message: expect.stringContaining(file) as string,
      });
    } finally {
      await rm(copy, { recursive: true });
    }
  },
);
