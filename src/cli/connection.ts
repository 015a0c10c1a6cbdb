import { readFileSync } from "node:fs";
import { type Client, createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { Health } from "#gen/grpc/health/v1/health_pb.js";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import type { ConnectionConfig } from "../config/client-settings.js";
import { errorText } from "../core/model/errors.js";
import { CommandFailure } from "./command-io.js";

/** Client stubs for the services of one server, on one connection. */
export interface Connection {
  readonly memoryProvider: Client<typeof MemoryProvider>;
  readonly blocks: Client<typeof BlockService>;
  readonly tools: Client<typeof ToolService>;
  readonly proposals: Client<typeof ProposalService>;
  readonly admin: Client<typeof AdminService>;
  readonly health: Client<typeof Health>;
  /** Ends the calls in flight. The next call opens a new connection. */
  reconnect(): void;
  close(): void;
}

/**
 * Creates the stubs for a server. The first call opens the connection.
 *
 * @throws CommandFailure when the certificate of `--tls-ca` cannot be read
 */
export function openConnection({ server, tlsCa }: ConnectionConfig): Connection {
  const session = new Http2SessionManager(
    server,
    {},
    tlsCa === undefined ? {} : { ca: readCertificate(tlsCa) },
  );
  const transport = createGrpcTransport({ baseUrl: server, sessionManager: session });
  return {
    memoryProvider: createClient(MemoryProvider, transport),
    blocks: createClient(BlockService, transport),
    tools: createClient(ToolService, transport),
    proposals: createClient(ProposalService, transport),
    admin: createClient(AdminService, transport),
    health: createClient(Health, transport),
    reconnect: () => session.abort(),
    close: () => session.abort(),
  };
}

function readCertificate(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CommandFailure(`--tls-ca: cannot read '${file}': ${errorText(error)}`, 2);
  }
}
