import { BlockList, isIP } from "node:net";
import { type Address, formatAddress } from "../address.js";

/** What a setting does not accept. */
export class NotAllowed extends Error {
  override readonly name = "NotAllowed";
  constructor(
    /** Completes the sentence "allowed: …". */
    readonly allowed: string,
    /** What of the value may be shown; `undefined`: all of it. */
    readonly shown?: string,
  ) {
    super(allowed);
  }
}

const addressPattern =
  /^(?:\[(?<ipv6>[\da-f:.]+(?:%\w+)?)\]|(?<host>[^\s:/[\]]+)):(?<port>\d{1,5})$/i;

/** `HOST:PORT` or `[IPV6]:PORT`. */
export function parseAddress(text: string): Address {
  const { ipv6, host, port } = addressPattern.exec(text)?.groups ?? {};
  const name = ipv6 ?? host;
  if (name === undefined || Number(port) > 65_535) {
    throw new NotAllowed(
      "HOST:PORT with a port of 0 to 65535, such as 127.0.0.1:50051 or [::1]:50051",
    );
  }
  return { host: name, port: Number(port) };
}

/** Whether only this machine can reach an address. A name other than `localhost` may stand for any address. */
export function isLoopback({ host }: Address): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === "localhost";
  const loopback = new BlockList();
  loopback.addSubnet("127.0.0.0", 8, "ipv4");
  loopback.addAddress("::1", "ipv6");
  return loopback.check(host, family === 6 ? "ipv6" : "ipv4");
}

/** An address that only this machine can reach. */
export function parseLoopbackAddress(text: string): Address {
  const address = parseAddress(text);
  if (isLoopback(address)) return address;
  throw new NotAllowed(
    "an address that only this machine can reach, such as 127.0.0.1:8090; to let others in, put a proxy that checks them before it",
  );
}

/** The base URL of a server given as `HOST:PORT` (plaintext), `http://HOST:PORT` or `https://HOST:PORT` (TLS). */
export function parseEndpoint(text: string): string {
  const [, scheme, rest] = /^(?:(https?):\/\/)?(.*?)\/?$/i.exec(text) ?? [];
  try {
    return `${(scheme ?? "http").toLowerCase()}://${formatAddress(parseAddress(rest ?? ""))}`;
  } catch {
    throw new NotAllowed(
      "HOST:PORT, or https://HOST:PORT for a server with TLS, such as 127.0.0.1:50051",
    );
  }
}

/** The base URL of an HTTP API, without a slash at its end. Nothing secret may stand in it. */
export function parseHttpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url !== undefined && `${url.username}${url.password}${url.search}${url.hash}` === "";
  if (!isPlain || !["http:", "https:"].includes(url.protocol)) {
    throw new NotAllowed(
      "an http or https URL without user, query and fragment, such as https://api.openai.com/v1",
      withoutSecrets(text),
    );
  }
  return url.href.replace(/\/+$/, "");
}

/** Origins of web pages with commas between, each as browsers send it. */
export function parseOrigins(text: string): readonly string[] {
  return [...new Set(text.split(",").map((part) => parseOrigin(part.trim())))];
}

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isExact =
    url !== undefined && ["http:", "https:"].includes(url.protocol) && !url.host.includes("*");
  if (isExact && url.origin === text) return text;
  const advice = isExact ? `; write '${url.origin}'` : "";
  throw new NotAllowed(
    "exact origins as browsers send them, http or https, host and port if it is not the usual one, such as https://app.example.com or " +
      `http://localhost:5173${advice}. Neither '*' nor 'null', which would let any page that somebody opens read and delete every memory`,
    withoutSecrets(text),
  );
}

/** A URL, or what was meant to be one, without what may be a key: its user, its query and its fragment. */
function withoutSecrets(text: string): string {
  return text.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, "$1…@").replace(/([?#]).*$/s, "$1…");
}

/** A name without white space. */
export function parseName(text: string): string {
  if (!/^\S{1,256}$/.test(text))
    throw new NotAllowed("a name of 1 to 256 characters without white space");
  return text;
}

/** What can stand in an HTTP header as a credential. */
export function parseSecret(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new NotAllowed("letters, digits and punctuation of ASCII, without white space");
  return text;
}

/** A reader of whole numbers of `min` to `max`. */
export function integerParser(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) throw new NotAllowed(`a whole number of ${min} to ${max}`);
    return value;
  };
}

/** A path; relative ones start at the working directory. */
export function parsePath(text: string): string {
  if (text.includes("\0")) throw new NotAllowed("a path without NUL characters");
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

/** A reader of sizes of at least `minBytes`, such as `512MiB`, `1.5 GB` or `65536` (bytes). */
export function byteSizeParser(minBytes: number): (text: string) => number {
  return (text) => {
    const [, amount, unit] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text) ?? [];
    const bytes = Math.floor(
      Number(amount) * (bytesOfUnit[(unit || "b").toLowerCase()] ?? Number.NaN),
    );
    if (!(Number.isSafeInteger(bytes) && bytes >= minBytes)) {
      throw new NotAllowed(
        `a size of at least ${minBytes} bytes, with B, KiB, MiB, GiB, KB, MB, GB or no unit (bytes), such as 512MiB`,
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

/** A reader of spans of time from `minMs` to `maxMs`, in milliseconds, such as `500ms`, `10s`, `2m`, `12h` or `30d`. */
export function durationParser(maxMs: number, minMs = 0): (text: string) => number {
  const isAllowed = (spanMs: number): boolean => spanMs >= minMs && spanMs <= maxMs;
  const examples = ["500ms", "10s", "12h"].filter((text) => isAllowed(spanOf(text)));
  return (text) => {
    const spanMs = spanOf(text);
    if (!isAllowed(spanMs)) {
      throw new NotAllowed(
        `a span of ${spanText(minMs)} to ${spanText(maxMs)} with its unit (ms, s, m, h or d), ` +
          `such as ${examples.slice(0, 2).join(" or ")}`,
      );
    }
    return spanMs;
  };
}

/** Returns the milliseconds of a span of time, not a number if the text is none. */
function spanOf(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?) ?(ms|s|m|h|d)$/.exec(text) ?? [];
  return Math.round(Number(amount) * (msOfUnit[unit ?? ""] ?? Number.NaN));
}

/** Writes a span of whole seconds in the largest unit that it is a multiple of. */
function spanText(spanMs: number): string {
  const unit = ["d", "h", "m"].find((name) => spanMs > 0 && spanMs % (msOfUnit[name] ?? 0) === 0);
  return `${spanMs / (msOfUnit[unit ?? "s"] ?? 1)}${unit ?? "s"}`;
}

/** A reader of one of a few names. `planned` names are known but not built yet, and the refusal says so. */
export function choiceParser<const T extends string>(
  known: readonly T[],
  planned: readonly string[] = [],
): (text: string) => T {
  return (text) => {
    const found = known.find((name) => name === text);
    if (found !== undefined) return found;
    const suffix = planned.includes(text) ? ` (${text} is known, not built yet)` : "";
    throw new NotAllowed(known.join(", ") + suffix);
  };
}

/** `true`, `1`, `on` or `yes`; `false`, `0`, `off` or `no`; in any case. */
export function parseSwitch(text: string): boolean {
  const lower = text.toLowerCase();
  if (["true", "1", "on", "yes"].includes(lower)) return true;
  if (["false", "0", "off", "no"].includes(lower)) return false;
  throw new NotAllowed("true or false (also 1, on, yes and 0, off, no)");
}
