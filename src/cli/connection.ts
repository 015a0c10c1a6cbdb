import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { type Client, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { Health } from "#gen/grpc/health/v1/health_pb.js";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { ThreadService } from "#gen/vademecum/v1/thread_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import type { ConnectionConfig } from "../config/client-settings.js";
import { errorText } from "../core/model/errors.js";
import { isLoopback } from "../edge/address.js";
import { trackFailures } from "./call-addresses.js";
import { CommandFailure } from "./command-io.js";
import { repeatHeldCalls } from "./held-calls.js";
import { Http2Sessions } from "./http2-sessions.js";
import { checkClientIdentity } from "./tls-failures.js";

/** Client stubs for the services of one server, on one connection. */
export interface Connection {
  readonly memoryProvider: Client<typeof MemoryProvider>;
  readonly threads: Client<typeof ThreadService>;
  readonly blocks: Client<typeof BlockService>;
  readonly tools: Client<typeof ToolService>;
  readonly proposals: Client<typeof ProposalService>;
  readonly skills: Client<typeof SkillService>;
  readonly keyValues: Client<typeof KeyValueService>;
  readonly admin: Client<typeof AdminService>;
  readonly health: Client<typeof Health>;
  /** Ends the calls in flight. The next call opens a new connection. */
  reconnect(): void;
  close(): void;
}

/** The options that give the address and the key of a connection. Messages name these options. */
export interface ConnectionOptionNames {
  readonly server: string;
  readonly apiKeyFile: string;
}

const usualOptions: ConnectionOptionNames = { server: "server", apiKeyFile: "api-key-file" };

/**
 * Creates the stubs for a server. The first call opens the connection. Each call carries the API
 * key, if there is one.
 *
 * @throws CommandFailure when a file cannot be read, when the certificate and the key of the client
 *   do not belong together, or when the API key would cross a network in plaintext
 */
export function openConnection(
  config: ConnectionConfig,
  options: ConnectionOptionNames = usualOptions,
): Connection {
  const { session, transport } = openTransport(config, options);
  return connectionOver(transport, () => session.abort());
}

/** The configuration of a connection, and whether it checks the server's certificate. */
export interface TransportConfig extends ConnectionConfig {
  /** Accepts any certificate of the server. Only for calls to this machine that send no secret. */
  readonly acceptsAnyCertificate?: boolean;
}

/**
 * Creates the stubs for a server as `openConnection` does. The stubs repeat calls that a move of
 * users to another server holds up, see `repeatHeldCalls`.
 *
 * @throws CommandFailure as `openConnection`
 */
export function openPatientConnection(config: TransportConfig): Connection {
  const { session, transport } = openTransport(config);
  return connectionOver(repeatHeldCalls(transport), () => session.abort());
}

interface OpenTransport {
  readonly session: Http2Sessions;
  readonly transport: Transport;
}

function openTransport(
  config: TransportConfig,
  options: ConnectionOptionNames = usualOptions,
): OpenTransport {
  const { server } = config;
  const session = new Http2Sessions(server, {}, tlsOptionsOf(config));
  const interceptors = sendKey(config, options);
  const transport = createGrpcTransport({ baseUrl: server, sessionManager: session, interceptors });
  return { session, transport: trackFailures(transport, server) };
}

function connectionOver(transport: Transport, abort: () => void): Connection {
  return {
    memoryProvider: createClient(MemoryProvider, transport),
    threads: createClient(ThreadService, transport),
    blocks: createClient(BlockService, transport),
    tools: createClient(ToolService, transport),
    proposals: createClient(ProposalService, transport),
    skills: createClient(SkillService, transport),
    keyValues: createClient(KeyValueService, transport),
    admin: createClient(AdminService, transport),
    health: createClient(Health, transport),
    reconnect: abort,
    close: abort,
  };
}

function sendKey(config: ConnectionConfig, options: ConnectionOptionNames): Interceptor[] {
  const key = keyForServer(config, options);
  if (key === undefined) return [];
  return [
    (next) => (request) => {
      request.header.set("authorization", `Bearer ${key}`);
      return next(request);
    },
  ];
}

/**
 * Returns the key to send to `config.server`, if there is one.
 *
 * @throws CommandFailure when its file cannot be read, or when the key would cross a network in
 *   plaintext
 */
export function keyForServer(
  config: Pick<ConnectionConfig, "apiKey" | "apiKeyFile" | "server">,
  options: ConnectionOptionNames = usualOptions,
): string | undefined {
  const key = keyOf(config, options.apiKeyFile);
  if (key !== undefined) requirePrivateWay(config.server, options.server);
  return key;
}

function keyOf(
  { apiKey, apiKeyFile }: Pick<ConnectionConfig, "apiKey" | "apiKeyFile">,
  flag: string,
): string | undefined {
  if (apiKey !== undefined || apiKeyFile === undefined) return apiKey;
  const key = readSettingFile(flag, apiKeyFile).toString("utf8").trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new CommandFailure(`--${flag}: '${apiKeyFile}' does not hold one key`, 2);
}

/** Refuses to send a key where others could read it. */
function requirePrivateWay(server: string, flag: string): void {
  const { protocol, hostname } = new URL(server);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (protocol === "https:" || isLoopback({ host })) return;
  throw new CommandFailure(
    `--${flag}: the API key would go to '${server}' in plaintext, so others could read it; ` +
      "use https://, or unset VADEMECUM_API_KEY and VADEMECUM_API_KEY_FILE",
    2,
  );
}

function tlsOptionsOf({
  tlsCa,
  clientCert,
  clientKey,
  acceptsAnyCertificate = false,
}: TransportConfig): ConnectionOptions {
  if ((clientCert === undefined) !== (clientKey === undefined)) {
    const [present, absent] =
      clientKey === undefined ? ["--tls-cert", "--tls-key"] : ["--tls-key", "--tls-cert"];
    throw new CommandFailure(`${absent}: missing, but ${present} is given; give both`, 2);
  }
  const identity = {
    ...(clientCert === undefined ? {} : { cert: readSettingFile("tls-cert", clientCert) }),
    ...(clientKey === undefined ? {} : { key: readSettingFile("tls-key", clientKey) }),
  };
  if (clientCert !== undefined) checkClientIdentity(identity);
  return {
    ...identity,
    rejectUnauthorized: !acceptsAnyCertificate,
    ...(tlsCa === undefined ? {} : { ca: readSettingFile("tls-ca", tlsCa) }),
  };
}

function readSettingFile(flag: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CommandFailure(`--${flag}: cannot read '${file}': ${errorText(error)}`, 2);
  }
}
