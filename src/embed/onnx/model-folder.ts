import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { VademecumError } from "../../core/model/errors.js";
import { type Pooling, poolings } from "./pooling.js";

/** A sentence transformer on disk. Plain data: it is handed to a worker thread. */
export interface ModelFolder {
  /** Name of the folder and the beginning of the SHA-256 of `model.onnx`, such as `all-MiniLM-L6-v2@8199be6f699a`. */
  readonly modelId: string;
  readonly modelFile: string;
  readonly tokenizerFile: string;
  /** `undefined` if the folder has none. */
  readonly tokenizerConfigFile: string | undefined;
  /** Where the model's calibration is kept, if it was measured. */
  readonly calibrationFile: string;
  /** How vectors of tokens become one of the text, for a model that gives those of tokens; or why that cannot be done here. */
  readonly pooling: Pooling | { readonly impossible: string };
  /** Tokens of a text that count, special ones included. */
  readonly maxTokens: number;
}

/** Digits of the hash in the model's id. */
const hashDigits = 12;

/** Modules of a sentence transformer, by the last part of their type, that are done here. */
const knownModules: readonly string[] = ["Transformer", "Pooling", "Normalize"];

/** Tokens of a text that count at most, whatever the model takes: memory and time grow with the square. */
const maxTokensOfAnyModel = 512;

/** Files that say how many tokens of a text count, and what it is called there; the first one goes before the second. */
const tokenLengths = [
  ["sentence_bert_config.json", "max_seq_length"],
  ["tokenizer_config.json", "model_max_length"],
] as const;

/** Fewer tokens leave no room for a text beside the special ones. */
const minTokensOfAnyModel = 4;

/**
 * Looks at a folder in the layout of sentence-transformers: `model.onnx` (or `onnx/model.onnx`), `tokenizer.json`, and its configuration where there is one.
 * Without `modules.json` the pooling is by the mean. Normalisation is not looked for: vectors of an embedder have unit length in any case.
 * @throws FAILED_PRECONDITION (MODEL_MISSING) for a folder without what is needed, (MODEL_UNUSABLE) for a configuration file that is not JSON or gives no length that a text can have
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

/** The pooling that the configuration asks for: that of the Pooling module in `modules.json`. */
async function readPooling(folder: string): Promise<ModelFolder["pooling"]> {
  const modules = await readJson<readonly { readonly type: string; readonly path: string }[]>(
    join(folder, "modules.json"),
  );
  const kindOf = (type: string) => type.slice(type.lastIndexOf(".") + 1);
  const others =
    modules?.map(({ type }) => kindOf(type)).filter((kind) => !knownModules.includes(kind)) ?? [];
  if (others.length > 0)
    return {
      impossible: `its modules.json asks for ${others.join(", ")}; ${knownModules.join(", ")} are known`,
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
    impossible: `${path}/config.json asks for pooling by ${names.join(" and ") || "nothing"}; one of ${poolings.join(", ")} can be used`,
  };
}

/** The first length that the configuration gives: of the sentence transformer, or of its tokenizer. */
async function readMaxTokens(folder: string): Promise<number> {
  for (const [name, key] of tokenLengths) {
    const file = join(folder, name);
    const tokens =
      (await readJson<Readonly<Record<string, unknown>> | null>(file))?.[key] ?? undefined;
    if (tokens === undefined) continue;
    if (typeof tokens === "number" && Number.isInteger(tokens) && tokens >= minTokensOfAnyModel) {
      return Math.min(tokens, maxTokensOfAnyModel);
    }
    throw modelUnusable(
      file,
      `its ${key} is ${JSON.stringify(tokens)}; a whole number from ${minTokensOfAnyModel} on can be used`,
    );
  }
  return maxTokensOfAnyModel;
}

async function readJson<T>(file: string): Promise<T | undefined> {
  if ((await firstExisting(file)) === undefined) return undefined;
  try {
    return JSON.parse(await readFile(file, "utf8")) as T;
  } catch (error) {
    throw modelUnusable(file, "is not JSON", error);
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
    `--onnx-model: ${resolve(folder)} has no ${name}; give the folder of a sentence transformer exported to ONNX, with model.onnx and tokenizer.json in it`,
  );
}

/** A model, or a file of it, that cannot be used. */
export function modelUnusable(where: string, why: string, cause?: unknown): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "MODEL_UNUSABLE",
    `--onnx-model: ${where} cannot be used: ${why}`,
    { cause },
  );
}
