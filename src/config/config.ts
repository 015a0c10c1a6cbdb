import { env } from "node:process";
import { formatAddress, isLoopback } from "../edge/address.js";
import {
  type CalibrateConfig,
  type Config,
  calibrateSettings,
  type EmbedderConfig,
  serverSettings,
} from "./server-settings.js";
import { environmentName, type Setting, type Settings, type ValuesOf } from "./setting.js";
import { InvalidSettingValue } from "./setting-values.js";

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Texts of the command line by flag; `true` for a switch. */
export type FlagTexts = ReadonlyMap<string, string>;

/** The settings of a configuration file. */
export interface SettingsFile {
  readonly path: string;
  /** The texts by flag, each with its line in the file, from 1. */
  readonly settings: ReadonlyMap<string, { readonly text: string; readonly line: number }>;
}

/** Wrong settings. Each problem names the setting, its value and the allowed values. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

/** Returns the environment of this process. Nothing else reads it. */
export function processEnvironment(): Environment {
  return env;
}

/** Returns the variables of some settings, for a command that no other variable may affect. */
export function variablesOf(settings: Settings, environment: Environment): Environment {
  const names = Object.values(settings).map(({ flag }) => environmentName(flag));
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}

/** A text that a user has given for a setting, and where: `--grpc`, or `vademecum.yaml:3: grpc`. */
export interface GivenText {
  readonly source: string;
  readonly text: string;
}

/**
 * Returns the text of a setting: that of its flag, else of its variable, else of the file.
 * `undefined`: the default applies.
 */
export function givenText(
  {
    flag,
    isSecret,
    sharedVariable,
  }: Pick<Setting<unknown>, "flag" | "isSecret" | "sharedVariable">,
  flagTexts: FlagTexts,
  environment: Environment,
  file?: SettingsFile,
): GivenText | undefined {
  const ofFlag = isSecret ? undefined : flagTexts.get(flag);
  if (ofFlag !== undefined) return { source: `--${flag}`, text: ofFlag };
  for (const variable of [environmentName(flag), sharedVariable ?? ""]) {
    const ofVariable = environment[variable] ?? "";
    if (ofVariable !== "") return { source: variable, text: ofVariable };
  }
  const ofFile = file?.settings.get(flag);
  return ofFile && { source: `${file?.path}:${ofFile.line}: ${flag}`, text: ofFile.text };
}

/**
 * Returns the values of some settings. A flag wins over the environment variable, which wins over
 * the file; an empty variable counts as not set.
 *
 * @throws ConfigError when a setting is wrong. The error lists all problems
 */
export function readSettings<S extends Settings>(
  settings: S,
  flagTexts: FlagTexts,
  environment: Environment,
  file?: SettingsFile,
): ValuesOf<S> {
  const problems: string[] = [];
  const values = Object.entries(settings).map(([property, definition]) => {
    const { isSecret, parse, fallback } = definition;
    const given = givenText(definition, flagTexts, environment, file);
    if (given === undefined) return [property, fallback()];
    try {
      return [property, parse(given.text)];
    } catch (error) {
      if (!(error instanceof InvalidSettingValue)) throw error;
      const value = isSecret ? "a value that is not shown" : `'${error.shown ?? given.text}'`;
      problems.push(`${given.source}: got ${value}; allowed: ${error.allowed}`);
      return [property, undefined];
    }
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(Object.fromEntries(values)) as ValuesOf<S>;
}

/**
 * Returns the configuration of a server.
 *
 * @throws ConfigError when a setting is wrong. The error lists all problems
 */
export function readConfig(
  flagTexts: FlagTexts,
  environment: Environment,
  file?: SettingsFile,
): Config {
  const config = readSettings(serverSettings, flagTexts, environment, file);
  const problems = [
    ...tlsProblems(config),
    ...credentialProblems(config),
    ...exposureProblems(config),
    ...embedderProblems(config),
    ...postgresProblems(config),
    ...webhookProblems(config),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/**
 * Returns the configuration of the command `calibrate`.
 *
 * @throws ConfigError when a setting is wrong, or the embedder needs no calibration. The error
 *   lists all problems
 */
export function readCalibrateConfig(
  flagTexts: FlagTexts,
  environment: Environment,
): CalibrateConfig {
  const config = readSettings(calibrateSettings, flagTexts, environment);
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
  return [`${absent}: missing, but ${present} is given; allowed: both, for TLS, or neither`];
}

function postgresProblems(config: Config): string[] {
  const { provider, postgresUrls, postgresPasswordFile, postgresPassword } = config;
  if (provider !== "level" && config.images === "on")
    return [`--images: got 'on'; allowed with --provider ${provider}: off`];
  if (provider !== "postgres") {
    const given = {
      "--postgres-url": postgresUrls.length > 0,
      "--postgres-owner-url": config.postgresOwnerUrl !== undefined,
      "--postgres-password-file": postgresPasswordFile !== undefined,
      "--postgres-ca": config.postgresCa !== undefined,
    };
    return Object.entries(given).flatMap(([flag, isGiven]) =>
      isGiven ? [`${flag}: needs --provider postgres, but the provider is '${provider}'`] : [],
    );
  }
  const problems: string[] = [];
  if (postgresUrls.length === 0) {
    problems.push(
      "--postgres-url: missing, but --provider postgres needs it; " +
        "allowed: postgres://USER@HOST:PORT/DATABASE",
    );
  }
  if (postgresPasswordFile !== undefined && postgresPassword !== undefined) {
    problems.push(
      "--postgres-password-file: VADEMECUM_POSTGRES_PASSWORD is set too; allowed: one of the two",
    );
  }
  if (config.syncMarks) {
    problems.push(
      "--sync-marks: is for --provider level only; PostgreSQL syncs each commit before it answers",
    );
  }
  return problems;
}

function webhookProblems(config: Config): string[] {
  const { webhookUrl, webhookSecret, webhookSecretFile, webhookMemories } = config;
  const given = {
    "--webhook-secret-file": webhookSecretFile !== undefined,
    "--webhook-memories": webhookMemories,
  };
  if (webhookUrl === undefined)
    return Object.entries(given).flatMap(([flag, isGiven]) =>
      isGiven ? [`${flag}: needs --webhook, which is missing`] : [],
    );
  if ((webhookSecret === undefined) !== (webhookSecretFile === undefined)) return [];
  const problem = webhookSecret === undefined ? "missing" : "VADEMECUM_WEBHOOK_SECRET is set too";
  return [
    `--webhook-secret-file: ${problem}; ` +
      "allowed with --webhook: this file or VADEMECUM_WEBHOOK_SECRET, one of the two",
  ];
}

function embedderProblems({ embedder, onnxModel }: EmbedderConfig): string[] {
  if (embedder !== "onnx" || onnxModel !== undefined) return [];
  return [
    "--onnx-model: missing, but --embedder onnx needs it; " +
      "allowed: the folder of a sentence transformer, with model.onnx and tokenizer.json",
  ];
}

function credentialProblems(config: Config): string[] {
  const { jwtKeySet, jwtIssuer, jwtAudience, tlsClientCa, tlsCert, credentials } = config;
  const token = {
    "--jwt-jwks": jwtKeySet,
    "--jwt-issuer": jwtIssuer,
    "--jwt-audience": jwtAudience,
  };
  const given = Object.entries(token).filter(([, value]) => value !== undefined);
  const problems: string[] = [];
  if (given.length > 0 && given.length < 3) {
    const missing = Object.keys(token).filter((flag) => !given.some(([name]) => name === flag));
    problems.push(
      `${missing.join(", ")}: missing, but ${given.map(([flag]) => flag).join(", ")} is given; ` +
        "allowed: all three, for tokens, or none",
    );
  }
  if (tlsClientCa !== undefined && (tlsCert === undefined || credentials === undefined)) {
    problems.push(
      "--tls-client-ca: needs --tls-cert and --tls-key, and --credentials with a file that lists " +
        "the names in client certificates",
    );
  }
  return problems;
}

function exposureProblems({
  grpcAddress,
  httpAddress,
  insecure,
  credentials,
  jwtKeySet,
  tlsCert,
}: Config): string[] {
  if (insecure) return [];
  const missing = [
    ...(credentials === undefined && jwtKeySet === undefined
      ? ["credentials (--credentials FILE, or --jwt-jwks FILE)"]
      : []),
    ...(tlsCert === undefined ? ["TLS (--tls-cert FILE and --tls-key FILE)"] : []),
  ];
  if (missing.length === 0) return [];
  const exposed = [
    { flag: "grpc", address: grpcAddress },
    { flag: "http", address: httpAddress },
  ].filter(({ address }) => !isLoopback(address));
  return exposed.map(
    ({ flag, address }) =>
      `--${flag}: got '${formatAddress(address)}', which other machines can reach; ` +
      "allowed without credentials and TLS: a loopback address (127.0.0.1, [::1] or localhost). " +
      `For this address, the server needs ${missing.join(" and ")}. To start without them, on a ` +
      "network where you trust everyone, add --insecure",
  );
}
