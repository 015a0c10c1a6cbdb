import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, type Transport } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { onTestFinished } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";

const folder = join(import.meta.dirname, "..", "..", "fixtures", "tls");

/** Returns the path of a file of certificates or keys for tests, such as `client-ca.pem`. */
export function tlsFile(name: string): string {
  return join(folder, name);
}

/** The certificates that a TLS client trusts and shows: names of files for tests. */
export interface TlsClientFiles {
  /** The certificate of the server. Default: `cert.pem`. */
  readonly server?: string;
  /** A certificate for `client-key.pem`. Absent: the client shows no certificate. */
  readonly certificate?: string | undefined;
}

/** Reads the TLS options of a client. */
export async function tlsClientOptions({ server = "cert.pem", certificate }: TlsClientFiles) {
  const ca = await readFile(tlsFile(server));
  if (certificate === undefined) return { ca };
  const [cert, key] = await Promise.all(
    [certificate, "client-key.pem"].map((name) => readFile(tlsFile(name))),
  );
  return { ca, cert, key };
}

/** Returns a transport over a new TLS connection, which closes with the test. */
export async function tlsTransport(url: string, files: TlsClientFiles = {}): Promise<Transport> {
  const options = await tlsClientOptions(files);
  const sessionManager = new Http2SessionManager(tlsUrl(url), {}, options);
  onTestFinished(() => sessionManager.abort());
  return createGrpcTransport({ baseUrl: tlsUrl(url), sessionManager });
}

/** Returns a client over a new TLS connection, which closes with the test. */
export async function tlsMemories(url: string, files: TlsClientFiles = {}) {
  return createClient(MemoryProvider, await tlsTransport(url, files));
}

/** Returns the URL under which the certificate of a test server is valid. */
export function tlsUrl(url: string): string {
  return url.replace("http://", "https://").replace("127.0.0.1", "localhost");
}
