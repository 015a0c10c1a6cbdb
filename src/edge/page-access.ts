import { isIP } from "node:net";

/**
 * The rules for web pages that call a server. They concern pages of other origins, and pages of the
 * server's own origin (see `pageRefusal`). Programs send no `Origin` header, so no rule concerns
 * them.
 */
export interface PageRules {
  /** Whether pages of an origin may call, whatever the `Host` header says. */
  readonly allowsOrigin: (origin: string) => boolean;
  /** Names in `Host` that the operator vouches for, in lower case, without a port. */
  readonly allowedHosts: readonly string[];
}

/** The headers that tell where a request comes from and where its sender wanted it to go. */
export interface RequestSource {
  readonly host: string | undefined;
  readonly origin: string | undefined;
}

/** Why a request of a web page is refused. */
export type PageRefusal = "OTHER_ORIGIN" | "UNKNOWN_HOST";

/**
 * Returns why a request of a web page must be refused, or `undefined` if it may proceed.
 *
 * A page of the server's own origin may call, but only under a `Host` that DNS rebinding cannot
 * forge (see `isTrustedHost`). Otherwise an attacker could point a name of their own at the server.
 * Pages under this name would then have the origin of the server.
 */
export function pageRefusal(source: RequestSource, rules: PageRules): PageRefusal | undefined {
  const { host, origin } = source;
  if (origin === undefined || rules.allowsOrigin(origin)) return undefined;
  if (!isOwnOrigin(origin, host)) return "OTHER_ORIGIN";
  return isTrustedHost(host, rules.allowedHosts) ? undefined : "UNKNOWN_HOST";
}

/** Matches a name or an IP address in a `Host` header, with an optional port. */
const hostPattern = /^(?:\[(?<ipv6>[\da-f:.]+)\]|(?<name>[^\s:/?#@[\]\\]+))(?::\d+)?$/i;

/**
 * Whether a `Host` header names a host that DNS rebinding cannot forge: an IP address, `localhost`,
 * or one of `allowedHosts`. The port does not matter.
 */
export function isTrustedHost(host: string | undefined, allowedHosts: readonly string[]): boolean {
  const { ipv6, name } = hostPattern.exec(host ?? "")?.groups ?? {};
  const plain = (ipv6 ?? name ?? "").toLowerCase();
  return plain === "localhost" || isIP(plain) !== 0 || allowedHosts.includes(plain);
}

/**
 * Whether an origin has the host and port of a `Host` header. The scheme does not matter, because a
 * proxy may end TLS. A port that is the default of the origin's scheme may be left out.
 */
function isOwnOrigin(origin: string, host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(origin)) return false;
  const { protocol, host: originHost } = new URL(origin);
  const server = `${protocol}//${host}`;
  return originHost !== "" && URL.canParse(server) && new URL(server).host === originHost;
}
