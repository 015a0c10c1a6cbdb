import { Agent } from "node:http";
import { createRegistry } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
  Http2SessionManager,
} from "@connectrpc/connect-node";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  QuotaFailureSchema,
  RetryInfoSchema,
} from "#gen/google/rpc/error_details_pb.js";
import { createGrpcJsTransport } from "./grpc-js-transport.js";

/** Addresses of a server's two listeners. */
export interface ServerUrls {
  /** Base URL of the gRPC listener. */
  readonly grpcUrl: string;
  /** Base URL of the listener for Connect, gRPC-Web and JSON. */
  readonly httpUrl: string;
}

/** A client's own connection to the server. */
export interface Connection {
  readonly transport: Transport;
  readonly close: () => void;
}

/** A protocol of the server, spoken by a common client. */
export interface Protocol {
  readonly name: string;
  /**
   * Whether both sides can stream at the same time, as AddBatch needs. HTTP/1.1 does not allow it.
   */
  readonly duplex: boolean;
  connect(server: ServerUrls): Connection;
}

/** Types that JSON clients need to read error details. */
const jsonOptions = {
  registry: createRegistry(ErrorInfoSchema, BadRequestSchema, QuotaFailureSchema, RetryInfoSchema),
};

/** Native gRPC, for cases that do not depend on the protocol. */
export const nativeGrpc: Protocol = {
  name: "gRPC on its own port, grpc-js client",
  duplex: true,
  connect({ grpcUrl }) {
    const transport = createGrpcJsTransport(new URL(grpcUrl).host);
    return { transport, close: () => transport.close() };
  },
};

/** Connect with JSON over HTTP/1.1, as curl speaks it. */
export const connectJson: Protocol = http1("Connect JSON, HTTP/1.1", (options) =>
  createConnectTransport({ ...options, useBinaryFormat: false }),
);

/** Every protocol of the server. */
export const protocols: readonly Protocol[] = [
  nativeGrpc,
  http2("gRPC on its own port, connect-node client", ({ grpcUrl }) => grpcUrl, createGrpcTransport),
  http2("gRPC on the HTTP port", ({ httpUrl }) => httpUrl, createGrpcTransport),
  http2(
    "Connect binary, HTTP/2",
    ({ httpUrl }) => httpUrl,
    (options) => createConnectTransport({ ...options, useBinaryFormat: true, httpVersion: "2" }),
  ),
  connectJson,
  http1("gRPC-Web binary, HTTP/1.1", (options) =>
    createGrpcWebTransport({ ...options, useBinaryFormat: true }),
  ),
  http2(
    "gRPC-Web JSON, HTTP/2",
    ({ httpUrl }) => httpUrl,
    (options) => createGrpcWebTransport({ ...options, useBinaryFormat: false, httpVersion: "2" }),
  ),
];

interface Http2Options {
  readonly baseUrl: string;
  readonly sessionManager: Http2SessionManager;
  readonly jsonOptions: typeof jsonOptions;
}

function http2(
  name: string,
  urlOf: (server: ServerUrls) => string,
  open: (options: Http2Options) => Transport,
): Protocol {
  return {
    name,
    duplex: true,
    connect(server) {
      const baseUrl = urlOf(server);
      const sessionManager = new Http2SessionManager(baseUrl);
      return {
        transport: open({ baseUrl, sessionManager, jsonOptions }),
        close: () => sessionManager.abort(),
      };
    },
  };
}

interface Http1Options {
  readonly baseUrl: string;
  readonly httpVersion: "1.1";
  readonly nodeOptions: { readonly agent: Agent };
  readonly jsonOptions: typeof jsonOptions;
}

function http1(name: string, open: (options: Http1Options) => Transport): Protocol {
  return {
    name,
    duplex: false,
    connect({ httpUrl }) {
      const agent = new Agent({ keepAlive: true });
      const transport = open({
        baseUrl: httpUrl,
        httpVersion: "1.1",
        nodeOptions: { agent },
        jsonOptions,
      });
      return { transport, close: () => agent.destroy() };
    },
  };
}
