import { isIP } from "node:net";
import { type Address, formatAddress, isLoopback } from "../edge/address.js";

/** A value that its setting does not allow. */
export class InvalidSettingValue extends Error {
  override readonly name = "InvalidSettingValue";
  constructor(
    /** The allowed values. Completes the sentence "allowed: …". */
    readonly allowed: string,
    /** The part of the value that messages can show. Absent: messages can show the whole value. */
    readonly shown?: string,
  ) {
    super(allowed);
  }
}

const addressPattern =
  /^(?:\[(?<ipv6>[\da-f:.]+(?:%\w+)?)\]|(?<host>[^\s:/[\]]+)):(?<port>\d{1,5})$/i;

/**
 * Parses `HOST:PORT` or `[IPV6]:PORT`.
 *
 * @throws InvalidSettingValue, like all parsers of this file
 */
export function parseAddress(text: string): Address {
  const { ipv6, host, port } = addressPattern.exec(text)?.groups ?? {};
  const name = ipv6 ?? host;
  if (name === undefined || Number(port) > 65_535) {
    throw new InvalidSettingValue(
      "HOST:PORT with a port of 0 to 65535, such as 127.0.0.1:50051 or [::1]:50051",
    );
  }
  return { host: name, port: Number(port) };
}

/** Parses an address that only this machine can reach. */
export function parseLoopbackAddress(text: string): Address {
  const address = parseAddress(text);
  if (isLoopback(address)) return address;
  throw new InvalidSettingValue(
    "an address that only this machine can reach, such as 127.0.0.1:8090; " +
      "for other machines, put a proxy in front that authenticates callers",
  );
}

/**
 * Returns the base URL of a server, given as `HOST:PORT` (plaintext), `http://HOST:PORT` or
 * `https://HOST:PORT` (TLS).
 */
export function parseEndpoint(text: string): string {
  const [, scheme, rest] = /^(?:(https?):\/\/)?(.*?)\/?$/i.exec(text) ?? [];
  try {
    return `${(scheme ?? "http").toLowerCase()}://${formatAddress(parseAddress(rest ?? ""))}`;
  } catch {
    throw new InvalidSettingValue(
      "HOST:PORT, or https://HOST:PORT for a server with TLS, such as 127.0.0.1:50051",
    );
  }
}

/**
 * Returns the base URL of an HTTP API, without a final slash. The URL must not contain credentials,
 * a query or a fragment.
 */
export function parseHttpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // `search` and `hash` are empty after a bare "?" or "#", but `href` keeps the character.
  const isPlain = url !== undefined && url.href === `${url.origin}${url.pathname}`;
  if (!isPlain || !["http:", "https:"].includes(url.protocol)) {
    throw new InvalidSettingValue(
      "an http or https URL without user, query or fragment, such as https://api.openai.com/v1",
      withoutSecrets(text),
    );
  }
  return url.href.replace(/\/+$/, "");
}

/** Parses PostgreSQL URLs, separated by commas. */
export function parsePostgresUrls(text: string): readonly string[] {
  return text.split(",").map((part) => parsePostgresUrl(part.trim()));
}

/** Parses the URL of a PostgreSQL, without a password. */
export function parsePostgresUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable =
    url !== undefined &&
    ["postgres:", "postgresql:"].includes(url.protocol) &&
    url.username !== "" &&
    url.password === "" &&
    url.hash === "" &&
    url.pathname.length > 1 &&
    url.hostname !== "" &&
    [...url.searchParams].every(([name, value]) => isPostgresParameter(name, value));
  if (isUsable) return text;
  throw new InvalidSettingValue(
    "postgres://USER@HOST:PORT/DATABASE without a password, with at most the parameters sslmode " +
      "(disable, require, verify-ca or verify-full) and host (the folder of a Unix socket); the " +
      "password comes from --postgres-password-file or VADEMECUM_POSTGRES_PASSWORD",
    withoutSecrets(text),
  );
}

function isPostgresParameter(name: string, value: string): boolean {
  if (name === "host") return value.startsWith("/");
  return name === "sslmode" && ["disable", "require", "verify-ca", "verify-full"].includes(value);
}

/** Parses origins of web pages, separated by commas, each as browsers send it. */
export function parseOrigins(text: string): readonly string[] {
  return [...new Set(text.split(",").map((part) => parseOrigin(part.trim())))];
}

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isExact =
    url !== undefined && ["http:", "https:"].includes(url.protocol) && !url.host.includes("*");
  if (isExact && url.origin === text) return text;
  const advice = isExact ? `; write '${url.origin}'` : "";
  throw new InvalidSettingValue(
    "exact origins as browsers send them: http or https, the host, and the port unless it is the " +
      `default, such as https://app.example.com or http://localhost:5173${advice}. ` +
      "'*' and 'null' are refused, because any page could then read and delete every memory",
    withoutSecrets(text),
  );
}

/** Parses host names without ports, separated by commas. Returns them in lower case. */
export function parseHostNames(text: string): readonly string[] {
  return [...new Set(text.split(",").map((part) => parseHostName(part.trim())))];
}

function parseHostName(text: string): string {
  const label = "[a-z\\d_](?:[a-z\\d_-]{0,61}[a-z\\d_])?";
  if (text.length <= 253 && new RegExp(`^${label}(?:\\.${label})*$`, "i").test(text))
    return text.toLowerCase();
  throw new InvalidSettingValue(
    "host names as browsers send them, without scheme and port, such as memory.example.com; " +
      "international names in ASCII form (xn--…)",
    withoutSecrets(text),
  );
}

/** A server that a setting names. Without a port, every port of the host is meant. */
export interface HostAndPort {
  /** In lower case; an IPv6 address has no brackets. */
  readonly host: string;
  readonly port?: number;
}

/** Parses `HOST:PORT` or `HOST`, separated by commas. An IPv6 address needs brackets. */
export function parseMoveTargets(text: string): readonly HostAndPort[] {
  return text.split(",").map((part) => {
    const [, host = "", port] = /^(.*?)(?::(\d+))?$/.exec(part.trim().toLowerCase()) ?? [];
    try {
      const address = parseAddress(`${host}:${port ?? 1}`);
      if (address.port === 0) throw new Error("no server listens on port 0");
      return port === undefined ? { host: address.host } : address;
    } catch {
      throw new InvalidSettingValue(
        "hosts with or without a port, such as memory-2.example.com:50051 or 127.0.0.1",
      );
    }
  });
}

/** Parses IP addresses, separated by commas. */
export function parseIpAddresses(text: string): readonly string[] {
  return text.split(",").map((part) => {
    const address = part.trim();
    if (isIP(address) === 0)
      throw new InvalidSettingValue("IP addresses, such as 10.0.0.1 or fd00::1");
    return address;
  });
}

/** Hides the parts of a URL that can hold a key: its user, its query and its fragment. */
function withoutSecrets(text: string): string {
  return text.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, "$1…@").replace(/([?#]).*$/s, "$1…");
}

/** Parses a name without white space. */
export function parseName(text: string): string {
  if (!/^\S{1,256}$/.test(text))
    throw new InvalidSettingValue("a name of 1 to 256 characters, without white space");
  return text;
}

/** Parses a credential for an HTTP header. */
export function parseSecret(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new InvalidSettingValue("ASCII letters, digits and punctuation, without white space");
  return text;
}

/** Parses the bearer secret of a listener; `none` is a secret of no length. */
export function parseListenSecret(text: string): string {
  if (text === "none") return "";
  if (/^[\x21-\x7e]{16,}$/.test(text)) return text;
  throw new InvalidSettingValue(
    "at least 16 ASCII letters, digits and punctuation, without white space, or 'none'",
  );
}

/** Parses a password of any characters but line breaks and NUL. */
export function parsePassword(text: string): string {
  if (text === "" || /[\0\r\n]/.test(text))
    throw new InvalidSettingValue("a password without line breaks and NUL characters");
  return text;
}

/** Returns a parser for whole numbers from `min` to `max`. */
export function integerParser(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max))
      throw new InvalidSettingValue(`a whole number from ${min} to ${max}`);
    return value;
  };
}

/** Parses a path. Relative paths start at the working directory. */
export function parsePath(text: string): string {
  if (text.includes("\0")) throw new InvalidSettingValue("a path without NUL characters");
  return text;
}

const bytesOfUnit: Readonly<Record<string, number>> = {
  b: 1,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
};

/**
 * Returns a parser for sizes of at least `minBytes`, such as `512MiB`, `1.5 GB` or `65536` (bytes).
 */
export function byteSizeParser(minBytes: number): (text: string) => number {
  return (text) => {
    const [, amount, unit] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text) ?? [];
    const bytes = Math.floor(
      Number(amount) * (bytesOfUnit[(unit || "b").toLowerCase()] ?? Number.NaN),
    );
    if (!(Number.isSafeInteger(bytes) && bytes >= minBytes)) {
      throw new InvalidSettingValue(
        `a size of at least ${minBytes} bytes, in B, KiB, MiB, GiB, KB, MB or GB, such as 512MiB; ` +
          "without a unit, bytes",
      );
    }
    return bytes;
  };
}

const msOfUnit: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Returns a parser for durations from `minMs` to `maxMs`, in milliseconds, such as `500ms`, `10s`,
 * `2m`, `12h` or `30d`.
 */
export function durationParser(maxMs: number, minMs = 0): (text: string) => number {
  const isAllowed = (ms: number): boolean => ms >= minMs && ms <= maxMs;
  const examples = ["500ms", "10s", "12h", "30d", "365d"].filter((text) =>
    isAllowed(parseDuration(text)),
  );
  return (text) => {
    const durationMs = parseDuration(text);
    if (!isAllowed(durationMs)) {
      throw new InvalidSettingValue(
        `a duration from ${durationText(minMs)} to ${durationText(maxMs)} with its unit ` +
          `(ms, s, m, h or d), such as ${examples.slice(0, 2).join(" or ")}`,
      );
    }
    return durationMs;
  };
}

/** Returns the milliseconds of a duration, or NaN if the text is not a duration. */
function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?) ?(ms|s|m|h|d)$/.exec(text) ?? [];
  return Math.round(Number(amount) * (msOfUnit[unit ?? ""] ?? Number.NaN));
}

/** Writes a duration of whole seconds as a whole number of its largest possible unit. */
function durationText(ms: number): string {
  const unit = ["d", "h", "m"].find((name) => ms > 0 && ms % (msOfUnit[name] ?? 0) === 0) ?? "s";
  return `${ms / (msOfUnit[unit] ?? 1)}${unit}`;
}

/** Returns a parser for one of several names. */
export function choiceParser<const T extends string>(names: readonly T[]): (text: string) => T {
  return (text) => {
    const choice = names.find((name) => name === text);
    if (choice === undefined) throw new InvalidSettingValue(names.join(", "));
    return choice;
  };
}

/** Parses a switch: `true`, `1`, `on` or `yes`; `false`, `0`, `off` or `no`; in any case. */
export function parseSwitch(text: string): boolean {
  const lower = text.toLowerCase();
  if (["true", "1", "on", "yes"].includes(lower)) return true;
  if (["false", "0", "off", "no"].includes(lower)) return false;
  throw new InvalidSettingValue("true or false (also 1, on, yes and 0, off, no)");
}
