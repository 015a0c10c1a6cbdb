import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { createConnectTransport } from "@connectrpc/connect-node";
import type { OpenTransport, TransportOptions } from "./transport-options.js";

/** The largest reply of the service, with room for what surrounds it. */
const receiveMaxBytes = 17 * 1024 * 1024;

/**
 * Connect over HTTP/1.1, with connections that are kept for the next call.
 * Not over HTTP/2: connect-node 2.1.2 ends the process where its session is closed just when the server has said goodbye to it.
 */
export function createTransport({ baseUrl, tls }: TransportOptions): OpenTransport {
  const { rootCertificates: ca, certificateChain: cert, privateKey: key } = tls ?? {};
  const given = Object.fromEntries(
    Object.entries({ ca, cert, key }).filter(([, value]) => value !== undefined),
  );
  const agent = baseUrl.startsWith("https:")
    ? new HttpsAgent({ keepAlive: true, ...given })
    : new HttpAgent({ keepAlive: true });
  const transport = createConnectTransport({
    baseUrl,
    httpVersion: "1.1",
    nodeOptions: { agent },
    readMaxBytes: receiveMaxBytes,
  });
  return { transport, isConnectionFailure, close: () => agent.destroy() };
}

/** Errors of sockets, of TLS and its certificates, and of replies that are not HTTP. */
function isConnectionFailure(cause: unknown): boolean {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return /^(?:E(?:CONN|PIPE|PROTO|HOST|NET)|ERR_SSL_|ERR_TLS_|HPE_|CERT_|CRL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|INVALID_CA)/.test(
    code,
  );
}
