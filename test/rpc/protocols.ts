import { createRegistry } from "@bufbuild/protobuf";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { file_google_rpc_error_details } from "#gen/google/rpc/error_details_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import type { ProbeAddresses } from "./probe-server.js";

/** A protocol and how to connect with it. */
export interface Protocol {
  readonly name: string;
  readonly connect: (server: ProbeAddresses) => Transport;
  /** Whether it supports bidirectional streams. */
  readonly bidi: boolean;
}

const jsonOptions = { registry: createRegistry(file_google_rpc_error_details) };

function onHttpPort(name: string, create: (baseUrl: string) => Transport, bidi = true): Protocol {
  return { name, connect: ({ httpAddress }) => create(`http://${httpAddress}`), bidi };
}

/** Every protocol of the server. */
export const protocols: readonly Protocol[] = [
  {
    name: "gRPC",
    connect: ({ grpcAddress }) => createGrpcTransport({ baseUrl: `http://${grpcAddress}` }),
    bidi: true,
  },
  onHttpPort("gRPC on the HTTP port", (baseUrl) => createGrpcTransport({ baseUrl })),
  onHttpPort(
    "gRPC-Web over HTTP/1.1",
    (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }),
    false,
  ),
  onHttpPort("gRPC-Web over HTTP/2", (baseUrl) =>
    createGrpcWebTransport({ baseUrl, httpVersion: "2" }),
  ),
  onHttpPort("gRPC-Web with JSON", (baseUrl) =>
    createGrpcWebTransport({ baseUrl, httpVersion: "2", useBinaryFormat: false, jsonOptions }),
  ),
  onHttpPort(
    "Connect over HTTP/1.1",
    (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1", useBinaryFormat: true }),
    false,
  ),
  onHttpPort("Connect over HTTP/2", (baseUrl) =>
    createConnectTransport({ baseUrl, httpVersion: "2", useBinaryFormat: true }),
  ),
  onHttpPort(
    "Connect with JSON over HTTP/1.1",
    (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1", jsonOptions }),
    false,
  ),
  onHttpPort("Connect with JSON over HTTP/2", (baseUrl) =>
    createConnectTransport({ baseUrl, httpVersion: "2", jsonOptions }),
  ),
];

/** Creates a client of the memory provider. */
export function memoryProviderClient(
  server: ProbeAddresses,
  protocol: Protocol,
): Client<typeof MemoryProvider> {
  return createClient(MemoryProvider, protocol.connect(server));
}
