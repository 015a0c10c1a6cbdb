import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { VademecumError } from "../../core/model/errors.js";
import { type Pooling, poolings } from "./pooling.js";

/** A sentence transformer on disk. Plain data, because it is sent to a worker thread. */
export interface ModelFolder {
  /**
   * Name of the folder and the first digits of the SHA-256 of `model.onnx`, such as
   * `all-MiniLM-L6-v2@8199be6f699a`.
   */
  readonly modelId: string;
  readonly modelFile: string;
  readonly tokenizerFile: string;
  /** `undefined` if the folder has no such file. */
  readonly tokenizerConfigFile: string | undefined;
  /** The file for the calibration of the model, once it has been measured. */
  readonly calibrationFile: string;
  /**
   * How to combine token vectors into the vector of a text, if the model returns token vectors.
   * `impossible`: the reason why the server does not support the model's pooling.
   */
  readonly pooling: Pooling | { readonly impossible: string };
  /** Maximum number of tokens of a text, including special tokens. */
  readonly maxTokens: number;
}

/** Number of digits of the hash in the model id. */
const hashDigits = 12;

/** Supported modules of a sentence transformer, by the last part of their type. */
const knownModules: readonly string[] = ["Transformer", "Pooling", "Normalize"];

/**
 * Maximum number of tokens of a text for any model. RAM and time grow with the square of this
 * number.
 */
const maxTokensLimit = 512;

/** Files and fields with the maximum number of tokens. The first file takes precedence. */
const tokenLengths = [
  ["sentence_bert_config.json", "max_seq_length"],
  ["tokenizer_config.json", "model_max_length"],
] as const;

/** With fewer tokens, there is no room for a text in addition to the special tokens. */
const minTokensLimit = 4;

/**
 * Reads a folder in the layout of sentence-transformers: `model.onnx` (or `onnx/model.onnx`),
 * `tokenizer.json`, and the configuration if there is one.
 *
 * Without `modules.json`, token vectors are combined by their mean. Normalisation in the
 * configuration is ignored, because every embedder returns vectors of unit length.
 *
 * @throws FAILED_PRECONDITION (MODEL_MISSING) when `model.onnx` or `tokenizer.json` is missing
 * @throws FAILED_PRECONDITION (MODEL_UNUSABLE) when a configuration file is not JSON, or sets an
 *   invalid maximum number of tokens
 */
export async function inspectModelFolder(folder: string): Promise<ModelFolder> {
  const modelFile = await firstExisting(
    join(folder, "model.onnx"),
    join(folder, "onnx", "model.onnx"),
  );
  if (modelFile === undefined) throw modelMissing(folder, "model.onnx");
  const tokenizerFile = await firstExisting(join(folder, "tokenizer.json"));
  if (tokenizerFile === undefined) throw modelMissing(folder, "tokenizer.json");
  const [pooling, maxTokens, hash] = await Promise.all([
    readPooling(folder),
    readMaxTokens(folder),
    sha256Of(modelFile),
  ]);
  return {
    modelId: `${basename(resolve(folder)).replaceAll(/\s+/g, "-")}@${hash.slice(0, hashDigits)}`,
    modelFile,
    tokenizerFile,
    tokenizerConfigFile: await firstExisting(join(folder, "tokenizer_config.json")),
    calibrationFile: join(folder, "calibration.json"),
    pooling,
    maxTokens,
  };
}

/** Returns the pooling of the Pooling module in `modules.json`. */
async function readPooling(folder: string): Promise<ModelFolder["pooling"]> {
  const modules = await readJson<readonly { readonly type: string; readonly path: string }[]>(
    join(folder, "modules.json"),
  );
  const kindOf = (type: string) => type.slice(type.lastIndexOf(".") + 1);
  const others =
    modules?.map(({ type }) => kindOf(type)).filter((kind) => !knownModules.includes(kind)) ?? [];
  if (others.length > 0)
    return {
      impossible:
        `its modules.json asks for ${others.join(", ")}; ` + `${knownModules.join(", ")} are known`,
    };
  const path = modules?.find(({ type }) => kindOf(type) === "Pooling")?.path;
  if (path === undefined) return "mean";
  const config =
    (await readJson<Readonly<Record<string, unknown>>>(join(folder, path, "config.json"))) ?? {};
  const names = Object.entries(config).flatMap(([key, value]) => {
    if (key === "pooling_mode" && typeof value === "string") return [value];
    const name = /^pooling_mode_(.*?)(?:_tokens?)?$/.exec(key)?.[1];
    return name !== undefined && value === true ? [name] : [];
  });
  const [name] = names;
  const pooling = poolings.find((known) => known === name);
  if (names.length === 1 && pooling !== undefined) return pooling;
  return {
    impossible:
      `${path}/config.json asks for pooling by ${names.join(" and ") || "nothing"}; ` +
      `one of ${poolings.join(", ")} can be used`,
  };
}

/**
 * Returns the maximum number of tokens from the configuration: that of the sentence transformer or,
 * if it states no number, that of the tokenizer.
 */
async function readMaxTokens(folder: string): Promise<number> {
  for (const [name, key] of tokenLengths) {
    const file = join(folder, name);
    const tokens =
      (await readJson<Readonly<Record<string, unknown>> | null>(file))?.[key] ?? undefined;
    if (tokens === undefined) continue;
    if (typeof tokens === "number" && Number.isInteger(tokens) && tokens >= minTokensLimit) {
      return Math.min(tokens, maxTokensLimit);
    }
    throw modelUnusable(
      file,
      `its ${key} is ${JSON.stringify(tokens)}; a whole number from ${minTokensLimit} on is needed`,
    );
  }
  return maxTokensLimit;
}

async function readJson<T>(file: string): Promise<T | undefined> {
  if ((await firstExisting(file)) === undefined) return undefined;
  try {
    return JSON.parse(await readFile(file, "utf8")) as T;
  } catch (error) {
    throw modelUnusable(file, "it is not JSON", error);
  }
}

async function firstExisting(...files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return undefined;
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

function modelMissing(folder: string, name: string): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "MODEL_MISSING",
    `--onnx-model: ${resolve(folder)} has no ${name}; give the folder of a sentence transformer ` +
      "that was exported to ONNX, with model.onnx and tokenizer.json",
  );
}

/** Returns a FAILED_PRECONDITION (MODEL_UNUSABLE) error for a model, or one of its files. */
export function modelUnusable(where: string, why: string, cause?: unknown): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "MODEL_UNUSABLE",
    `--onnx-model: ${where} cannot be used: ${why}`,
    { cause },
  );
}
