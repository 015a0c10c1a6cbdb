import { resolve } from "node:path";
import type { Config } from "../config/server-settings.js";
import { type Address, formatAddress } from "../edge/address.js";
import { productVersion } from "../edge/version.js";
import type { RunningServer } from "../server/start-server.js";

/** The addresses of a running server. */
type ListeningServer = Pick<RunningServer, "grpcAddress" | "httpAddress" | "metricsAddress">;

/** What a server that keeps nothing prints besides its addresses. */
export interface ReadyFacts {
  /** An API key that may do everything, or a command that makes one. Default: none. */
  readonly key?: string;
}

/** Returns a server's addresses and settings as one line of JSON. */
export function readyJson(
  config: Config,
  server: ListeningServer,
  { key }: ReadyFacts = {},
): string {
  const { grpcAddress, httpAddress, metricsAddress } = server;
  return JSON.stringify({
    event: "ready",
    version: productVersion(),
    grpc: formatAddress(grpcAddress),
    http: httpUrl(config, httpAddress),
    ...(metricsAddress && { metrics: metricsUrl(metricsAddress) }),
    provider: config.provider,
    ...(config.provider === "level" && { data: resolve(config.dataFolder) }),
    embedder: config.embedder,
    ...(key?.startsWith("vdm_") && { key }),
    pid: process.pid,
  });
}

/**
 * Returns a text for a person: the addresses of a server, and example calls to copy. On a server
 * that asks for credentials, the example calls read an API key from the environment.
 *
 * @param invocation the program as the user called it
 */
export function readyText(
  config: Config,
  { grpcAddress, httpAddress, metricsAddress }: ListeningServer,
  invocation: string,
  { key }: ReadyFacts = {},
): string {
  const storage = {
    level: `in ${resolve(config.dataFolder)}`,
    memory: "in RAM. All data is lost when this process ends",
    postgres: "in PostgreSQL",
  }[config.provider];
  const url = httpUrl(config, httpAddress);
  const server =
    config.tlsCert === undefined
      ? formatAddress(grpcAddress)
      : `https://${formatAddress(grpcAddress)}`;
  const client = `--server ${server} --user ada --agent sommelier`;
  const metrics =
    metricsAddress === undefined
      ? ""
      : `\n  metrics                   ${metricsUrl(metricsAddress)}`;
  const asksForKey =
    key !== undefined || config.credentials !== undefined || config.jwtKeySet !== undefined;
  const condition = asksForKey && key === undefined ? ", with an API key in VADEMECUM_API_KEY" : "";
  const setKey = key === undefined ? "" : `  export VADEMECUM_API_KEY=${key}\n`;
  const keyHeader = asksForKey ? ` -H "authorization: Bearer $VADEMECUM_API_KEY"` : "";
  const signIn = key === undefined ? "" : `#key=${encodeURIComponent(key)}`;
  const pages = config.servesConsole
    ? `\n  web console               ${url}/console/${signIn}`
    : "";
  return `Vademecum ${productVersion()} keeps memories ${storage}.

  gRPC                      ${server}
  Connect, gRPC-Web, JSON   ${url}${pages}${metrics}

Try it in another terminal${condition}:

${setKey}  ${invocation} add ${client} "Ada prefers dry Burgundy"
  ${invocation} search ${client} "which wine does Ada like?"

  curl ${url}/vademecum.v1.MemoryProvider/Recall -H 'content-type: application/json'${keyHeader} \\
    -d '{"search":{"namespace":{"userId":"ada","agentId":"sommelier"},"query":"wine"}}'

Stop the server with Ctrl-C.`;
}

function metricsUrl(address: Address): string {
  return `http://${formatAddress(address)}/metrics`;
}

function httpUrl({ tlsCert }: Config, address: Address): string {
  return `${tlsCert === undefined ? "http" : "https"}://${formatAddress(address)}`;
}
