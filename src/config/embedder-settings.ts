import { optionalSetting, type Settings, secretSetting, setting } from "./setting.js";
import {
  byteSizeParser,
  choiceParser,
  durationParser,
  integerParser,
  parseHttpUrl,
  parseName,
  parsePath,
  parseSecret,
} from "./setting-values.js";

const secondMs = 1000;
const hourMs = 3_600_000;

const embedders = ["local", "minilm", "none", "onnx", "openai"] as const;

/** The settings that choose the embedder. */
export const embedderSettings = {
  embedder: setting({
    flag: "embedder",
    placeholder: "name",
    defaultText: "local",
    parse: choiceParser(embedders),
    help:
      "The model that turns texts into vectors. local: a small bundled model; needs no network. " +
      "minilm: a larger bundled model, for English; needs no network, but the package " +
      "onnxruntime-node. " +
      "none: no model; searches use keywords, and vectors that callers send. onnx: your own " +
      "sentence transformer, see --onnx-model; needs no network. openai: an endpoint that receives " +
      "all texts, see --openai-url.",
  }),
  onnxModel: optionalSetting({
    flag: "onnx-model",
    placeholder: "folder",
    parse: parsePath,
    help:
      "For --embedder onnx: the folder of a sentence transformer, with model.onnx and " +
      "tokenizer.json. If you change to another embedder, keep this flag while namespaces have " +
      "vectors of this model.",
  }),
  openaiUrl: setting({
    flag: "openai-url",
    placeholder: "url",
    defaultText: "https://api.openai.com/v1",
    parse: parseHttpUrl,
    help:
      "For --embedder openai: the base URL of an API that is compatible with OpenAI's, up to and " +
      "including /v1. If the API needs a key, set the environment variable VADEMECUM_OPENAI_KEY.",
  }),
  openaiModel: setting({
    flag: "openai-model",
    placeholder: "name",
    defaultText: "text-embedding-3-small",
    parse: parseName,
    help: "For --embedder openai: the name of the model.",
  }),
  openaiDimensions: optionalSetting({
    flag: "openai-dimensions",
    placeholder: "count",
    parse: integerParser(1, 4096),
    help:
      "For --embedder openai: the length of the vectors, for models that can return shorter " +
      "vectors. Without this flag, vectors have the full length of the model.",
  }),
  openaiTimeoutMs: setting({
    flag: "openai-timeout",
    placeholder: "duration",
    defaultText: "10s",
    parse: durationParser(hourMs, secondMs),
    help:
      "For --embedder openai: the timeout of one request. After a timeout or a temporary error, " +
      "the server repeats the request up to three times. It does not repeat a refused request, " +
      "such as a request with a wrong key.",
  }),
  openaiCacheMaxBytes: setting({
    flag: "openai-cache",
    placeholder: "size",
    defaultText: "256MiB",
    parse: byteSizeParser(0),
    help:
      "For --embedder openai: the maximum disk space for cached vectors, in the data folder. The " +
      "vector of a text may stay in the cache for a while after its memory is deleted. 0 turns " +
      "the cache off.",
  }),
  openaiKey: secretSetting({
    flag: "openai-key",
    parse: parseSecret,
    help:
      "For --embedder openai: the API key, if the endpoint needs one. It has no flag, because " +
      "other users of the machine can read command lines. It is never logged and never part of " +
      "an error.",
  }),
} as const satisfies Settings;
