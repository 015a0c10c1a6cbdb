import { resolve } from "node:path";
import { type Address, formatAddress } from "../address.js";
import type { Config } from "../config/server-settings.js";
import type { RunningServer } from "../server/start-server.js";
import { productVersion } from "../version.js";

/** The addresses of a running server. */
type ListeningServer = Pick<RunningServer, "grpcAddress" | "httpAddress">;

/** Returns a server's addresses and settings as one line of JSON. */
export function readyJson(config: Config, { grpcAddress, httpAddress }: ListeningServer): string {
  return JSON.stringify({
    event: "ready",
    version: productVersion(),
    grpc: formatAddress(grpcAddress),
    http: httpUrl(config, httpAddress),
    provider: config.provider,
    ...(config.provider === "level" && { data: resolve(config.dataFolder) }),
    embedder: config.embedder,
    pid: process.pid,
  });
}

/**
 * Returns a server's addresses and first calls to copy, for a person.
 *
 * @param invocation the program as the user called it
 */
export function readyText(
  config: Config,
  { grpcAddress, httpAddress }: ListeningServer,
  invocation: string,
): string {
  const storage = {
    level: `in ${resolve(config.dataFolder)}`,
    memory: "in RAM, until this process ends",
    postgres: "in PostgreSQL",
  }[config.provider];
  const url = httpUrl(config, httpAddress);
  const server =
    config.tlsCert === undefined
      ? formatAddress(grpcAddress)
      : `https://${formatAddress(grpcAddress)}`;
  const client = `--server ${server} --user ada --agent sommelier`;
  return `Vademecum ${productVersion()} keeps memories ${storage}.

  gRPC                      ${server}
  Connect, gRPC-Web, JSON   ${url}

Try it in another terminal:

  ${invocation} add ${client} "Ada prefers dry Burgundy"
  ${invocation} search ${client} "which wine does Ada like?"

  curl ${url}/vademecum.v1.MemoryProvider/Recall -H 'content-type: application/json' \\
    -d '{"search":{"namespace":{"userId":"ada","agentId":"sommelier"},"query":"wine"}}'

Stop the server with Ctrl-C.`;
}

function httpUrl({ tlsCert }: Config, address: Address): string {
  return `${tlsCert === undefined ? "http" : "https"}://${formatAddress(address)}`;
}
