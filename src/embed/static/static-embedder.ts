import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { errorText } from "../../core/model/errors.js";
import { type Embedder, measuredWeakLevel, type Scale } from "../../core/ports/embedder.js";
import { createPause } from "../../core/requests/pause.js";
import { modelDamaged } from "../model-damaged.js";
import { unitLength } from "../unit-length.js";
import { ModelRows } from "./model-rows.js";
import { readVocabulary } from "./vocabulary.js";
import { decodeWeights, weightBytes } from "./weights.js";
import {
  createWordDivider,
  createWordPieceTokenizer,
  englishShare,
  englishWord,
} from "./word-pieces.js";

/** The location of a static model. */
export interface StaticEmbedderOptions {
  /**
   * Folder with `model.json`, `vocab.txt` and `weights.bin`. The README in it describes the
   * formats.
   */
  readonly folder: string;
}

/**
 * Factor for the weight of the vectors in a namespace of long texts. It is below 1, because the
 * mean of many words carries less meaning than each word. bench/scifact compares it with full
 * weight.
 */
const longTextWeight = 0.5;

/**
 * Maximum length of a text that `embedShort` embeds, in UTF-16 units. Embedding such a text takes
 * about 0.1 ms.
 */
const shortLength = 1_024;

/** The content of `model.json`. */
interface ModelDescription extends Required<Scale> {
  readonly modelId: string;
  readonly dimension: number;
  readonly otherLatin: Required<Scale>;
}

/**
 * Opens a static model. The vector of a text is the sum of the rows of its WordPiece tokens, scaled
 * to unit length; zeros if `englishShare` is 0. Uses no native code and no network.
 *
 * @throws DATA_LOSS (MODEL_DAMAGED) when a file cannot be read, when `model.json` describes no
 *   model, or when the sizes of vocabulary and weights do not match
 */
export async function openStaticEmbedder({ folder }: StaticEmbedderOptions): Promise<Embedder> {
  const [description, vocabulary, bytes] = await Promise.all([
    readDescription(folder),
    readVocabulary(folder),
    readFile(join(folder, "weights.bin")),
  ]).catch((cause: unknown) => {
    throw modelDamaged(folder, `cannot be read: ${errorText(cause)}`, cause);
  });
  const { modelId, dimension, calibration, defaultFloor, otherLatin } = description;
  if (bytes.length !== weightBytes(vocabulary.length, dimension))
    throw modelDamaged(
      folder,
      `is damaged: weights.bin has ${bytes.length} bytes where ${vocabulary.length} tokens of ` +
        `vocab.txt and dimension ${dimension} need ${weightBytes(vocabulary.length, dimension)}`,
    );
  const rows = new ModelRows(decodeWeights(bytes, vocabulary.length, dimension));
  const divide = createWordDivider(vocabulary);
  const tokenize = createWordPieceTokenizer(divide);
  const vectorOf = (counts: TokenCounts) => unitLength(rows.sumOf(counts));
  return {
    modelId,
    dimension,
    calibration,
    defaultFloor,
    otherLatin,
    weakLevel: measuredWeakLevel,
    knownShare: englishShare,
    longTextWeight,
    wordPieces: {
      pieceCount: vocabulary.length,
      piecesOf(word) {
        const pieces: number[] = [];
        const english = englishWord(word);
        if (english !== undefined) divide(english, pieces);
        return pieces;
      },
      similarTo: (piece) => rows.similarTo(piece),
    },
    async embed(texts, signal) {
      const pause = createPause(() => signal.throwIfAborted());
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        signal.throwIfAborted();
        if (englishShare(text) === 0) {
          vectors.push(new Float32Array(dimension));
          continue;
        }
        const counts: TokenCounts = new Map();
        for (const tokens of tokenize(text)) {
          countTokens(tokens, counts);
          await pause();
        }
        vectors.push(vectorOf(counts));
      }
      return vectors;
    },
    embedShort(text) {
      if (text.length > shortLength) return undefined;
      if (englishShare(text) === 0) return new Float32Array(dimension);
      const counts: TokenCounts = new Map();
      for (const tokens of tokenize(text)) countTokens(tokens, counts);
      return vectorOf(counts);
    },
  };
}

async function readDescription(folder: string): Promise<ModelDescription> {
  const text = await readFile(join(folder, "model.json"), "utf8");
  try {
    const description = JSON.parse(text) as ModelDescription;
    const { modelId, dimension, otherLatin } = description;
    const numbers = [dimension, ...numbersOf(description), ...numbersOf(otherLatin)];
    if (typeof modelId !== "string" || !numbers.every(Number.isFinite))
      throw new TypeError("a field is missing or of another type");
    return description;
  } catch (cause) {
    throw new Error("model.json describes no model", { cause });
  }
}

function numbersOf({ calibration, defaultFloor }: Required<Scale>): number[] {
  const { vectorWeight, randomScore, paraphraseScore } = calibration;
  return [vectorWeight, randomScore, paraphraseScore, defaultFloor];
}

/**
 * Number of occurrences of each token of a text. Long texts repeat the same tokens, and each row
 * needs to be added only once.
 */
type TokenCounts = Map<number, number>;

function countTokens(tokens: readonly number[], counts: TokenCounts): void {
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
}
