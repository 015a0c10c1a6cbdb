import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { createConnectTransport } from "@connectrpc/connect-node";
import type { OpenTransport, TransportOptions } from "./transport-options.js";

/** The server sends messages of at most 16 MiB. The limit of the client is slightly higher. */
const receiveMaxBytes = 17 * 1024 * 1024;

/**
 * Creates a transport for the protocol Connect over HTTP/1.1, with keep-alive connections.
 *
 * The transport does not use HTTP/2, because connect-node 2.1.2 has a fault: if an HTTP/2 session
 * closes right after the server's GOAWAY, the process ends.
 */
export function createTransport({ baseUrl, tls }: TransportOptions): OpenTransport {
  const { rootCertificates: ca, certificateChain: cert, privateKey: key } = tls ?? {};
  const tlsOptions = Object.fromEntries(
    Object.entries({ ca, cert, key }).filter(([, value]) => value !== undefined),
  );
  const agent = baseUrl.startsWith("https:")
    ? new HttpsAgent({ keepAlive: true, ...tlsOptions })
    : new HttpAgent({ keepAlive: true });
  const transport = createConnectTransport({
    baseUrl,
    httpVersion: "1.1",
    nodeOptions: { agent },
    readMaxBytes: receiveMaxBytes,
  });
  return { transport, baseUrl, advice: "", isConnectionFailure, close: () => agent.destroy() };
}

/** Whether an error comes from a socket, TLS, a certificate, or a reply that is not HTTP. */
function isConnectionFailure(cause: unknown): boolean {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return /^(?:E(?:CONN|PIPE|PROTO|HOST|NET)|ERR_SSL_|ERR_TLS_|HPE_|CERT_|CRL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|INVALID_CA)/.test(
    code,
  );
}
