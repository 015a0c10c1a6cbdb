import { env } from "node:process";
import { formatAddress } from "../address.js";
import {
  listSetting,
  optionalSetting,
  type Setting,
  secretSetting,
  setting,
  switchSetting,
} from "./setting.js";
import {
  byteSizeParser,
  choiceParser,
  durationParser,
  integerParser,
  isLoopback,
  NotAllowed,
  parseAddress,
  parseEndpoint,
  parseHttpUrl,
  parseLoopbackAddress,
  parseName,
  parseOrigins,
  parsePath,
  parseSecret,
  parseSwitch,
} from "./setting-values.js";

/** Settings by the name of the property that they fill. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;

/** The values of settings. */
export type ValuesOf<S extends Settings> = { readonly [K in keyof S]: ReturnType<S[K]["parse"]> };

/** What the server is started with. */
export type Config = ValuesOf<typeof serverSettings>;

/** Which embedder to use, and how. */
export type EmbedderConfig = ValuesOf<typeof embedderSettings>;

/** What `calibrate` is started with. */
export type CalibrateConfig = ValuesOf<typeof calibrateSettings>;

/** How a client command reaches its server. */
export type ConnectionConfig = ValuesOf<typeof connectionSettings>;

/** Values of the environment by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Texts given on the command line, by flag; `true` for a switch. */
export type GivenFlags = ReadonlyMap<string, string>;

/** Settings that cannot be used. Each problem names the setting, what was given and what is allowed. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

const mebibyte = 1024 ** 2;
const secondMs = 1000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Providers of storage that can be chosen. */
const providers = ["level", "memory"] as const;
const plannedProviders = ["postgres"];
const embedders = ["local", "none", "onnx", "openai"] as const;
const logLevels = ["trace", "debug", "info", "warn", "error", "silent"] as const;

/** What decides about the embedder. */
export const embedderSettings = {
  embedder: setting({
    flag: "embedder",
    placeholder: "name",
    defaultText: "local",
    parse: choiceParser(embedders),
    help: "What turns texts into vectors. local: the model that comes with the server, no network needed. none: keywords only, or vectors that callers send along. onnx: a sentence transformer of your own, see --onnx-model; no network needed. openai: an endpoint that all texts are sent to, see --openai-url.",
  }),
  onnxModel: optionalSetting({
    flag: "onnx-model",
    placeholder: "folder",
    parse: parsePath,
    help: "The folder of a sentence transformer, with model.onnx and tokenizer.json in it: for --embedder onnx, and with local or openai for namespaces that have its vectors still.",
  }),
  openaiUrl: setting({
    flag: "openai-url",
    placeholder: "url",
    defaultText: "https://api.openai.com/v1",
    parse: parseHttpUrl,
    help: "For --embedder openai: the base URL of an API that answers like OpenAI's, up to and with /v1. If it wants a key, give it in the environment variable VADEMECUM_OPENAI_KEY.",
  }),
  openaiModel: setting({
    flag: "openai-model",
    placeholder: "name",
    defaultText: "text-embedding-3-small",
    parse: parseName,
    help: "For --embedder openai: the model to ask for.",
  }),
  openaiDimensions: optionalSetting({
    flag: "openai-dimensions",
    placeholder: "count",
    parse: integerParser(1, 4096),
    help: "For --embedder openai: how many numbers a vector shall have, for models that can be asked for fewer than they have. Without it, as many as the model has.",
  }),
  openaiTimeoutMs: setting({
    flag: "openai-timeout",
    placeholder: "span",
    defaultText: "10s",
    parse: durationParser(hourMs, secondMs),
    help: "For --embedder openai: how long one request may take. What fails is tried four times in all.",
  }),
  openaiCacheMaxBytes: setting({
    flag: "openai-cache",
    placeholder: "size",
    defaultText: "256MiB",
    parse: byteSizeParser(0),
    help: "For --embedder openai: how much disk in the data folder the vectors of known texts may take, so that no text is sent twice. A text is kept as its hash alone; its vector stays for a while after the memory is deleted. 0: none are kept.",
  }),
  openaiKey: secretSetting({
    flag: "openai-key",
    parse: parseSecret,
    help: "For --embedder openai: the key that the endpoint wants, if it does. It has no flag, because other users of the machine can read command lines; it is never logged and never part of an error.",
  }),
} as const satisfies Settings;

/** Everything that can be set for `serve`. */
export const serverSettings = {
  dataFolder: setting({
    flag: "data",
    placeholder: "folder",
    defaultText: "./data",
    parse: parsePath,
    help: "Where everything is kept. Made on first start; one server at a time may use it. Back up or move the whole folder, and only while no server runs on it.",
  }),
  grpcAddress: setting({
    flag: "grpc",
    placeholder: "host:port",
    defaultText: "127.0.0.1:50051",
    parse: parseAddress,
    help: "Where gRPC clients connect. Port 0 takes any free port.",
  }),
  httpAddress: setting({
    flag: "http",
    placeholder: "host:port",
    defaultText: "127.0.0.1:8080",
    parse: parseAddress,
    help: "Where Connect, gRPC-Web and plain JSON clients (browsers, curl) connect. Port 0 takes any free port.",
  }),
  httpAllowedOrigins: listSetting({
    flag: "http-allow-origin",
    placeholder: "origin",
    parse: parseOrigins,
    help: "Origin of web pages that may call the HTTP address from browsers, such as https://app.example.com. Give it several times, or several with commas between. Callers are not checked: such a page can read and delete every memory. Without it, browsers let no page of another origin call.",
  }),
  provider: setting({
    flag: "provider",
    placeholder: "name",
    defaultText: "level",
    parse: choiceParser(providers, plannedProviders),
    help: "What keeps the memories. level: LevelDB in the data folder, synced to disk before each reply. memory: this process alone, gone when it ends; for tests.",
  }),
  ...embedderSettings,
  indexMaxBytes: setting({
    flag: "index-max-bytes",
    placeholder: "size",
    defaultText: "1GiB",
    parse: byteSizeParser(16 * mebibyte),
    help: "How much memory the indexes of recently used namespaces may take. Beyond it the ones unused the longest are dropped and loaded again when they are asked for; of namespaces that are larger by themselves the one used last is kept beside the others. A namespace gets a proximity graph only if there is room for both: with the bundled model about 3.2 kB a memory of 30 tokens, 1.7 kB without. At least 16MiB.",
  }),
  graphThreshold: setting({
    flag: "graph-threshold",
    placeholder: "count",
    defaultText: "50000",
    parse: integerParser(1, 1_000_000_000),
    help: "From how many memories on a namespace gets a proximity graph of its vectors. Smaller ones are searched by comparing all vectors, which is exact and as fast; more than you have turns graphs off.",
  }),
  allowReset: switchSetting({
    flag: "allow-reset",
    help: "Let clients delete everything of everybody with one call of Reset. Emptying a single namespace is always allowed.",
  }),
  proposalLifetimeMs: setting({
    flag: "proposal-lifetime",
    placeholder: "span",
    defaultText: "30d",
    parse: durationParser(3650 * dayMs, secondMs),
    help: "How long a proposed edit waits for somebody to approve or reject it, such as 12h or 30d; then it has expired. Counts for proposals that are made from now on.",
  }),
  insecure: switchSetting({
    flag: "insecure",
    help: "Listen on addresses that other machines can reach although callers are not checked: whoever connects can read and delete every memory. Only for networks where that is fine.",
  }),
  tlsCert: optionalSetting({
    flag: "tls-cert",
    placeholder: "file",
    parse: parsePath,
    help: "Certificate chain in PEM form. With it both listeners speak TLS only. Needs --tls-key.",
  }),
  tlsKey: optionalSetting({
    flag: "tls-key",
    placeholder: "file",
    parse: parsePath,
    help: "Private key of the certificate in PEM form, without a passphrase. Needs --tls-cert.",
  }),
  skills: setting({
    flag: "skills",
    placeholder: "switch",
    defaultText: "on",
    parse: parseSwitch,
    help: "Whether the server keeps skills: on or off. Off: every call of SkillService is answered as if there were none and stores nothing, without an error, and the log says so once. Skills that are stored stay.",
  }),
  pruning: setting({
    flag: "pruning",
    placeholder: "switch",
    defaultText: "on",
    parse: parseSwitch,
    help: "Whether the server removes by itself what has outlived its use, at its start and every day: on or off. Off: only when a call asks for it.",
  }),
  syncMarks: switchSetting({
    flag: "sync-marks",
    help: "Also sync the high-water mark to disk before each reply. Without it a power cut that takes the end of the log together with the marks of the last 100 ms goes unnoticed; with it every write waits for one more disk sync.",
  }),
  acceptDataLoss: switchSetting({
    flag: "accept-data-loss",
    help: "Start although the data folder is damaged, and go on with what can be read. Copy the folder first; `verify` tells what is lost. Give it once, not as a habit.",
  }),
  drainTimeoutMs: setting({
    flag: "drain-timeout",
    placeholder: "span",
    defaultText: "10s",
    parse: durationParser(hourMs),
    help: "How long calls in flight may go on after SIGTERM or SIGINT before they are cut off.",
  }),
  logLevel: setting({
    flag: "log-level",
    placeholder: "level",
    defaultText: "info",
    parse: choiceParser(logLevels),
    help: "The least important kind of log line to write, as JSON to standard error. Texts, queries and keys are never logged.",
  }),
} as const satisfies Settings;

/** What can be set for `calibrate`. */
export const calibrateSettings = {
  dataFolder: serverSettings.dataFolder,
  ...embedderSettings,
} as const satisfies Settings;

/** What every command that talks to a server can be told. */
export const connectionSettings = {
  server: setting({
    flag: "server",
    placeholder: "address",
    defaultText: "127.0.0.1:50051",
    parse: parseEndpoint,
    help: "The gRPC address of the server: HOST:PORT, or https://HOST:PORT for one with TLS.",
  }),
  tlsCa: optionalSetting({
    flag: "tls-ca",
    placeholder: "file",
    parse: parsePath,
    help: "Certificate in PEM form to trust, for a server whose certificate is not signed by a well-known authority.",
  }),
} as const satisfies Settings;

/** Whose memories a command is about. */
export const namespaceSettings = {
  userId: optionalSetting({
    flag: "user",
    placeholder: "id",
    parse: String,
    help: "Whose memories: the user's id.",
  }),
  agentId: optionalSetting({
    flag: "agent",
    placeholder: "id",
    parse: String,
    help: "Whose memories: the id of the agent that keeps them.",
  }),
} as const satisfies Settings;

/** What can be set for `mcp`. */
export const mcpSettings = {
  ...connectionSettings,
  ...namespaceSettings,
  runId: optionalSetting({
    flag: "run",
    placeholder: "id",
    parse: String,
    help: "The run whose keys are offered as tools. Without it, those tools are not.",
  }),
  listen: optionalSetting({
    flag: "listen",
    placeholder: "host:port",
    parse: parseLoopbackAddress,
    help: "Serve streamable HTTP there, at the path /mcp, instead of standard input and output. Only addresses of this machine: callers are not checked. Port 0 takes any free port.",
  }),
} as const satisfies Settings;

/** Whose blocks and proposals a command is about. */
export const userSettings = { userId: namespaceSettings.userId } as const satisfies Settings;

/** The environment variable of a flag: `VADEMECUM_` and the flag in capitals with `_` for `-`. */
export function environmentName(flag: string): string {
  return `VADEMECUM_${flag.toUpperCase().replaceAll("-", "_")}`;
}

/** The environment of this process: the only place that reads it. */
export function processEnvironment(): Environment {
  return env;
}

/** The values of some settings. Throws `ConfigError` with all problems at once. An empty environment variable counts as not set. */
export function readSettings<S extends Settings>(
  settings: S,
  given: GivenFlags,
  environment: Environment,
): ValuesOf<S> {
  const problems: string[] = [];
  const values = Object.entries(settings).map(([property, { flag, isSecret, parse, fallback }]) => {
    const variable = environmentName(flag);
    const [name, text] =
      given.has(flag) && !isSecret
        ? [`--${flag}`, given.get(flag)]
        : [variable, environment[variable] || undefined];
    try {
      return [property, text === undefined ? fallback() : parse(text)];
    } catch (error) {
      if (!(error instanceof NotAllowed)) throw error;
      problems.push(
        `${name}: got ${isSecret ? "a value that is not shown" : `'${error.shown ?? text}'`}; allowed: ${error.allowed}`,
      );
      return [property, undefined];
    }
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(Object.fromEntries(values)) as ValuesOf<S>;
}

/** The server's configuration. Throws `ConfigError` with all problems. */
export function readConfig(given: GivenFlags, environment: Environment): Config {
  const config = readSettings(serverSettings, given, environment);
  const problems = [
    ...tlsProblems(config),
    ...exposureProblems(config),
    ...embedderProblems(config),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** The configuration of `calibrate`. Throws `ConfigError` with all problems, also for an embedder whose figures come with it. */
export function readCalibrateConfig(given: GivenFlags, environment: Environment): CalibrateConfig {
  const config = readSettings(calibrateSettings, given, environment);
  const problems = embedderProblems(config);
  if (config.embedder !== "onnx" && config.embedder !== "openai") {
    problems.push(
      `--embedder: got '${config.embedder}', which needs no calibration; allowed: onnx, openai`,
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function tlsProblems({ tlsCert, tlsKey }: Config): string[] {
  if ((tlsCert === undefined) === (tlsKey === undefined)) return [];
  const [present, absent] =
    tlsKey === undefined ? ["--tls-cert", "--tls-key"] : ["--tls-key", "--tls-cert"];
  return [`${absent}: not given, but ${present} is; allowed: both, for TLS, or neither`];
}

function embedderProblems({ embedder, onnxModel }: EmbedderConfig): string[] {
  if (embedder !== "onnx" || onnxModel !== undefined) return [];
  return [
    "--onnx-model: not given, but --embedder onnx needs it; allowed: the folder of a sentence transformer with model.onnx and tokenizer.json in it",
  ];
}

function exposureProblems({ grpcAddress, httpAddress, insecure }: Config): string[] {
  if (insecure) return [];
  const exposed = [
    { flag: "grpc", address: grpcAddress },
    { flag: "http", address: httpAddress },
  ].filter(({ address }) => !isLoopback(address));
  return exposed.map(
    ({ flag, address }) =>
      `--${flag}: got '${formatAddress(address)}', which other machines can reach; allowed: a loopback address (127.0.0.1, [::1] or localhost). ` +
      "Callers are not checked: whoever can connect can read and delete every memory. If that is fine on this network, add --insecure",
  );
}
